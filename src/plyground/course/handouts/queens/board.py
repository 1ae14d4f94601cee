"""Checks and shows boards of n queens. A board is a list of rows: rows[column] is the row of that column's queen."""

LANG = "en"
TEXTS = {
    "en": {
        "length": "the answer must be a list of {n} rows",
        "row": "column {column}: a row is a whole number from 0 to {last}, not {row!r}",
        "attack": "the queens of the columns {one} and {other} attack each other",
    },
    "zh": {
        "length": "答案应为 {n} 个行号的列表",
        "row": "第 {column} 列：行号应为 0 到 {last} 的整数，而不是 {row!r}",
        "attack": "第 {one} 列与第 {other} 列的皇后互相攻击",
    },
}
WORDS = TEXTS[LANG]


def fault(n, rows):
    """What is wrong with an answer for n queens, in one line; "" if none attacks another."""
    if not isinstance(rows, (list, tuple)) or len(rows) != n:
        return WORDS["length"].format(n=n)
    in_row, falling, rising = {}, {}, {}
    for column, row in enumerate(rows):
        if not isinstance(row, int) or isinstance(row, bool) or not 0 <= row < n:
            return WORDS["row"].format(column=column, last=n - 1, row=row)
        for lines, line in ((in_row, row), (falling, row + column), (rising, row - column)):
            if line in lines:
                return WORDS["attack"].format(one=lines[line], other=column)
            lines[line] = column
    return ""


def conflicts(rows, column, row):
    """How many other queens attack a queen of this column in this row."""
    return sum(
        other != column and (place == row or abs(place - row) == abs(other - column))
        for other, place in enumerate(rows)
    )


def show(rows):
    """The board as text."""
    return "\n".join(" ".join("Q" if place == row else "." for place in rows) for row in range(len(rows)))
