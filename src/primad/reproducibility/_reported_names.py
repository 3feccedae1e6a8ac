"""Which measure, test or correction does a header mean by a name that a person wrote?

    separated          'map, ndcg' as two names
    meant_measures     'MAP', 'nDCG@10', 'Average Precision', 'P10' as measures of evaluation
    meant_test         'two-tailed paired t-test' as a test, paired or not, with what was assumed
    meant_correction   'Holm-Bonferroni' as a correction

The notation of evaluation comes first; the tables below hold what people write besides.  A name that is in neither is
unknown, and nothing is guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from primad.errors import MeasureError, UnknownMeasure
from primad.evaluation import parse_measure

if TYPE_CHECKING:
    from primad.evaluation import BoundMeasure
    from primad.qra.corrections import Correction
    from primad.reproducibility.significance import Test

# A measure as people call it: what evaluation calls it without a cutoff, and with one; empty where there is no such.
_MEASURES = {
    ("map", "ap", "average precision", "mean average precision"): ("map", "map_cut_{}"),
    ("gmap", "gm map", "geometric map", "geometric mean average precision"): ("gm_map", ""),
    ("ndcg", "normalized discounted cumulative gain", "normalised discounted cumulative gain"): ("ndcg", "ndcg_cut_{}"),
    ("p", "prec", "precision"): ("", "P_{}"),
    ("r", "rec", "recall"): ("", "recall_{}"),
    ("rr", "mrr", "recip rank", "reciprocal rank", "mean reciprocal rank"): ("recip_rank", "RR@{}"),
    ("r precision", "r prec", "rprec", "rprecision"): ("Rprec", ""),
    ("bpref", "binary preference"): ("bpref", ""),
    ("infap", "inferred ap", "inferred average precision"): ("infAP", ""),
    ("success", "s", "hit", "hits", "hit rate"): ("", "success_{}"),
    ("err", "expected reciprocal rank"): ("ERR", "ERR@{}"),
    ("rbp", "rank biased precision"): ("RBP", "RBP@{}"),
    ("f", "f1", "f measure", "f1 measure", "f score", "f1 score"): ("set_F", ""),
}
_BY_NAME = {name: forms for names, forms in _MEASURES.items() for name in names}
_WITH_CUTOFF = re.compile(r"(?P<name>.*?[a-z)])[\s_@.]*(?:(?:cut|cutoff|at|top)[\s_@.]*)?(?P<cutoff>[1-9][0-9]{0,5})")
# From the first of several blanks only: from each of them, many would take long.
_SEVERAL = re.compile(r"(?<!\s)\s*+(?:(?:[,;]|\band\b)\s*+)+")

# Nobody needs more to name something; patterns take long on a longer text.
_LONGEST = 200

# Of these the first that fits decides: what a name contains, the test, whether it is paired, what it is called here.
_TESTS: tuple[tuple[str, Test, bool, str], ...] = (
    (r"mann[\s-]?whitney|rank[\s-]?sum", "wilcoxon", False, "Wilcoxon rank-sum test"),
    (r"wilcoxon|signed[\s-]?rank", "wilcoxon", True, "Wilcoxon signed-rank test"),
    (r"(unpaired|independent).*(permutation|randomi[sz]ation)", "permutation", False, "unpaired permutation test"),
    (r"permutation|randomi[sz]ation", "permutation", True, "paired permutation test"),
    (r"welch", "t", False, "Welch's t-test"),
    (r"(unpaired|independent|two[\s-]sample).*\bt\b", "student", False, "Student's t-test"),
    (r"\bt\b.*(unpaired|independent|two[\s-]sample)|ttest_ind", "student", False, "Student's t-test"),
    (r"\bt[\s_-]?test|\bttest|student", "t", True, "paired t-test"),
)
_SAYS_PAIRED = re.compile(r"paired|dependent|ttest_rel|signed[\s-]?rank|independent|two[\s-]sample|welch|rank[\s-]?sum")
_ONE_SIDED = re.compile(r"\b(one|1|single)[\s-]?(sided|tailed)\b")
_CORRECTIONS: tuple[tuple[str, Correction], ...] = (
    (r"(?!.*[sš]id[aá]k).*\bholm\b.*", "holm"),
    (r".*\bbonferroni\b.*", "bonferroni"),
    (r"none|no|no correction|not corrected|uncorrected|n/?a|-", "none"),
)


@dataclass(frozen=True)
class MeantTest:
    """A test, whether topics are PAIRED in it, its NAME, and what the header left open or says otherwise."""

    test: Test
    paired: bool
    name: str
    remarks: tuple[str, ...] = ()


def separated(said: str, compat: int) -> list[str]:
    """Return the names in SAID, which may be several that a person wrote as one text.

    >>> separated("map, ndcg and P@10", 9), separated("ndcg_cut.10,20", 9)
    (['map', 'ndcg', 'P@10'], ['ndcg_cut.10,20'])
    """
    try:
        parse_measure(said, compat)
    except (UnknownMeasure, MeasureError):
        return [part for part in _SEVERAL.split(said) if part]
    return [said]


def meant_measures(said: str, compat: int) -> list[BoundMeasure]:
    """Return the measures that a header means by the name SAID; an error of ours if it is unknown.

    >>> [measure.label for name in ("MAP", "nDCG@20", "ndcg@20", "P10") for measure in meant_measures(name, 9)]
    ['MAP', 'nDCG@20', 'ndcg_cut_20', 'P_10']
    """
    try:
        return parse_measure(said, compat)
    except (UnknownMeasure, MeasureError):
        known = _spelled(said)
        if not known:
            raise
        return parse_measure(known, compat)


def _spelled(said: str) -> str:
    """Return the measure that the table has for SAID, empty if it has none."""
    folded = re.sub(r"[\s_-]+", " ", said[:_LONGEST].strip().lower())
    if folded in _BY_NAME:
        return _BY_NAME[folded][0]
    found = _WITH_CUTOFF.fullmatch(folded)
    form = _BY_NAME.get(found["name"].strip(), ("", ""))[1] if found else ""
    return form.format(found["cutoff"]) if found else ""


def meant_test(said: str) -> MeantTest | None:
    """Return the test that a header means by SAID, None if it is unknown.

    >>> meant_test("two-tailed paired Student's t-test")
    MeantTest(test='t', paired=True, name='paired t-test', remarks=())
    """
    folded = said[:_LONGEST].strip().lower()
    for pattern, test, paired, name in _TESTS:
        if re.search(pattern, folded):
            remarks = []
            if paired and not _SAYS_PAIRED.search(folded):
                remarks.append("taken as paired by topic")
            if _ONE_SIDED.search(folded):
                remarks.append("one-sided in the header, two-sided here")
            return MeantTest(test, paired, name, tuple(remarks))
    return None


def meant_correction(said: str) -> Correction | None:
    """Return the correction that a header means by SAID, None if it is unknown.

    >>> meant_correction("Holm-Bonferroni"), meant_correction("Tukey"), meant_correction("none")
    ('holm', None, 'none')
    """
    folded = said[:_LONGEST].strip().lower()
    return next((method for pattern, method in _CORRECTIONS if re.fullmatch(pattern, folded)), None)
