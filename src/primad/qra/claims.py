"""Do the claims of an original hold in its reproductions?

    Claim           one object is above another one on a measurand, as a test shows
    welch           one-sided test that a value is above another one, from their standard errors
    ClaimOutcome    a claim tested on one experiment
    ClaimResult     a claim tested on every experiment that measured both objects
    ClaimShare      how many claims of a study are upheld
    retested        the results of some claims
    shares          the shares upheld in each study

"Above" is about values: whether higher ones are better does not matter.  Welch's test takes the two values for
independent; where both objects were measured on the same items it errs on the side of not upholding a claim.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from primad.errors import DataError, Flaw, MeasurementError, UndefinedMeasure
from primad.qra.corrections import Correction, corrected
from primad.qra.experiments import score_tables
from primad.qra.naming import nearest
from primad.qra.refusing import Refused, as_json, tried
from primad.qra.words import figure

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from primad.qra.experiments import Experiment, ScoreTable
    from primad.qra.measurement import Measurement

Test = Literal["order", "welch"]
TESTS: tuple[Test, ...] = get_args(Test)
CORRECTIONS: tuple[Correction, ...] = get_args(Correction)
WELCH = "Welch's test"
_CORRECTED_BY = {"none": "no correction", "bonferroni": "Bonferroni", "holm": "Holm"}
_LEAST_ITEMS = 2
_MOST_NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """ABOVE has a higher value of MEASURAND than BELOW.

    test         "order" looks at the values alone; "welch" needs the standard errors and numbers of items of both
    correction   for the several claims of a study that are tested on one experiment
    """

    above: str
    below: str
    measurand: str
    test: Test = "order"
    correction: Correction = "none"
    alpha: float = 0.05
    study: str = ""
    source: str = ""
    name: str = ""
    file: str = ""
    line: int = 0

    @property
    def text(self) -> str:
        """Return the claim in words."""
        return f"{self.above} above {self.below} on {self.measurand}"


class Welch(NamedTuple):
    """Welch's test: its statistic, the degrees of freedom, and the one-sided p."""

    statistic: float
    degrees: float
    p: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimOutcome:
    """A claim tested on one experiment.

    difference    the value above minus the value below
    upheld        whether the claim holds there, or why nobody can say
    p             one-sided, as computed and as corrected for the tests made ``together``; None for "order"
    """

    study: str
    experiment: str
    is_original: bool
    difference: float
    upheld: bool | Refused
    p: float | None = None
    p_corrected: float | None = None
    together: int = 1

    def to_dict(self) -> dict[str, Any]:
        """Return the outcome as JSON has it."""
        return {
            "study": self.study,
            "experiment": self.experiment,
            "original": self.is_original,
            "difference": self.difference,
            "upheld": as_json(self.upheld),
            "p": self.p,
            "p_corrected": self.p_corrected,
            "tested_together": self.together,
        }


