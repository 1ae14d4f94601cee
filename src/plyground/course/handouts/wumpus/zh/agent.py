"""你的智能体。请提交这个文件。"""

import random


class Agent:
    """Wumpus 世界的智能体。每个洞穴都会新建一个。"""

    def __init__(self, width, height):
        """你只知道洞穴的大小。你站在 (1, 1)，面朝东。"""
        self.width, self.height = width, height

    def act(self, percept):
        """返回下一个动作："left"、"right"、"forward"、"grab"、"release"、"shoot" 或 "climb"。

        `percept` 有五个真值：stench（臭气）、breeze（微风）、glitter（闪光）、bump（撞墙）、scream（惨叫）。
        第一个感知来自入口，以后每一个都是上一个动作之后的感知。
        """
        if percept.glitter:
            return "grab"
        # TODO: 记住你的位置和感知到的一切，只走安全的格子。
        return random.choice(["left", "right", "forward", "climb"])
