"""To be written: research_crate/packing."""
