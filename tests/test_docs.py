"""The documentation is true: its game works, its links lead somewhere, its commands run and print what it shows.

In a page, ``<!-- file: NAME -->`` before a code block means that readers save the block under that name, and
``<!-- append: NAME -->`` that they append it. The tests do as readers do, in the order of the page; each of its
sections begins in the same folder, and `cd` in a console block leads into another one.
"""

from __future__ import annotations

import doctest
import hashlib
import json
import re
import shlex
import subprocess
import sys
from bisect import bisect
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import typer

import plyground
from plyground import Budget, actions, interpreted, make_game, result
from plyground.cli.main import app
from plyground.errors import ContractBroken
from plyground.games import load_game
from plyground.games.contract import check_game
from plyground.players import make_player
from plyground.search.minimax import minimax_value

ROOT = Path(__file__).resolve().parent.parent
LESSONS = sorted(ROOT.glob("src/plyground/course/lessons/*.md"))
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *LESSONS])
TUTORIAL = ROOT / "docs" / "tutorial.md"
TRANSLATIONS = [page for page in PAGES if page.name.endswith(".zh.md")]
ENGLISH_ONLY = re.compile(r"docs/(engine/.*|api)\.md")
"""How the engine works inside, and what is made from docstrings, is for whoever reads the code."""


def page_name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


every_page = pytest.mark.parametrize("page", PAGES, ids=page_name)
every_page_once = pytest.mark.parametrize(
    "page", [page for page in PAGES if not page.name.endswith((".zh.md", ".zh-CN.md"))], ids=page_name
)
every_translation = pytest.mark.parametrize("page", TRANSLATIONS, ids=page_name)
"""Without the translations, which show the same commands: that is tested below."""


@dataclass(frozen=True)
class Block:
    """A fenced code block: its language, its text, and what the comment above it says to do with it."""

    language: str
    text: str
    use: str = ""
    file: str = ""
    section: int = 0
    """How many headings of the second level are above it."""


BLOCK = re.compile(
    r"^(?:<!-- (?P<use>file|append): (?P<file>\S+) -->\n)?"
    r"(?P<indent> *)```(?P<language>\w*)(?: [^`\n]*)?\n(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)


TAUGHT = ("figure", "quiz", "exercise")
"""Fences of lessons that are no code: tests/course/test_lessons.py looks at them."""


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    sections = [heading.start() for heading in re.finditer("^## ", text, re.MULTILINE)]
    all_of_them = [
        Block(m["language"], m["text"], m["use"] or "", m["file"] or "", bisect(sections, m.start()))
        for m in BLOCK.finditer(text)
    ]
    return [block for block in all_of_them if block.language not in TAUGHT]


def prose(page: Path) -> str:
    return BLOCK.sub("", page.read_text(encoding="utf-8"))


# The game of the tutorial ----------------------------------------------------------------------------------------


def listing(use: str = "file", page: Path = TUTORIAL) -> str:
    return next(block.text for block in blocks(page) if (block.use, block.file) == (use, "chomp.py"))


@pytest.fixture(scope="module")
def chomp(tmp_path_factory):
    file = tmp_path_factory.mktemp("tutorial") / "chomp.py"
    file.write_text(listing(), encoding="utf-8")
    return load_game(file)


def test_the_listing_is_short_and_plain():
    code = listing()
    assert len(code.splitlines()) <= 40
    assert not re.search("numba|jit|compile", code, re.IGNORECASE)
    assert set(re.findall(r"^@(.*)$", code, re.MULTILINE)) == {
        f"{rule}.rule(Chomp)" for rule in ("to_move", "legal_actions", "result", "utility")
    }


def test_the_game_keeps_the_contract(chomp):
    assert check_game(chomp, positions=300).compiled


def test_the_game_with_all_its_rules_keeps_the_contract(tmp_path):
    file = tmp_path / "chomp.py"
    file.write_text(listing() + listing("append"), encoding="utf-8")
    assert check_game(load_game(file), positions=300).compiled


def test_the_mistake_is_reported_as_shown(tmp_path):
    file = tmp_path / "chomp.py"
    file.write_text(re.sub("return 1.0 if .*", "return 1.0", listing()), encoding="utf-8")
    shown = next(block.text for block in blocks(TUTORIAL) if "ContractBroken" in block.text)
    with pytest.raises(ContractBroken) as caught:
        check_game(load_game(file), positions=300)
    message = str(caught.value).partition(";")[0]
    assert f"plyground.errors.ContractBroken: {message};" in " ".join(shown.split())


def test_the_first_player_wins_with_b2_alone(chomp):
    """Strategy stealing: the first player wins every board; on a square one by leaving two equal arms."""
    assert minimax_value(chomp.initial, 16, 0, Budget()) == 1.0
    compared = 0
    for action in actions(chomp.initial):
        state, budget = result(chomp.initial, action), Budget()
        value = minimax_value(state, 16, 0, budget)
        assert value == (1.0 if action == 5 else -1.0)
        if budget.nodes < 5000:
            again = Budget()
            with interpreted():
                assert minimax_value(state, 16, 0, again) == value
            assert again.nodes == budget.nodes
            compared += 1
    assert compared >= 5


def test_the_game_is_played_by_the_command(command):
    (command.folder / "chomp.py").write_text(listing(), encoding="utf-8")
    done = command("play", "chomp.py", "--first", "minimax", "--second", "random", "--seed", "1")
    assert done.returncode == 0, done.stderr
    assert "wins" in done.stdout


# Links -----------------------------------------------------------------------------------------------------------


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(page: Path) -> list[str]:
    return re.findall(r"\]\(([^)\s]+)\)", prose(page))


@every_page
def test_links_lead_somewhere(page):
    for link in links(page):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page_name(page)}: {link}"
        if anchor:
            known = anchors(target)
            if ".zh" in target.name:  # in the site, headings have the anchors of the original too
                known |= anchors(target.with_name(re.sub(r"\.zh(-CN)?\.md$", ".md", target.name)))
            assert anchor in known, f"{page_name(page)}: {link}"


