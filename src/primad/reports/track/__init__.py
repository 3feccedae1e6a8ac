"""The report of a replication track: its tables, its page, its figures, and evidence for badges."""
