"""Try your solver: python3 main.py [N ...], 8, 20, 50 and 100 queens if no numbers are given."""

import sys
import time

from board import fault, show
from solver import solve

LANG = "en"
TEXTS = {
    "en": {"found": "{n} queens placed, {seconds:.3f} s", "wrong": "{n} queens: {fault}", "usage": "N is a number"},
    "zh": {"found": "{n} 个皇后已放好，用时 {seconds:.3f} 秒", "wrong": "{n} 个皇后：{fault}", "usage": "N 应为数字"},
}
WORDS = TEXTS[LANG]


def main(sizes):
    for n in sizes:
        start = time.perf_counter()
        rows = solve(n)
        seconds = time.perf_counter() - start
        wrong = fault(n, rows)
        if n <= 20 and not wrong:
            print(show(rows))
        print(WORDS["wrong"].format(n=n, fault=wrong) if wrong else WORDS["found"].format(n=n, seconds=seconds))


if __name__ == "__main__":
    if not all(word.isdecimal() for word in sys.argv[1:]):
        sys.exit(WORDS["usage"])
    main([int(word) for word in sys.argv[1:]] or [8, 20, 50, 100])
