"""What do analysts answer about a system, and what do the answers say together?

    Item, Template           a question with its scale, and all questions of a sheet
    template_of, tree_of     a template from a plain tree, checked, and back; DEFAULT is the one that tracks start with
    value_on                 an answer as its scale has it
    check_answers            the answers of a sheet in their normal form, or everything that is wrong with them
    Proposal, propose        answers that follow from what was recorded, for an analyst to confirm or to override
    score, rule_of           the answers to a question as one share, and the rule of it as a sentence

Névéol et al., LOUHI 2016, print such shares in table 5 without a formula and without n, so the rules here are ours: one
of several readings of their figures.  Their 71 % for question 8 can be 5 of 7 answers with all four points, but also a
mean over 4 (17/24), or a mean counted from 0 to 3 (15/21).  Their section 3.3 supports none of these: by it, five or
six analysts had results, never seven, and at most four of them identical ones.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from primad.errors import DataError
from primad.metadata.showing import harmless
from primad.reports.track.facts import Score
from primad.track.questions import DEFAULT, SCALE_WORDS, SCALES

__all__ = [
    "DEFAULT",
    "SCALES",
    "SCALE_WORDS",
    "Item",
    "Proposal",
    "Template",
    "check_answers",
    "propose",
    "rule_of",
    "score",
    "template_of",
    "tree_of",
    "value_on",
]

_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,19}")
_BETTER = {"yes-no": ("yes", "no"), "five": ("high",), "four": ("high",), "text": ("",)}
_COUNTED = ("all", "results")
_SOURCES = ("", "questions", "format", "verdict")
_SCALE_OF_SOURCE = {"questions": "yes-no", "format": "yes-no", "verdict": "four"}
_PURPOSES = ("", "reuse")
_MEANING = ("key", "text", "scale", "better", "counted")  # of a question; the rest is how it is shown and used
_ANSWER = ("value", "comment", "note", "proposed")
_MOST_ITEMS = 100
_LONGEST = 2_000
_LONGEST_TEXT = 20_000
_TOP = {"five": 5, "four": 4}


@dataclass(frozen=True)
class Item:
    """A question: its KEY ("Q1"), the PART of the sheet, its TEXT, a SHORT form, and its SCALE.

    BETTER is the answer that speaks for the system.  COUNTED says whose answers count: of "all" analysts, or only of
    those who got "results".  PROPOSED_FROM names the record that answers it, ADVICE what authors can do if it is low.
    PURPOSE says what else the answers are read for: "reuse" is evidence that others can use the system.
    """

    key: str
    part: str
    text: str
    short: str
    scale: str
    better: str = ""
    counted: str = "all"
    proposed_from: str = ""
    advice: str = ""
    purpose: str = ""

    def asks_as(self, other: Item) -> bool:
        """Tell whether answers to this question and to the OTHER one can be put together."""
        return all(getattr(self, name) == getattr(other, name) for name in _MEANING)


@dataclass(frozen=True)
class Template:
    """The questions of a sheet in their order; VERSION is which sheet of its track it is, 0 where nobody counts."""

    title: str
    items: tuple[Item, ...]
    version: int = 0

    def item(self, key: str) -> Item | None:
        """Return the question KEY, None if there is none."""
        return next((one for one in self.items if one.key == key), None)


# Templates -------------------------------------------------------------------------------------------------------


def template_of(tree: Mapping[str, Any], version: int = 0) -> Template:
    """Return the template that TREE describes, the one of this VERSION, or say everything that is wrong with it."""
    listed = tree.get("questions") if isinstance(tree, Mapping) else None
    if not isinstance(listed, list | tuple) or not 0 < len(listed) <= _MOST_ITEMS:
        raise DataError(f"the template of a sheet: expected questions, a list of 1 to {_MOST_ITEMS}")
    problems = [f"unknown: {_shown(name)}" for name in tree if name not in {"title", "questions"}]
    items = []
    for place, entry in enumerate(listed, 1):
        item, wrong = _item_of(entry)
        problems += [f"question {place}: {problem}" for problem in wrong]
        items.append(item)
    twice = [key for key, count in Counter(item.key for item in items).items() if count > 1 and key]
    problems += [f"expected each key once, found {key} again" for key in twice]
    if problems:
        raise DataError("the template of a sheet:\n" + "\n".join(f"- {problem}" for problem in problems))
    return Template(str(tree.get("title") or ""), tuple(items), version)


def tree_of(template: Template) -> dict[str, Any]:
    """Return TEMPLATE as a plain tree, as JSON and YAML have it."""
    return {"title": template.title, "questions": [asdict(item) for item in template.items]}


def _item_of(entry: Any) -> tuple[Item, list[str]]:
    """Return the question that ENTRY describes, and what is wrong with it."""
    if not isinstance(entry, Mapping):
        return Item("", "", "", "", ""), [f"expected a mapping, found {_shown(entry)}"]
    known = Item.__dataclass_fields__
    values = {name: _word(entry.get(name)) for name in known}
    values["counted"] = values["counted"] or "all"
    item = Item(**values)
    unknown = [f"unknown: {_shown(name)} (known: {', '.join(known)})" for name in entry if name not in known]
    return item, [*unknown, *_problems_of(item)]


def _word(value: Any) -> str:
    """Return VALUE as text; YAML takes yes and no for true and false."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def _problems_of(item: Item) -> list[str]:
    """Return what is wrong with ITEM."""
    problems = [] if _KEY.fullmatch(item.key) else [f"expected a key such as Q1, found {_shown(item.key)}"]
    problems += [f"expected a {name}" for name in ("part", "text", "short") if not getattr(item, name).strip()]
    problems += [
        f"expected a {name} of at most {_LONGEST} characters, found {len(value):,}"
        for name, value in vars(item).items()
        if len(value) > _LONGEST
    ]
    if item.scale not in SCALES:
        return [*problems, _choice("scale", tuple(SCALES), item.scale)]
    if item.better not in _BETTER[item.scale]:
        problems.append(_choice(f"better answer on the scale {item.scale}", _BETTER[item.scale], item.better))
    if item.counted not in _COUNTED:
        problems.append(_choice("counted", _COUNTED, item.counted))
    if item.purpose not in _PURPOSES:
        problems.append(_choice("purpose", _PURPOSES, item.purpose))
    if item.proposed_from not in _SOURCES:
        problems.append(_choice("proposed_from", _SOURCES, item.proposed_from))
    elif item.proposed_from and _SCALE_OF_SOURCE[item.proposed_from] != item.scale:
        expected = _SCALE_OF_SOURCE[item.proposed_from]
        problems.append(f"expected the scale {expected} where answers are proposed from {item.proposed_from}")
    return problems


