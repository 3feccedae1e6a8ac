"""Does the page about a quantified assessment say all there is to say, and is it deaf to hostile names?"""

from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from primad.qra.assess import assess
from primad.qra.claims import Claim
from primad.qra.conditions import IN_PRIMAD
from primad.qra.labels import Label
from primad.qra.material import Material
from primad.qra.measurement import Scale
from primad.qra.result import QuantifiedAssessment
from primad.reports.qra._cells import interval_cell
from primad.reports.qra._headline import in_short
from primad.reports.qra.figures import drawings
from primad.reports.qra.page import render_page
from tests.reports import quantified as made
from tests.reports.assessments import EVIL
from tests.reports.outline import QUANTIFIED, Outline, after, outlined
from tests.reports.outline import quantified_outline as read


def outline_of(found: QuantifiedAssessment) -> Outline:
    """Return the outline of the page, without figures, about what was FOUND."""
    return outlined(render_page(found, []))


@cache
def with_causes() -> Outline:
    """Return the outline of a page with causes, without figures."""
    return outline_of(made.nts(causes=True))


each = pytest.mark.parametrize("case", [pytest.param(case, id=str(case[0])) for case in QUANTIFIED])


# Form --------------------------------------------------------------------------------------------------------


@each
def test_the_paper_with_the_definitions_is_all_that_a_page_links_to(case: tuple[Any, ...]) -> None:
    outside = {a["href"] for _, a in read(*case).elements if not a.get("href", "#").startswith("#")}

    assert outside == {"https://doi.org/10.18653/v1/2022.acl-long.2"}


@each
def test_words_and_no_further_heading_follow_the_heading_of_a_section(case: tuple[Any, ...]) -> None:
    assert read(*case).following("h2") <= {"p", "ul", "dl"}


def test_figures_are_described_and_conditions_are_a_table_instead() -> None:
    outline = read("nts")

    assert [svg["role"] for svg in outline.all("svg")] == ["img"] * 2
    assert outline.said("desc")[1] == (
        "A row for each group, the lowest CV* on top: a mark is CV* in percent, a line its interval."
    )
    assert [table for table in outline.all("table") if table.get("class") == "grid"] == [{"class": "grid"}]


# What is said first ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("objects", "expected"),
    [
        pytest.param(1, "How precise are the values of system 0?", id="one"),
        pytest.param(3, "How precise are the values of system 0, system 1 and system 2?", id="three"),
        pytest.param(4, "How precise are the values of 4 objects?", id="many"),
    ],
)
def test_the_page_asks_about_its_objects(objects: int, expected: str) -> None:
    outline = outline_of(made.many(objects))

    assert outline.said("h1") == [expected]
    assert outline.said("title")[0] == expected


def test_each_of_a_few_groups_has_its_sentence_on_top() -> None:
    found = made.nts()

    assert read("nts").said("p")[:2] == [one.sentence for one in found]


def test_of_many_groups_range_and_median_stand_on_top() -> None:
    outline = outline_of(made.many(13))

    assert outline.said("p")[0] == (
        "13 groups: CV* 0.992 to 2.170 %, median 1.583 % (acl2022; lower is more precise). The median describes these "
        "groups and is the precision of none."
    )
    assert outline.said("p")[1] == "Pairwise orders of objects upheld: 0 of 78 (0%)."
    assert outline.said("p")[2].startswith("Lowest: system 0, BLEU")
    assert outline.said("p")[3].startswith("Highest: system 12, BLEU")


def test_findings_and_claims_upheld_stand_on_top() -> None:
    found = assess(everything_measured())

    top = everything().said("p")[: len(found) + 2]

    assert top == [
        *(one.sentence for one in found),
        *(one.sentence for one in found.findings),
        *(one.sentence for one in found.claim_shares),
    ]


def test_of_many_findings_three_stand_on_top_and_the_rest_is_counted() -> None:
    scores = [
        replace(one, object=name, measurand=f"M{place}")
        for place in range(5)
        for name in ("a", "b")
        for one in (made.measured("84.51", "Nisioi", "original"), made.measured("86.20", "Cooper"))
    ]
    found = assess(scores)

    top = outline_of(found).said("p")[len(in_short(found)) :]

    assert top[:4] == [
        *(one.sentence for one in found.findings[:3]),
        "More on findings upheld below: 2 sentences.",
    ]


def test_a_page_about_nothing_says_so() -> None:
    assert read("nothing").said("p")[0] == (
        "There are no measurements, so there is nothing to say about their precision."
    )


def test_a_group_without_cv_says_why() -> None:
    assert read("single").said("p")[0] == "A, F1: CV* needs at least 2 measurements, found 1."
    assert "No CV*: CV* needs at least 2 measurements, found 1." in read("single").said("li")


# Tables ------------------------------------------------------------------------------------------------------


