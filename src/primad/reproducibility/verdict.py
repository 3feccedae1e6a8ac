"""Was a result replicated?  A submitted output and a replicated one under the same scorer.

    Agreement   how close the two are, from identical bytes to a scorer that failed
    Chance      whether the difference of scores could be chance, as primad.reproducibility.chance tells it
    Verdict     all of it, with the sentence that says it and the points of the sheet's eighth question
    judge       the verdict on two outputs
    as_json     a verdict in plain values

Both outputs are scored over the items of the gold standard that the submitted one is scored on.  An item of these that
the replicated output lacks is never left out: it counts as 0 or as missed where a scorer can count it so, and is an
error where it cannot.  What the replicated output has beyond them is left out.

The limit of closeness is that of the scorer's setting ``limit``; where none is set, it is .01 for a measure that has 1
as its most, and there is none for others (counts, errors in units of what is predicted): values of these are the same
or apart.

Nothing is known here about tracks or databases.  The four points and their limit of .01 are those of
Névéol et al., LOUHI 2016, table 1, question 8.  There, "less than .01" has 3 points and "more than .01" has 2, and
nothing is said of .01 itself; here it counts as apart.  Scores are held against each other by nine decimals, so that
.75 and .74 are .01 apart, whatever floating point makes of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from primad.errors import PrimadError, UndefinedMeasure, UnknownMeasure
from primad.evaluation.scorers.scored import Compared, Expecting, Scored, Scorer
from primad.reproducibility.chance import Chance, chance_of

__all__ = ["LIMIT", "SCHEMA", "Agreement", "Chance", "Verdict", "as_json", "judge"]

SCHEMA = "primad.verdict/1"
LIMIT = 0.01

_DECIMALS = 9
_SMALL_P = 0.001
_SHOWN = 4  # decimals of a score in a sentence

Files = Mapping[str, bytes]


class Agreement(StrEnum):
    """How close a replicated output is to the submitted one; each is weaker than the one before.

    The texts are kept where verdicts are, and name the usual limit; ``Verdict.words`` has the limit in force.
    """

    BYTES = "identical bytes"
    ITEMS = "identical items"
    SCORES = "identical scores"
    CLOSE = "less than .01 apart"
    APART = ".01 or more apart"
    ERROR = "the scorer failed"

    @property
    def points(self) -> int:
        """Return the points of question 8."""
        return {Agreement.CLOSE: 3, Agreement.APART: 2, Agreement.ERROR: 1}.get(self, 4)


@dataclass(frozen=True)
class Verdict:
    """What became of a submitted output when its system was run again.

    DIFFERENCE is replicated minus submitted on the PRIMARY measure, None if either has no score.  ERROR is what the
    scorer said.  NO_CHANCE says why there is no test of the difference.  LIMIT is that of closeness in force, None if
    there is none.
    """

    agreement: Agreement
    primary: str
    sentence: str
    submitted: Scored | None = None
    replicated: Scored | None = None
    difference: float | None = None
    compared: Compared | None = None
    chance: Chance | None = None
    no_chance: str = ""
    error: str = ""
    limit: float | None = LIMIT

    @property
    def points(self) -> int:
        """Return the points of question 8: 4 the same results, 3 less than the limit apart, 2 more, 1 scorer error."""
        return self.agreement.points

    @property
    def words(self) -> str:
        """Return the agreement with the limit that is in force."""
        return _in_words(self.agreement, self.limit)


def judge(
    scorer: Scorer,
    gold: Files,
    submitted: Files,
    replicated: Files,
    *,
    primary: str = "",
    seed: int = 0,
) -> Verdict:
    """Return the verdict of SCORER on a REPLICATED output, each of its files by name, beside the SUBMITTED one.

    The limit of closeness counts on the PRIMARY measure, by default that of the scorer.  What keeps the submitted
    output from being scored is raised; what keeps the replicated one from it is the verdict.
    """
    primary = primary or scorer.primary
    before = scorer.score(gold, submitted)
    if primary not in before.measures and primary not in before.undefined:
        raise UnknownMeasure(primary, [*before.measures, *before.undefined])
    try:
        after = _scored_again(scorer, gold, submitted, replicated)
        compared = scorer.compare(submitted, replicated)
    except PrimadError as error:
        return _failed(primary, before, str(error), limit=_limit(scorer, primary, before))
    limit = _limit(scorer, primary, before, after)
    is_copy = _has_same_bytes(submitted, replicated)
    return _weighed(primary, before, after, compared, is_copy=is_copy, limit=limit, seed=seed)


def _scored_again(scorer: Scorer, gold: Files, submitted: Files, replicated: Files) -> Scored:
    """Return the measures of REPLICATED, no item lost that SUBMITTED is scored on."""
    if isinstance(scorer, Expecting):
        return scorer.score_beside(gold, submitted, replicated)
    return scorer.score(gold, replicated)


def _limit(scorer: Scorer, primary: str, *scored: Scored) -> float | None:
    """Return how far apart values of PRIMARY may be and still be close, None if nobody can say."""
    if scorer.limit is not None:
        return scorer.limit
    values = [one.measures[primary] for one in scored if primary in one.measures]
    return LIMIT if primary not in scorer.off_scale and all(abs(value) <= 1 for value in values) else None


def _in_words(agreement: Agreement, limit: float | None) -> str:
    """Return AGREEMENT under LIMIT.

    >>> [_in_words(Agreement.APART, limit) for limit in (0.01, 2.5, None)]
    ['.01 or more apart', '2.5 or more apart', 'not the same, and no limit of closeness was stated']
    """
    if agreement not in (Agreement.CLOSE, Agreement.APART):
        return str(agreement)
    is_close = agreement is Agreement.CLOSE
    if limit is None:
        return "the same, but not in all measures" if is_close else "not the same, and no limit of closeness was stated"
    apart = f"{limit:g}".removeprefix("0") if 0 < limit < 1 else f"{limit:g}"
    return f"less than {apart} apart" if is_close else f"{apart} or more apart"


def _failed(primary: str, before: Scored, error: str, **further: Any) -> Verdict:
    """Return the verdict on an output that could not be scored."""
    sentence = f"The scorer failed on the replicated output: {error.rstrip('.')}."
    return Verdict(
        Agreement.ERROR, primary, sentence, before, error=error, no_chance="there is nothing to compare", **further
    )


def _weighed(
    primary: str,
    before: Scored,
    after: Scored,
    compared: Compared,
    *,
    is_copy: bool,
    limit: float | None,
    seed: int,
) -> Verdict:
    """Return the verdict on two outputs that were scored."""
    difference = _difference(primary, before, after)
    is_same = compared.is_identical and not difference
    if difference is None and not is_same:
        if primary in before.undefined:
            raise UndefinedMeasure(primary, before.undefined[primary])
        error = str(UndefinedMeasure(primary, after.undefined.get(primary, "the scorer gave no value")))
        return _failed(primary, before, error, replicated=after, compared=compared, limit=limit)
    agreement = _same(before, after, is_same=is_same, is_copy=is_copy) or _apart(difference, limit)
    chance = _chance(primary, before, after, seed) if not is_same else "both outputs are the same"
    told = chance if isinstance(chance, Chance) else None
    return Verdict(
        agreement,
        primary,
        _sentence(agreement, limit, primary, before, after, compared, told),
        before,
        after,
        difference,
        compared,
        told,
        chance if isinstance(chance, str) else "",
        limit=limit,
    )


def _has_same_bytes(submitted: Files, replicated: Files) -> bool:
    """Tell whether both outputs have the same files; a single file may have another name."""
    if len(submitted) == len(replicated) == 1:
        return list(submitted.values()) == list(replicated.values())
    return dict(submitted) == dict(replicated)


def _difference(primary: str, before: Scored, after: Scored) -> float | None:
    """Return by how much the replicated output scores higher, None if either has no score."""
    if primary not in before.measures or primary not in after.measures:
        return None
    return round(after.measures[primary] - before.measures[primary], _DECIMALS) + 0.0


def _same(before: Scored, after: Scored, *, is_same: bool, is_copy: bool) -> Agreement | None:
    """Return in what the two outputs are the same, None if not even in all scores."""
    if is_same:
        return Agreement.BYTES if is_copy else Agreement.ITEMS
    if _rounded(before) == _rounded(after) and before.undefined.keys() == after.undefined.keys():
        return Agreement.SCORES
    return None


def _apart(difference: float | None, limit: float | None) -> Agreement:
    """Return how close two outputs of different scores are; without a LIMIT, only the same value is close."""
    is_close = difference is not None and (not difference or (limit is not None and abs(difference) < limit))
    return Agreement.CLOSE if is_close else Agreement.APART


def _rounded(scored: Scored) -> dict[str, float]:
    """Return all measures, each to nine decimals."""
    return {name: round(value, _DECIMALS) for name, value in scored.measures.items()}


def _chance(primary: str, before: Scored, after: Scored, seed: int) -> Chance | str:
    """Return whether the difference could be chance, or why that cannot be told."""
    if primary not in before.additive or primary not in after.additive:
        reasons = dict.fromkeys(remark for remark in (*before.remarks, *after.remarks) if "not tested" in remark)
        return "; ".join(reasons) or f"{primary} is not made of sums over items, so that none can be swapped"
    return chance_of(before.additive[primary], after.additive[primary], seed=seed)


def _sentence(
    agreement: Agreement,
    limit: float | None,
    primary: str,
    before: Scored,
    after: Scored,
    compared: Compared,
    chance: Chance | None,
) -> str:
    """Return the verdict in one sentence."""
    was, now = (_value(scored, primary) for scored in (before, after))
    items = compared.same + compared.different
    if agreement is Agreement.BYTES:
        return f"The replicated output is the submitted one, byte for byte ({primary} {was})."
    if agreement is Agreement.ITEMS:
        return f"The replicated output says the same of all {items:,} items, in other bytes ({primary} {was})."
    differ = f"{compared.different:,} of {items:,} items differ{_beside_submitted(after)}"
    if agreement is Agreement.SCORES:
        return f"All scores are the same ({primary} {was}), though {differ}."
    change = after.measures[primary] - before.measures[primary]
    if not round(change, _DECIMALS):
        return f"{primary} is the same ({was}), but other measures are not, and {differ}."
    direction = "higher" if change > 0 else "lower"
    how_far = f"{_amount(abs(change))} {direction}, which is {_in_words(agreement, limit)}"
    return f"{primary} is {now} where {was} was submitted, {how_far}; {differ}{_by_chance(chance)}."


def _beside_submitted(after: Scored) -> str:
    """Return what became of items that only one output has.

    >>> _beside_submitted(Scored("trec", "map", {}, lost=2, left_out=47))
    ', of which 2 that the replicated output lacks count as 0 and 47 that the submitted output lacks are left out'
    """
    lost = [f"{after.lost:,} that the replicated output lacks count as 0"] if after.lost else []
    left_out = [f"{after.left_out:,} that the submitted output lacks are left out"] if after.left_out else []
    return f", of which {' and '.join((*lost, *left_out))}" if lost or left_out else ""


def _value(scored: Scored, primary: str) -> str:
    """Return the primary measure as a sentence has it."""
    return _amount(scored.measures[primary]) if primary in scored.measures else "undefined"


def _amount(value: float) -> str:
    """Return VALUE with four decimals, or with three digits if it would then pass for 0.

    >>> _amount(0.8125), _amount(0.0000123), _amount(0.0)
    ('0.8125', '1.23e-05', '0.0000')
    """
    return f"{value:.{_SHOWN}f}" if not value or abs(value) >= 10**-_SHOWN else f"{value:.3g}"


def _by_chance(chance: Chance | None) -> str:
    """Return what chance has to do with the difference."""
    if chance is None:
        return ""
    p = f"p < {_SMALL_P}" if chance.p < _SMALL_P else f"p = {chance.p:.3f}"
    return f"; swapping items between the two at random gives as large a difference with {p}"


def as_json(verdict: Verdict) -> dict[str, Any]:
    """Return VERDICT in plain values, as JSON has them."""
    return {
        "schema": SCHEMA,
        "agreement": str(verdict.agreement),
        "words": verdict.words,
        "limit": verdict.limit,
        "points": verdict.points,
        "primary": verdict.primary,
        "sentence": verdict.sentence,
        "submitted": _scored_as_json(verdict.submitted),
        "replicated": _scored_as_json(verdict.replicated),
        "difference": verdict.difference,
        "compared": _compared_as_json(verdict.compared),
        "chance": asdict(verdict.chance) if verdict.chance else None,
        "no_chance": verdict.no_chance,
        "error": verdict.error,
    }


def _scored_as_json(scored: Scored | None) -> dict[str, Any] | None:
    """Return what a scorer said of an output, without the sums that only arithmetic needs."""
    if scored is None:
        return None
    return {
        "scorer": scored.scorer,
        "measures": {name: float(value) for name, value in scored.measures.items()},
        "undefined": dict(scored.undefined),
        "remarks": list(scored.remarks),
    }


def _compared_as_json(compared: Compared | None) -> dict[str, Any] | None:
    """Return where two outputs differ."""
    if compared is None:
        return None
    differing = [
        {"item": _plain(one.item), "first": [*map(_plain, one.first)], "second": [*map(_plain, one.second)]}
        for one in compared.differing
    ]
    return {"same": compared.same, "different": compared.different, "differing": differing}


def _plain(text: str) -> str:
    """Return TEXT that can be written anywhere: a byte that is no text is escaped."""
    return text.encode("utf-8", "backslashreplace").decode()
