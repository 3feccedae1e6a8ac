"""Annotated runs from PyTerrier, under a short address; all of it is in ``capture.methods.pyterrier``."""

from primad.metadata.capture.methods.pyterrier import record

__all__ = ["record"]
