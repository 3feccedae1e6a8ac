"""What files say, as it is assessed: measurements, labels of items, claims.

Material    all of it, and what was remarked while reading
"""

from __future__ import annotations

from dataclasses import dataclass

from primad.qra.claims import Claim
from primad.qra.labels import Label
from primad.qra.measurement import Measurement


@dataclass(frozen=True, slots=True)
class Material:
    """Measurements, labels and claims from one or more files; remarks are sentences for a person."""

    measurements: tuple[Measurement, ...] = ()
    labels: tuple[Label, ...] = ()
    claims: tuple[Claim, ...] = ()
    remarks: tuple[str, ...] = ()

    def __add__(self, other: Material) -> Material:
        """Return what both say."""
        return Material(
            self.measurements + other.measurements,
            self.labels + other.labels,
            self.claims + other.claims,
            self.remarks + other.remarks,
        )
