"""How is a thing cited and found?  BibTeX, CITATION.cff, DataCite, schema.org, from the same facts."""
