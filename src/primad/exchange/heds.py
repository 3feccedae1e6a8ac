"""To be written: heds."""
