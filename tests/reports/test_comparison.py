"""Is what changed between runs printed so that a person likes to read it, and a program can?"""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from primad.metadata.schema import COMPONENTS
from primad.reports.comparison import MOST_DETAILED, render_comparison, render_counted
from primad.reproducibility.comparison import Comparison, Unread, compare, parse_filters
from tests.reproducibility.comparison.paper import gc, yxl
from tests.reproducibility.comparison.records import record, stating

SWEEP = record(
    {"tag": "sweep", "method.retrieval[0].k1": 1.2, "data.test collection.ir_datasets": "NYT/trec-core-2017"}
)

PLAIN = """\
original  bm25

run    tag    type    kind
─────  ─────  ──────  ───────────────
sweep  sweep  priMad  parameter-sweep

sweep: priMad, parameter-sweep
  Other parameter values of the method; platform, research goal, code, people and data are the same.
  Shows how sensitive the result is to its parameters.
  method
    retrieval[0].k1: 0.9 → 1.2
  the same but for its spelling: data.test collection.ir_datasets (nyt/trec-core-2017 =
                                 NYT/trec-core-2017)

priMad, parameter-sweep: 1 run
  can be computed: arp, tau, tau_shared, overlap, rbo_ext, ktu, rbo, rmse, nrmse, p (paired), d
                   (paired); er, dri (with a baseline and an advanced run on both sides)
  cannot be computed: p (unpaired), d (unpaired) (the topics are paired)
  primad assess --original bm25 --reproduction sweep --qrels QRELS
"""


def render(found: Comparison, **options: Any) -> str:
    """Return FOUND as a table."""
    return render_comparison(found, "table", **options)


def test_a_run_is_shown_with_its_type_its_name_its_meaning_and_its_fields() -> None:
    assert render(compare(record(), SWEEP)) == PLAIN


def test_no_line_is_wider_than_the_terminal_but_commands_which_are_to_be_copied() -> None:
    found = compare(gc(), [yxl(), yxl("Core18")])

    for width in (60, 80, 120):
        lines = render(found, width=width, terms=True).splitlines()
        assert [line for line in lines if len(line) > width and not line.startswith("  primad assess ")] == []


def test_values_that_do_not_fit_a_line_stand_below_each_other() -> None:
    lines = render(compare(gc(), yxl()), width=80).splitlines()

    start = lines.index("    source.repository")
    assert lines[start : start + 3] == [
        "    source.repository",
        "      original  https://example.org/waterloo/ccrf",
        "      this run  https://github.com/castorini/anserini",
    ]


def test_long_lists_and_texts_are_cut() -> None:
    one = stating({"method.x": "a" * 500, "method.y": [str(number) for number in range(50)]})

    text = render(compare(one, stating({"method.x": "b" * 500, "method.y": ["z"]})))

    assert "a" * 199 + "…" in text
    assert "0, 1, 2, 3, 4, 5, 6, 7 and 42 more" in text


def test_compounds_are_marked_as_ours_and_uncertain_names_as_such() -> None:
    unsure = stating({"tag": "x", "actor.team": "IRC", "implementation.source.repository": "https://e.org/x"})

    text = render(compare(gc(), [yxl(), unsure]))

    assert "independent re-use+validate *\n" in text
    assert "independent re-code ?\n" in text
    assert "* several kinds of the PRIMAD literature at once; the name is composed by primad\n" in text
    assert "? as far as known: of a letter ? both runs state no field in common that decides\n" in text


def test_primes_take_the_place_of_upper_case_on_request() -> None:
    text = render(compare(record(), SWEEP), primed=True)

    assert "PRIM'AD, parameter-sweep" in text
    assert "priMad" not in text


def test_other_vocabularies_are_shown_on_request_with_their_reasons() -> None:
    text = render(compare(gc(), yxl()), terms=True)

    assert "  ACM 1.1     replicability: another team with artifacts of its own\n" in text
    assert "  Whitaker    robust: the same data, another analysis\n" in text
    assert "ACM" not in render(compare(gc(), yxl()))


def test_of_many_runs_the_fields_are_shown_only_on_request() -> None:
    runs = [record({"tag": f"run{n}", "method.retrieval[0].k1": float(n)}) for n in range(MOST_DETAILED + 1)]
    found = compare(record(), runs)

    assert "retrieval[0].k1" not in render(found)
    assert render(found, details=True).count("retrieval[0].k1: 0.9 → ") == len(runs)
    assert "ACM 1.1" in render(found, terms=True).splitlines()[2]


