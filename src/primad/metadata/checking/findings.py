"""What can be wrong with a run and its metadata, said so that a person can act on it.

    Finding        one thing: where, how bad, what was expected, what was found, what to do
    Completeness   how many of the fields that matter are stated, in all and by component
    Checked        everything that was found about one file

Nothing is looked at here: findings are made by the other modules of this room.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from primad.metadata.record import Record

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong.

    ``field`` is empty where the finding is about the ranking; ``code`` is a short name that stays the same between
    versions; ``importance`` is that of a missing field.
    """

    file: str
    line: int
    field: str
    severity: Severity
    code: str
    message: str
    advice: str = ""
    importance: str = ""

    def __str__(self) -> str:
        """Return the finding as one line."""
        where = f"{self.file}:{self.line}" if self.line else self.file
        what = f"{self.field}: {self.message}" if self.field else self.message
        return f"{where}: {self.severity}: {what}" + (f"; {self.advice}" if self.advice else "")


@dataclass(frozen=True)
class Share:
    """How many fields are stated of those that matter."""

    component: str
    essential: int
    essential_stated: int
    recommended: int
    recommended_stated: int

    @property
    def total(self) -> int:
        """Return the number of fields that matter."""
        return self.essential + self.recommended

    @property
    def stated(self) -> int:
        """Return the number of those that are stated."""
        return self.essential_stated + self.recommended_stated

    @property
    def percent(self) -> int:
        """Return the stated share, rounded down, so that 100 means all; of nothing, all is stated."""
        return 100 * self.stated // self.total if self.total else 100


@dataclass(frozen=True)
class Completeness:
    """The shares of all components that matter, and of the whole record."""

    components: tuple[Share, ...]

    @property
    def whole(self) -> Share:
        """Return the share of the record."""
        shares = self.components
        return Share(
            "all",
            sum(share.essential for share in shares),
            sum(share.essential_stated for share in shares),
            sum(share.recommended for share in shares),
            sum(share.recommended_stated for share in shares),
        )


@dataclass(frozen=True)
class RankingFacts:
    """What the ranking of a file is like."""

    lines: int
    topics: int
    depth: int
    shortest: int
    tied_share: float
    tie_order: str


@dataclass(frozen=True)
class Checked:
    """What was found about one file; ``metadata_file`` is where its metadata stands."""

    file: str
    metadata_file: str
    findings: tuple[Finding, ...]
    record: Record | None = None
    completeness: Completeness | None = None
    ranking: RankingFacts | None = None

    @property
    def errors(self) -> int:
        """Return the number of errors."""
        return sum(finding.severity == "error" for finding in self.findings)

    @property
    def warnings(self) -> int:
        """Return the number of warnings."""
        return len(self.findings) - self.errors

    @property
    def is_good(self) -> bool:
        """Tell whether there is no error."""
        return self.errors == 0
