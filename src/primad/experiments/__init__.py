"""Demonstration studies, built on the public API only."""
