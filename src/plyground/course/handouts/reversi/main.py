"""Play a game of Reversi in the terminal: python3 main.py [BLACK] [WHITE], each human, random or ai."""

import sys

from ai_player import AIPlayer
from game import Game

from players import HumanPlayer, RandomPlayer

PLAYERS = {"human": HumanPlayer, "random": RandomPlayer, "ai": AIPlayer}


def main(black="ai", white="random"):
    unknown = [name for name in (black, white) if name not in PLAYERS]
    if unknown:
        sys.exit(f"there is no player {unknown[0]}; they are {', '.join(PLAYERS)}")
    try:
        Game(PLAYERS[black]("X"), PLAYERS[white]("O")).run()
    except (KeyboardInterrupt, EOFError):
        print()


if __name__ == "__main__":
    if len(sys.argv) > 3:
        sys.exit("python3 main.py [BLACK] [WHITE]")
    main(*sys.argv[1:])
