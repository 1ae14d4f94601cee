"""How speed is measured: the same rounds for every subject, medians, and a ratio to a peer from the same run.

Every subject runs once unmeasured, so that nobody pays for compiling or for cold caches. Then come rounds in which each
subject runs once (A, B, C, A, B, C, ...): when the machine slows down, it slows all of them down alike. All run on one
core. A run should take a tenth of a second or more: on a busy machine shorter ones would more often get through
undisturbed, and look faster than they are. The figure of a subject is the median of its rates; its ratio is that figure
divided by the baseline's.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rich.box import SIMPLE_HEAD
from rich.table import Table

from plyground.cli.console import plain_table
from plyground.errors import BadOption

__all__ = [
    "Comparison",
    "Report",
    "Row",
    "Sample",
    "Subject",
    "compare",
    "every_core",
    "one_core",
    "report_table",
    "timed",
]


_CORES = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()


class Sample(NamedTuple):
    """One measured repetition: how much work was done, in how many seconds."""

    work: float
    seconds: float


@dataclass(frozen=True)
class Subject:
    """Something to measure: `run` does one repetition."""

    name: str
    run: Callable[[], Sample]


@dataclass(frozen=True)
class Comparison:
    """Subjects that do the same kind of work, counted in `unit`; `baseline` is the subject with ratio 1.

    A baseline that is not among the subjects, because it is not installed, leaves the ratios empty. `notes` are lines
    for the reader. With `less`, all subjects come to the same end, and the one that needs less work is better.
    """

    title: str
    unit: str
    baseline: str
    subjects: tuple[Subject, ...]
    notes: tuple[str, ...] = ()
    less: bool = False


@dataclass(frozen=True)
class Row:
    """What was measured of one subject. Rates are work per second. The ratio is that of the rates, or with `less` that
    of the work; `time_ratio` is that of the times, with `less` only."""

    name: str
    samples: tuple[Sample, ...]
    ratio: float | None
    time_ratio: float | None = None

    @property
    def work(self) -> float:
        """The median work of a repetition."""
        return statistics.median(sample.work for sample in self.samples)

    @property
    def seconds(self) -> float:
        """The median time of a repetition."""
        return statistics.median(sample.seconds for sample in self.samples)

    @property
    def rate(self) -> float:
        """The median rate."""
        return _rate(self.samples)

    @property
    def slowest(self) -> float:
        """The lowest rate of any repetition."""
        return min(sample.work / sample.seconds for sample in self.samples)

    @property
    def fastest(self) -> float:
        """The highest rate of any repetition."""
        return max(sample.work / sample.seconds for sample in self.samples)


@dataclass(frozen=True)
class Report:
    """A comparison, measured: one row for each subject, in the same order."""

    title: str
    unit: str
    baseline: str
    rows: tuple[Row, ...]
    less: bool = False

    def as_dict(self) -> dict[str, Any]:
        """The report for JSON: times in seconds, rates in units per second, the ratio null without a baseline."""
        return {
            "title": self.title,
            "unit": self.unit,
            "baseline": self.baseline,
            "rows": [
                {
                    "name": row.name,
                    "work": row.work,
                    "seconds": row.seconds,
                    "rate": row.rate,
                    "slowest": row.slowest,
                    "fastest": row.fastest,
                    "ratio": row.ratio,
                    **({"time_ratio": row.time_ratio} if self.less else {}),
                    "samples": [sample._asdict() for sample in row.samples],
                }
                for row in self.rows
            ],
        }


def timed(job: Callable[[], float], times: int = 1) -> Callable[[], Sample]:
    """A repetition that does the job this many times, all of it on the clock; the job answers how much work it was."""

    def run() -> Sample:
        start = time.perf_counter()
        work = sum(job() for _ in range(times))
        return Sample(work, time.perf_counter() - start)

    return run


def compare(comparison: Comparison, repeats: int, before_run: Callable[[str], None] = lambda name: None) -> Report:
    """Measure all subjects in interleaved rounds, after one unmeasured round.

    `before_run` is called with each subject's name before each of its runs; it is never on the clock.
    """
    if repeats < 1:
        raise BadOption(f"repeats must be at least 1, not {repeats}")
    measured: dict[str, list[Sample]] = {subject.name: [] for subject in comparison.subjects}
    for number in range(repeats + 1):
        for subject in comparison.subjects:
            before_run(subject.name)
            sample = subject.run()
            if number > 0:
                measured[subject.name].append(sample)
    base = measured.get(comparison.baseline)
    rows = []
    for name, samples in measured.items():
        row = Row(name, tuple(samples), _rate(samples) / _rate(base) if base else None)
        if comparison.less and base:
            peer = Row(comparison.baseline, tuple(base), None)
            row = Row(name, tuple(samples), peer.work / row.work, peer.seconds / row.seconds)
        rows.append(row)
    return Report(comparison.title, comparison.unit, comparison.baseline, tuple(rows), comparison.less)


def _rate(samples: list[Sample] | tuple[Sample, ...]) -> float:
    return statistics.median(sample.work / sample.seconds for sample in samples)


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """Keep this process, and those it starts, on one core where the system allows it: no subject gains by threads."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})  # the first core is the one that most often serves the devices
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


@contextlib.contextmanager
def every_core() -> Iterator[None]:
    """Inside `one_core`, what is measured here may use all cores that this process began with."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    one = os.sched_getaffinity(0)
    os.sched_setaffinity(0, _CORES)
    try:
        yield
    finally:
        os.sched_setaffinity(0, one)


def report_table(report: Report) -> Table:
    """The report for people. The last column is the ratio to the baseline: above 1x is better."""
    looks = {"title": report.title, "title_justify": "left", "title_style": "bold", "box": SIMPLE_HEAD}
    if report.less:
        figures: Sequence[str] = (report.unit, "time", f"{report.unit} saved", "time saved")
    else:
        figures = (f"{report.unit}/s", "slowest .. fastest", "time each", "speed")
    table = plain_table("subject", *figures, left=("subject",), whole=figures, **looks)
    table.columns[0].min_width = 20
    for row in report.rows:
        if report.less:
            saved = ["" if ratio is None else f"{_digits(ratio)}x" for ratio in (row.ratio, row.time_ratio)]
            table.add_row(row.name, f"{row.work:,.0f}", _duration(row.seconds), *saved)
            continue
        name = f"{row.name} (baseline)" if row.name == report.baseline else row.name
        spread = f"{_scaled(row.slowest)} .. {_scaled(row.fastest)}"
        ratio = "" if row.ratio is None else f"{_digits(row.ratio)}x"
        table.add_row(name, _scaled(row.rate), spread, _duration(1 / row.rate), ratio)
    return table


def _digits(value: float) -> str:
    """Three significant digits, without an exponent."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _scaled(value: float) -> str:
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{_digits(value / size)} {letter}"
    return _digits(value)


def _duration(seconds: float) -> str:
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= size:
            return f"{_digits(seconds / size)} {unit}"
    return f"{_digits(seconds * 1e9)} ns"
