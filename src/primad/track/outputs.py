"""What does a team hand in?

    NewOutput   what its system gave in one configuration on one data set

Plain values: no database is needed to make one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class NewOutput:
    """What a system gave: FILES by path, of one CONFIGURATION on one DATA_SET; VALUES are what the team measured.

    CONDITIONS say how a value was measured, for tasks that collect measurements.  RECORD is how it was made.
    """

    files: Mapping[str, bytes] = field(default_factory=dict)
    data_set: str = ""
    configuration: str = "default"
    values: Mapping[str, float] = field(default_factory=dict)
    conditions: Mapping[str, str] = field(default_factory=dict)
    record: Mapping[str, Any] = field(default_factory=dict)
