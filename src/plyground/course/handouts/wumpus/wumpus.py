"""The Wumpus world: caves, what an agent perceives in them, and what its actions do.

Squares are (x, y), from (1, 1), the entrance, at the lower left. The agent enters facing east.
"""

from collections import namedtuple

ACTIONS = ("left", "right", "forward", "grab", "release", "shoot", "climb")
MOVES = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""What a step adds to x and y, facing east, north, west, south; a turn to the left is the next of them."""
ENTRANCE = (1, 1)

Percept = namedtuple("Percept", "stench breeze glitter bump scream")
"""All that an agent is ever given: five truth values."""


class Cave:
    """A cave and an agent in it."""

    def __init__(self, width, height, pits, wumpus, gold):
        self.width, self.height = width, height
        self.pits, self.wumpus, self.gold = frozenset(pits), wumpus, gold
        self.most_steps = 20 * width * height
        self.enter()

    def enter(self):
        """Begin a visit; what the agent perceives at the entrance."""
        self.at, self.heading = ENTRANCE, 0
        self.has_arrow, self.has_gold, self.wumpus_alive = True, False, True
        self.gold_at = self.gold
        self.alive, self.out = True, False
        self.steps = self.score = 0
        return self.percept()

    @property
    def over(self):
        """Whether the agent is dead, out, or has used up its actions."""
        return self.out or not self.alive or self.steps >= self.most_steps

    def inside(self, square):
        return 1 <= square[0] <= self.width and 1 <= square[1] <= self.height

    def neighbours(self, square):
        """The squares beside this one."""
        return [(square[0] + x, square[1] + y) for x, y in MOVES if self.inside((square[0] + x, square[1] + y))]

    def percept(self, bump=False, scream=False):
        """What the agent perceives where it stands."""
        beside = self.neighbours(self.at)
        return Percept(
            stench=self.wumpus == self.at or self.wumpus in beside,
            breeze=any(square in self.pits for square in beside),
            glitter=self.gold_at == self.at,
            bump=bump,
            scream=scream,
        )

    def act(self, action):
        """Do an action; what the agent perceives then."""
        if action not in ACTIONS:
            raise ValueError(f"there is no action {action!r}; they are {', '.join(ACTIONS)}")
        if self.over:
            raise ValueError("the visit is over")
        self.steps += 1
        self.score -= 1
        bump = scream = False
        x, y = MOVES[self.heading]
        if action == "left":
            self.heading = (self.heading + 1) % 4
        elif action == "right":
            self.heading = (self.heading + 3) % 4
        elif action == "forward":
            ahead = (self.at[0] + x, self.at[1] + y)
            bump = not self.inside(ahead)
            if not bump:
                self.at = ahead
                if ahead in self.pits or (self.wumpus_alive and ahead == self.wumpus):
                    self.alive = False
                    self.score -= 1000
        elif action == "grab" and self.gold_at == self.at:
            self.has_gold, self.gold_at = True, None
            self.score += 1000
        elif action == "release" and self.has_gold:
            self.has_gold, self.gold_at = False, self.at
            self.score -= 1000
        elif action == "shoot" and self.has_arrow:
            self.has_arrow = False
            self.score -= 10
            arrow = self.at
            while self.inside(arrow) and not scream:
                arrow = (arrow[0] + x, arrow[1] + y)
                scream = self.wumpus_alive and arrow == self.wumpus
            self.wumpus_alive = self.wumpus_alive and not scream
        elif action == "climb" and self.at == ENTRANCE:
            self.out = True
        return self.percept(bump, scream)

    def show(self):
        """The cave as text: P pit, W wumpus, G gold, @ agent."""
        rows = []
        for y in range(self.height, 0, -1):
            cells = []
            for x in range(1, self.width + 1):
                square = (x, y)
                letters = "P" * (square in self.pits) + "W" * (square == self.wumpus) + "G" * (square == self.gold_at)
                cells.append((letters + "@" * (square == self.at and not self.out) or ".").ljust(3))
            rows.append(" ".join(cells).rstrip())
        return "\n".join(rows)


def explore(cave, agent, on_step=None):
    """Let an agent visit a cave to the end; its score. `on_step(percept, action)` sees every step."""
    percept = cave.enter()
    while not cave.over:
        action = agent.act(percept)
        if on_step:
            on_step(percept, action)
        percept = cave.act(action)
    return cave.score


def read_caves(text):
    """The caves of a text: rows of squares, a blank line between two caves, # for comments.

    A square is . or letters of what is in it, P, W and G; the lower left one is the entrance, and may be @.
    """
    caves, rows = [], []
    for line in [*text.splitlines(), ""]:
        words = line.partition("#")[0].split()
        if words:
            rows.append(words)
        elif rows and not line.strip():
            caves.append(_cave(rows))
            rows = []
    return caves


def _cave(rows):
    where = {"P": [], "W": [], "G": [], "@": [], ".": []}
    for y, row in enumerate(reversed(rows), 1):
        if len(row) != len(rows[0]):
            raise ValueError(f"the row '{' '.join(row)}' has {len(row)} squares, and the first one {len(rows[0])}")
        for x, letters in enumerate(row, 1):
            for letter in letters:
                if letter not in where:
                    raise ValueError(f"'{letter}' is not P, W, G, @ or .")
                where[letter].append((x, y))
    if len(where["W"]) != 1 or len(where["G"]) != 1:
        raise ValueError("a cave has one wumpus W and one heap of gold G")
    if any(square != ENTRANCE for square in where["@"]) or ENTRANCE in [*where["P"], *where["W"]]:
        raise ValueError("the entrance @ is the lower left square, without pit and wumpus")
    return Cave(len(rows[0]), len(rows), where["P"], where["W"][0], where["G"][0])
