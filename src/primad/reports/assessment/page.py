"""An assessment as one page that needs nothing else: no network, no script, no second file.

render_page        the page as text
render_fragment    the same as a part of another page

Whatever comes from outside is escaped by the template, and a policy in the page forbids everything that a page need not
do.  Figures lie on white, so that they are the same by day, by night and on paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from primad.reports._drawing import FORMS
from primad.reports._html import as_fragment, as_page, inline_figure
from primad.reports.assessment import sentences
from primad.reports.assessment._overview import (
    MARKS,
    MOST_COLUMNS,
    overview,
    spoken,
    sweep_rows,
    swept_measures,
    turned,
)
from primad.reports.assessment._roles import roles_of
from primad.reports.assessment.figure_sentences import figure_sentences
from primad.reproducibility.registry import LEVELS

if TYPE_CHECKING:
    from primad.reports.assessment.figures import Drawing
    from primad.reproducibility.answers import Answer
    from primad.reproducibility.assessment.result import Assessment, Reproduction
    from primad.reproducibility.comparison import Difference

_TEMPLATE = "assessment.html"
_LONGEST_VALUE = 300
_TESTS = {
    "t": "paired t-test; on another collection Welch's",
    "student": "paired t-test; on another collection Student's",
    "wilcoxon": "Wilcoxon's signed-rank test; on another collection the rank-sum test",
    "permutation": "permutation test",
}


def render_page(assessment: Assessment, drawings: Sequence[Drawing], forms: Sequence[str] = FORMS) -> str:
    """Return the page about ASSESSMENT with its DRAWINGS, which are files beside it in these FORMS."""
    return as_page(_TEMPLATE, _facts(assessment, drawings), forms if drawings else ())


def render_fragment(assessment: Assessment, drawings: Sequence[Drawing], *, beside: str = "") -> str:
    """Return what there is to say about ASSESSMENT as a part of a page; BESIDE says where its files are."""
    return as_fragment(_TEMPLATE, _facts(assessment, drawings), beside)


def _facts(assessment: Assessment, drawings: Sequence[Drawing]) -> dict[str, Any]:
    """Return what the template is filled in with."""
    several = spoken(assessment)
    many = len(several) > MOST_COLUMNS
    return {
        "assessment": assessment,
        "question": _question(assessment),
        "lead": [*_lead(assessment), *_silent(assessment)],
        "opening": sentences.values_sentences(assessment),
        "table": overview(assessment) if several and not many else None,
        "turned": turned(assessment) if many else None,
        "sweep": sweep_rows(assessment.sweep),
        "marks": MARKS,
        "has_answers": any(one.answers for one in several),
        "has_types": any(set(one.type) - {"?"} for one in several),
        "answers": [] if many else [(one, _by_level(one.answers)) for one in several if one.answers],
        "headlines": [sentences.answers_sentence(one) for one in several if one.answers],
        "figures": [
            inline_figure(place, one, figure_sentences(assessment, one.kind, one.measure))
            for place, one in enumerate(drawings, 1)
        ],
        "changes": list(_changes(several)),
        "details": [] if many else [(one, sentences.level_sentences(assessment, one)) for one in several],
        "remarks": list(_remarks(assessment)),
        "settings": _settings(assessment),
        "why": sentences.why,
        "roles": roles_of(assessment),
    }


def _question(assessment: Assessment) -> str:
    """Return what the page is about: the runs that were to be reproduced, by their tags, or a sweep alone."""
    if assessment.sweep and _is_swept(assessment):
        return f"Parameter sweep of {assessment.sweep.field}"
    tags = list(dict.fromkeys(run.tag for run in assessment.original.runs.values() if run.tag))
    subject = f"were {' and '.join(tags)}" if len(tags) > 1 else f"was {(tags or [assessment.original.name])[0]}"
    return f"How well {subject} reproduced?"


def _is_swept(assessment: Assessment) -> bool:
    """Tell whether there is nothing but a sweep: the original is a reference, all others are runs beside it."""
    lines = assessment.sweep.lines if assessment.sweep else ()
    swept = {point.run for line in lines for point in line.points}
    original = {name for run in assessment.original.runs.values() for name in (run.tag, run.path)}
    is_reference = any(line.reference in original for line in lines)
    return bool(lines) and {one.name for one in spoken(assessment)} <= swept and (is_reference or not len(assessment))


def _lead(assessment: Assessment) -> list[str]:
    """Return what is said first: about each of a few reproductions and about all, or about a sweep alone."""
    if _is_swept(assessment):
        first = swept_measures(assessment.sweep)[:1]
        return [said for measure in first for said in figure_sentences(assessment, "sweep", measure)]
    several = spoken(assessment)
    each = [] if len(several) > MOST_COLUMNS else [sentences.summary(assessment, one) for one in several]
    return [*each, *sentences.overall(assessment)]


def _silent(assessment: Assessment) -> Iterator[str]:
    """Yield why nothing can be said about a reproduction."""
    for one in assessment:
        if one.problem:
            yield f"Nothing can be said about {one.name}: {one.problem}"


def _by_level(answers: Iterable[Answer]) -> list[Answer]:
    """Return ANSWERS in the order of levels."""
    return sorted(answers, key=lambda answer: LEVELS.index(answer.level))


# What changed --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Change:
    """The reproductions in which the same changed."""

    names: tuple[str, ...]
    sentence: str
    fields: tuple[tuple[str, str, str, str], ...]
    not_stated: tuple[str, ...]


def _changes(several: Sequence[Reproduction]) -> Iterator[_Change]:
    """Yield what changed, field by field; reproductions in which the same changed come together."""
    groups: dict[Any, list[Reproduction]] = {}
    for one in several:
        fields = tuple(_fields(one.compared.changed)) if one.compared else ()
        missing = one.compared.not_stated if one.compared else ()
        groups.setdefault((sentences.changed_sentence(one), fields, missing), []).append(one)
    for (said, fields, missing), group in groups.items():
        yield _Change(tuple(one.name for one in group), said, fields, missing)


def _fields(changed: Mapping[str, Sequence[Difference]]) -> Iterator[tuple[str, str, str, str]]:
    """Yield component, field and both values of each difference."""
    for component, differences in changed.items():
        for one in differences:
            yield component, one.field, _value(one.original), _value(one.other)


def _value(value: Any) -> str:
    """Return a value of a record as a page has room for it."""
    if isinstance(value, list | tuple):
        text = ", ".join(_value(element) for element in value)
    elif isinstance(value, dict):
        text = ", ".join(f"{key}: {_value(element)}" for key, element in value.items())
    else:
        text = "not stated" if value is None else str(value)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"


# Small print ---------------------------------------------------------------------------------------------------


def _remarks(assessment: Assessment) -> Iterator[str]:
    """Yield what a reader must know: of all, then of each reproduction."""
    yield from sentences.equivalence_remarks(assessment)
    yield from assessment.remarks
    for one in assessment:
        yield from (f"{one.name}: {remark}" for remark in one.remarks)
    notes: dict[str, dict[str, None]] = {}
    for one in (assessment.original, *assessment):
        for value in one.values:
            for note in filter(None, (value.note, value.interval.note if value.interval else "")):
                notes.setdefault(note, {})[f"{one.name}, {value.measure} {value.of}".rstrip()] = None
    for note, about in notes.items():
        first, *others = about
        yield f"{first}{f' and {len(others)} more' if others else ''}: {note}"


def _settings(assessment: Assessment) -> dict[str, str]:
    """Return the rules in force, in words."""
    chosen = assessment.settings
    rules = asdict(chosen.rules)
    return {
        "Effectiveness measures": ", ".join(chosen.measures),
        "Options of trec_eval": ", ".join(_option(name, value) for name, value in rules.items() if value is not None),
        "Rank-biased overlap": f"p = {chosen.p:g}",
        "Depth of rankings": f"{chosen.depth:,}",
        "Ties": f"variant {chosen.ties}" if chosen.ties else "broken by document identifier, as trec_eval does",
        "Test": _TESTS[chosen.test],
        "Correction of claims of a difference": chosen.correction,
        "Confidence": f"{100 * chosen.confidence:g} %",
        "Margins stated": ", ".join(f"{name} {size:g}" for name, size in chosen.margins.items()) or "none",
        "Margins": " ".join(sentences.margin_sentences(assessment)) or "none",
    }


def _option(name: str, value: Any) -> str:
    """Return an option of trec_eval in words."""
    said = {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value
    return f"{name.replace('_', ' ')} {said}"
