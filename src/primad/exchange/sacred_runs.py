"""To be written: sacred_runs."""
