"""Games in the app: in progress, pasted, kept, judged, and in tournaments."""