@dataclass(frozen=True, slots=True)
class ClaimShare:
    """How often claims are upheld: the original does not count, where there is one, and refusals count apart."""

    study: str
    claims: int
    tested: int
    upheld: int
    refused: int

    @property
    def share(self) -> float | Refused:
        """Return the share upheld of all tests that could be made."""
        if self.tested:
            return self.upheld / self.tested
        none_made = f"none of {self.refused} tests could be made"
        return Refused("share of claims upheld", none_made if self.refused else "no reproduction measured both objects")

    @property
    def sentence(self) -> str:
        """Return the share in words."""
        share = self.share
        start = f"{self.study}: " if self.study else ""
        if isinstance(share, Refused):
            return f"{start}no {share.name}, for {share.reason}."
        refused = f"; {self.refused} more could not be made" if self.refused else ""
        return (
            f"{start}{self.upheld} of {self.tested} tests of {self.claims} claim{'s' * (self.claims > 1)} "
            f"on reproductions uphold the claim ({share:.0%}){refused}."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the share as JSON has it."""
        share = self.share
        return {
            "study": self.study,
            "claims": self.claims,
            "tested": self.tested,
            "upheld": self.upheld,
            "refused": self.refused,
            "share": as_json(share),
        }


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """A claim tested on every experiment that measured both objects."""

    claim: Claim
    outcomes: tuple[ClaimOutcome, ...]

    @property
    def upheld(self) -> ClaimShare:
        """Return how many reproductions uphold the claim."""
        return _share(self.claim.study, 1, self.outcomes)

    @property
    def sentence(self) -> str:
        """Return the result in words."""
        counted = self.upheld
        found = f"upheld by {counted.upheld} of {counted.tested} reproductions"
        if not counted.tested and isinstance(share := counted.share, Refused):
            found = f"not tested, for {share.reason}"
        refused = f", {counted.refused} could not be tested" if counted.refused and counted.tested else ""
        return f"{self.claim.text}: {found}{refused} ({self._how()}).{self._original()}"

    def _how(self) -> str:
        """Return how the claim was tested, and the p that reproductions were judged by."""
        if self.claim.test == "order":
            return "by the values alone"
        found = [one.p_corrected for one in _counting(self.outcomes) if one.p_corrected is not None]
        ends = dict.fromkeys(figure(end(found)) for end in (min, max)) if found else {}
        how = f"by {WELCH}, one-sided, {_CORRECTED_BY[self.claim.correction]}, alpha {self.claim.alpha:g}"
        return f"{how}; p {' to '.join(ends)}" if ends else how

    def _original(self) -> str:
        """Return what the original itself says, if there is one."""
        one = next((one for one in self.outcomes if one.is_original), None)
        if one is None:
            return ""
        if isinstance(one.upheld, Refused):
            return f" On the original it could not be tested, for {one.upheld.reason}."
        shown = f"by {figure(one.difference)}" if one.p_corrected is None else f"p {figure(one.p_corrected)}"
        return f" The original {'upholds' if one.upheld else 'does not uphold'} it ({shown})."

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON has it."""
        claim = self.claim
        return {
            "claim": claim.text,
            "name": claim.name,
            "above": claim.above,
            "below": claim.below,
            "measurand": claim.measurand,
            "study": claim.study,
            "source": claim.source,
            "test": claim.test,
            "correction": claim.correction,
            "alpha": claim.alpha,
            "outcomes": [one.to_dict() for one in self.outcomes],
            **{name: value for name, value in self.upheld.to_dict().items() if name not in {"study", "claims"}},
            "sentence": self.sentence,
        }


def welch(above: float, below: float, errors: tuple[float, float], items: tuple[int, int]) -> Welch:
    """Return the one-sided test that ABOVE is above BELOW, given the standard ERRORS and numbers of ITEMS of both.

    >>> test = welch(0.5, 0.4, (0.03, 0.04), (50, 50))
    >>> round(test.statistic, 3), round(test.degrees, 1), round(test.p, 4)
    (2.0, 90.9, 0.0242)
    """
    from scipy.special import stdtr

    if not all(map(math.isfinite, (above, below, *errors))) or min(errors) < 0:
        raise DataError(f"expected finite values and standard errors of 0 or more, found {(above, below, *errors)}")
    if min(items) < _LEAST_ITEMS:
        raise UndefinedMeasure(WELCH, f"it needs at least {_LEAST_ITEMS} items for each value, found {min(items)}")
    largest = max(errors)
    if largest == 0:
        raise UndefinedMeasure(WELCH, "both standard errors are 0")
    # As shares of the larger one, because the fourth power of a small error is too small for a number.
    squares = [(error / largest) ** 2 for error in errors]
    degrees = sum(squares) ** 2 / sum(square**2 / (n - 1) for square, n in zip(squares, items, strict=True))
    statistic = (above - below) / (largest * math.sqrt(sum(squares)))
    if not math.isfinite(statistic):
        raise UndefinedMeasure(WELCH, "the standard errors are too small for the difference")
    return Welch(statistic, degrees, float(stdtr(degrees, -statistic)))


def retested(
    claims: Iterable[Claim], measurements: Iterable[Measurement], chosen: Iterable[Measurement] | None = None
) -> tuple[ClaimResult, ...]:
    """Return each of CLAIMS tested on every experiment of MEASUREMENTS that has values for both objects.

    Claims are to be about what was measured; if only some measurements are CHOSEN, they are tested on these.
    """
    listed = list(claims)
    if not listed:
        return ()
    tables = score_tables(measurements)
    flaws = [flaw for claim in listed for flaw in _flaws(claim, tables)]
    if flaws:
        raise MeasurementError(flaws)
    looked_at = tables if chosen is None else score_tables(chosen)
    return _with_corrections([ClaimResult(claim, tuple(_outcomes(claim, looked_at))) for claim in listed])


def shares(results: Iterable[ClaimResult]) -> tuple[ClaimShare, ...]:
    """Return the share upheld in each study, all claims on it pooled."""
    collected: dict[str, list[ClaimOutcome]] = defaultdict(list)
    claims: dict[str, int] = defaultdict(int)
    for result in results:
        for study in dict.fromkeys(one.study for one in result.outcomes) or [result.claim.study]:
            claims[study] += 1
            collected[study] += _counting([one for one in result.outcomes if one.study == study])
    return tuple(_share(study, claims[study], outcomes) for study, outcomes in collected.items())


def _share(study: str, claims: int, outcomes: Sequence[ClaimOutcome]) -> ClaimShare:
    """Return how many of OUTCOMES uphold their claim."""
    counting = _counting(outcomes)
    refused = sum(isinstance(one.upheld, Refused) for one in counting)
    return ClaimShare(study, claims, len(counting) - refused, sum(one.upheld is True for one in counting), refused)


def _counting(outcomes: Sequence[ClaimOutcome]) -> list[ClaimOutcome]:
    """Return the OUTCOMES on reproductions."""
    return [one for one in outcomes if not one.is_original]


def _outcomes(claim: Claim, tables: Iterable[ScoreTable]) -> Iterator[ClaimOutcome]:
    """Yield what each experiment in TABLES that measured both objects says about CLAIM."""
    for table in _concerned(claim, tables):
        for experiment, column in zip(table.experiments, table.measured, strict=True):
            if claim.above in column and claim.below in column:
                yield _outcome(claim, experiment, column)


def _outcome(claim: Claim, experiment: Experiment, column: Mapping[str, Measurement]) -> ClaimOutcome:
    """Return what the values in COLUMN say about CLAIM, before any correction."""
    above, below = column[claim.above], column[claim.below]
    outcome = ClaimOutcome(
        study=experiment.study,
        experiment=experiment.name,
        is_original=experiment.is_original,
        difference=above.number - below.number,
        upheld=above.number > below.number,
    )
    if (above.scale, above.unit) != (below.scale, below.unit):
        reason = f"the objects are measured on different scales ({above.scale} and {below.scale})"
        return replace(outcome, upheld=Refused(claim.test, reason))
    if claim.test == "order":
        return outcome
    found = tried(_welch_of, above, below)
    return replace(outcome, upheld=found) if isinstance(found, Refused) else replace(outcome, p=found.p)


def _welch_of(above: Measurement, below: Measurement) -> Welch:
    """Return Welch's test of two measurements."""
    for one in (above, below):
        missing = [name for name in ("standard_error", "items") if getattr(one, name) is None]
        if missing:
            raise UndefinedMeasure(WELCH, f"it needs the {' and '.join(missing)} of {one.object}, found none")
    return welch(
        above.number,
        below.number,
        (above.standard_error or 0.0, below.standard_error or 0.0),
        (above.items or 0, below.items or 0),
    )


def _with_corrections(results: Sequence[ClaimResult]) -> tuple[ClaimResult, ...]:
    """Return RESULTS with p corrected for all claims of the study that were tested on the same experiment."""
    together: dict[tuple[str, str], list[float]] = defaultdict(list)
    for result in results:
        for one in result.outcomes:
            if one.p is not None:
                together[one.study, one.experiment].append(one.p)
    return tuple(
        ClaimResult(
            result.claim,
            tuple(_with_correction(one, result.claim, together[one.study, one.experiment]) for one in result.outcomes),
        )
        for result in results
    )


def _with_correction(outcome: ClaimOutcome, claim: Claim, together: Sequence[float]) -> ClaimOutcome:
    """Return OUTCOME with its p corrected for those found TOGETHER, and what follows from it."""
    if outcome.p is None:
        return outcome
    p = corrected(together, claim.correction)[together.index(outcome.p)]
    return replace(outcome, p_corrected=p, upheld=p <= claim.alpha, together=len(together))


def _concerned(claim: Claim, tables: Iterable[ScoreTable]) -> list[ScoreTable]:
    """Return those of TABLES that CLAIM is about."""
    return [one for one in tables if one.measurand == claim.measurand and claim.study in {"", one.study}]


def _flaws(claim: Claim, tables: Sequence[ScoreTable]) -> Iterator[Flaw]:
    """Yield what is wrong with CLAIM: names that nothing was measured of, a test that does not exist."""
    place = (f"{claim.file}:{claim.line}" if claim.line else claim.file) or claim.name or claim.text
    for name, known in (("test", TESTS), ("correction", CORRECTIONS)):
        if getattr(claim, name) not in known:
            yield Flaw(place, name, f"one of {', '.join(known)}", f"'{getattr(claim, name)}'")
    if not 0 < claim.alpha < 1:
        yield Flaw(place, "alpha", "a number between 0 and 1", str(claim.alpha))
    if claim.above == claim.below:
        yield Flaw(place, "below", "another object than above", f"'{claim.below}'")
    in_study = [one for one in tables if claim.study in {"", one.study}]
    if not in_study:
        yield _unknown(place, "study", "study", claim.study, {one.study for one in tables})
        return
    concerned = _concerned(claim, in_study)
    if not concerned:
        yield _unknown(place, "measurand", "measurand", claim.measurand, {one.measurand for one in in_study})
    objects = {name for one in concerned or in_study for name in one.objects}
    for field in ("above", "below"):
        if getattr(claim, field) not in objects:
            yield _unknown(place, field, "object", getattr(claim, field), objects)


def _unknown(place: str, field: str, kind: str, name: str, known: Collection[str]) -> Flaw:
    """Return the flaw that NAME is not KNOWN, and which one was perhaps meant."""
    near = nearest(name, sorted(known))
    shown = ", ".join(sorted(known)[:_MOST_NAMED]) + ", …" * (len(known) > _MOST_NAMED)
    hint = f"did you mean '{near}'?" if near else f"there is {shown or 'none'}"
    return Flaw(place, field, f"a{'n' * (kind[0] in 'aeiou')} {kind} that was measured ({hint})", f"'{name}'")
