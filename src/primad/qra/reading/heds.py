"""How does a human evaluation datasheet become conditions of measurement?

    is_heds                whether a JSON tree is such a datasheet
    heds_criteria          the quality criteria that a datasheet describes
    read_heds              what a datasheet says of one criterion, as conditions

A datasheet (HEDS 3.0: Belz and Thomson, arXiv:2412.07940) is a JSON file with flat keys that begin with ``heds-``.
The value of a key has ``data`` by criterion, or under an empty name where all criteria share it; a choice is a boolean
under a key that ends with its number, and ``text`` has the words of the option.  Sheets do not say their version and
differ a little, so keys are told by the section they begin with:

    object: …       the systems evaluated, and which of their outputs
    method: …       the criterion, the mode of evaluation, and how responses are elicited
    procedure: …    the evaluators, and the design of the experiment

The rest of the key is the name: ``heds-system-input_types-5`` is "object: input types".  Options lose their numbers and
are joined; what is blank is left out.  Sections on people, papers and ethics are not read, nor are results, such as
agreement and statistical power: they are no conditions.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from primad.errors import FileError, UsageError
from primad.qra.conditions import Stage
from primad.qra.naming import nearest, short
from primad.qra.reading.foreign import json_of, read_text
from primad.trec.files import Source, name_of

SECTIONS: dict[str, Stage] = {
    "heds-system-": "object",
    "heds-sample_evaluators_design-sample-": "object",
    "heds-criteria-criterion-criteria-": "method",
    "heds-criteria-criterion-evaluation_mode-": "method",
    "heds-criteria-criterion-response_elicitation-": "method",
    "heds-sample_evaluators_design-evaluators-": "procedure",
    "heds-sample_evaluators_design-experimental_design-": "procedure",
}

_MARK = "heds-"
_PER_CRITERION = "heds-criteria-"
_RESULTS = ("statistical_power", "effect_size", "inter_annotator", "intra_annotator")
_CHOICE = re.compile(r"(?P<name>.+?)-(?P<option>[0-9]{1,4}|other_text)")
_NUMBERED = re.compile(r"[0-9]{1,4}\.\s+")
_LAST = 10_000  # the free text of a choice comes after its options
_NOT_APPLICABLE = frozenset(["n/a", "na", "n.a.", "not applicable"])


def is_heds(tree: object) -> bool:
    """Tell whether the JSON TREE is a human evaluation datasheet."""
    return isinstance(tree, Mapping) and any(str(key).startswith(_MARK) for key in tree)


def read_heds(source: Source, criterion: str | None = None, *, name: str | None = None) -> dict[str, str]:
    """Return what the datasheet SOURCE, which messages call NAME, says of CRITERION, as conditions.

    A sheet that describes several criteria needs one of them named.
    """
    name = name or name_of(source)
    return conditions_of(json_of(read_text(source, name), name), name, criterion)


def heds_criteria(source: Source, *, name: str | None = None) -> list[str]:
    """Return the quality criteria that the datasheet SOURCE describes, in its order."""
    name = name or name_of(source)
    return _criteria(_checked(json_of(read_text(source, name), name), name))


def conditions_of(tree: Any, name: str, criterion: str | None = None) -> dict[str, str]:
    """Return what the datasheet TREE, called NAME, says of CRITERION."""
    sheet = _checked(tree, name)
    chosen = _chosen(_criteria(sheet), criterion, name)
    answers: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for key, entry in sheet.items():
        place = _place(key)
        answer = _answer(entry, chosen, place[1]) if place else ""
        if place and answer:
            answers[place[0]].append((place[1], answer))
    return {name: "; ".join(text for _, text in sorted(answers[name])) for name in _in_order(answers)}


def _checked(tree: Any, name: str) -> Mapping[str, Any]:
    """Return TREE if it is a datasheet."""
    if not is_heds(tree):
        raise FileError(name, "is no human evaluation datasheet: no key begins with 'heds-'", "save the form as JSON")
    return tree  # type: ignore[no-any-return]


def _criteria(sheet: Mapping[str, Any]) -> list[str]:
    """Return the names of the criteria in SHEET."""
    named = (_data(entry) for key, entry in sheet.items() if key.startswith(_PER_CRITERION))
    return list(dict.fromkeys(name for data in named for name in data if name))


def _chosen(criteria: list[str], wanted: str | None, name: str) -> str:
    """Return the one of CRITERIA that is WANTED, or the only one."""
    if wanted is None:
        if len(criteria) > 1:
            raise UsageError(f"{name} describes {len(criteria)} criteria; name one of them: {_listed(criteria)}")
        return criteria[0] if criteria else ""
    folded = {one.strip().casefold(): one for one in reversed(criteria)}
    if wanted in criteria:
        return wanted
    if wanted.strip().casefold() in folded:
        return folded[wanted.strip().casefold()]
    close = nearest(wanted.strip(), folded)
    known = f"did you mean '{folded[close]}'?" if close else f"it has {_listed(criteria) or 'none at all'}"
    raise UsageError(f"{name} describes no criterion {short(wanted)}; {known}")


def _listed(criteria: list[str]) -> str:
    """Return CRITERIA as a message lists them."""
    return ", ".join(f"'{one}'" for one in criteria)


def _place(key: str) -> tuple[str, int] | None:
    """Return the condition that KEY belongs to, and its place among the options; 0 for what is no choice."""
    section = next((section for section in SECTIONS if key.startswith(section)), None)
    rest = key.removeprefix(section or "")
    if section is None or rest.startswith(_RESULTS):
        return None
    choice = _CHOICE.fullmatch(rest)
    words = (choice["name"] if choice else rest).replace("definiiton", "definition").replace("-", " ").replace("_", " ")
    option = choice["option"] if choice else "0"
    return f"{SECTIONS[section]}: {words}", int(option) if option.isdecimal() else _LAST


def _answer(entry: Any, criterion: str, option: int) -> str:
    """Return what ENTRY says of CRITERION: the text of an option that was chosen, or what was written."""
    data = _data(entry)
    said = data.get(criterion, data.get(""))
    if isinstance(said, bool):
        if not said or not option:
            return "yes" if said else ""
        texts = entry.get("text")
        text = _plain(texts.get(criterion, texts.get("")) if isinstance(texts, Mapping) else "")
        return _NUMBERED.sub("", text, count=1) if text else f"option {option}"
    text = _plain(said)
    return "not applicable" if text.casefold() in _NOT_APPLICABLE else text


def _data(entry: Any) -> Mapping[str, Any]:
    """Return the answers of an ENTRY by criterion; none for what is no entry."""
    data = entry.get("data") if isinstance(entry, Mapping) else None
    return data if isinstance(data, Mapping) else {}


def _plain(said: Any) -> str:
    """Return what was written as one line; blank for what is neither text nor a number."""
    return " ".join(str(said).split()) if isinstance(said, str | int | float) else ""


def _in_order(names: Mapping[str, Any]) -> Iterator[str]:
    """Yield NAMES by stage and then by the alphabet, for keys of a sheet have no order."""
    for stage in dict.fromkeys(SECTIONS.values()):
        yield from sorted(name for name in names if name.startswith(f"{stage}: "))
