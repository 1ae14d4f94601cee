"""Other programs as child processes, with their limits and their ends; and other machines, with Ray."""
