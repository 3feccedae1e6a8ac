"""To be written: datacite."""
