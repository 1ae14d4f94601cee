"""What is found by name, in one place: a new room adds its line here, and nothing else changes.

A line is a name and where to find the function that makes it, which is imported when it is first needed.
"""

from __future__ import annotations

from plyground.core.registry import ENGINES, GAMES, PLAYERS, SOLVERS

__all__: list[str] = []

GAMES.add("tictactoe", "plyground.games.tictactoe:tictactoe")
GAMES.add("mnk", "plyground.games.mnk:mnk")
GAMES.add("gomoku", "plyground.games.mnk:gomoku")
GAMES.add("connect4", "plyground.games.connect4:connect4")
GAMES.add("reversi", "plyground.games.reversi:reversi")
GAMES.add("chess", "plyground.games.chess:chess")
GAMES.add("hex", "plyground.games.hex:hex_game")
GAMES.add("dots_and_boxes", "plyground.games.dots_and_boxes:dots_and_boxes")
GAMES.add("backgammon", "plyground.games.backgammon:backgammon")
GAMES.add("nim", "plyground.games.nim:nim")
GAMES.add("kuhn", "plyground.games.kuhn:kuhn")
GAMES.add("leduc", "plyground.games.leduc:leduc")
GAMES.add("pacman", "plyground.games.pacman:pacman")
GAMES.add("minibridge", "plyground.games.minibridge:minibridge")
GAMES.add("battleship", "plyground.games.battleship:battleship")
GAMES.add("tree", "plyground.games.tree:tree")
GAMES.add("openspiel", "plyground.protocols.openspiel:openspiel")
GAMES.add("aima", "plyground.protocols.aima:aima_game")

# The strongest kind comes last: of those that can play a game, it is the opponent that people meet.
PLAYERS.add("human", "plyground.players.human:human")
PLAYERS.add("random", "plyground.players.random:random")
PLAYERS.add("paranoid", "plyground.players.maxn:paranoid")
PLAYERS.add("maxn", "plyground.players.maxn:maxn")
PLAYERS.add("expectiminimax", "plyground.players.expectiminimax:expectiminimax")
PLAYERS.add("flat", "plyground.players.mcts:flat")
PLAYERS.add("uct", "plyground.players.mcts:uct")
PLAYERS.add("mcts", "plyground.players.mcts:mcts")
PLAYERS.add("minimax", "plyground.players.minimax:minimax")
PLAYERS.add("mtdf", "plyground.players.alphabeta:mtdf")
PLAYERS.add("pvs", "plyground.players.alphabeta:pvs")
PLAYERS.add("alphabeta", "plyground.players.alphabeta:alphabeta")
PLAYERS.add("pimc", "plyground.players.determinised:pimc")
PLAYERS.add("ismcts", "plyground.players.determinised:ismcts")
PLAYERS.add("gunner", "plyground.subjects.battleship.gunner:gunner")
PLAYERS.add("cfr", "plyground.players.cfr:cfr")
PLAYERS.add("book", "plyground.players.book:book")
PLAYERS.add("believer", "plyground.subjects.pacman.believer:believer")
PLAYERS.add("pubeval", "plyground.players.pubeval:pubeval")
PLAYERS.add("gtp", "plyground.protocols.gtp:gtp")
PLAYERS.add("uci", "plyground.protocols.uci:uci")
PLAYERS.add("nboard", "plyground.protocols.nboard:nboard")
PLAYERS.add("course", "plyground.protocols.course_player:course")
PLAYERS.add("aima", "plyground.protocols.aima:aima_player")
PLAYERS.add("alphago", "plyground.players.alphago:alphago")
PLAYERS.add("minialphago", "plyground.players.minialphago:minialphago")
PLAYERS.add("engine", "plyground.players.engine:engine")

SOLVERS.add("reversi", "plyground.engines.reversi.endings:SolvedEndings")

# What the player `engine` is, game by game: a function of its options (`plyground.players.engine.EngineOptions`).
ENGINES.add("reversi", "plyground.players.reversi_engine:reversi_engine")
ENGINES.add("gomoku", "plyground.players.gomoku_engine:gomoku_engine")
ENGINES.add("mnk", "plyground.players.gomoku_engine:gomoku_engine")
ENGINES.add("connect4", "plyground.players.connect4_engine:connect4_engine")
ENGINES.add("chess", "plyground.players.chess_engine:chess_engine")
ENGINES.add("backgammon", "plyground.players.backgammon_engine:backgammon_engine")
