"""Numba and LLVM, and nothing above knows their inside: rules by type, compiling, bits, random streams, arrays without
owners, objects held as pointers, atomics, vectors, and what is known of a type while code is made.
"""
