"""An evaluation as people and programs want to read it.

    table       aligned text, the best run first
    trec_eval   byte for byte what trec_eval prints
    csv         a row per run (and topic), a column per measure
    json        everything, with a schema version
    latex       a table for a paper, the best score of each column in bold

Every form shows the scores of an ``Evaluation`` as they are: nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from primad.evaluation.notation import TREC_EVAL_ORDER
from primad.reports._tables import Cell, Row, csv_text, folded, json_text, latex

if TYPE_CHECKING:
    from primad.evaluation import BoundMeasure, Evaluation, RunScores


@dataclass(frozen=True)
class View:
    """How much is shown: the scores of topics, too; and how many characters fit a line, None for any number."""

    per_topic: bool
    width: int | None


# More columns than this do not fit a screen: then measures become rows and runs columns.
_MOST_COLUMNS = 10
_SHORTEST_FOLDER = 24


def render(evaluation: Evaluation, form: str, *, per_topic: bool = False, width: int | None = None) -> str:
    """Return EVALUATION in the given FORM, with the scores of each topic if asked for.

    A table that is wider than WIDTH is folded: further columns follow below.
    """
    return FORMS[form](evaluation, View(per_topic, width))


def _table(evaluation: Evaluation, view: View) -> str:
    labels = [measure.label for measure in evaluation.measures if measure.label != "runid"]
    heading, names = _short_names([run.name for run in evaluation])
    if view.per_topic:
        rows = [[names[name], *cells] for name, *cells in _topic_rows(evaluation, labels)]
        return folded([[heading, "topic", *labels], *rows], 2, view.width)
    labels = [label for label in labels if any(label in run.summary for run in evaluation)]
    rows = [[heading, *labels]]
    rows += [[names[run.name], *(_cell(run, label) for label in labels)] for run in _best_first(evaluation, labels)]
    if len(labels) > _MOST_COLUMNS:
        rows = [list(column) for column in zip(*rows, strict=True)]
        rows[0][0] = heading.replace("run", "measure", 1)
    return folded(rows, 1, view.width)


def _short_names(paths: Sequence[str]) -> tuple[str, dict[str, str]]:
    """Return the heading and the names of a column of PATHS: a folder they share stands in the heading."""
    folders = {PurePath(path).parent for path in paths}
    if len(folders) != 1 or folders == {PurePath()}:
        return "run", {path: path for path in paths}
    names = {path: PurePath(path).name for path in paths}
    # The folder makes the column no wider than the names do, or than a name must be to be known.
    room = max(_SHORTEST_FOLDER, max(map(len, names.values())) - len("run in "))
    folder = str(folders.pop())
    return "run in " + (folder if len(folder) <= room else "…" + folder[1 - room :]), names


def _topic_rows(evaluation: Evaluation, labels: Sequence[str]) -> Iterator[Row]:
    """Yield a row for each topic of each run, and one for all topics."""
    for run in evaluation:
        for topic, scores in run.topic_scores():
            yield [run.name, topic, *(_number(scores[label]) if label in scores else "-" for label in labels)]
        yield [run.name, "all", *(_cell(run, label) for label in labels)]


def _best_first(evaluation: Evaluation, labels: Sequence[str]) -> list[RunScores]:
    """Return the runs with the best by the first measure on top; as given, if no score of it is better than another."""
    first = next((measure for measure in evaluation.measures if labels and measure.label == labels[0]), None)
    if first is None or not first.facts.better:
        return list(evaluation)
    sign = -1 if first.facts.better == "higher" else 1
    return sorted(evaluation, key=lambda run: sign * run.summary[first.label])


def _cell(run: RunScores, label: str) -> str:
    """Return a summary as a table shows it, with its extremes over tied documents."""
    if label not in run.summary:
        return "-"
    extremes = f" [{_number(run.ties[label][0])}, {_number(run.ties[label][1])}]" if label in run.ties else ""
    return _number(run.summary[label]) + extremes


def _number(value: float | str) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _trec_eval(evaluation: Evaluation, view: View) -> str:
    measures = sorted(evaluation.measures, key=_trec_eval_place)
    lines: list[str] = []
    for run in evaluation:
        if view.per_topic:
            for topic, scores in run.topic_scores():
                lines += [_line(m, topic, scores[m.label]) for m in measures if m.label in scores]
        summary: dict[str, float | str] = {"runid": (run.tag.split() or [""])[0], **run.summary}
        lines += [_line(m, "all", summary[m.label]) for m in measures if m.label in summary]
    return "".join(lines)


def _trec_eval_place(measure: BoundMeasure) -> int:
    """Return the place of MEASURE in trec_eval's output; others follow as asked for."""
    known = measure.family in TREC_EVAL_ORDER
    return TREC_EVAL_ORDER.index(measure.family) if known else len(TREC_EVAL_ORDER)


