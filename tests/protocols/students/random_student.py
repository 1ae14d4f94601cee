import random


class AIPlayer:
    """
    AI 玩家: 随机落子
    """

    def __init__(self, color):
        self.color = color

    def get_move(self, board):
        player_name = "黑棋" if self.color == "X" else "白棋"
        print(f"请等一会，对方 {player_name}-{self.color} 正在思考中...")
        action_list = list(board.get_legal_actions(self.color))
        if len(action_list) == 0:
            return None
        return random.choice(action_list)
