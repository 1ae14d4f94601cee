"""Numba and LLVM, and nothing above knows their inside: rules by type, compiling, bits, random streams, arrays without
owners, objects held as pointers, atomics, vectors, and what is known of a type while code is made.
"""

import os

# What is here is written for the compiler: without it pointers, atomics and intrinsics would do nothing. Whoever wants
# to step through an algorithm has `interpreted`.
os.environ.pop("NUMBA_DISABLE_JIT", None)
