"""To be written: provenance."""
