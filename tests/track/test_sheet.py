"""Does a sheet ask what it should, take only answers that are ones, and add them up by the rule it states?"""

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.errors import DataError
from primad.reports.track.facts import Score
from primad.safe_yaml import read_yaml, write_yaml
from primad.track.sheet import (
    DEFAULT,
    SCALES,
    Item,
    Proposal,
    check_answers,
    propose,
    rule_of,
    score,
    template_of,
    tree_of,
    value_on,
)

TEMPLATE = template_of(DEFAULT)
GOOD: dict[str, Any] = {
    "Q1": {"value": "yes"},
    "Q2": {"value": 4},
    "Q3": {"value": 5},
    "Q4": {"value": "no"},
    "Q5": {"value": 3},
    "Q6": {"value": "no"},
    "Q7": {"value": "yes"},
    "Q8": {"value": 4},
    "Q10": {"value": "no"},
}


def item(key: str) -> Item:
    """Return a question of the sheet that tracks start with."""
    found = TEMPLATE.item(key)
    assert found is not None
    return found


def changed(question: str, **values: Any) -> dict[str, Any]:
    """Return the tree of the sheet with other VALUES in a QUESTION."""
    tree = deepcopy(dict(DEFAULT))
    next(one for one in tree["questions"] if one["key"] == question).update(values)
    return tree


# Templates -------------------------------------------------------------------------------------------------------


def test_the_sheet_has_the_ten_questions_of_the_paper_with_their_parts_and_scales() -> None:
    assert [(one.key, one.part, one.scale) for one in TEMPLATE.items] == [
        ("Q1", "Configuration", "yes-no"),
        ("Q2", "Configuration", "five"),
        ("Q3", "Installation", "five"),
        ("Q4", "Installation", "yes-no"),
        ("Q5", "Running", "five"),
        ("Q6", "Running", "yes-no"),
        ("Q7", "Results", "yes-no"),
        ("Q8", "Results", "four"),
        ("Q9", "Overall", "text"),
        ("Q10", "Overall", "yes-no"),
    ]
    assert {name: len(points) for name, points in SCALES.items()} == {"yes-no": 2, "five": 5, "four": 4, "text": 0}


def test_only_question_4_is_better_answered_with_no_and_only_7_and_8_need_results() -> None:
    assert [one.key for one in TEMPLATE.items if one.better == "no"] == ["Q4"]
    assert [one.key for one in TEMPLATE.items if one.counted == "results"] == ["Q7", "Q8"]


def test_a_template_comes_back_whole_from_json_and_from_yaml() -> None:
    tree = tree_of(TEMPLATE)

    assert template_of(json.loads(json.dumps(tree))) == TEMPLATE
    assert template_of(read_yaml(write_yaml(tree), "sheet.yaml").plain()) == TEMPLATE


def test_the_yes_of_yaml_is_a_better_answer() -> None:
    text = "questions:\n- {key: Q1, part: P, text: T, short: S, scale: yes-no, better: yes}\n"

    assert template_of(read_yaml(text, "sheet.yaml").plain()).items[0].better == "yes"


def test_questions_can_be_added_removed_and_reworded() -> None:
    tree = changed("Q1", text="Is all that is needed listed?")
    tree["questions"] = [*tree["questions"][:2], {**tree["questions"][1], "key": "size", "part": "Size"}]

    template = template_of(tree)

    assert [one.key for one in template.items] == ["Q1", "Q2", "size"]
    assert template.items[0].text == "Is all that is needed listed?"


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"key": "first question"}, "question 1: expected a key such as Q1, found 'first question'"),
        ({"key": "Q2"}, "expected each key once, found Q2 again"),
        ({"scale": "six"}, "question 1: expected as scale yes-no or five or four or text, found 'six'"),
        ({"better": "high"}, "question 1: expected as better answer on the scale yes-no yes or no, found 'high'"),
        ({"counted": "some"}, "question 1: expected as counted all or results, found 'some'"),
        ({"proposed_from": "air"}, "question 1: expected as proposed_from nothing or questions or format"),
        ({"proposed_from": "verdict"}, "question 1: expected the scale four where answers are proposed from verdict"),
        ({"purpose": "fame"}, "question 1: expected as purpose nothing or reuse, found 'fame'"),
        ({"text": " "}, "question 1: expected a text"),
        ({"short": "x" * 3000}, "question 1: expected a short of at most 2000 characters, found 3,000"),
        ({"weight": 3}, "question 1: unknown: 'weight'"),
    ],
)
def test_a_template_that_cannot_be_asked_is_refused(values: dict[str, Any], said: str) -> None:
    with pytest.raises(DataError) as refused:
        template_of(changed("Q1", **values))

    assert said in str(refused.value)


