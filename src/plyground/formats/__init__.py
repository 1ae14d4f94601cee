"""Games and positions as other programs write them.

Reversi: transcripts, boards, OBF, GGF and WTHOR. A game read from any of them is a `Record`, a position is a
`ScoredPosition`. Chess: PGN, EPD and FEN; a `ChessRecord` and a `ChessPosition`. `recognise` finds out which format a
text or a file is in.
"""

from plyground.formats.board import read_board, write_board
from plyground.formats.epd import ChessPosition, read_epd, read_epd_lines, write_epd
from plyground.formats.ggf import read_ggf, read_ggf_games, write_ggf
from plyground.formats.obf import ScoredPosition, read_obf, read_obf_lines, write_obf
from plyground.formats.pgn import ChessRecord, PgnMove, read_pgn, read_pgn_games, write_pgn
from plyground.formats.recognise import Format, Item, only_reversi, read_any, read_any_file, recognise
from plyground.formats.record import Clock, Ending, Record, Result
from plyground.formats.transcript import read_transcript, read_transcripts, write_transcript
from plyground.formats.wthor import GameBase, collect_games, read_wthor, write_wthor

__all__ = [
    "ChessPosition",
    "ChessRecord",
    "Clock",
    "Ending",
    "Format",
    "GameBase",
    "Item",
    "PgnMove",
    "Record",
    "Result",
    "ScoredPosition",
    "collect_games",
    "only_reversi",
    "read_any",
    "read_any_file",
    "read_board",
    "read_epd",
    "read_epd_lines",
    "read_ggf",
    "read_ggf_games",
    "read_obf",
    "read_obf_lines",
    "read_pgn",
    "read_pgn_games",
    "read_transcript",
    "read_transcripts",
    "read_wthor",
    "recognise",
    "write_board",
    "write_epd",
    "write_ggf",
    "write_obf",
    "write_pgn",
    "write_transcript",
    "write_wthor",
]
