"""Outputs that were scored, as people and programs want to read them.

    table   a row per measure, a column per output; below it the verdict on two outputs, with items that differ
    csv     a row per output and measure
    json    everything, with a schema version

Nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from primad.evaluation.scorers.scored import Differing, Scored
from primad.reports._tables import csv_text, cut, folded, harmless, json_text, number, wrapped
from primad.reproducibility.verdict import Chance, Verdict, as_json

SCHEMA = "primad.score/1"

_SHARES = ("precision", "recall", "f1")
_MOST_DIFFERING = 10
_LONGEST_TEXT = 60
_LONGEST_NAME = 40


@dataclass(frozen=True)
class ScoredOutputs:
    """OUTPUTS by their names, None for one that could not be scored, and the VERDICT if there are two."""

    scorer: str
    primary: str
    outputs: Sequence[tuple[str, Scored | None]]
    verdict: Verdict | None = None

    def scored(self) -> Iterator[tuple[str, Scored]]:
        """Yield the outputs that could be scored."""
        return ((name, scored) for name, scored in self.outputs if scored is not None)


def render(result: ScoredOutputs, form: str, width: int | None = None) -> str:
    """Return RESULT in the given FORM; a table is no wider than WIDTH."""
    return FORMS[form](result, width)


def _table(result: ScoredOutputs, width: int | None) -> str:
    names = list(dict.fromkeys(name for _, one in result.scored() for name in [*one.measures, *one.undefined]))
    heading = ["measure", *(cut(harmless(name), _LONGEST_NAME) for name, _ in result.outputs)]
    rows = [[_marked(name, result), *(_cell(one, name) for _, one in result.outputs)] for name in names]
    return folded([heading, *rows], 1, width) + _verdict(result.verdict, width)


def _marked(name: str, result: ScoredOutputs) -> str:
    """Return the NAME of a measure, with a mark if it is the primary one."""
    return f"{name} *" if name == result.primary else name


def _cell(scored: Scored | None, name: str) -> str:
    return number(scored.measures[name]) if scored is not None and name in scored.measures else "-"


def _verdict(verdict: Verdict | None, width: int | None) -> str:
    """Return what is to be said of two outputs, below their scores."""
    if verdict is None:
        return ""
    lines = [f"\n{wrapped(harmless(verdict.sentence), width)}"]
    if verdict.chance:
        lines.append(wrapped(_interval(verdict.chance), width))
    elif verdict.no_chance:
        lines.append(wrapped(f"The difference is not tested: {harmless(verdict.no_chance)}.", width))
    compared = verdict.compared
    if compared is not None and compared.different:
        rows = [_row(one) for one in compared.differing[:_MOST_DIFFERING]]
        more = compared.different - len(rows)
        lines += ["\n", folded([["item", "only in the first", "only in the second"], *rows], 3, None)]
        lines += [f"and {more:,} more\n"] if more else []
    return "".join(lines)


def _interval(chance: Chance) -> str:
    """Return the interval of the difference, or why there is none."""
    if chance.low is None or chance.high is None:
        return f"There is no interval of the difference: {chance.no_interval}."
    return (
        f"The 95 % interval of the difference over items of this kind is [{number(chance.low)}, {number(chance.high)}]."
    )


def _row(one: Differing) -> list[str]:
    """Return one item that two outputs do not agree on, as a table has it."""
    texts = (one.item, ", ".join(one.first), ", ".join(one.second))
    return [cut(harmless(text), _LONGEST_TEXT) for text in texts]


def _csv(result: ScoredOutputs, _: int | None) -> str:
    rows = [(name, label, value) for name, one in result.scored() for label, value in one.measures.items()]
    return csv_text([("output", "measure", "value"), *rows])


def _json(result: ScoredOutputs, _: int | None) -> str:
    content = {
        "schema": SCHEMA,
        "scorer": result.scorer,
        "primary": result.primary,
        "outputs": [{"name": name, **_content(scored)} for name, scored in result.outputs],
        "verdict": as_json(result.verdict) if result.verdict else None,
    }
    return json_text(content)


def _content(scored: Scored | None) -> dict[str, Any]:
    """Return what is known of an output: all measures, and those of precision, recall and F1 by their kind."""
    if scored is None:
        return {"measures": {}, "undefined": {}, "remarks": []}
    measures = {name: float(value) for name, value in scored.measures.items()}
    content: dict[str, Any] = {"measures": measures}
    content |= {"undefined": dict(scored.undefined), "remarks": list(scored.remarks)}
    for name, value in measures.items():
        kind, _, share = name.rpartition("_")
        if share in _SHARES:
            content.setdefault(_KINDS.get(kind, kind), {})[share] = value
    return content | {name: measures[name] for name in ("exact", "map") if name in measures}


_KINDS = {"": "micro", "doc": "documents"}
FORMS: dict[str, Callable[[ScoredOutputs, int | None], str]] = {"table": _table, "csv": _csv, "json": _json}
