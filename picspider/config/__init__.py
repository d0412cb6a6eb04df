"""The config of a crawl: a frozen model of the YAML file, its loading, and the words for what is wrong with it."""
