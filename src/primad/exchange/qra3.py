"""To be written: qra3."""
