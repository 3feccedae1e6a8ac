"""Finished results as tables and files.  Nothing is computed here."""
