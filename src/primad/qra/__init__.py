"""How precise is a measured value, and why does it vary?

``primad.qra(measurements, ...)`` is this package called as a function: both have the name that the field gave it.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from primad.qra.result import QuantifiedAssessment


class _Callable(ModuleType):
    """A module that can be called: importing any part of it gives ``primad`` the attribute ``qra``, function or not."""

    def __call__(self, measurements: Any, **options: Any) -> QuantifiedAssessment:
        """Return how precise the values of MEASUREMENTS are; see primad.qra.assess.assess for the OPTIONS."""
        from primad.qra.assess import assess

        return assess(measurements, **options)


sys.modules[__name__].__class__ = _Callable
