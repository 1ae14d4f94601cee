"""Speed, measured against named peers in one run.

    python -m benchmarks                          what there is
    python -m benchmarks perft [--repeats 9] [--json]

`plyground bench perft` does the same. How measuring is done is in `benchmarks.harness`; every other module is one
benchmark: its docstring says what is measured and why that is fair, `comparisons()` yields the tables.
"""
