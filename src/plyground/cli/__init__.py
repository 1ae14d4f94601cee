"""The command line: one file a command, and in `console` what they share. Nothing below knows it."""