@pytest.mark.parametrize("tree", [{}, {"questions": []}, {"questions": {}}, {"questions": [{"key": "Q1"}] * 101}])
def test_a_sheet_without_questions_or_with_too_many_is_none(tree: dict[str, Any]) -> None:
    with pytest.raises(DataError, match="expected questions, a list of 1 to 100"):
        template_of(tree)


def test_a_sheet_may_be_as_large_as_is_said() -> None:
    question = changed("Q1", short="x" * 2000)["questions"][0]
    tree = {"questions": [question | {"key": f"Q{number}"} for number in range(100)]}

    template = template_of(tree, 3)

    assert (template.title, len(template.items), template.version) == ("", 100, 3)
    assert TEMPLATE.version == 0


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param({"short": "another", "part": "Overall", "advice": "List it.", "purpose": ""}, True, id="shown"),
        pytest.param({"text": "Is all that is needed listed?"}, False, id="another question"),
        pytest.param({"better": "no"}, False, id="another better answer"),
        pytest.param({"counted": "results"}, False, id="of others"),
    ],
)
def test_answers_are_put_together_if_what_was_asked_is_the_same(values: dict[str, Any], expected: bool) -> None:  # noqa: FBT001
    assert template_of(changed("Q1", **values)).items[0].asks_as(item("Q1")) is expected


def test_everything_that_is_wrong_with_a_template_is_said_at_once() -> None:
    tree = changed("Q1", scale="six")
    tree["questions"][2] = "Easy?"

    with pytest.raises(DataError) as refused:
        template_of(tree)

    assert "question 1: expected as scale" in str(refused.value)
    assert "question 3: expected a mapping, found 'Easy?'" in str(refused.value)


# Answers ---------------------------------------------------------------------------------------------------------


def test_a_final_sheet_comes_back_in_its_normal_form() -> None:
    given_ = GOOD | {"Q1": {"value": True, "comment": " java 8? "}, "Q2": {"value": "4", "note": ""}, "Q8": 4}

    kept = check_answers(TEMPLATE, given_, final=True)

    assert kept == GOOD | {"Q1": {"value": "yes", "comment": "java 8?"}}


