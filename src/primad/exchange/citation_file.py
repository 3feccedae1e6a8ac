"""To be written: citation_file."""
