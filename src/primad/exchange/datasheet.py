"""To be written: datasheet."""
