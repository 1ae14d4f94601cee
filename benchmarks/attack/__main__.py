"""All attacks again, or those that are named, and one table: tried, survived, failed.

``python -m benchmarks.attack``, or ``python -m benchmarks.attack files players``. Nothing but this machine is attacked,
each attack is bounded in time and memory, and the whole takes one to two hours on two cores.
"""

from __future__ import annotations

import importlib
import sys
import time

from plyground.cli.console import out, plain_table

KINDS = {
    "files": "mutated files, and files that ask for too much",
    "command_lines": "odd command lines",
    "players": "hostile players in the arena",
    "interrupts": "Ctrl-C and SIGTERM at moments from 0 to 5 s",
    "kills": "kill -9 of the arena and of a training",
    "server": "attacks on the server, kill -9 among them",
}


def main(names: list[str]) -> int:
    """Run the attacks; 1 if any was not survived."""
    if unknown := sorted(set(names) - set(KINDS)):
        print(f"error: there is no attack '{unknown[0]}'; there are {', '.join(KINDS)}", file=sys.stderr)
        return 2
    table = plain_table("what", "tried", "survived", "failed", "seconds", left=("what",))
    failures = 0
    for kind in names or KINDS:
        start, tried, failed = time.monotonic(), 0, 0
        for name, survived, detail in importlib.import_module(f"benchmarks.attack.{kind}").attacks():
            tried += 1
            if not survived:
                failed += 1
                print(f"FAILED {kind}: {name}: {detail}", flush=True)
        table.add_row(KINDS[kind], f"{tried:,}", f"{tried - failed:,}", str(failed), f"{time.monotonic() - start:.0f}")
        failures += failed
    out.print(table)
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