def test_every_page_is_on_the_map():
    index = ROOT / "docs" / "index.md"
    linked = {(index.parent / link).resolve() for link in links(index)}
    start = {index, ROOT / "README.md", ROOT / "README.zh-CN.md"}
    assert set(PAGES) - set(TRANSLATIONS) - linked - set(LESSONS) == start  # whose menu is that of the course


def test_the_reference_has_every_name():
    shown = re.findall(r"^::: plyground\.(?:\w+\.)+(\w+)$", (ROOT / "docs" / "api.md").read_text(), re.MULTILINE)
    assert set(plyground.__all__) - set(shown) == {"CHANCE", "__version__"}


# Translations ----------------------------------------------------------------------------------------------------


def original(page: Path) -> Path:
    return page.with_name(page.name.replace(".zh.md", ".md"))


def translation(page: Path) -> Path:
    return page.with_name(f"{page.stem}.zh.md")


def heading_levels(page: Path) -> list[int]:
    return [len(marks) for marks in re.findall(r"^(#+) ", prose(page), re.MULTILINE)]


def link_targets(page: Path) -> Counter[str]:
    """Where the links lead, in any order; the README of the page's own language is the README."""
    return Counter(re.sub(r"README(\.zh-CN)?\.md.*", "README.md", link) for link in links(page))


def table_columns(page: Path) -> list[int]:
    """For each row of each table its number of columns."""
    return [len(re.findall(r"(?<!\\)\|", row)) - 1 for row in re.findall(r"^\|.*\|$", prose(page), re.MULTILINE)]


@every_translation
@pytest.mark.parametrize("part", [blocks, heading_levels, link_targets, table_columns])
def test_a_translation_has_the_parts_of_its_original(page, part):
    assert part(page) == part(original(page))


@every_translation
def test_a_translation_is_as_new_as_its_original(page):
    digest = hashlib.sha256(original(page).read_bytes()).hexdigest()[:12]
    wanted = f"<!-- translated from {digest} -->"
    assert page.read_text(encoding="utf-8").splitlines()[-1] == wanted, (
        f"{page_name(page)} was translated from another version of {page_name(original(page))}: "
        f"see with git log -p what has changed there, bring it over, then make its last line {wanted}"
    )


@pytest.mark.parametrize(
    "page",
    [
        page
        for page in [*ROOT.glob("docs/**/*.md"), *LESSONS]
        if page not in TRANSLATIONS and not ENGLISH_ONLY.fullmatch(page_name(page))
    ],
    ids=page_name,
)
def test_what_players_students_and_teachers_read_is_there_in_chinese(page):
    assert translation(page).exists(), f"{page_name(page)} has no translation: write {page_name(translation(page))}"


# Commands --------------------------------------------------------------------------------------------------------

COMMANDS: Any = typer.main.get_command(app)


@dataclass(frozen=True)
class Shown:
    """A command as a page shows it, with the output below it, if any."""

    words: tuple[str, ...]
    output: str


def commands(block: Block) -> list[Shown]:
    parts = re.split(r"^\$ (.*)\n", block.text, flags=re.MULTILINE)
    assert not parts[0].strip(), f"a console block starts with a command: {block.text}"
    return [Shown(tuple(shlex.split(line)), output) for line, output in zip(parts[1::2], parts[2::2], strict=True)]


