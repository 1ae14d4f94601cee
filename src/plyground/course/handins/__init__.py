"""Hand-ins: the files that an assignment gives out, and the grading of what comes back."""