def test_a_final_sheet_needs_every_answer_but_free_text() -> None:
    with pytest.raises(DataError) as refused:
        check_answers(TEMPLATE, {"Q9": {"value": "screenshots"}}, final=True)

    said = str(refused.value).splitlines()[1:]
    assert [line.split(":")[0] for line in said] == [
        f"- {key}" for key in ("Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "Q7", "Q8", "Q10")
    ]
    assert said[0] == "- Q1: expected yes or no, found no answer"


def test_an_analyst_without_results_need_not_answer_what_is_about_them() -> None:
    answers = {key: value for key, value in GOOD.items() if key not in {"Q7", "Q8"}}

    assert check_answers(TEMPLATE, answers, final=True, has_results=False) == answers
    with pytest.raises(DataError, match="Q7: expected yes or no"):
        check_answers(TEMPLATE, answers, final=True)


@pytest.mark.parametrize(
    ("final", "said"),
    [
        pytest.param(False, "the sheet cannot be kept as it is:", id="while it is filled in"),
        pytest.param(True, "the answers are kept, but the sheet cannot be locked as it is:", id="when it is locked"),
    ],
)
def test_whoever_is_refused_hears_what_became_of_the_answers(said: str, *, final: bool) -> None:
    with pytest.raises(DataError, match=f"^{said}\n- Q"):
        check_answers(TEMPLATE, {"Q3": {"value": 99}}, final=final)


def test_a_sheet_that_is_not_final_may_have_gaps() -> None:
    assert check_answers(TEMPLATE, {"Q3": {"value": 2}}, final=False) == {"Q3": {"value": 2}}


def test_an_answer_other_than_the_proposed_one_needs_a_note_once_it_is_final() -> None:
    answer = {"value": "no", "proposed": "yes"}

    with pytest.raises(DataError, match="Q4: yes was proposed, found no; say why another than the proposed answer"):
        check_answers(TEMPLATE, {"Q4": answer}, final=True)
    assert check_answers(TEMPLATE, {"Q4": answer}, final=False) == {"Q4": answer}
    explained = {"Q4": answer | {"note": "the question was about the licence"}}
    assert check_answers(TEMPLATE, explained, final=False) == explained
    assert check_answers(TEMPLATE, {"Q4": {"value": "yes", "proposed": True}}, final=False)["Q4"]["proposed"] == "yes"


def test_all_wrong_answers_are_said_at_once() -> None:
    answers = {"Q1": {"value": "maybe"}, "Q2": {"value": 6}, "Q11": {"value": 1}, "Q3": {"value": 1, "mark": 2}}

    with pytest.raises(DataError) as refused:
        check_answers(TEMPLATE, answers, final=False)

    said = str(refused.value)
    assert "'Q11': no such question" in said
    assert "Q1: expected yes or no, found 'maybe'" in said
    assert "Q2: expected one of 1 (could not be done), 2 (" in said
    assert "Q3: unknown: 'mark' (known: value, comment, note, proposed)" in said


def test_a_message_about_a_hostile_answer_steers_no_terminal() -> None:
    with pytest.raises(DataError) as refused:
        check_answers(TEMPLATE, {"Q1": {"value": "\x1b[2J"}, "\x1b]0;": {}}, final=False)

    assert "\x1b" not in str(refused.value)


def test_a_message_has_room_for_eighty_characters_of_an_answer() -> None:
    with pytest.raises(DataError, match=f"Q1: expected yes or no, found '{'x' * 80}'"):
        check_answers(TEMPLATE, {"Q1": "x" * 81}, final=False)


def test_an_endless_comment_is_refused() -> None:
    with pytest.raises(DataError, match="Q1: expected at most 20,000 characters, found 30,000"):
        check_answers(TEMPLATE, {"Q1": {"comment": "x" * 30_000}}, final=False)


def test_a_comment_may_be_as_long_as_is_said() -> None:
    answers = {"Q1": {"comment": "x" * 20_000}}

    assert check_answers(TEMPLATE, answers, final=False) == answers


@given(st.sampled_from(sorted(SCALES)), st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text()))
def test_whatever_is_answered_is_on_the_scale_or_no_answer(scale: str, value: Any) -> None:
    found = value_on(scale, value)

    assert found is None or scale == "text" or found in SCALES[scale]


# Proposals -------------------------------------------------------------------------------------------------------


def test_what_was_recorded_answers_three_questions() -> None:
    assert propose(TEMPLATE, asked_authors=True, in_format=False, points=3) == {
        "Q4": Proposal("yes", "a question to the authors was logged"),
        "Q7": Proposal("no", "the scorer could not read the output as it came"),
        "Q8": Proposal(3, "the verdict: different by less than .01"),
    }


def test_what_was_not_recorded_proposes_nothing() -> None:
    assert propose(TEMPLATE, asked_authors=None, in_format=None, points=None) == {}
    assert list(propose(TEMPLATE, asked_authors=False, in_format=None, points=None)) == ["Q4"]


