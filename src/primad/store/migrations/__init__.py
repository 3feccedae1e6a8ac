"""How the tables of primad.store came to be."""
