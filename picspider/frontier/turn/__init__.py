"""A turn: one transaction in which rows come in, end, and are taken out; and what is asked between turns."""
