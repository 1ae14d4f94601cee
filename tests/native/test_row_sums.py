"""Sums of weighted rows: compiled as in plain Python."""

import numpy as np

from plyground.native.compiling import compiled, interpreted
from plyground.native.row_sums import add_rows, fill_sum


@compiled
def both(target, start, rows, chosen, values, count, slopes):
    fill_sum(target, start, rows, chosen, values, count)
    add_rows(slopes, chosen, values, count, target)


def test_sums_of_rows_are_those_of_numpy():
    draws = np.random.default_rng(1)
    rows, start = draws.normal(size=(9, 96)).astype(np.float32), draws.normal(size=96).astype(np.float32)
    chosen, values = np.array([3, 0, 8, 5, 5]), draws.normal(size=5).astype(np.float32)
    for count in (0, 1, 5):
        target, slopes = np.zeros(96, np.float32), np.ones((9, 96), np.float32)
        both(target, start, rows, chosen, values, count, slopes)
        expected = start + values[:count] @ rows[chosen[:count]]
        assert np.allclose(target, expected, atol=1e-5)
        slowly, plain = np.zeros(96, np.float32), np.ones((9, 96), np.float32)
        with interpreted():
            both(slowly, start, rows, chosen, values, count, plain)
        assert np.allclose(slowly, target, atol=1e-5)
        assert np.allclose(plain, slopes, atol=1e-4)
