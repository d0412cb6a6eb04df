"""HTTP clients: one call over a connection, its body byte by byte."""
