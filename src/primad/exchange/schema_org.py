"""To be written: schema_org."""
