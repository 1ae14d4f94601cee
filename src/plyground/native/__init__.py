"""Numba and LLVM, and nothing above knows their inside: rules by type, compiling, bits, random streams, lent arrays."""
