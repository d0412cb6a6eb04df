"""Hosts: whose request is next, and what workers that share a store tell each other of them."""
