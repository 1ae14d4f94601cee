"""``python -m plyground`` is the command."""

from plyground.cli import main

main()
