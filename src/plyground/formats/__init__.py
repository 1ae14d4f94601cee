"""Games and positions of Reversi as other programs write them: transcripts, boards, OBF, GGF and WTHOR.

A game read from any of them is a `Record`, a position is a `ScoredPosition`; `recognise` finds out which format a text
or a file is in.
"""

from plyground.formats.board import read_board, write_board
from plyground.formats.ggf import read_ggf, read_ggf_games, write_ggf
from plyground.formats.obf import ScoredPosition, read_obf, read_obf_lines, write_obf
from plyground.formats.recognise import Format, read_any, read_any_file, recognise
from plyground.formats.record import Clock, Ending, Record, Result
from plyground.formats.transcript import read_transcript, read_transcripts, write_transcript
from plyground.formats.wthor import GameBase, collect_games, read_wthor, write_wthor

__all__ = [
    "Clock",
    "Ending",
    "Format",
    "GameBase",
    "Record",
    "Result",
    "ScoredPosition",
    "collect_games",
    "read_any",
    "read_any_file",
    "read_board",
    "read_ggf",
    "read_ggf_games",
    "read_obf",
    "read_obf_lines",
    "read_transcript",
    "read_transcripts",
    "read_wthor",
    "recognise",
    "write_board",
    "write_ggf",
    "write_obf",
    "write_transcript",
    "write_wthor",
]
