"""Files of measurements, in the formats that people and programs write."""
