"""How do records become measurements, labels and claims?

    Reading           takes records of one file and gives material, or every flaw
    MEASUREMENT       the fields of a measurement in a file; ``id`` is its name
    LABEL             the fields of a label
    CLAIM             the fields of a claim
    kind_of           which of the three has fields of these names

Formats differ in how they come to a record; what a record must say is the same for all of them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, get_args

from primad.errors import MeasurementError
from primad.qra.claims import CORRECTIONS, TESTS, Claim
from primad.qra.grouping import flaws_in
from primad.qra.labels import LEVELS, Label
from primad.qra.material import Material
from primad.qra.measurement import Direction, Measurement, Role, Scale
from primad.qra.naming import short
from primad.qra.reading import fields

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from primad.errors import Flaw
    from primad.qra.reading.fields import Notes, Record

Kind = Literal["measurement", "label", "claim"]

MEASUREMENT = (
    *("object", "measurand", "value", "scale_min", "scale_max", "unit", "direction", "source", "role", "experiment"),
    *("outputs", "standard_error", "items", "study", "task", "evaluation", "system", "id"),
)
LABEL = ("measurand", "item", "rater", "label", "object", "study", "level")
CLAIM = ("above", "below", "measurand", "test", "correction", "alpha", "study", "source", "name")
FIELDS: dict[Kind, tuple[str, ...]] = {"measurement": MEASUREMENT, "label": LABEL, "claim": CLAIM}
NEEDED: dict[Kind, tuple[str, ...]] = {
    "measurement": ("object", "measurand", "value"),
    "label": ("measurand", "item", "rater", "label"),
    "claim": ("above", "below", "measurand"),
}

_ROLES: tuple[Role, ...] = get_args(Role)
_DIRECTIONS: tuple[Direction, ...] = get_args(Direction)


def kind_of(names: Collection[str]) -> Kind:
    """Return what has fields of these NAMES.

    >>> kind_of(["item", "rater", "label"]), kind_of(["above", "below"]), kind_of(["object", "value"])
    ('label', 'claim', 'measurement')
    """
    if "item" in names and "label" in names and "value" not in names:
        return "label"
    return "claim" if "above" in names and "below" in names else "measurement"


class Reading:
    """Material in the making: what was read of a file so far, and what is wrong with it.

    is_comparable    whether measurements that could be read say what their file says
    """

    def __init__(self, notes: Notes) -> None:
        """Begin with nothing, and write what is wrong into NOTES."""
        self.notes = notes
        self.measurements: list[Measurement] = []
        self.labels: list[Label] = []
        self.claims: list[Claim] = []
        self.is_comparable = True
        self._doubtful: set[int] = set()
        self._scales: dict[tuple[str, str], Scale] = {}

    def material(self) -> Material:
        """Return what was read; raise every flaw, or that there is nothing."""
        if self.notes:
            raise MeasurementError(dict.fromkeys([*self.notes.flaws, *self._flaws_of_groups()]))
        if not (self.measurements or self.labels or self.claims):
            self.notes.flaw(0, "measurements", "at least one measurement, label or claim", "none")
            self.notes.check()
        return Material(tuple(self.measurements), tuple(self.labels), tuple(self.claims), self.notes.remarks)

    def _flaws_of_groups(self) -> Iterator[Flaw]:
        """Yield what would be wrong with groups if all else were mended."""
        if not self.is_comparable:
            return
        doubtful = [self.measurements[index] for index in sorted(self._doubtful)]
        sound = (one for index, one in enumerate(self.measurements) if index not in self._doubtful)
        # What could not be read may belong to any group, and change its mean.
        yield from flaws_in(sound, are_all=False)
        for one in doubtful:
            if one.object and one.measurand and not math.isnan(one.number):
                yield from flaws_in([one])

    def take(self, kind: Kind, record: Record) -> None:
        """Add what RECORD says."""
        if kind == "measurement":
            before = self.notes.noted
            one = self._measurement(record)
            if record.is_doubtful or self.notes.noted > before:
                self._doubtful.add(len(self.measurements))
            self.measurements.append(one)
        elif kind == "label":
            self.labels.append(self._label(record))
        else:
            self.claims.append(self._claim(record))

    def _measurement(self, record: Record) -> Measurement:
        """Return the measurement that RECORD describes."""
        notes, texts = self.notes, record.texts
        said = texts.get
        return Measurement(
            object=fields.needed(record, "object", notes),
            measurand=fields.needed(record, "measurand", notes),
            value=fields.value(record, notes),
            scale=self._scale(record),
            unit=said("unit", ""),
            direction=fields.choice(record, "direction", _DIRECTIONS, "", notes),
            source=said("source", ""),
            role=fields.choice(record, "role", _ROLES, "", notes),
            experiment=said("experiment", ""),
            conditions=record.conditions,
            outputs=said("outputs", ""),
            standard_error=fields.number(record, "standard_error", notes, lowest=0),
            items=fields.whole(record, "items", notes),
            study=said("study", ""),
            task=said("task", ""),
            evaluation=said("evaluation", ""),
            system=said("system", ""),
            attributes=record.attributes,
            name=said("id", ""),
            file=notes.file,
            line=record.line if notes.file else 0,
        )

    def _scale(self, record: Record) -> Scale:
        """Return the scale of RECORD, the same object for the same bounds."""
        bounds = (record.texts.get("scale_min", ""), record.texts.get("scale_max", ""))
        known = self._scales.get(bounds)
        if known is None:
            before = self.notes.noted
            known = fields.scale(record, self.notes)
            if self.notes.noted == before:
                self._scales[bounds] = known
        return known

    def _label(self, record: Record) -> Label:
        """Return the label that RECORD describes; the label itself may be missing."""
        notes, said = self.notes, record.texts.get
        return Label(
            measurand=fields.needed(record, "measurand", notes),
            item=fields.needed(record, "item", notes),
            rater=fields.needed(record, "rater", notes),
            label=said("label", ""),
            object=said("object", ""),
            study=said("study", ""),
            level=fields.choice(record, "level", LEVELS, "nominal", notes),
            file=notes.file,
            line=record.line if notes.file else 0,
        )

    def _claim(self, record: Record) -> Claim:
        """Return the claim that RECORD makes."""
        notes, said = self.notes, record.texts.get
        above, below = fields.needed(record, "above", notes), fields.needed(record, "below", notes)
        if above and above == below:
            notes.flaw(record.line_of("below"), "below", "another object than above", short(below))
        return Claim(
            above=above,
            below=below,
            measurand=fields.needed(record, "measurand", notes),
            test=fields.choice(record, "test", TESTS, "order", notes),
            correction=fields.choice(record, "correction", CORRECTIONS, "none", notes),
            alpha=self._alpha(record),
            study=said("study", ""),
            source=said("source", ""),
            name=said("name", ""),
            file=notes.file,
            line=record.line if notes.file else 0,
        )

    def _alpha(self, record: Record) -> float:
        """Return the level that a claim is tested at."""
        text = record.text("alpha")
        alpha = fields.number(record, "alpha", self.notes)
        if alpha is not None and not 0 < alpha < 1:
            self.notes.flaw(record.line_of("alpha"), "alpha", "a number between 0 and 1", short(text))
        return 0.05 if alpha is None else alpha