def test_a_proposed_answer_is_one() -> None:
    found = propose(TEMPLATE, asked_authors=False, in_format=True, points=4)

    answers = {key: {"value": one.value, "proposed": one.value} for key, one in found.items()}
    assert check_answers(TEMPLATE, answers, final=False) == answers


# Scores ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "values", "share"),
    [
        pytest.param("Q1", ["yes", "no", "no"], 1 / 3, id="a third said yes"),
        pytest.param("Q4", ["no", "no", "yes", "no"], 3 / 4, id="no is better"),
        pytest.param("Q5", [5, 4, 3], 12 / 15, id="mean of points over five"),
        pytest.param("Q5", [1, 1], 1 / 5, id="the lowest of a scale is not nothing"),
        pytest.param("Q8", [4, 4, 4, 4, 4, 3, 2], 5 / 7, id="five of seven"),
    ],
)
def test_a_score_is_the_share_that_its_rule_says(key: str, values: list[Any], share: float) -> None:
    found = score(item(key), values)

    assert found.share == pytest.approx(share)
    assert found.n == len(values)


def test_nine_answers_can_have_the_printed_means_if_percents_were_cut_off() -> None:
    shares = {total: score(item("Q5"), points).share for total, points in _nine_answers().items()}

    assert {total: int(100 * (share or 0)) for total, share in shares.items()} == {25: 55, 42: 93}


def _nine_answers() -> dict[int, list[int]]:
    """Return nine answers with a sum of 25, and nine with one of 42; the paper states neither n nor formula."""
    return {25: [3, 3, 3, 3, 3, 3, 3, 3, 1], 42: [5, 5, 5, 5, 5, 5, 4, 4, 4]}


def test_the_printed_share_of_question_8_has_several_readings_and_ours_needs_seven_answers() -> None:
    readings = {
        "all four points": [n for n in range(1, 13) for good in range(n + 1) if _percent(good, n) == 71],
        "mean over 4": [n for n in range(1, 13) for total in range(n, 4 * n + 1) if _percent(total, 4 * n) == 71],
        "mean from 0": [n for n in range(1, 13) for total in range(3 * n + 1) if _percent(total, 3 * n) == 71],
    }

    assert readings == {"all four points": [7], "mean over 4": [6, 7, 12], "mean from 0": [7, 8]}


def _percent(part: int, whole: int) -> int:
    """Return PART of WHOLE in percent, rounded."""
    return round(100 * part / whole)


def test_what_is_no_answer_does_not_count() -> None:
    assert score(item("Q1"), ["yes", None, "maybe", ""]) == Score(1.0, 1)
    assert score(item("Q1"), []) == Score(None, 0)
    assert score(item("Q9"), ["more screenshots"]) == Score(None, 0)


@given(st.sampled_from(["Q1", "Q2", "Q4", "Q8"]), st.lists(st.integers(0, 6), min_size=1))
def test_a_score_is_a_share(key: str, drawn: list[int]) -> None:
    words = ["yes" if one % 2 else "no" for one in drawn]

    found = score(item(key), words if item(key).scale == "yes-no" else drawn)

    assert found.share is None or 0 <= found.share <= 1
    assert (found.share is None) == (found.n == 0)


@pytest.mark.parametrize(
    ("key", "rule"),
    [
        ("Q1", "Share of answers that are 'yes'."),
        ("Q2", "Mean of the points, over 5."),
        ("Q4", "Share of answers that are 'no', the better one here."),
        ("Q7", "Share of answers that are 'yes', over analysts who got results."),
        ("Q8", "Share of answers with all 4 points, over analysts who got results."),
        ("Q9", "Not scored."),
    ],
)
def test_every_rule_is_a_sentence(key: str, rule: str) -> None:
    assert rule_of(item(key)) == rule
