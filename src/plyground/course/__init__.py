"""The course: lessons, exercises, hand-ins and their grading."""