def _choice(what: str, known: Iterable[str], found: str) -> str:
    """Return that WHAT is none of the KNOWN."""
    return f"expected as {what} {' or '.join(one or 'nothing' for one in known)}, found {_shown(found)}"


def _shown(value: Any) -> str:
    """Return VALUE as a message has room for it."""
    return f"'{harmless(str(value)[:80])}'"


# Answers ---------------------------------------------------------------------------------------------------------


def value_on(scale: str, value: Any) -> str | int | None:
    """Return VALUE as an answer on SCALE, None if it is none.

    >>> value_on("yes-no", True), value_on("five", "4"), value_on("five", 6), value_on("text", " more examples ")
    ('yes', 4, None, 'more examples')
    """
    word = _word(value).strip()
    if scale == "text":
        return word or None
    if scale == "yes-no":
        return word.lower() if word.lower() in SCALES[scale] else None
    return int(word) if word in {str(point) for point in SCALES.get(scale, {})} else None


def check_answers(
    template: Template, answers: Mapping[str, Any], *, final: bool, has_results: bool = True
) -> dict[str, dict[str, Any]]:
    """Return ANSWERS in their normal form, by question: value, comment, note and proposed, each where it is there.

    A FINAL sheet answers everything but free text, and but for what only an analyst who HAS_RESULTS can answer; a value
    that differs from the proposed one has a note there.  Everything that is wrong is said at once.
    """
    problems = [f"{_shown(key)}: no such question" for key in answers if template.item(key) is None]
    kept: dict[str, dict[str, Any]] = {}
    for item in template.items:
        answer, wrong = _answer_of(item, answers.get(item.key))
        problems += [f"{item.key}: {problem}" for problem in (*wrong, *(_unexplained(answer) if final else ()))]
        needed = item.scale != "text" and (has_results or item.counted != "results")
        if final and needed and not wrong and "value" not in answer:
            problems.append(f"{item.key}: expected {_expected(item)}, found no answer")
        if answer:
            kept[item.key] = answer
    if problems:
        said = "the answers are kept, but the sheet cannot be locked" if final else "the sheet cannot be kept"
        raise DataError(f"{said} as it is:\n" + "\n".join(f"- {problem}" for problem in problems))
    return kept