def _line(measure: BoundMeasure, topic: str, value: float | str) -> str:
    text = f"'{value}'" if measure.family == "relstring" else _number(value)
    return f"{measure.label:<22}\t{topic}\t{text}\n"


def _csv(evaluation: Evaluation, view: View) -> str:
    labels = [measure.label for measure in evaluation.measures if measure.label != "runid"]
    tied = [label for label in labels if any(label in run.ties for run in evaluation)]
    extremes = [f"{label} {which}" for label in tied for which in ("lowest", "highest")]
    rows: list[Sequence[Cell]] = [["run", "tag", "topic", *labels, *extremes]]
    for run in evaluation:
        if view.per_topic:
            empty = [""] * len(extremes)
            rows += (
                [run.name, run.tag, topic, *(scores.get(label, "") for label in labels), *empty]
                for topic, scores in run.topic_scores()
            )
        bounds = [bound for label in tied for bound in run.ties[label]]
        rows.append([run.name, run.tag, "all", *(run.summary.get(label, "") for label in labels), *bounds])
    return csv_text(rows)


def _json(evaluation: Evaluation, view: View) -> str:
    return json_text(evaluation.to_dict(per_topic=view.per_topic))


def _latex(evaluation: Evaluation, view: View) -> str:
    labels = [m.label for m in evaluation.measures if all(m.label in run.summary for run in evaluation)]
    if view.per_topic:
        body = [[*map(latex, row)] for row in _topic_rows(evaluation, labels)]
        heading = ["run", "topic", *labels]
    else:
        best = _best_cells(evaluation)
        body = [
            [latex(run.name), *(_emphasised(_cell(run, label), best.get(label)) for label in labels)]
            for run in _best_first(evaluation, labels)
        ]
        heading = ["run", *labels]
    columns = "l" * (len(heading) - len(labels)) + "r" * len(labels)
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", " & ".join(map(latex, heading)) + r" \\", r"\midrule"]
    lines += [" & ".join(row) + r" \\" for row in body]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def _best_cells(evaluation: Evaluation) -> dict[str, str]:
    """Return the best score of each measure that has one, as the table shows it; of one run nothing is best."""
    if len(evaluation) == 1:
        return {}
    pick = {"higher": max, "lower": min}
    rated = [m for m in evaluation.measures if m.facts.better and all(m.label in run.summary for run in evaluation)]
    return {m.label: _number(pick[m.facts.better](run.summary[m.label] for run in evaluation)) for m in rated}


def _emphasised(cell: str, best: str | None) -> str:
    """Return CELL in bold if its score is the BEST."""
    return rf"\textbf{{{cell}}}" if best is not None and cell.split(" ", maxsplit=1)[0] == best else cell


FORMS: dict[str, Callable[[Evaluation, View], str]] = {
    "table": _table,
    "trec_eval": _trec_eval,
    "csv": _csv,
    "json": _json,
    "latex": _latex,
}
