"""The Wumpus world as pictures: the cave, and a visit action by action with what the agent knows and plans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from plyground.pictures.filmstrip import Fact, Frame, film_html, styled_svg
from plyground.pictures.guess import Guess, guess_among
from plyground.pictures.player_words import check_language
from plyground.pictures.plot import Bars, Panel, plot_svg
from plyground.subjects.wumpus.agents import Record, Thoughts, Turn
from plyground.subjects.wumpus.knowledge import Proof
from plyground.subjects.wumpus.statistics import Statistics
from plyground.subjects.wumpus.world import ACTIONS, ENTRANCE, Percept, Square, State, World, perceive, start

__all__ = [
    "STYLE", "film_title", "picture_svg", "proof_lines", "scores_svg", "visit_film", "visit_frames", "world_svg",
]  # fmt: skip

STYLE = "wumpus.css"
CELL = 96
MOST_PROOFS = 12
TURNS = (0, 270, 180, 90)
"""How an arrow that points east is turned, for each heading; y grows downwards in pictures."""

WORDS: dict[str, Any] = {
    "en": {
        "title": "The Wumpus world: agent {agent}",
        "map": "A cave of {width} times {height} squares; the agent is at {at}",
        "begin": "The agent enters the cave.",
        "did": "It {action}.", "planned": "Its plan: {intention}.",
        "guess": "What does it do now?",
        "actions": {
            "left": "turns left", "right": "turns right", "forward": "walks forward", "grab": "grabs the gold",
            "release": "lets go", "shoot": "shoots its arrow", "climb": "climbs out",
        },
        "nothing": {"grab": "grabs at nothing", "climb": "climbs at the wall", "release": "lets go of nothing",
                    "shoot": "has no arrow to shoot", "forward": "walks into a wall"},
        "dead": "It is dead.", "out": "It is out of the cave.", "late": "No actions are left.",
        "scream": "A scream: the wumpus is dead.",
        "percepts": "It perceives", "senses": ("stench", "breeze", "glitter", "bump", "scream"), "none": "nothing",
        "score": "Score", "points": "{score} after {steps} actions",
        "plan": "Plan",
        "intentions": {
            "": "none", "random": "anything", "grab": "grab the gold", "climb": "climb out",
            "home": "home over known squares",
            "search": "on to {target}",
            "back": "back to {target}", "safe": "to {target}, which is safe", "risk": "to {target}, at a risk",
            "shoot": "shoot at {target}",
        },
        "way": "way: {way}", "expected": "expected score {expected}",
        "knows": "It knows", "safe": "safe: {squares}", "visited": "visited: {count} of {all} squares",
        "believes": "It believes", "pit": "pit at {square}: {share}", "wumpus": "wumpus at {square}: {share}",
        "estimates": "Its estimates", "estimate": "{square}: {steps} steps or more",
        "proofs": "It concludes", "more": "and {count} more",
        "rules": {
            "scream": "a scream → the wumpus is dead",
            "no pit: alive": "alive at {square} → no pit at {square}",
            "no pit: no breeze": "no breeze at {because} → no pit at {square}",
            "pit": "breeze at {first}, no pit at {rest} → a pit at {square}",
            "no wumpus: alive": "alive at {square} → no wumpus at {square}",
            "no wumpus: no stench": "no stench at {because} → no wumpus at {square}",
            "no wumpus: stench": "stench at {because} → no wumpus at {square}",
            "no wumpus: missed": "the arrow from {because} missed → no wumpus at {square}",
            "no wumpus: hit": "the arrow from {because} hit → no wumpus at {square}",
            "wumpus near: stench": "stench at {because} → the wumpus is beside {because}",
            "wumpus near: missed": "the arrow from {because} missed → no wumpus on its way",
            "wumpus near: hit": "the arrow from {because} hit → the wumpus was on its way",
            "wumpus": "stench at {because}, and no other square is left → the wumpus is at {square}",
        },
        "scores": "Mean score over {worlds} worlds, with the 95% interval", "agent": "agent", "mean": "mean score",
        "shares": "What became of the agents", "gold": "with the gold", "died": "dead", "share": "share of worlds",
    },
    "zh": {
        "title": "Wumpus 世界：智能体 {agent}",
        "map": "{width}×{height} 的洞穴；智能体在 {at}",
        "begin": "智能体进入洞穴。",
        "did": "它{action}。", "planned": "它的计划：{intention}。",
        "guess": "它现在做什么？",
        "actions": {
            "left": "左转", "right": "右转", "forward": "前进", "grab": "拾起金子", "release": "放下", "shoot": "射箭",
            "climb": "爬出洞穴",
        },
        "nothing": {"grab": "什么也没抓到", "climb": "徒劳地攀爬", "release": "手里没有东西可放", "shoot": "已经没有箭",
                    "forward": "撞到墙上"},
        "dead": "它死了。", "out": "它离开了洞穴。", "late": "步数用完了。",
        "scream": "一声惨叫：怪物死了。",
        "percepts": "感知", "senses": ("臭气", "微风", "闪光", "碰撞", "惨叫"), "none": "没有",
        "score": "得分", "points": "{steps} 步后 {score} 分",
        "plan": "计划",
        "intentions": {
            "": "没有", "random": "随便", "grab": "拾起金子", "climb": "爬出洞穴",
            "home": "沿已知的格子回家", "search": "前往 {target}",
            "back": "退回 {target}", "safe": "前往安全的 {target}", "risk": "冒险前往 {target}",
            "shoot": "向 {target} 射箭",
        },
        "way": "路线：{way}", "expected": "期望得分 {expected}",
        "knows": "知道", "safe": "安全：{squares}", "visited": "到过：{all} 格中的 {count} 格",
        "believes": "相信", "pit": "{square} 有陷阱：{share}", "wumpus": "{square} 有怪物：{share}",
        "estimates": "估计", "estimate": "{square}：至少 {steps} 步",
        "proofs": "推理", "more": "还有 {count} 条",
        "rules": {
            "scream": "惨叫 → 怪物已死",
            "no pit: alive": "活着到了 {square} → {square} 没有陷阱",
            "no pit: no breeze": "{because} 没有微风 → {square} 没有陷阱",
            "pit": "{first} 有微风，{rest} 没有陷阱 → {square} 有陷阱",
            "no wumpus: alive": "活着到了 {square} → {square} 没有怪物",
            "no wumpus: no stench": "{because} 没有臭气 → {square} 没有怪物",
            "no wumpus: stench": "{because} 有臭气 → {square} 没有怪物",
            "no wumpus: missed": "从 {because} 射出的箭没中 → {square} 没有怪物",
            "no wumpus: hit": "从 {because} 射出的箭中了 → {square} 没有怪物",
            "wumpus near: stench": "{because} 有臭气 → 怪物在 {because} 旁边",
            "wumpus near: missed": "从 {because} 射出的箭没中 → 沿途没有怪物",
            "wumpus near: hit": "从 {because} 射出的箭中了 → 怪物在沿途",
            "wumpus": "{because} 有臭气，再没有别的格子 → 怪物在 {square}",
        },
        "scores": "{worlds} 个世界的平均得分与 95% 区间", "agent": "智能体", "mean": "平均得分",
        "shares": "结局", "gold": "拿到金子", "died": "死亡", "share": "世界的比例",
    },
}  # fmt: skip


def world_svg(
    world: World, state: State, thoughts: Thoughts | None = None, *, truth: bool = True, lang: str = "en"
) -> str:
    """The cave with the agent in it, styled by `STYLE`, and over it what the agent thinks.

    With `truth` the pits, the wumpus and the gold are there too, pale, which the agent does not see.
    """
    cave = world.cave
    width, height, edge = cave.width * CELL, cave.height * CELL, 24
    words = WORDS[check_language(lang)]
    label = words["map"].format(width=cave.width, height=cave.height, at=_square(state.at))

    def corner(square: Square) -> tuple[int, int]:
        return (square[0] - 1) * CELL, (cave.height - square[1]) * CELL

    def middle(square: Square) -> tuple[int, int]:
        x, y = corner(square)
        return x + CELL // 2, y + CELL // 2

    seen = thoughts.visited if thoughts else frozenset()
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + edge + 6} {height + edge + 6}" '
        f'width="{width + edge + 6}" height="{height + edge + 6}" role="img" aria-label="{label}">'
        f'<g transform="translate({edge} 4)"><rect class="wumpus-unknown" width="{width}" height="{height}"/>'
    ]
    for square in cave.squares:
        x, y = corner(square)
        if square in seen or (thoughts and square in thoughts.safe):
            look = "visited" if square in seen else "safe"
            parts.append(f'<rect class="wumpus-{look}" x="{x}" y="{y}" width="{CELL}" height="{CELL}"/>')
        elif thoughts and (risk := _risk(thoughts, square, state.wumpus_alive)) is not None:
            box = f'x="{x}" y="{y}" width="{CELL}" height="{CELL}"'
            parts.append(f'<rect class="wumpus-risk" fill-opacity="{0.75 * risk:.2f}" {box}/>')
    lines = "".join(f"M{x * CELL} 0V{height}" for x in range(1, cave.width))
    lines += "".join(f"M0 {y * CELL}H{width}" for y in range(1, cave.height))
    parts.append(
        f'<path class="wumpus-grid" d="{lines}"/><rect class="wumpus-edge" width="{width}" height="{height}"/>'
    )
    for x in range(1, cave.width + 1):
        parts.append(f'<text class="wumpus-name" x="{(x - 0.5) * CELL:g}" y="{height + 18}">{x}</text>')
    for y in range(1, cave.height + 1):
        parts.append(f'<text class="wumpus-name" x="-13" y="{(cave.height - y + 0.5) * CELL + 4:g}">{y}</text>')
    if truth:
        for square in sorted(world.pits):
            x, y = middle(square)
            look = "" if square == state.at else ' class="wumpus-truth"'
            parts.append(f'<g{look}><ellipse class="wumpus-pit" cx="{x}" cy="{y + 4}" rx="32" ry="24"/></g>')
        x, y = middle(world.wumpus)
        y += 10  # below what is written in the square
        look = "beast" if state.wumpus_alive else "dead"
        horns = f"M{x - 20} {y - 6}L{x - 24} {y - 28}L{x - 8} {y - 16}h16L{x + 24} {y - 28}L{x + 20} {y - 6}"
        parts.append(
            f'<g class="{"wumpus-truth" if world.wumpus != state.at else "wumpus-found"}"><path class="wumpus-{look}" '
            f'd="{horns}a20 20 0 0 1 -40 0z"/></g>'
        )
    if state.gold and (truth or state.gold in seen):
        x, y = middle(state.gold)
        hidden = "" if state.gold in seen else ' class="wumpus-truth"'
        bars = f"M{x - 22} {y + 30}l6 -14h32l6 14zM{x - 14} {y + 13}l5 -12h18l5 12z"
        parts.append(f'<g{hidden}><path class="wumpus-gold" d="{bars}"/></g>')
    for square in sorted(seen):
        x, y = corner(square)
        percept = perceive(world, state._replace(at=square))
        if percept.breeze:
            parts.append(
                f'<path class="wumpus-breeze" d="M{x + 8} {y + 14}q5 -6 10 0t10 0M{x + 8} {y + 21}q5 -6 10 0t10 0"/>'
            )
        if percept.stench:
            waves = "".join(f"M{x + CELL - gap} {y + 24}q-5 -5 0 -9t0 -9" for gap in (28, 19, 10))
            parts.append(f'<path class="wumpus-stench" d="{waves}"/>')
    if thoughts:
        if thoughts.plan:
            points = " ".join("{},{}".format(*middle(square)) for square in (state.at, *thoughts.plan))
            parts.append(f'<polyline class="wumpus-plan film-ahead" points="{points}"/>')
        if thoughts.target and thoughts.target != state.at:
            x, y = middle(thoughts.target)
            parts.append(f'<circle class="wumpus-target film-ahead" cx="{x}" cy="{y}" r="38"/>')
        for square in cave.squares:
            if square in seen:
                continue
            x, y = corner(square)
            lines_shown = []
            if thoughts.pits.get(square, 0.0) > 0:
                lines_shown.append(f"P {_share(thoughts.pits[square])}")
            if thoughts.wumpus.get(square, 0.0) > 0 and state.wumpus_alive:
                lines_shown.append(f"W {_share(thoughts.wumpus[square])}")
            for number, line in enumerate(lines_shown):
                parts.append(
                    f'<text class="wumpus-number" x="{x + CELL // 2}" y="{y + 17 + 16 * number}">{line}</text>'
                )
    x, y = middle(state.at)
    if not state.out:
        look = "agent" if state.alive else "agent wumpus-lost"
        parts.append(
            f'<path class="wumpus-{look}" transform="translate({x} {y}) rotate({TURNS[state.heading]})" '
            'd="M24 0L-16 17L-8 0L-16 -17z"/>'
        )
    return "".join(parts) + "</g></svg>"


def _risk(thoughts: Thoughts, square: Square, alive: bool) -> float | None:
    """The probability of dying there as the agent sees it; None if it says nothing about the square."""
    if square not in thoughts.pits and square not in thoughts.wumpus:
        return None
    wumpus = thoughts.wumpus.get(square, 0.0) if alive else 0.0
    return 1.0 - (1.0 - thoughts.pits.get(square, 0.0)) * (1.0 - wumpus)


def picture_svg(world: World, *, lang: str = "en") -> str:
    """The cave before anything happens, as a picture that stands alone."""
    return styled_svg(world_svg(world, start(world), lang=lang), STYLE)


def _square(square: Square) -> str:
    return f"{square[0]},{square[1]}"


def _share(value: float) -> str:
    return f"{100 * value:.0f}%" if 0.01 <= value <= 0.99 or value in (0.0, 1.0) else f"{100 * value:.1f}%"


# Films -----------------------------------------------------------------------------------------------------------


def film_title(agent: str, lang: str = "en") -> str:
    """What the film of a visit is called."""
    return str(WORDS[check_language(lang)]["title"]).format(agent=agent)


def visit_frames(record: Record, *, truth: bool = True, lang: str = "en") -> list[Frame]:
    """A visit action by action: before each action what the agent perceives, knows, believes and plans."""
    words = WORDS[check_language(lang)]
    frames = []
    caption, guess = words["begin"], None
    before: Thoughts | None = None
    for number, turn in enumerate(record.turns):
        svg = world_svg(record.world, turn.state, turn.thoughts, truth=truth, lang=lang)
        facts = _facts(words, record, turn.state, turn.percept, turn.thoughts)
        frames.append(Frame(svg, caption, facts, guess, (words["plan"],)))
        after = record.turns[number + 1].state if number + 1 < len(record.turns) else record.final
        caption = _caption(words, turn.state, after, turn.action)
        guess = None
        # It makes up its mind anew, and does not only go on with its plan.
        if turn.thoughts.intention != "random" and (before is None or _aim(before) != _aim(turn.thoughts)):
            caption += " " + words["planned"].format(intention=_intention(words, turn.thoughts))
            guess = _guess(words, turn)
        before = turn.thoughts
    last = record.turns[-1].thoughts if record.turns else None
    if last is not None:
        final = record.final
        seen = last.visited | {final.at}
        shown = Thoughts(final.at, final.heading, seen, last.safe, last.pits, last.wumpus)
        svg = world_svg(record.world, final, shown, truth=truth, lang=lang)
        ended = "dead" if not final.alive else "out" if final.out else "late"
        score: Fact = (words["score"], [words["points"].format(score=final.score, steps=final.steps)])
        frames.append(Frame(svg, f"{caption} {words[ended]}", [score], guess))
    return frames


def _aim(thoughts: Thoughts) -> tuple[str, Square | None]:
    return thoughts.intention, thoughts.target


def _guess(words: dict[str, Any], turn: Turn) -> Guess | None:
    """What the agent does, among all actions that do anything where it is; None where it may draw among squares."""
    state = turn.state
    if turn.thoughts.intention == "search":
        return None
    possible = {
        "left": True, "right": True, "forward": True, "grab": turn.percept.glitter,
        "shoot": state.has_arrow, "climb": state.at == ENTRANCE,
    }  # fmt: skip
    choices = {name: words["actions"][name] for name, there in possible.items() if there}
    return guess_among(words["guess"], choices.values(), words["actions"][ACTIONS[turn.action]])


def _caption(words: dict[str, Any], before: State, after: State, action: int) -> str:
    name = ACTIONS[action]
    idle = after._replace(steps=0, score=0) == before._replace(steps=0, score=0) and name in words["nothing"]
    text = words["nothing" if idle else "actions"][name]
    said: str = words["did"].format(action=text)
    if before.wumpus_alive and not after.wumpus_alive:
        said += f" {words['scream']}"
    return said


def _facts(words: dict[str, Any], record: Record, state: State, percept: Percept, thoughts: Thoughts) -> list[Fact]:
    senses = [name for name, felt in zip(words["senses"], percept, strict=True) if felt]
    facts: list[Fact] = [(words["percepts"], [", ".join(senses) or words["none"]])]
    plan = [_intention(words, thoughts)]
    if len(thoughts.plan) > 1:
        plan.append(words["way"].format(way=" → ".join(map(_square, thoughts.plan))))
    if thoughts.expected is not None:
        plan.append(words["expected"].format(expected=f"{thoughts.expected:+.0f}"))
    facts.append((words["plan"], plan))
    cave = record.world.cave
    known = [words["visited"].format(count=len(thoughts.visited), all=cave.width * cave.height)]
    if thoughts.safe:
        known.append(words["safe"].format(squares="  ".join(map(_square, sorted(thoughts.safe)))))
    facts.append((words["knows"], known))
    if thoughts.proofs:
        lines = [_proof(words, proof) for proof in thoughts.proofs[:MOST_PROOFS]]
        if len(thoughts.proofs) > MOST_PROOFS:
            lines.append(words["more"].format(count=len(thoughts.proofs) - MOST_PROOFS))
        facts.append((words["proofs"], lines))
    likely = sorted(((share, "pit", square) for square, share in thoughts.pits.items() if share > 0), reverse=True)
    if state.wumpus_alive:
        likely += sorted(((share, "wumpus", s) for s, share in thoughts.wumpus.items() if share > 0), reverse=True)
    if likely:
        shown = sorted(likely, reverse=True)[:8]
        lines = [words[what].format(square=_square(square), share=_share(share)) for share, what, square in shown]
        facts.append((words["believes"], lines))
    if thoughts.estimates:
        lines = [
            words["estimate"].format(square=_square(square), steps=f"{steps:g}")
            for square, steps in sorted(thoughts.estimates.items())
        ]
        facts.append((words["estimates"], lines))
    facts.append((words["score"], [words["points"].format(score=state.score, steps=state.steps)]))
    return facts


def _intention(words: dict[str, Any], thoughts: Thoughts) -> str:
    target = _square(thoughts.target) if thoughts.target else ""
    text: str = words["intentions"][thoughts.intention]
    return text.format(target=target)


def proof_lines(proofs: Sequence[Proof], lang: str = "en") -> list[str]:
    """Conclusions as lines to read, in their order."""
    words = WORDS[check_language(lang)]
    return [_proof(words, proof) for proof in proofs]


def _proof(words: dict[str, Any], proof: Proof) -> str:
    because = [_square(square) for square in proof.because]
    text: str = words["rules"][proof.rule]
    all_, first, rest = (" ".join(part) for part in (because, because[:1], because[1:]))
    return text.format(square=_square(proof.square), because=all_, first=first, rest=rest)


def visit_film(record: Record, agent: str, *, truth: bool = True, lang: str = "en") -> str:
    """A visit as a page in one file."""
    frames = visit_frames(record, truth=truth, lang=lang)
    return film_html(frames, title=film_title(agent, lang), styles=[STYLE], lang=lang)


def scores_svg(rows: Sequence[Statistics], *, lang: str = "en") -> str:
    """Two panels over the agents: the mean score with its interval, and how many brought the gold or died."""
    words = WORDS[check_language(lang)]
    names = [row.agent for row in rows]
    means = [row.mean for row in rows]
    title = words["scores"].format(worlds=f"{rows[0].worlds:,}" if rows else 0)
    low, high = [row.mean - row.margin for row in rows], [row.mean + row.margin for row in rows]
    scores = [Bars(words["mean"], means, low, high)]
    ends = [Bars(words["gold"], [row.gold for row in rows]), Bars(words["died"], [row.died for row in rows])]
    panels = [
        Panel(scores, title, words["agent"], words["mean"], categories=names, legend=False),
        Panel(ends, words["shares"], words["agent"], words["share"], categories=names, y_range=(0, 1)),
    ]
    return plot_svg(panels)
