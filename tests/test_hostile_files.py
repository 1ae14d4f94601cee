"""Whatever happens to a file, it is read or refused in one line; ``python -m benchmarks.attack`` tries far more."""

import importlib
import sys
import tracemalloc
from pathlib import Path

import pytest

from plyground.native.compiling import interpreted

pytest.importorskip("torch", reason="the extra learn is not installed")

sys.path.append(str(Path(__file__).parent.parent))  # the benchmarks are not part of the installed package

hostile = importlib.import_module("benchmarks.attack.hostile_files")

MUTATIONS = 40
MEMORY = 300 << 20
KINDS = {kind.name: kind for kind in hostile.FORMATS}


def sample_of(kind, folder) -> bytes:
    path = folder / (kind.suffix if not kind.suffix.startswith(".") else f"sample{kind.suffix}")
    kind.write(path)
    data = path.read_bytes()
    kind.read(path)  # a sample that is refused would prove nothing
    for other in folder.iterdir():
        other.unlink()
    return data


@pytest.mark.parametrize("name", KINDS)
def test_mutated_files_are_read_or_refused_in_a_line(tmp_path, name):
    kind = KINDS[name]
    with interpreted():
        sample = sample_of(kind, tmp_path)
        outcomes = {
            number: hostile.attempt(kind, hostile.mutated(sample, number, kind.seal), tmp_path)
            for number in range(MUTATIONS)
        }
    assert {number: fault for number, fault in outcomes.items() if fault} == {}


@pytest.mark.parametrize(("name", "what"), hostile.BOMBS)
def test_small_files_of_large_cost_are_refused(tmp_path, name, what):
    kind = KINDS[name]
    with interpreted():
        data = hostile.BOMBS[name, what](sample_of(kind, tmp_path))
        tracemalloc.start()
        try:
            assert hostile.attempt(kind, data, tmp_path) == ""
            assert tracemalloc.get_traced_memory()[1] < MEMORY
        finally:
            tracemalloc.stop()
