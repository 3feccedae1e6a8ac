"""What a header reports, computed again, as people and programs read it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from primad.reports.as_reported import render
from primad.reproducibility.as_reported import Against, AsReported, NotRedone, Reported

RM3 = Against(measure="map", baseline="bm25", mean=0.25, baseline_mean=0.2, topics=50, test="paired t-test", p=0.03125)
RESULT = AsReported(
    path="rm3.run",
    tag="rm3",
    qrels="core17.qrels",
    scores=(Reported(said="MAP", measure="map", mean=0.25), Reported(said="P10", measure="P_10", mean=0.5)),
    against=(
        replace(RM3, correction="Holm", corrected=0.0625),
        replace(RM3, measure="P_10", mean=0.5, baseline_mean=0.5, p=None, undefined="too few topics"),
    ),
    not_redone=(
        NotRedone(what="baseline", said="lost", why="no run with this tag is here"),
        NotRedone(what="baseline", said="gone", why="no run with this tag is here"),
        NotRedone(what="test", said="sign", why="not one of ours"),
    ),
    remarks=("Holm: corrected over 1 comparison",),
)


def test_the_table_shows_comparisons_then_what_is_missing_then_remarks() -> None:
    assert render(RESULT, "table") == (
        "rm3: what its header reports, computed again.\n"
        "\n"
        "Paired t-test\n"
        "\n"
        "measure  baseline    mean  of baseline  difference       p  corrected\n"
        "───────  ────────  ──────  ───────────  ──────────  ──────  ─────────\n"
        "map      bm25      0.2500       0.2000     +0.0500  0.0312     0.0625\n"
        "P_10     bm25      0.5000       0.5000      0.0000       –          –\n"  # noqa: RUF001
        "\n"
        "- not redone: baselines lost, gone: no run with this tag is here\n"
        "- not redone: test sign: not one of ours\n"
        "- P_10 against bm25: no p-value: too few topics\n"
        "- Holm: corrected over 1 comparison\n"
    )


def test_each_test_has_a_table_of_its_own() -> None:
    second = replace(RM3, test="Wilcoxon signed-rank test", p=0.5)

    lines = render(replace(RESULT, against=(RM3, second)), "table").splitlines()

    assert [line for line in lines if line.endswith("test")] == ["Paired t-test", "Wilcoxon signed-rank test"]


def test_a_column_without_content_is_not_there() -> None:
    untested = replace(RM3, test="", p=None)

    text = render(replace(RESULT, against=(untested,), not_redone=(), remarks=()), "table")

    assert text.splitlines()[2] == "measure  baseline    mean  of baseline  difference"


def test_scores_are_shown_where_there_is_no_baseline() -> None:
    text = render(replace(RESULT, against=(), not_redone=(), remarks=()), "table")

    assert text.splitlines()[2:] == [
        "measure  as reported    mean",
        "───────  ───────────  ──────",
        "map      MAP          0.2500",
        "P_10     P10          0.5000",
    ]


def test_what_could_not_be_redone_is_shown_also_where_nothing_could_be() -> None:
    text = render(AsReported(path="a.run", tag="", qrels="q", not_redone=RESULT.not_redone), "table")

    assert text.startswith("a.run: what its header reports, computed again.\n\n- not redone: baselines lost, gone")


@pytest.mark.parametrize("width", [40, 60, 80])
def test_no_line_is_wider_than_asked_for(width: int) -> None:
    assert max(map(len, render(RESULT, "table", width=width).splitlines())) <= width


def test_many_that_failed_for_one_reason_are_counted() -> None:
    failed = tuple(NotRedone(what="baseline", said=f"run{number}", why="lost") for number in range(100))

    last = render(replace(RESULT, not_redone=failed, against=(), scores=(), remarks=()), "table").splitlines()[-1]

    assert last.endswith("run8, run9 and 90 more: lost")


def test_names_do_not_steer_a_terminal() -> None:
    evil = replace(
        RESULT,
        tag="rm3\x1b[2J",
        against=(replace(RM3, baseline="bm\x9b25", note="n\x1b"),),
        not_redone=(NotRedone(what="test", said="\x1b]0;x\x07", why="\x1b"),),
        remarks=("\u202e",),
    )

    assert all(line.isprintable() for line in render(evil, "table").splitlines())


def test_json_has_everything() -> None:
    assert json.loads(render(RESULT, "json")) == RESULT.to_dict()


def test_a_tag_with_half_a_character_can_be_written() -> None:
    assert json.loads(render(replace(RESULT, tag="\udcff"), "json").encode())["run"]["tag"] == "\udcff"
