"""The report of a grading: a page for the class, one for each student, one for the teacher, and a table for programs.

Each page is there in English and in Chinese. The page of the class shows figures and kinds of faults; output and code
of a student are on their own page and on the teacher's, and what two have in common on the teacher's alone. Figures
that are measured, and so differ from time to time, stand in elements of the class ``measured``.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from plyground.arena.archive import text_cell
from plyground.core.files import write_file
from plyground.course.handins.grading import Grading
from plyground.course.handins.marking import Fault, Mark
from plyground.course.handins.report_words import WORDS
from plyground.course.handins.similarity import Pair
from plyground.errors import FormatError
from plyground.visible_text import visible

__all__ = ["fault_line", "grades_csv", "score_text", "write_report"]

COLUMNS = {
    "reversi": ("won", "drawn", "lost", "forfeits"),
    "tictactoe": ("never_loses", "nodes"),
    "wumpus": ("gold", "died", "actions"),
    "queens": ("largest",),
}
MOST_PAIRS, MOST_PLACES, MOST_LINES = 100, 10, 60
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
STYLE = Path(__file__).with_name("report.css")


def write_report(grading: Grading, folder: Path, sources: Mapping[str, Mapping[str, str]]) -> list[Path]:
    """Write all pages and the table; `sources` are the files of the hand-ins. Returns the files for people to open."""
    students = _file_names([mark.name for mark in grading.marks])
    files: dict[Path, str] = {}
    for lang, words in WORDS.items():
        end = "" if lang == "en" else f".{lang}"
        other = "" if lang == "zh" else ".zh"
        files[folder / f"report{end}.html"] = _class_page(grading, words, f"report{other}.html")
        files[folder / f"teacher{end}.html"] = _teacher_page(
            grading, words, sources, f"teacher{other}.html", f"report{end}.html"
        )
        for mark in grading.marks:
            name = students[mark.name]
            page = _student_page(grading, mark, words, f"{name}{other}.html", f"../report{end}.html")
            files[folder / "students" / f"{name}{end}.html"] = page
    try:
        (folder / "students").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FormatError(f"cannot make the folder {folder}: {error.strerror or error}") from None
    for file, text in files.items():
        write_file(file, text.encode("utf-8", "replace"))
    write_file(folder / "grades.csv", grades_csv(grading).encode("utf-8-sig", "replace"))
    return [
        folder / name for name in ("report.html", "report.zh.html", "teacher.html", "teacher.zh.html", "grades.csv")
    ]


def _file_names(names: Iterable[str]) -> dict[str, str]:
    """A name of a file for each hand-in, and no two the same, also where capitals or forms of accents do not count.

    It has at most 120 bytes: a name of a file may have 255, and while it is written it has more signs.
    """
    found: dict[str, str] = {}
    used: set[str] = set()
    for name in names:
        base = re.sub(r"[^\w-]+", "_", unicodedata.normalize("NFC", name)).strip("_")
        base = base.encode()[:120].decode(errors="ignore") or "handin"
        own, number = base, 1
        while own.casefold() in used:
            number += 1
            own = f"{base}-{number}"
        used.add(own.casefold())
        found[name] = own
    return found


# The table ----------------------------------------------------------------------------------------------------------


def score_text(mark: Mark, assignment: str) -> str:
    """The score as people read it."""
    if assignment == "wumpus":
        return f"{mark.facts['mean']:.1f} ± {mark.facts['margin']:.1f}"
    return f"{100 * mark.score:.1f}%"


def grades_csv(grading: Grading) -> str:
    """A line for each hand-in, the best first; no cell is taken for a formula by a spreadsheet."""
    assignment = grading.terms.assignment
    names = [name for name in _fact_names(grading) if name != "points"]
    opponents = grading.terms.opponents if assignment == "reversi" else ()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    measured = ("processor_seconds", "longest_answer_seconds", "memory_mb")
    writer.writerow(map(text_cell, ["rank", "name", "score", *names, *opponents, "faults", "first_fault", *measured]))
    for rank, mark in zip(_ranks(grading.marks), grading.marks, strict=True):
        first = fault_line(mark.faults[0], WORDS["en"]) if mark.faults else ""
        cells = [
            str(rank), mark.name, f"{mark.score:.4f}", *(_csv_cell(mark.facts[name]) for name in names),
            *(f"{mark.facts['points'][one]:g}" for one in opponents), str(len(mark.faults)), first,
            f"{mark.measured.processor:.2f}", f"{mark.measured.longest:.2f}", f"{mark.measured.memory / 1e6:.0f}",
        ]  # fmt: skip
        writer.writerow(map(text_cell, cells))
    return text.getvalue()


def _fact_names(grading: Grading) -> list[str]:
    return list(grading.marks[0].facts) if grading.marks else []


def _csv_cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _ranks(marks: Sequence[Mark]) -> list[int]:
    """From 1; equal scores share the better rank."""
    ranks: list[int] = []
    for number, mark in enumerate(marks):
        same = number and marks[number - 1].score == mark.score
        ranks.append(ranks[-1] if same else number + 1)
    return ranks


# The pages ----------------------------------------------------------------------------------------------------------


def _page(words: Mapping[str, Any], title: str, subtitle: str, other: str, body: str) -> str:
    return (
        f'<!doctype html>\n<html lang="{words["lang"]}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<link rel="icon" href="data:,">\n'
        f"<title>{escape(title)}: {escape(subtitle)}</title>\n<style>\n{STYLE.read_text(encoding='utf-8')}</style>\n"
        f"</head>\n<body>\n<main>\n<header><h1>{escape(title)}</h1>"
        f'<a href="{escape(other)}" lang="{"en" if words["lang"] != "en" else "zh-CN"}">{words["other"]}</a></header>\n'
        f'<p class="muted">{escape(subtitle)}</p>\n{body}</main>\n</body>\n</html>\n'
    )


def _terms(grading: Grading, words: Mapping[str, Any]) -> str:
    terms = grading.terms
    said = words["terms"][terms.assignment].format(
        games=terms.games, opponents=", ".join(terms.opponents), time=f"{terms.move_time:g}", seed=terms.seed,
        caves=terms.caves, sizes=", ".join(f"{size:,}" for size in terms.sizes),
    )  # fmt: skip
    return f"<p>{escape(said)}</p>\n"


def _class_page(grading: Grading, words: Mapping[str, Any], other: str) -> str:
    assignment = grading.terms.assignment
    notes = [words["measured"]]
    if assignment == "wumpus":
        notes.append(words["interval"])
    if assignment == "tictactoe":
        notes.append(words["minimax"])
    body = _terms(grading, words) + _table(grading, grading.marks, words)
    body += "".join(f'<p class="muted">{escape(note)}</p>\n' for note in notes)
    count = len(grading.marks)
    said = words["one handin"] if count == 1 else words["handins"].format(count=count)
    subtitle = f"{words['class']} · {said}"
    return _page(words, words["titles"][assignment], subtitle, other, body)


def _table(grading: Grading, marks: Sequence[Mark], words: Mapping[str, Any], *, ranked: bool = True) -> str:
    assignment, columns = grading.terms.assignment, words["columns"]
    opponents = grading.terms.opponents if assignment == "reversi" else ()
    heads = [
        words["rank"], words["name"], words["scores"][assignment], *(columns[name] for name in COLUMNS[assignment]),
        *(columns["against"].format(opponent=one) for one in opponents), words["faults"], words["processor"],
        words["longest"], words["memory"],
    ]  # fmt: skip
    left = (1, len(heads) - 4)
    head = "".join(
        f'<th scope="col"{" class=left" if number in left else ""}>{escape(text).replace(":", ":<wbr>")}</th>'
        for number, text in enumerate(heads)
    )
    ranks = dict(zip((mark.name for mark in grading.marks), _ranks(grading.marks), strict=True))
    rows = [(mark.score, _row(grading, mark, ranks[mark.name], words)) for mark in marks]
    if ranked:
        rows += [(peer.mean, _peer_row(peer, len(heads), words)) for peer in grading.peers]
        rows.sort(key=lambda row: -row[0])
    body = "\n".join(row for _, row in rows)
    table = f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"
    return f'<div class="table" tabindex="0">{table}</div>\n'


def _row(grading: Grading, mark: Mark, rank: int, words: Mapping[str, Any]) -> str:
    assignment = grading.terms.assignment
    cells = [f"<td>{rank}</td>", f'<td class="name">{escape(mark.name)}</td>']
    cells.append(f'<td class="score">{escape(score_text(mark, assignment))}</td>')
    cells += [f"<td>{escape(_shown(name, mark.facts[name], words))}</td>" for name in COLUMNS[assignment]]
    if assignment == "reversi":
        points = mark.facts["points"]
        cells += [f"<td>{points[one]:g}/{grading.terms.games}</td>" for one in grading.terms.opponents]
    kinds = Counter(fault.code for fault in mark.faults)
    said = "; ".join(_kind(code, words) + (f" ×{count}" if count > 1 else "") for code, count in kinds.items())
    cells.append(f'<td class="faults">{escape(said)}</td>')
    cells += [f"<td>{_measured(text)}</td>" for text in _figures(mark)]
    return f"<tr>{''.join(cells)}</tr>"


def _kind(code: str, words: Mapping[str, Any]) -> str:
    return str(words["codes"][code]).format(detail="…")


def _peer_row(peer: Any, columns: int, words: Mapping[str, Any]) -> str:
    cells = [
        "", f"{peer.agent} ({words['built in']})", f"{peer.mean:.1f} ± {peer.margin:.1f}", f"{100 * peer.gold:.1f}%",
        f"{100 * peer.died:.1f}%", f"{peer.steps:.1f}",
    ]  # fmt: skip
    cells += [""] * (columns - len(cells))
    first = "".join(
        f"<td{' class=name' if number == 1 else ''}>{escape(cell)}</td>" for number, cell in enumerate(cells)
    )
    return f'<tr class="peer">{first}</tr>'


def _shown(name: str, value: Any, words: Mapping[str, Any]) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(words["yes" if value else "no"])
    if name in ("gold", "died"):
        return f"{100 * value:.1f}%"
    return f"{value:.1f}" if isinstance(value, float) else f"{value:,}"


def _figures(mark: Mark) -> tuple[str, str, str]:
    used = mark.measured
    return f"{used.processor:.2f} s", f"{used.longest:.2f} s", f"{used.memory / 1e6:.0f} MB"


def _measured(text: str) -> str:
    return f'<span class="measured">{escape(text)}</span>'


def _student_page(grading: Grading, mark: Mark, words: Mapping[str, Any], other: str, back: str) -> str:
    body = f'<p><a href="{escape(back)}">{escape(words["back"])}</a></p>\n' + _terms(grading, words)
    body += _table(grading, [mark], words, ranked=False)
    body += f"<h2>{escape(words['details'])}</h2>\n{_faults(mark, words)}"
    body += f'<p class="muted">{escape(words["measured"])}</p>\n'
    return _page(words, mark.name, words["titles"][grading.terms.assignment], other, body)


def _faults(mark: Mark, words: Mapping[str, Any]) -> str:
    """Each kind of fault once, with the output of the first of its kind, and when the others happened."""
    if not mark.faults:
        return f"<p>{escape(words['nothing'])}</p>\n"
    kinds: dict[tuple[str, str], list[Fault]] = {}
    for fault in mark.faults:
        kinds.setdefault((fault.code, fault.detail), []).append(fault)
    parts = []
    for faults in kinds.values():
        lines = "".join(f"<p><strong>{escape(fault_line(fault, words))}</strong></p>\n" for fault in faults)
        output = next((fault.output for fault in faults if fault.output.strip()), "")
        shown = f'<p class="muted">{escape(words["output"])}</p>\n<pre>{escape(output)}</pre>\n' if output else ""
        parts.append(f'<div class="fault">\n{lines}{shown}</div>\n')
    return "".join(parts)


def fault_line(fault: Fault, words: Mapping[str, Any]) -> str:
    """A fault in one line: when it happened, what it was, and what the student needs to know of it."""
    facts = {**fault.where, "detail": fault.detail}
    explained, detail = words["explained"], fault.detail
    if fault.code == "illegal":
        detail = explained["answered"].format(**facts) if "answer" in facts else explained["illegal"]
    elif fault.code in explained:
        detail = explained[fault.code].format(**{**facts, "detail": detail or "-"})
    elif fault.code == "all time":
        detail = ""
    where = ""
    for name, template in words["where"].items():
        if name in fault.where:
            facts["seat"] = words["seats"].get(fault.where.get("seat"), "")
            where = template.format(**facts)
    what = words["codes"][fault.code].format(detail=fault.detail)
    return str(words["colon"]).join(filter(None, (where, what, visible(str(detail)))))


def _teacher_page(
    grading: Grading, words: Mapping[str, Any], sources: Mapping[str, Mapping[str, str]], other: str, back: str
) -> str:
    body = f'<p><a href="{escape(back)}">{escape(words["back"])}</a></p>\n'
    body += f"<p>{escape(words['kept apart'])}</p>\n{_terms(grading, words)}"
    body += f"<h2>{escape(words['similar'])}</h2>\n<p>{escape(words['similar note'])}</p>\n"
    body += "".join(_pair(pair, sources, words) for pair in grading.pairs[:MOST_PAIRS])
    if not grading.pairs:
        body += f"<p>{escape(words['no pairs'])}</p>\n"
    body += f"<h2>{escape(words['details'])}</h2>\n"
    for mark in grading.marks:
        if mark.faults:
            body += f'<section class="card">\n<h3>{escape(mark.name)}</h3>\n{_faults(mark, words)}</section>\n'
    if not any(mark.faults for mark in grading.marks):
        body += f"<p>{escape(words['nothing'])}</p>\n"
    return _page(words, words["titles"][grading.terms.assignment], words["teacher"], other, body)


def _pair(pair: Pair, sources: Mapping[str, Mapping[str, str]], words: Mapping[str, Any]) -> str:
    shares = ((pair.first, pair.first_share), (pair.second, pair.second_share))
    said = " · ".join(words["share"].format(name=name, share=f"{100 * share:.0f}%") for name, share in shares)
    parts = [f'<section class="card">\n<h3>{escape(said)}</h3>\n']
    for place in pair.places[:MOST_PLACES]:
        parts.append(
            f'<p class="muted">{escape(words["tokens"].format(tokens=place.tokens))}</p>\n<div class="pair">\n'
        )
        for name, (file, first, last) in ((pair.first, place.first), (pair.second, place.second)):
            lines = sources.get(name, {}).get(file, "").splitlines()[first - 1 : last]
            where = words["lines"].format(file=f"{name}/{file}", first=first, last=last)
            shown = "\n".join(visible(line)[:300] for line in lines[:MOST_LINES]) + (
                "\n…" if len(lines) > MOST_LINES else ""
            )
            parts.append(f'<div><p class="muted">{escape(where)}</p><pre>{escape(shown)}</pre></div>\n')
        parts.append("</div>\n")
    return "".join([*parts, "</section>\n"])
