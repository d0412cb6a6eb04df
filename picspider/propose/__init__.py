"""Propose a config for a site that was only named: pure judging of pages; whoever calls hands out the pages."""
