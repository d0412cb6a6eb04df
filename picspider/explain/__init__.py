"""Which rule takes or refuses a URL, and why: the parts of `picspider explain`."""
