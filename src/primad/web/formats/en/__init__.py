"""How Django writes in English."""
