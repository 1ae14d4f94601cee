"""How a cake was divided and whether that is fair, in English and in Chinese."""

from __future__ import annotations

from fractions import Fraction

from plyground.subjects.cake.division import CakeStep, Division, Pieces, best_cut_knowing
from plyground.subjects.matrix.matrix_game import number_text
from plyground.subjects.matrix.words import Section, Speech

__all__ = ["WORDS", "division_caption", "division_sections", "method_name", "picture_label", "step_text"]

WORDS = {
    "en": {
        "and": ", ",
        "steps": "What happens",
        "cuts": "{who} cuts at {place}: {value} in {who}'s eyes on the left of it",
        "cuts-plain": "{who} cuts at {place}",
        "chooses": "{who} chooses {pieces}, worth {value} to {who}",
        "keeps": "{who} keeps {pieces}, worth {value} to {who}",
        "stops": "{who} cries stop at {place} and takes {pieces}, worth {value} to {who}",
        "rest": "{who} gets the rest, {pieces}, worth {value} to {who}",
        "marks": "{who} marks a piece up to {place}, worth {value} to {who}",
        "trims": "{who} finds it worth {value}, and trims it at {place}",
        "passes": "{who} finds it worth {value}, and passes",
        "takes": "{who} was the last to touch it and takes {pieces}, worth {value} to {who}",
        "nothing": "nothing",
        "label": "cake: {method}",
        "cake": "The cake, as everybody sees it; {method}",
        "cut-and-choose": "cut-and-choose",
        "moving-knife": "moving-knife",
        "last-diminisher": "last-diminisher",
        "selfridge-conway": "selfridge-conway",
        "fair": "Is it fair?",
        "proportional": "Proportional: everybody has at least {fair} in their own eyes.",
        "not-proportional": "Not proportional: {who} has less than {fair}.",
        "envy-free": "Envy-free: nobody would rather have another one's share.",
        "envy": "Not envy-free: {who} would rather have {other}'s share, worth {theirs} to {who} against {own}.",
        "knowing": "Minimax: cutting in half makes sure of 1/2. "
        "Whoever knows the chooser's taste can cut at {place} and hope for {value}.",
    },
    "zh": {
        "and": "、",
        "steps": "过程",
        "cuts": "{who} 在 {place} 处切：左边在 {who} 看来值 {value}",
        "cuts-plain": "{who} 在 {place} 处切",
        "chooses": "{who} 选 {pieces}，自认为值 {value}",
        "keeps": "{who} 留下 {pieces}，自认为值 {value}",
        "stops": "{who} 在 {place} 处喊停，得 {pieces}，自认为值 {value}",
        "rest": "{who} 得其余的 {pieces}，自认为值 {value}",
        "marks": "{who} 标出到 {place} 的一块，自认为值 {value}",
        "trims": "{who} 认为它值 {value}，于是在 {place} 处修小",
        "passes": "{who} 认为它值 {value}，放过",
        "takes": "{who} 是最后动过它的人，得 {pieces}，自认为值 {value}",
        "nothing": "无",
        "label": "蛋糕：{method}",
        "cake": "每个人眼中的蛋糕；{method}",
        "cut-and-choose": "一人切一人选",
        "moving-knife": "移动刀",
        "last-diminisher": "最后修剪者",
        "selfridge-conway": "Selfridge-Conway 法",
        "fair": "公平吗？",
        "proportional": "成比例：每人自认为至少得到 {fair}。",
        "not-proportional": "不成比例：{who} 不到 {fair}。",
        "envy-free": "无嫉妒：没有人更想要别人的一份。",
        "envy": "有嫉妒：{who} 更想要 {other} 的一份，它对 {who} 值 {theirs}，自己的值 {own}。",
        "knowing": "极小化极大：对半切可保证 1/2。若知道对方的喜好，可在 {place} 处切，期望得到 {value}。",
    },
}


def pieces_text(pieces: Pieces, say: Speech) -> str:
    """Stretches of cake."""
    texts = [f"[{number_text(left)}, {number_text(right)}]" for left, right in pieces if right > left]
    return " + ".join(texts) or say("nothing")


def division_caption(division: Division, lang: str = "en") -> str:
    """What is to be seen before anything happens."""
    return Speech(lang, WORDS)("cake", method=method_name(division.method, lang))


def method_name(method: str, lang: str = "en") -> str:
    """What a way to divide is called; in English as it is written."""
    return WORDS[lang][method]


def picture_label(division: Division, lang: str = "en") -> str:
    """What a picture of it is, for whoever does not see it."""
    return Speech(lang, WORDS)("label", method=method_name(division.method, lang))


def division_sections(division: Division, lang: str = "en") -> list[Section]:
    """How a cake was divided, and whether that is fair, for people."""
    say = Speech(lang, WORDS)
    people = division.people
    steps = tuple(step_text(division, step, lang) for step in division.steps)
    fair = number_text(Fraction(1, len(people)))
    worths = division.worths
    short = [people[own].name for own, row in enumerate(worths) if row[own] < Fraction(1, len(people))]
    lines = [say("not-proportional", who=say.join(short), fair=fair) if short else say("proportional", fair=fair)]
    lines += [
        say(
            "envy",
            who=people[own].name,
            other=people[other].name,
            theirs=number_text(worths[own][other]),
            own=number_text(worths[own][own]),
        )
        for own, other in division.envy
    ] or [say("envy-free")]
    if division.method == "cut-and-choose":
        place, value = best_cut_knowing(*people)
        lines.append(say("knowing", place=number_text(place), value=number_text(value)))
    return [Section(say("steps"), steps), Section(say("fair"), tuple(lines))]


def step_text(division: Division, step: CakeStep, lang: str = "en") -> str:
    """One thing that happened."""
    say = Speech(lang, WORDS)
    key = "cuts-plain" if step.what == "cuts" and division.method == "selfridge-conway" else step.what
    who, pieces = division.people[step.person].name, pieces_text(step.takes, say)
    place, value = ("" if number is None else number_text(number) for number in (step.place, step.value))
    return say(key, who=who, place=place, value=value, pieces=pieces)
