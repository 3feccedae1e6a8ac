"""What does a human evaluation datasheet give to whoever repeats the evaluation?

    looks_like_heds   whether a file is such a datasheet, as its form saves it
    read              a file of measurements to fill in, with the conditions that the sheet states

A sheet says how values were measured, and no values.  So each criterion becomes a measurement whose conditions are
filled in, and whose object and value are left to whoever has them; until then ``primad qra`` says which are missing.
What the sheet says of people, papers and ethics, and results such as agreement, are no conditions.

Nothing is written in this format: conditions keep the words of an answer, and the form needs the number of the option,
and a key for each of its questions, which differ between versions of the form.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from primad.errors import PrimadError
from primad.exchange.formats import Received, reads
from primad.exchange.gathering import short_name
from primad.exchange.plain_text import counted
from primad.exchange.thing import MEASUREMENTS, File, Thing
from primad.qra.reading.foreign import json_of, read_text
from primad.qra.reading.heds import SECTIONS, conditions_of, heds_criteria, is_heds
from primad.safe_yaml import write_yaml

_SUFFIX = ".json"
_PER_CRITERION = "heds-criteria-"
_KINDS = ("intrinsic", "extrinsic")
_MODE = "method: intrinsic or extrinsic"
_BLANK = re.compile(r"^(- object|  measurand|  value): null$", re.MULTILINE)
_HEAD = """\
# Measurements of the human evaluation that {name} describes: its conditions are filled in.
# Say for each measurement which system was measured (object) and the value with the digits that were printed, and
# repeat it for each further system and each repetition, with the conditions that were others.  Then:
#
#   primad qra {file}
"""


def looks_like_heds(path: Path) -> bool:
    """Tell whether the file PATH is a human evaluation datasheet."""
    if path.suffix.lower() != _SUFFIX or not path.is_file():
        return False
    try:
        return is_heds(json_of(read_text(path, str(path)), str(path)))
    except PrimadError:
        return False


@reads(
    "heds",
    title="Human Evaluation Datasheet",
    source="https://arxiv.org/abs/2412.07940",
    recognise=looks_like_heds,
)
def read(path: Path) -> Received:
    """Return a file of measurements to fill in, with the conditions in the datasheet PATH."""
    name = str(path)
    data = read_text(path, name).encode()
    sheet = json_of(data.decode(), name)
    criteria = heds_criteria(data, name=name)
    conditions = {one: conditions_of(sheet, name, one or None) for one in criteria or [""]}
    blanks = _BLANK.sub(r"\1:", write_yaml(_template(conditions)))
    text = _HEAD.format(name=short_name(path.name), file=MEASUREMENTS) + blanks
    thing = Thing(
        "precision",
        short_name(path.stem),
        path.name,
        "conditions of a human evaluation, with measurements to fill in",
        (File.of_bytes(text.encode(), MEASUREMENTS, "measurements"),),
    )
    missing = counted(len(conditions), "measurement waits", "measurements wait")
    remark = f"a datasheet has no values: {missing} in {MEASUREMENTS} for object and value"
    return Received(thing, tuple(_lost(sheet, name)), (remark,))


def _template(conditions: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """Return measurements without object and value, one for each criterion, what CONDITIONS all share said once."""
    stated = list(conditions.values())
    shared = {name: text for name, text in stated[0].items() if all(one.get(name) == text for one in stated)}
    tree: dict[str, Any] = {"qra": 1}
    tree["measurands"] = {
        criterion: {"evaluation": _evaluation(own)} for criterion, own in conditions.items() if criterion
    }
    tree["conditions"] = shared
    tree["measurements"] = [
        {
            "object": None,
            "measurand": criterion or None,
            "value": None,
            "conditions": {name: text for name, text in own.items() if name not in shared},
        }
        for criterion, own in conditions.items()
    ]
    for one in tree["measurements"]:
        if not one["conditions"]:
            del one["conditions"]
    return {key: value for key, value in tree.items() if value}


def _evaluation(conditions: Mapping[str, str]) -> str:
    """Return of what kind the evaluation is: human, and intrinsic or extrinsic if CONDITIONS say so."""
    mode = conditions.get(_MODE, "").casefold()
    return ", ".join(["human", *(kind for kind in _KINDS if mode == kind)])


def _lost(sheet: Mapping[str, Any], name: str) -> Iterator[str]:
    """Yield what SHEET says that is no condition, counted by its sections."""
    counts: Counter[str] = Counter()
    for key, entry in sheet.items():
        if not _is_answered(entry) or _is_read(key, entry, name):
            continue
        is_result = key.startswith(tuple(SECTIONS))
        counts["results" if is_result else f"section {short_name(key.removeprefix('heds-').split('-')[0])}"] += 1
    for part, number in counts.items():
        yield f"{part}: {counted(number, 'answer')}"


def _answers(entry: Any) -> Mapping[str, Any]:
    """Return the answers in ENTRY by criterion."""
    data = entry.get("data") if isinstance(entry, dict) else None
    return data if isinstance(data, dict) else {}


def _is_answered(entry: Any) -> bool:
    """Tell whether anybody has answered what ENTRY asks."""
    return any(said is not None and said is not False and str(said).strip() for said in _answers(entry).values())


def _is_read(key: str, entry: Any, name: str) -> bool:
    """Tell whether ENTRY becomes a condition of any criterion."""
    own: list[str | None] = [one for one in _answers(entry) if one and key.startswith(_PER_CRITERION)]
    return any(conditions_of({key: entry}, name, one) for one in own or [None])
