"""``python -m plyground`` is the command."""

from plyground.cli.main import main

main()
