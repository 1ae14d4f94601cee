"""你的棋手。请提交这个文件。"""

import random


class AIPlayer:
    """黑白棋 MiniAlphaGo：用蒙特卡洛树搜索选择着法。"""

    def __init__(self, color):
        """`color` 为 "X" 表示黑棋（先手），为 "O" 表示白棋。"""
        self.color = color

    def get_move(self, board):
        """在 60 秒内返回一个合法的落子位置，例如 "D3"。

        返回时 `board` 必须与调用时相同：请在副本上搜索（copy.deepcopy），或用 board.backpropagation
        撤销落子。无子可下时不会询问你。
        """
        legal = list(board.get_legal_actions(self.color))
        # TODO: 换成你的蒙特卡洛树搜索：选择、扩展、模拟、反向传播。
        return random.choice(legal)
