"""To be written: research_crate/unpacking."""
