"""Regexes that a config may hold: compiled, or refused with the place of the fault; so are catastrophic ones."""
