"""How are measurements written, so that reading gives them back?

    as_csv          measurements as a table, a column ``c:NAME`` for each condition
    as_json_lines   measurements as JSON, one to a line
    as_yaml         measurements, labels and claims as a person would write them: what many share is said once

The file and the line that a measurement was read from are not written, nor blanks around texts, nor blank texts.
"""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from primad.qra.claims import Claim
from primad.qra.measurement import Measurement, Scale
from primad.safe_yaml import write_yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from primad.qra.labels import Label
    from primad.qra.material import Material

    Facts = dict[str, Any]

_ALWAYS = ("object", "measurand", "value")
_TEXTS = ("unit", "direction", "source", "role", "experiment", "outputs", "study", "task", "evaluation", "system")
_LABEL_TEXTS = ("measurand", "item", "rater", "label", "object", "study")
_CLAIM_TEXTS = ("name", "above", "below", "measurand", "study", "source")
_CLAIM_DEFAULTS = {"test": "order", "correction": "none", "alpha": Claim.__dataclass_fields__["alpha"].default}


def as_csv(measurements: Iterable[Measurement]) -> str:
    """Return MEASUREMENTS as CSV, with the columns that any of them needs."""
    rows = [_flat(one) for one in measurements]
    columns = list(dict.fromkeys([*_ALWAYS, *(name for row in rows for name in row)]))
    # Conditions and attributes stand behind the fields, whichever measurement names them first.
    columns.sort(key=lambda name: ("", "c:", "a:").index(name[:2] if name[:2] in {"c:", "a:"} else ""))
    text = io.StringIO(newline="")
    plain = csv.writer(text, lineterminator="\n")
    quoting = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for cells in (columns, *([row.get(name, "") for name in columns] for row in rows)):
        # The csv module takes a carriage return for plain text, and readers for the end of a row.
        writer = quoting if any("\r" in cell for cell in cells) else plain
        writer.writerow(cells)
    return text.getvalue()


def as_json_lines(measurements: Iterable[Measurement]) -> str:
    """Return MEASUREMENTS as JSON, one object to a line."""
    return "".join(json.dumps(_facts(one), ensure_ascii=False) + "\n" for one in measurements)


def as_yaml(material: Material) -> str:
    """Return MATERIAL as YAML, saying once what all measurements, those of a measurand or those of an object share."""
    rest, top = _hoisted(material.measurements)
    studies = [part.study for parts in (material.measurements, material.labels, material.claims) for part in parts]
    study = _shared(studies)
    tree: Facts = {"qra": 1, "study": study, **top}
    tree["measurements"] = [_facts(one) for one in rest]
    tree["labels"] = [_label_facts(label) for label in material.labels]
    tree["claims"] = [_claim_facts(claim) for claim in material.claims]
    if study:
        for entry in (*tree["measurements"], *tree["labels"], *tree["claims"]):
            entry.pop("study", None)
    return write_yaml(_filled(tree))


def _hoisted(measurements: Sequence[Measurement]) -> tuple[list[Measurement], Facts]:
    """Return MEASUREMENTS without what they share, and what they share."""
    task = _shared([one.task for one in measurements])
    evaluation = _shared([one.evaluation for one in measurements])
    conditions = _common([one.conditions for one in measurements])
    rest = [
        replace(
            one,
            task="" if task else one.task,
            evaluation="" if evaluation else one.evaluation,
            conditions={name: text for name, text in one.conditions.items() if name not in conditions},
        )
        for one in measurements
    ]
    rest, measurands = _said_once(rest, lambda one: one.measurand, ("scale", "unit", "direction", "evaluation"))
    rest, objects = _said_once(rest, lambda one: one.object, ("system", "attributes"))
    top = {"task": task, "evaluation": evaluation, "conditions": conditions}
    return rest, {**top, "measurands": measurands, "objects": objects}


def _said_once(
    measurements: Sequence[Measurement], name_of: Callable[[Measurement], str], fields: Sequence[str]
) -> tuple[list[Measurement], dict[str, Facts]]:
    """Return MEASUREMENTS without the FIELDS that all of one name share, and these fields by name."""
    members: dict[str, list[Measurement]] = defaultdict(list)
    for one in measurements:
        members[name_of(one)].append(one)
    shared = {name: [field for field in fields if _is_shared(ours, field)] for name, ours in members.items()}
    blank = Measurement(object="", measurand="", value="")
    facts = {
        name: _filled(_facts(replace(blank, **{field: getattr(members[name][0], field) for field in names})))
        for name, names in shared.items()
    }
    cleared = [replace(one, **{field: getattr(blank, field) for field in shared[name_of(one)]}) for one in measurements]
    return cleared, {name: said for name, said in facts.items() if said}


def _is_shared(measurements: Sequence[Measurement], field: str) -> bool:
    """Tell whether all MEASUREMENTS say the same in FIELD."""
    return all(getattr(one, field) == getattr(measurements[0], field) for one in measurements)


def _shared(texts: Sequence[str]) -> str:
    """Return the text that all TEXTS are, empty if they differ."""
    return texts[0] if len(set(texts)) == 1 else ""


def _common(mappings: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Return the entries that all MAPPINGS have."""
    if not mappings:
        return {}
    return {name: text for name, text in mappings[0].items() if text and all(one.get(name) == text for one in mappings)}


def _facts(one: Measurement) -> Facts:
    """Return what a measurement says, by the names that files have; blanks are left out, but not what is needed."""
    facts: Facts = {"id": one.name, **{name: getattr(one, name) for name in _ALWAYS}}
    facts["scale"] = [] if one.scale == Scale() else [_number(one.scale.low), _number(one.scale.high)]
    facts |= {name: getattr(one, name) for name in _TEXTS}
    facts["standard_error"] = _number(one.standard_error)
    facts["items"] = one.items
    facts["conditions"] = _filled(one.conditions)
    facts["attributes"] = _filled(one.attributes)
    return _filled(facts)


def _flat(one: Measurement) -> dict[str, str]:
    """Return what a measurement says by the names of columns, all as text."""
    facts = _facts(one)
    low, high = facts.pop("scale", (None, None))
    bounds = {"scale_min": low, "scale_max": high}
    conditions = {f"c:{name}": text for name, text in facts.pop("conditions", {}).items()}
    attributes = {f"a:{name}": text for name, text in facts.pop("attributes", {}).items()}
    plain = {name: str(said) for name, said in {**facts, **bounds}.items() if said is not None}
    return {**plain, **conditions, **attributes}


def _label_facts(label: Label) -> Facts:
    """Return what a label says; a missing one stays, as somebody was asked."""
    facts = {name: getattr(label, name) for name in _LABEL_TEXTS}
    return {**_filled(facts), "label": label.label, **({} if label.level == "nominal" else {"level": label.level})}


def _claim_facts(claim: Claim) -> Facts:
    """Return what a claim says, without what goes without saying."""
    facts = _filled({name: getattr(claim, name) for name in _CLAIM_TEXTS})
    options = {name: getattr(claim, name) for name in _CLAIM_DEFAULTS}
    return {**facts, **{name: said for name, said in options.items() if said != _CLAIM_DEFAULTS[name]}}


def _filled(facts: Mapping[str, Any]) -> Facts:
    """Return FACTS without those that say nothing."""
    return {name: said for name, said in facts.items() if said not in ("", None, [], {})}


def _number(value: float | None) -> float | int | None:
    """Return VALUE as a person writes it: without decimals where it is whole."""
    if value is None or not float(value).is_integer() or abs(value) >= 10**15:
        return value
    return int(value)
