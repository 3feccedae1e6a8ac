"""By which rules a run is evaluated: the options of trec_eval."""

from __future__ import annotations

from dataclasses import dataclass

from primad.errors import UsageError

NINE, TEN = VERSIONS = (9, 10)
DEFAULT_VERSION = NINE
DEFAULT_LEVEL = 1

_LARGEST_COLLECTION = 10**15


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The options of trec_eval, with their letters there.

    compat (none)       the version of trec_eval that is followed
    level (-l)          the lowest relevance that counts as relevant
    depth (-M)          how many documents per topic are looked at, None for all
    judged_only (-J)    unjudged documents are taken out of the ranking
    complete (-c)       judged topics that the run lacks count as 0 in the summary
    collection_size (-N)  the number of documents in the collection, for utility
    """

    compat: int = DEFAULT_VERSION
    level: int = DEFAULT_LEVEL
    depth: int | None = None
    judged_only: bool = False
    complete: bool = False
    collection_size: int = 0

    def __post_init__(self) -> None:
        """Refuse what no version of trec_eval can mean."""
        if self.compat not in VERSIONS:
            raise UsageError(f"expected trec_eval version {' or '.join(map(str, VERSIONS))}, found {self.compat}")
        for name, number, least in (
            ("depth", 1 if self.depth is None else self.depth, 1),
            ("relevance level", self.level, 0),
            ("collection size", self.collection_size, 0),
        ):
            if not isinstance(number, int) or number < least:
                raise UsageError(f"expected a {name} of at least {least}, found {number!r}")
        if self.collection_size > _LARGEST_COLLECTION:
            raise UsageError(f"expected a collection size of at most {_LARGEST_COLLECTION:,}, found more")

    @property
    def single_precision(self) -> bool:
        """Tell whether scores are kept as 32-bit numbers, as version 9 does."""
        return self.compat == NINE

    @property
    def rounds_recall_up(self) -> bool:
        """Tell whether a level of recall is rounded up to a document from a tenth on, as version 9 does."""
        return self.compat == NINE

    @property
    def scores_missing_topics(self) -> bool:
        """Tell whether judged topics that the run lacks have scores of their own, as in version 10."""
        return self.compat == TEN and self.complete

    @property
    def stops_at_missing_topics(self) -> bool:
        """Tell whether a judged topic that the run lacks is an error, as in version 10."""
        return self.compat == TEN and not self.complete