@every_page_once
@pytest.mark.usefixtures("engine_code")
def test_commands_do_what_the_page_shows(page, command, monkeypatch):
    monkeypatch.chdir(command.folder)
    begun, section = command.folder, 0
    answer = None  # what the last command printed for programs; the next JSON block shows it
    for block in blocks(page):
        if block.section != section:
            command.folder, section = begun, block.section
            monkeypatch.chdir(begun)
        if block.use:
            with (command.folder / block.file).open("w" if block.use == "file" else "a", encoding="utf-8") as file:
                file.write(block.text)
        elif block.language == "console":
            for shown in commands(block):
                if shown.words[0] == "cd":
                    command.folder /= shown.words[1]
                    monkeypatch.chdir(command.folder)
                elif shown.output:
                    assert printed(shown, command) == essence(without_typing(shown.output)), shown.words
                else:
                    check_arguments(shown)
                if "--json" in shown.words and shown.words[1] in ("play", "perft"):
                    answer = json.loads(command(*shown.words[1:]).stdout)
        elif block.language == "json":
            assert timeless(json.loads(block.text)) == timeless(answer)
            answer = None


@every_page
def test_commands_in_sentences_exist(page):
    for line in re.findall(r"`plyground ([^`]+)`", prose(page)):
        words = shlex.split(line)
        assert words[0] in COMMANDS.commands or words[0] in ("--help", "--version"), line


def check_arguments(shown: Shown) -> None:
    """The command, its options and its specs exist, though it is not run."""
    program, *words = shown.words
    assert program == "plyground", shown
    if not words or words[0].startswith("-"):
        assert words in ([], ["--help"], ["--version"]), shown
        return
    subcommand = COMMANDS.commands[words[0]]
    if "--help" in words:
        return
    if words[1:] and words[1] in getattr(subcommand, "commands", {}):  # of course, which has commands of its own
        subcommand, words = subcommand.commands[words[1]], words[1:]
    given = subcommand.make_context(words[0], words[1:]).params
    if isinstance(given.get("game"), str) and given["game"]:
        game = make_game(given["game"])
        for spec in [given.get("first"), given.get("second"), *(given.get("player") or [])]:
            if spec:
                make_player(spec, game)


def printed(shown: Shown, command: Any) -> list[str]:
    """What the command really prints, typing what the page shows to be typed."""
    program, *words = shown.words
    if program == "python":
        done = subprocess.run(
            [sys.executable, *words], cwd=command.folder, capture_output=True, text=True, timeout=900, check=False
        )
    else:
        assert program == "plyground", shown
        typed = re.findall(rf"{PROMPT}(.+)$", shown.output, re.MULTILINE)
        done = command(*words, stdin="".join(f"{line}\n" for line in typed))
    wrong = shown.output.startswith("error:")
    assert done.returncode == (2 if wrong else 0), done.stdout + done.stderr
    return essence(done.stderr if wrong else done.stdout)


PROMPT = r"^[\w ]+> "


def without_typing(output: str) -> str:
    """The output as a program sees it that types into a pipe: no echo."""
    return re.sub(rf"({PROMPT}).+\n", r"\1", output, flags=re.MULTILINE)


def essence(output: str) -> list[str]:
    """The lines without what differs from run to run: times and speeds, and with them what a search says it did."""
    lines = []
    for line in output.splitlines():
        if "━" in line:
            continue
        cells = re.split("[┃│]", line)
        kept = " | ".join(cell.strip() for cell in cells[:2]) if len(cells) > 1 else line.rstrip()
        kept = re.sub(r"(\d+\. [^:]+: \S+)  .*", r"\1", kept)  # a move, and what the player thought of it
        kept = re.sub(r"\b(games|longest)=\d+", r"\1=N", kept)  # what random games came to
        if kept.strip():
            lines.append(kept)
    return lines


def timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: None if "second" in key or key == "time" else timeless(item) for key, item in value.items()}
    return [timeless(item) for item in value] if isinstance(value, list) else value


# Examples outside the pages that pytest reads ----------------------------------------------------------------------


def test_the_examples_of_the_chinese_readme():
    assert doctest.testfile(str(ROOT / "README.zh-CN.md"), module_relative=False, encoding="utf-8").failed == 0


def test_both_readmes_show_the_same():
    def code(name: str) -> list[str]:
        return [re.sub(r"  # .*", "", block.text) for block in blocks(ROOT / name)]

    assert code("README.md") == code("README.zh-CN.md")
    for line in ("pip install . && plyground", "./test"):
        assert f"{line}\n" in code("README.md")


@pytest.mark.parametrize("number", [0, 1, pytest.param(2, marks=pytest.mark.slow)], ids=["solve", "play", "train"])
def test_the_programs_of_the_readme_run(number, tmp_path):
    program = [block.text for block in blocks(ROOT / "README.md") if block.language == "python"][number]
    assert len(program.splitlines()) <= 10
    (tmp_path / "chomp.py").write_text(listing(), encoding="utf-8")
    for whole, part in (
        ("minutes=10", "iterations=1, positions=64"),
        ("games=20", "games=2"),
        ("time=0.1", "time=0.01"),
    ):
        program = program.replace(whole, part)  # as they stand they take longer than a test may
    run = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert ["0.0 (", "f5", "minialphago"][number] in run.stdout
