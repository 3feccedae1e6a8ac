"""How the tables of primad.archive came to be."""
