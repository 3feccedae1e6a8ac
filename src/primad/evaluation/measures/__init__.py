"""The measures, a family a file.  To add one, write it into the file it belongs to; nothing else changes."""

from primad.evaluation.measures import average_precision, counts, gain, precision, sets, strings
from primad.evaluation.registry import families

__all__ = ["average_precision", "counts", "families", "gain", "precision", "sets", "strings"]