def test_the_command_of_a_large_group_names_the_first_runs_and_says_where_the_others_are() -> None:
    runs = [record({"tag": f"run{n}", "method.retrieval[0].k1": float(n)}) for n in range(20)]

    lines = render(compare(record(), runs)).splitlines()

    assert lines[-2:] == [
        "  primad assess --original bm25 --reproduction run0 --reproduction run1 …",
        "  (--format json has the command with all 20 runs)",
    ]


def test_measures_of_the_next_group_are_not_repeated() -> None:
    others = record({"tag": "others", "actor.orcid": "0000-0001-2345-6789"})

    assert "primAd, independent repeat: 1 run\n  measures as above\n" in render(compare(record(), [SWEEP, others]))


def test_files_of_which_nothing_is_known_and_runs_not_asked_for_are_said() -> None:
    silent = Comparison("a.run", (), (Unread("b.run", "has no metadata"),), left_out=2)

    assert render(silent) == (
        "original  a.run\n\nnothing known of b.run: has no metadata\n2 runs do not meet the conditions\n"
    )


def test_names_from_outside_cannot_steer_the_terminal() -> None:
    evil = stating({"tag": "x\x1b[2J", "actor.team": "\x1b]0;y\x07"})

    text = render(compare(record(), evil), terms=True)

    assert "\x1b" not in text
    assert r"\x1b[2J" in text


def test_pairs_are_a_matrix_by_number() -> None:
    found = compare([record(), SWEEP, record({"tag": "others", "actor.orcid": "0000-0001-2345-6789"})])

    assert render(found).splitlines()[:6] == [
        "   run          1       2       3",
        "─  ──────  ──────  ──────  ──────",
        "1  bm25         ·  priMad  primAd",
        "2  sweep   priMad       ·  priMAd",
        "3  others  primAd  priMAd       ·",
        "",
    ]
    assert "\nbm25 and sweep: priMad, parameter-sweep\n" in render(found)


def test_csv_has_a_row_for_each_run_and_no_formula() -> None:
    tagged = record({"tag": "=1+2", "method.retrieval[0].k1": 1.2}, without=("actor.orcid",))

    rows = list(csv.DictReader(io.StringIO(render_comparison(compare(record(), tagged), "csv"))))

    assert len(rows) == 1
    assert rows[0] == {
        "original": "bm25",
        "run": "'=1+2",
        "tag": "'=1+2",
        "type": "priMad",
        "name": "parameter-sweep",
        "in_literature": "true",
        "parameters_only": "true",
        **{name.replace(" ", "_"): "same" for name in COMPONENTS},
        "method": "changed",
        "changed_fields": "method.retrieval[0].k1",
        "stated_by_original_only": "actor.orcid",
        "stated_by_run_only": "",
    }


def test_json_is_the_dictionary() -> None:
    found = compare(record(), SWEEP, filter=parse_filters(where=["tag=sweep"]))

    assert json.loads(render_comparison(found, "json")) == found.to_dict()


# What counts -------------------------------------------------------------------------------------------------


def test_the_explanation_has_every_component_with_rules_and_reasons() -> None:
    text = render_counted("table", 80)

    assert [line for line in text.splitlines() if line.endswith(")") and line[0].islower()] == [
        f"{name} ({name[0].upper()})" for name in COMPONENTS
    ]
    assert "  first stated on both: orcid, team, name\n" in text
    assert "  never: fields, mail, role, degree, github, twitter\n" in text
    assert "  between experimenters only: evaluation.baseline\n" in text
    assert max(map(len, text.splitlines())) <= 80


def test_the_explanation_is_there_for_programs_too() -> None:
    content = json.loads(render_counted("json"))

    assert content["schema"] == "primad.counted/1"
    assert list(content["components"]) == list(COMPONENTS)
    assert content["components"]["actor"][0]["fields"] == ["actor.orcid", "actor.team", "actor.name"]
    assert content["components"]["method"][1]["except"][0] == "method.retrieval[].method"
    assert {rule["rule"] for rules in content["components"].values() for rule in rules} == content["rules"].keys()
    assert content["kinds"][0]["name"] == "repeat"


@pytest.mark.parametrize("form", ["table", "csv", "json"])
def test_an_empty_comparison_can_be_printed(form: str) -> None:
    assert "a.run" in render_comparison(Comparison("a.run", ()), form) or form == "csv"
