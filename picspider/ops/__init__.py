"""What operators look at: metrics for Prometheus, a log for machines."""
