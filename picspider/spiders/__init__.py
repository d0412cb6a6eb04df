"""The spiders: `layered` strips a site layer by layer, `focused` follows a topic."""
