"""Finding URLs on pages: pure functions of text and URLs."""
