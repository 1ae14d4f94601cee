"""Find the bug: a student's search beside the right one, up to the first node where the two differ."""
