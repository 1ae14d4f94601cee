"""The command line: one file a command, and in `console` what they share. Nothing below knows it."""

import gc

# A command that starts makes hundreds of thousands of objects, which all stay: to look for garbage among them again and
# again takes a tenth of the time.
gc.set_threshold(200_000)
