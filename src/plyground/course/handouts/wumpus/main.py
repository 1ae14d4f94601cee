"""Let your agent visit the caves of a file: python3 main.py [--show] [caves.txt]"""

import sys
from pathlib import Path

from agent import Agent
from wumpus import explore, read_caves

LANG = "en"
TEXTS = {
    "en": {
        "cave": "cave {number}: {end}, {score} points after {steps} actions",
        "mean": "mean of {count} caves: {mean:.1f} points",
        "step": "{percept} -> {action}",
        "nothing": "nothing",
        "ends": ("dead", "out of the cave", "out of actions"),
        "gold": "{end} with the gold",
    },
    "zh": {
        "cave": "洞穴 {number}：{end}，{steps} 步后得 {score} 分",
        "mean": "{count} 个洞穴的平均得分：{mean:.1f}",
        "step": "{percept} -> {action}",
        "nothing": "无",
        "ends": ("死亡", "已离开洞穴", "步数用完"),
        "gold": "{end}，带着金子",
    },
}
WORDS = TEXTS[LANG]


def main(file, show):
    scores = []
    for number, cave in enumerate(read_caves(Path(file).read_text(encoding="utf-8")), 1):
        agent = Agent(cave.width, cave.height)
        if show:
            print(f"\n{cave.show()}")
        scores.append(explore(cave, agent, _print_step if show else None))
        end = WORDS["ends"][0 if not cave.alive else 1 if cave.out else 2]
        end = WORDS["gold"].format(end=end) if cave.has_gold and cave.alive else end
        print(WORDS["cave"].format(number=number, end=end, score=cave.score, steps=cave.steps))
    print(WORDS["mean"].format(count=len(scores), mean=sum(scores) / max(1, len(scores))))


def _print_step(percept, action):
    felt = ", ".join(name for name, on in percept._asdict().items() if on) or WORDS["nothing"]
    print(WORDS["step"].format(percept=felt, action=action))


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--show"]
    main(words[0] if words else "caves.txt", "--show" in sys.argv)