def test_the_overview_is_that_of_the_paper() -> None:
    texts = after(read("nts"), "What was measured")

    place = texts.index("NTS_def")
    assert texts[place + 1 : place + 8] == [
        *("BLEU", "SARI", "4", "4", "Nisioi, Cooper, Belz", "text simplification", "metric, intrinsic")
    ]


def test_the_table_of_precision_has_values_by_source_and_all_figures() -> None:
    texts = after(read("nts"), "How precise the values are")

    place = texts.index("NTS_def")
    precision = made.nts().groups[0].precision
    assert texts[place + 1 : place + 13] == [
        *("BLEU", "84.51", "84.50, 87.46", "84.20"),
        *("4", "85.167", "1.666", "[0.870, 5.724]", interval_cell(precision.stdev_ci_acl2022)),
        *("2.079", "[1.021, 6.727]", "R"),
    ]
    assert len([heading for heading in read("nts").all("th") if heading.get("class") == "measured"]) == 3


@pytest.mark.parametrize(
    ("lows", "expected"),
    [
        pytest.param((0,), [], id="at 0"),
        pytest.param((1,), ["1"], id="at 1"),
        pytest.param((1, 0, -5), ["-5 or 1"], id="several"),
    ],
)
def test_a_shifted_scale_is_explained_at_the_table(lows: tuple[int, ...], expected: list[str]) -> None:
    ratings = [
        replace(made.BLEU, object=f"from {low}", value=value, scale=Scale(low, 7))
        for low in lows
        for value in ("3.70", "4.21")
    ]

    said = after(outline_of(assess(ratings)), "How precise the values are")[1:]

    assert [text for text in said if text.startswith("Mean and standard deviation")][:1] == [
        f"Mean and standard deviation of values on a scale that starts at {start} are on the scale shifted to start "
        "at 0."
        for start in expected
    ]


def test_the_value_of_an_original_is_bold_and_no_other() -> None:
    assert set(read("nts").said("b")) == {"84.51", "30.65"}
    assert read("repeated").said("b") == []


def test_repeatability_is_told_from_reproducibility() -> None:
    assert "R⁰" in after(read("repeated"), "How precise the values are")
    assert "R" in after(read("few"), "How precise the values are")


def test_an_unbounded_interval_is_called_so() -> None:
    assert "[28.217, unbounded]" in after(read("few"), "How precise the values are")


def test_values_of_many_experiments_stand_in_one_cell() -> None:
    outline = outline_of(assess([made.measured(f"{80 + place}", f"team {place:02}") for place in range(11)]))

    texts = after(outline, "How precise the values are")
    assert "Measured values" in texts
    assert ", ".join(str(80 + place) for place in range(11)) in texts


def test_each_cv_is_placed_among_published_ones() -> None:
    texts = after(read("nts"), "Among published values")

    place = texts.index("NTS_def, BLEU")
    assert texts[place + 1 : place + 3] == ["metric", "2.079"]


def test_the_grid_has_a_cell_for_each_condition_and_equal_values_in_equal_colour() -> None:
    outline = read("nts")
    tints = [cell.get("class") for cell in outline.all("td") if "tint" in cell.get("class", "")]

    assert Counter(tints) == {"tint0": 8 + 6 + 6 + 2, "tint1": 2 + 2 + 4, "tint2": 2}
    texts = after(outline, "Conditions of measurement")
    place = texts.index("84.20")
    assert texts[place - 5 : place] == ["Nisioi", "Nisioi", "SacreBLEU", "Belz", "–"]  # noqa: RUF001  (as it is shown)


def test_all_tints_have_a_colour_of_their_own() -> None:
    style = " ".join(read("nts").said("style"))

    assert len({style.split(f".tint{place} {{ --tint: ")[1][:7] for place in range(7)}) == 7


@pytest.mark.parametrize("box", [".scroll", ".paper"])
def test_what_is_cut_at_an_edge_has_a_shadow_there(box: str) -> None:
    rules = " ".join(read("nts").said("style")).split("}")
    (ground,) = [rule for rule in rules if "background: linear-gradient" in rule]

    assert box in ground.split("{")[0]
    assert (ground.count("no-repeat local"), ground.count("no-repeat scroll")) == (2, 2)


def test_names_of_columns_break_only_between_words() -> None:
    rules = [rule.strip() for rule in " ".join(read("nts").said("style")).split("}")]

    assert ".report table.grid thead th { overflow-wrap: break-word;" in rules


# Causes ------------------------------------------------------------------------------------------------------


def test_causes_come_in_five_steps_below_their_conclusion() -> None:
    found = made.nts(causes=True)
    causes = found.groups[0].causes
    assert causes is not None

    texts = after(with_causes(), "Why the values vary")
    place = texts.index("NTS_def, BLEU")
    assert texts[place + 1] == causes.conclusion
    assert [text for text in with_causes().said("strong") if text.startswith("What ")][:5] == [
        "What is constant, and what cannot be told apart.",
        "What varies when nothing recorded changes.",
        "What changed with one condition alone.",
        "What goes with a condition, beside chance.",
        "What stays open, and what would settle it.",
    ]
    assert {line for step in causes.steps() for line in step} <= set(texts)


