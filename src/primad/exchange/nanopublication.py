"""To be written: nanopublication."""
