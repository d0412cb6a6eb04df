"""A run's beginning and end: what is looked at again, judged anew, settled and counted."""
