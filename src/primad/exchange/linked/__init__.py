"""Linked data: where a thing comes from (W3C PROV), and its findings one by one (nanopublications)."""
