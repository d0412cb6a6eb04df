"""The commands: one small function each, typed arguments, returns an exit code."""
