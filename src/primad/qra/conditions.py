"""Which conditions of measurement have a name of their own, and what they are in PRIMAD.

    Condition     a condition of measurement: its name in files and in print, its stage, its fields in PRIMAD
    PAPER         the seven of Belz, Popović and Mille (2022), in their order
    IN_PRIMAD     the mapping as it is documented, with object and measurand
    label_of      a condition as a table prints it
    is_unknown    whether a value says that nobody knows
    chosen        the conditions that a list of names means

Conditions are open-ended: any other name is a condition, too.  QRA has two pipelines, the object and its measurement,
where PRIMAD has one, so the components of PRIMAD are prefixed by the stage.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from primad.errors import UsageError
from primad.qra.naming import cut, listed, perhaps, short

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

Stage = Literal["object", "method", "procedure"]
UNKNOWN = "?"


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of measurement that the paper names."""

    name: str
    label: str
    stage: Stage
    primad: str
    meaning: str


PAPER = (
    Condition("code_by", "Code by", "object", "object.implementation", "whose code the system is"),
    Condition(
        "comp_trained_by",
        "Comp./trained by",
        "object",
        "object.platform + object.data (training, seed)",
        "who compiled or trained it",
    ),
    Condition("method", "Method", "method", "measurement.method", "how the measurand is defined"),
    Condition(
        "implemented_by", "Implemented by", "method", "measurement.implementation", "who implemented the definition"
    ),
    Condition("procedure", "Procedure", "procedure", "measurement.method", "how outputs are obtained and scored"),
    Condition("test_set", "Test set", "procedure", "measurement.data", "the data that were scored"),
    Condition(
        "performed_by", "Performed by", "procedure", "measurement.actor + measurement.platform", "who did the scoring"
    ),
)
IN_PRIMAD = {
    "Object": "object.method",
    "Measurand": "research goal (evaluation measure)",
    **{condition.label: condition.primad for condition in PAPER},
}
_LABELS = {condition.name: condition.label for condition in PAPER}


def label_of(name: str) -> str:
    """Return the condition NAME as a table prints it.

    >>> label_of("comp_trained_by"), label_of("beam_size")
    ('Comp./trained by', 'beam_size')
    """
    return _LABELS.get(name, name)


def is_unknown(value: str) -> bool:
    """Tell whether VALUE says that nobody knows, as "?" and "seed ?" do.

    >>> is_unknown("?"), is_unknown("seed ?"), is_unknown("seed 1"), is_unknown("why?")
    (True, True, False, False)
    """
    return value.endswith(UNKNOWN) and value.rsplit(maxsplit=1)[-1] == UNKNOWN


def chosen(names: Sequence[str] | None, known: Collection[str]) -> list[str]:
    """Return the conditions that NAMES mean among those KNOWN from the file: all by default, "paper" for the seven."""
    if not names:
        return list(known)
    wanted = [one for name in names for one in ([c.name for c in PAPER] if name == "paper" else [name])]
    by_label = {label.casefold(): name for name, label in _LABELS.items()}
    wanted = [name if name in known else by_label.get(name.casefold(), name) for name in wanted]
    strange = [name for name in wanted if name not in known and name not in _LABELS]
    if strange:
        stated = listed(known, cut) or "none at all"
        unknown = short(strange[0]) + perhaps(strange[0], known)
        raise UsageError(f"unknown condition {unknown}; the measurements state {stated}")
    return [name for name in dict.fromkeys(wanted) if name in known]
