"""To be written: cwl."""
