"""The store: one database, its connections, its lock, and the workers that share it."""
