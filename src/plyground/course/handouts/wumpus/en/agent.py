"""Your agent. Hand in this file."""

import random


class Agent:
    """An agent for the Wumpus world. A new one is made for every cave."""

    def __init__(self, width, height):
        """The size of the cave is all that you know of it. You stand on (1, 1) and face east."""
        self.width, self.height = width, height

    def act(self, percept):
        """Return the next action: "left", "right", "forward", "grab", "release", "shoot" or "climb".

        `percept` has the truth values stench, breeze, glitter, bump and scream. The first one is that of the
        entrance, each other one that after your last action.
        """
        if percept.glitter:
            return "grab"
        # TODO: remember where you are and what you have perceived, and go on only where it is safe.
        return random.choice(["left", "right", "forward", "climb"])
