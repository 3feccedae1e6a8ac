"""To be written: tira."""
