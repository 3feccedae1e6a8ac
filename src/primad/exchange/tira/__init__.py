"""Folders of TIRA, in and out, and what its tracker measured, in."""
