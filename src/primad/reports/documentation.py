"""Pages of the documentation that are made from what the code knows, so that they stay true."""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.evaluation.measures import families
from primad.evaluation.notation import NICKNAMES, TREC_EVAL_ORDER
from primad.evaluation.registry import SCALES, Measure
from primad.evaluation.rules import NINE
from primad.metadata.profile import load_profile
from primad.metadata.schema import COMPONENTS, Field, load_schema
from primad.metadata.template import in_one_line
from primad.metadata.versions import VERSIONS
from primad.reproducibility.catalogue import measures
from primad.reproducibility.registry import Measure as ReproducibilityMeasure

if TYPE_CHECKING:
    from collections.abc import Iterator

_TITLES = {
    "general": "General: which header is this?",
    "platform": "Platform: what did it run on?",
    "research goal": "Research goal: what was it for?",
    "implementation": "Implementation: which code ran?",
    "method": "Method: what was done?",
    "actor": "Actor: who did it?",
    "data": "Data: on what?",
    "ranking": "Ranking: is it still the same?",
    "resources": "Resources: what did it cost?",
    "metadata": "Anything else",
}


def measures_page() -> str:
    """Return the page that lists every measure."""
    ours = [name for name in families if name not in TREC_EVAL_ORDER]
    return "\n".join(
        [
            "# Measures",
            "",
            "Made by `make docs` from the measures themselves.  How to ask for them: [evaluation](../guides/evaluation.md).",
            "",
            "| trec_eval | ir_measures | parameter, by default | over topics | scale | what the score says |",
            "|---|---|---|---|---|---|",
            *(_row(families[name]) for name in (*TREC_EVAL_ORDER, *ours)),
            "",
            f"Strictly, means and t-tests ask for an interval or ratio scale (see {SCALES}).",
            "",
            "Sets of measures: " + "; ".join(f"`{name}` ({len(members)})" for name, members in NICKNAMES.items()) + ".",
            "",
            "# Reproducibility measures",
            "",
            "How to ask for them: [assessment](../guides/assessing.md).  Besides there are `arp` (the mean score), `p`, `d`",
            "(Cohen's d) and costs (`wall`, `cpu`, `memory`, `energy`), which have no formula of topic means.",
            "",
            "| name | level | needs | ideal | interval | how to read it | source |",
            "|---|---|---|---|---|---|---|",
            *(_reproducibility_row(measure) for measure in measures().values()),
            "",
        ]
    )


_NEEDS = {
    "rankings": "rankings of the same topics and documents",
    "paired": "the same topics, documents and qrels",
    "effects": "a baseline and an advanced run on both sides",
}
_INTERVALS = {
    "bca": "BCa bootstrap",
    "jackknife": "jackknife t",
    "studentised": "studentised bootstrap",
    "fieller": "Fieller",
}


def _reproducibility_row(measure: ReproducibilityMeasure) -> str:
    """Return one line of the table of reproducibility measures."""
    ideal = "-" if measure.ideal is None else f"{measure.ideal:g}"
    cells = (measure.level, _NEEDS[measure.takes], ideal, _INTERVALS[measure.interval], measure.reading, measure.source)
    return f"| `{measure.name}` | {' | '.join(cell or '-' for cell in cells)} |"


def _row(measure: Measure) -> str:
    """Return one line of the table."""
    other = f"`{measure.ir_measures.replace('@', '@k')}`" if measure.ir_measures else "-"
    since = f" (trec_eval {measure.since})" if measure.since > NINE else ""
    meaning = " ".join((measure.formula.__doc__ or "").split("\n\n")[0].split()).removeprefix("Return ")
    return (
        f"| `{measure.name}`{since} | {other} | {measure.parameter} | {measure.summary} | {measure.scale} | {meaning} |"
    )


def checklist_page() -> str:
    """Return the page that lists every field of a record, why it matters, and how it is written."""
    fields = load_profile().schema.fields
    components = dict.fromkeys(["general", *COMPONENTS, *(field.component for field in fields)])
    lines = [
        "# Checklist: the fields of a record",
        "",
        "Made by `make docs` from the schema itself; the same facts are in `primad schema --format fields`, and",
        "`primad template` prints them as a skeleton to fill in.  How to use them: [metadata](../guides/metadata.md).",
        "",
        "**Essential** fields are those without which a run is hardly worth keeping, *recommended* ones those that the",
        "authors of ir_metadata ask for; all others are optional, and any field may be added.",
        "",
    ]
    for component in components:
        lines += [f"## {_TITLES.get(component, component)}", ""]
        for field in fields:
            if field.component == component:
                lines += [*_entry(field), ""]
    return "\n".join([*lines, *_versions()])


def _entry(field: Field) -> Iterator[str]:
    """Yield what there is to say about one field."""
    mark = {"essential": " **essential**", "recommended": " *recommended*", "optional": ""}[field.importance]
    yield f"- [ ] `{field.path}`{mark}: {field.meaning}"
    yield f"  *Written as* {', '.join(_form(field))}."
    yield f"  *Why:* {field.why}" + (f" *Seen by* {field.study}." if field.study else "")


def _form(field: Field) -> Iterator[str]:
    """Yield how the value of a field is written."""
    kinds = {"texts": "list of texts", "mappings": "list of mappings"}
    yield kinds.get(field.type, field.type) + (f" in {field.unit}" if field.unit else "")
    if field.encoding:
        yield field.encoding
    if field.example is not None:
        yield f"such as `{in_one_line(field.example)}`"
    if field.vocabulary:
        yield ("one of: " if field.closed else "known: ") + ", ".join(field.vocabulary)
    if field.also:
        yield "also read from " + ", ".join(f"`{path}`" for path in field.also)
    if field.origin:
        yield f"introduced by {field.origin}"


def _versions() -> Iterator[str]:
    """Yield the versions of the schema."""
    yield "## Versions"
    yield ""
    for version in VERSIONS:
        schema = load_schema(version)
        yield f"- {version}: {schema.title} ({len(schema.fields)} fields; {schema.source})"
    yield ""
