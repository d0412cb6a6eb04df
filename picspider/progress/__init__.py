"""What a person sees of a run in the terminal: how far it is, what it waits for, and how it ended."""
