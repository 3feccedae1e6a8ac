"""What changed between two runs, and what is that kind of reproduction called?

compare, compare_records   runs or records against an original: Comparison, Compared, Difference
Type                       six letters: priMad, PRIM'AD
same_collection            which parts of the test collection two runs share: CollectionSameness
counted                    which fields decide, and why
KINDS, name_of, meaning_of the names of all 64 types
Term, terms_of             what other vocabularies say
Filter, parse_filters      which runs are asked for
"""

from primad.reproducibility.comparison.collection import CollectionSameness, same_collection
from primad.reproducibility.comparison.compare import (
    Options,
    collected,
    compare,
    compare_each,
    compare_pairs,
    compare_records,
    is_same_file,
    read_or_say,
)
from primad.reproducibility.comparison.compared import Compared, Unread
from primad.reproducibility.comparison.counted import Counted, counted, described, rule_meanings
from primad.reproducibility.comparison.differences import Difference
from primad.reproducibility.comparison.filters import Filter, parse_filters
from primad.reproducibility.comparison.groups import Group, Possible, measures_for
from primad.reproducibility.comparison.heads import read_head
from primad.reproducibility.comparison.letters import Type
from primad.reproducibility.comparison.names import KINDS, Kind, is_published, meaning_of, name_of
from primad.reproducibility.comparison.result import Comparison
from primad.reproducibility.comparison.roles import is_reproducer
from primad.reproducibility.comparison.terms import Term, same_team, terms_of

__all__ = [
    "KINDS",
    "CollectionSameness",
    "Compared",
    "Comparison",
    "Counted",
    "Difference",
    "Filter",
    "Group",
    "Kind",
    "Options",
    "Possible",
    "Term",
    "Type",
    "Unread",
    "collected",
    "compare",
    "compare_each",
    "compare_pairs",
    "compare_records",
    "counted",
    "described",
    "is_published",
    "is_reproducer",
    "is_same_file",
    "meaning_of",
    "measures_for",
    "name_of",
    "parse_filters",
    "read_head",
    "read_or_say",
    "rule_meanings",
    "same_collection",
    "same_team",
    "terms_of",
]
