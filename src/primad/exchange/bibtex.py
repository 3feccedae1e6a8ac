"""To be written: bibtex."""