def test_one_step_is_all_there_is_to_say_of_equal_values() -> None:
    measured = [one for group in made.equal() for one in group.group.measurements]

    said = outline_of(assess(measured, causes=True)).said("strong")

    assert [text for text in said if text.startswith("What ")] == ["What is constant, and what cannot be told apart."]


def test_causes_nobody_asked_for_are_not_mentioned() -> None:
    assert "Why the values vary" not in read("nts").said("h2")


# Further sections --------------------------------------------------------------------------------------------


def everything_measured() -> Material:
    """Return scores, labels and a claim."""
    systems = ("word", "pos", "dep")
    scores = [
        replace(one, object=name, value=f"{float(one.value) - 3 * place:.2f}", attributes={"features": name})
        for place, name in enumerate(systems)
        for one in (made.measured("84.51", "Nisioi", "original"), made.measured("86.20", "Cooper"))
    ]
    labels = [
        Label(measurand="error", item=str(item), rater=rater, label="yes" if item % 3 else "no")
        for item in range(6)
        for rater in ("a", "b")
    ]
    claim = Claim(above="word", below="pos", measurand="BLEU", study="nts")
    return Material(tuple(scores), tuple(labels), (claim,))


@cache
def everything() -> Outline:
    """Return the outline of a page about sets of scores, labels, findings and claims."""
    return outline_of(assess(everything_measured()))


@pytest.mark.parametrize(
    "title",
    [
        "Sets of scores (type II)",
        "Labels (type III)",
        "Findings (type IV)",
        "Claims",
        "By measurand and study",
        "Between groups",
        "Reproductions against originals",
    ],
)
def test_each_kind_of_result_has_its_section(title: str) -> None:
    assert len(after(everything(), title)[0]) > 20
    assert everything().faults == []


def test_sets_of_scores_are_a_table_of_correlations() -> None:
    texts = after(everything(), "Sets of scores (type II)")

    place = texts.index("Nisioi / Cooper")
    assert texts[place - 1 : place + 7] == [
        *("nts, BLEU", "Nisioi / Cooper", "3", "1.000", "1.000", "1.000", "1.690", "[1.690, 1.690]")
    ]


def test_levels_are_a_table_without_single_systems() -> None:
    texts = after(everything(), "By measurand and study")

    assert "criterion" in texts
    assert "study" in texts
    assert "system" not in texts
    assert not any("(system)" in text for text in texts)


def test_what_could_not_be_computed_has_one_section() -> None:
    titles = [title for title in read("nts").said("h2") if "computed" in title]

    assert titles == ["What could not be computed", "How it was computed"]


# Small print -------------------------------------------------------------------------------------------------


def test_the_page_states_how_it_was_computed_and_what_conditions_are_in_primad() -> None:
    outline = outline_of(assess(list(made.nts().groups[0].group.measurements), variant="qra3", confidence=0.9))
    texts = after(outline, "How it was computed")

    assert texts[1] == "qra3, 100 · s*/mean, as the authors' later tool QRA3 computes it"
    assert texts[texts.index("Confidence") + 1] == "90 %"
    assert {*IN_PRIMAD, *IN_PRIMAD.values()} <= set(texts)


def test_remarks_are_said_once_with_the_groups_they_are_about() -> None:
    texts = after(read("nts"), "Remarks")

    assert texts.count("Not stated for every measurement, so left out: seed.") == 1
    assert after(read("equal"), "Remarks")[0] == (
        "NTS_def, BLEU: All values are equal: that is no information on precision below the digits written."
    )


def test_of_very_many_groups_the_first_are_shown_and_the_files_are_named() -> None:
    outline = outline_of(made.many(301))
    said = " ".join(after(outline, "How precise the values are"))

    assert "The first 300 of 301 groups are shown; the files beside this page hold all." in said
    assert sum(text.startswith("system ") for text in after(outline, "How precise the values are")) == 300


def test_the_same_assessment_gives_the_same_page() -> None:
    assert render_page(made.nts(), []) == render_page(made.nts(), [])


# Hostile names -----------------------------------------------------------------------------------------------


def test_hostile_names_come_out_as_text() -> None:
    text = render_page(made.hostile(), list(drawings(made.hostile())))

    assert "<script" not in text
    assert "&lt;script&gt;alert(" in text
    assert not any(character in text for character in "\x1b\u202e\udcff")
    assert text.encode()


def test_long_names_are_cut_in_tables() -> None:
    names = [text for text in after(read("hostile"), "How precise the values are") if text.startswith("<script>")]

    assert max(map(len, names)) < 2 * len(EVIL * 3)
    assert any("…" in name for name in names)