def _answer_of(item: Item, given: Any) -> tuple[dict[str, Any], list[str]]:
    """Return what was GIVEN to ITEM in its normal form, and what is wrong with it."""
    if given is None:
        return {}, []
    if not isinstance(given, Mapping):
        return _answer_of(item, {"value": given})
    problems = [f"unknown: {_shown(name)} (known: {', '.join(_ANSWER)})" for name in given if name not in _ANSWER]
    answer: dict[str, Any] = {}
    for name in ("value", "proposed"):
        if given.get(name) is not None and given.get(name) != "":
            answer[name] = value_on(item.scale, given[name])
            if answer[name] is None:
                problems.append(f"expected {_expected(item)}, found {_shown(given[name])}")
    for name in ("comment", "note"):
        text = _word(given.get(name)).strip()
        if text:
            answer[name] = text
    problems += [
        f"expected at most {_LONGEST_TEXT:,} characters, found {len(text):,}"
        for text in answer.values()
        if isinstance(text, str) and len(text) > _LONGEST_TEXT
    ]
    return answer, problems


def _unexplained(answer: Mapping[str, Any]) -> list[str]:
    """Return that an ANSWER differs from the proposed one without a note, if it does."""
    if None in (answer.get("value"), answer.get("proposed")) or answer["value"] == answer["proposed"]:
        return []
    said = f"{answer['proposed']} was proposed, found {answer['value']}"
    return [] if answer.get("note") else [f"{said}; say why another than the proposed answer (in a file: note)"]


def _expected(item: Item) -> str:
    """Return which answers ITEM takes."""
    points = ", ".join(f"{point} ({words})" for point, words in SCALES[item.scale].items())
    return {"yes-no": "yes or no", "text": "a text"}.get(item.scale, f"one of {points}")


# Proposals -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Proposal:
    """An answer that follows from what was recorded, and because of what."""

    value: str | int
    because: str


def propose(
    template: Template, *, asked_authors: bool | None, in_format: bool | None, points: int | None
) -> dict[str, Proposal]:
    """Return an answer for each question that what was recorded answers; None is what was not recorded.

    ASKED_AUTHORS: a question to the authors was logged.  IN_FORMAT: the scorer could read the output as it came.
    POINTS: those of the verdict.
    """
    known = {
        "questions": _asked(asked=asked_authors),
        "format": _formatted(in_format=in_format),
        "verdict": None if points is None else Proposal(points, f"the verdict: {SCALES['four'][points]}"),
    }
    found = {item.key: known.get(item.proposed_from) for item in template.items}
    return {key: proposal for key, proposal in found.items() if proposal is not None}


def _asked(*, asked: bool | None) -> Proposal | None:
    """Return whether the authors were ASKED."""
    if asked is None:
        return None
    return (
        Proposal("yes", "a question to the authors was logged")
        if asked
        else Proposal("no", "no question was logged before the system ran")
    )


def _formatted(*, in_format: bool | None) -> Proposal | None:
    """Return whether the output was IN_FORMAT."""
    if in_format is None:
        return None
    said = "read the output as it came" if in_format else "could not read the output as it came"
    return Proposal("yes" if in_format else "no", f"the scorer {said}")


# Scores ----------------------------------------------------------------------------------------------------------


def score(item: Item, values: Iterable[Any]) -> Score:
    """Return the VALUES answered to ITEM as one share by its rule; what is no answer on its scale does not count."""
    answers = [value for value in (value_on(item.scale, one) for one in values) if value is not None]
    if not answers or item.scale == "text":
        return Score(None, 0)
    if item.scale == "five":
        return Score(sum(int(value) for value in answers) / _TOP["five"] / len(answers), len(answers))
    best = item.better if item.scale == "yes-no" else _TOP["four"]
    return Score(answers.count(best) / len(answers), len(answers))


def rule_of(item: Item) -> str:
    """Return how the score of ITEM comes about, as a sentence.

    >>> rule_of(Item("Q4", "Installation", "", "", "yes-no", "no"))
    "Share of answers that are 'no', the better one here."
    """
    rules = {
        "yes-no": f"Share of answers that are '{item.better}'{', the better one here' * (item.better == 'no')}",
        "five": "Mean of the points, over 5",
        "four": "Share of answers with all 4 points",
        "text": "Not scored",
    }
    only = ", over analysts who got results" if item.counted == "results" and item.scale != "text" else ""
    return f"{rules[item.scale]}{only}."
