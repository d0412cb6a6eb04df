"""Pictures: what their bytes say, what their files are called, and the pipeline that stores them."""
