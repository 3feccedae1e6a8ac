"""Does ``assess`` find what repro_eval 0.5.0 recorded for small cases, and where not, what is wrong with the recorded?

Each recorded value is found to 1e-9, or DEFECTS lists it with what is wrong and what we say instead.  A defect that is
listed and does not differ fails the test, too.
"""

from __future__ import annotations

import copy
import json
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from primad import Rules, assess
from primad.reproducibility.assessment.result import Assessment, Reproduction, Value

MEASURES = ("AP", "nDCG", "nDCG@10", "P@5", "P@10", "R@10", "RR", "Rprec", "Bpref")
ALL = " ".join(MEASURES)
ALL_BY_TOPIC = " ".join(f"{measure}-{topic}" for measure in MEASURES for topic in "1234")
LETTERS = {"baseline": "b", "advanced": "a"}
FILES = {"baseline": "base", "advanced": "adv"}
TOLERANCE = 1e-9

# A number, or why there is none.
Answer = float | str


class Defect(NamedTuple):
    """What is wrong with a recorded value, and what we say instead: a number, or a pattern of the reason."""

    wrong: str
    ours: Answer


EQUAL_SCORES = Defect("equal scores give NaN, unless all 58 measures have them: nothing differs, so p is 1", 1.0)
ONE_TOPIC = Defect("a test of one topic gives NaN", "a test needs at least 2 topics, found 1")
SAME_DIFFERENCE = Defect(
    "a difference without any spread is divided by zero, which gives p = 0, the strongest evidence there can be",
    "every topic differs by the same amount, so there is no spread to hold the difference against",
)
NO_EFFECT = Defect("an effect of zero is divided by, which gives infinity", "the original runs have equal mean scores")
NO_BASELINE = Defect("a mean of zero is divided by, which gives infinity", "a baseline has a mean score of 0")
FILE_ORDER = "the order of lines in the file is taken for the ranking, whatever the scores say"
UNEQUAL_LENGTHS = "lists of unequal length in one topic end the whole program with a ValueError"
ONE_DOCUMENT = "lists of one document give NaN, and with them the mean over all topics"
TOPIC_OF_ONE_RUN = "a topic that the original lacks ends the program with an AttributeError"

NOTHING_JUDGED = Defect(
    "documents of which no single one is judged score 0, as if they were known to be bad",
    "judges none of the documents at the top of the run",
)

# By case: the values, as ``named`` calls them, and what is wrong with them.
DEFECTS: dict[str, dict[str, Defect]] = {
    "V01_identical": {},
    "V02_paper_ex1": {f"p baseline: {ALL}": ONE_TOPIC},
    "V03_paper_ex2": {f"p baseline: {ALL}": ONE_TOPIC},
    "V04_relabelled": {f"p baseline: {ALL}": ONE_TOPIC},
    "V05_relabelled_same_swap": {
        "p baseline: AP nDCG nDCG@10 RR Rprec": SAME_DIFFERENCE,
        "p baseline: P@5 P@10 R@10 Bpref": EQUAL_SCORES,
    },
    "V06_reversed": {"p baseline: AP P@5 P@10 R@10 RR Rprec Bpref": EQUAL_SCORES},
    "V07_disjoint": {"p baseline: P@5 P@10 R@10 Rprec Bpref": EQUAL_SCORES},
    "V08_unequal_length": {
        "ktu baseline: mean": Defect(UNEQUAL_LENGTHS, 1.0),  # of the other topic
        "p baseline: RR Rprec Bpref": EQUAL_SCORES,
    },
    "V09_single_doc": {
        "ktu baseline: mean": Defect(ONE_DOCUMENT, "2 topics: one document"),
        "ktu baseline: topic-1 topic-2": Defect(ONE_DOCUMENT, "no value for this topic"),
    },
    "V10_ties": {"p baseline: AP P@5 P@10 R@10 RR Rprec Bpref": EQUAL_SCORES},
    "V11_unsorted_file": {
        "ktu baseline: mean topic-1 topic-2": Defect(FILE_ORDER, 1.0),
        "rbo baseline: mean topic-1 topic-2": Defect(FILE_ORDER, 0.4763000774703487),
        "rbo-8-10 baseline: topic-1 topic-2": Defect(FILE_ORDER, 0.9216179768511181),
    },
    "V12_topic_missing_in_rep": {"p baseline: RR": SAME_DIFFERENCE},
    "V13_topic_missing_in_orig": {
        "ktu baseline: mean": Defect(TOPIC_OF_ONE_RUN, 0.8),
        "rbo baseline: mean": Defect(TOPIC_OF_ONE_RUN, 0.4263000774703486),
        "rbo-8-10 baseline: mean": Defect(TOPIC_OF_ONE_RUN, 0.6975599269307841),
    },
    "V14_topic_not_in_qrels": {"p baseline: AP P@5 P@10 R@10 RR Rprec Bpref": EQUAL_SCORES},
    "V15_qrels_topic_without_relevant": {"p baseline: AP P@5 P@10 R@10 RR Rprec Bpref": EQUAL_SCORES},
    "V16_full_rpd": {"p baseline: P@10 R@10 Bpref": EQUAL_SCORES, "p advanced: P@5 P@10 R@10": EQUAL_SCORES},
    "V17_er_zero_effect": {"p baseline: P@10 R@10 Bpref": EQUAL_SCORES, f"er both: {ALL}": NO_EFFECT},
    "V18_zero_baseline": {
        "ktu baseline: mean": Defect(UNEQUAL_LENGTHS, "4 topics: lists of unequal length"),
        "ktu advanced: mean": Defect(UNEQUAL_LENGTHS, 0.6666666666666701),  # as in V16, where it is recorded
        "p advanced: P@5 P@10 R@10": EQUAL_SCORES,
        **dict.fromkeys((f"{one} baseline: {ALL}" for one in ("arp orig", "rmse", "nrmse", "p")), NOTHING_JUDGED),
        **dict.fromkeys((f"{one} both: {ALL}" for one in ("er", "dri")), NOTHING_JUDGED),
        f"arp orig baseline: {ALL_BY_TOPIC}": Defect(NOTHING_JUDGED.wrong, "no value for this topic"),
    },
    "V19_partial_nan_p": {"p baseline: P@10 R@10 RR Rprec Bpref": EQUAL_SCORES},
    "V20_single_topic": {f"p baseline: {ALL}": ONE_TOPIC},
    "V21_full_rpl": {"p advanced: R@10 RR": EQUAL_SCORES},
    "V23_ten_docs_topswap": {"p baseline: P@5 P@10 R@10 Rprec Bpref": EQUAL_SCORES},
}
# A document that is listed twice has the rank of its first line and the score of its last one; we refuse the file.
REFUSED = "V22_duplicate_doc"


def named(case: str) -> dict[str, Defect]:
    """Return the defects of CASE by the names of single values: 'p baseline: AP RR' is two of them."""
    return {
        f"{what}: {one}": defect
        for names, defect in DEFECTS[case].items()
        for what, ones in [names.split(": ")]
        for one in ones.split()
    }


@pytest.fixture(scope="module")
def vectors(shared_data: Path) -> dict[str, Any]:
    """Return what repro_eval gave for its cases, by their names."""
    text = (shared_data.parent / "reference" / "repro_eval_vectors.json").read_text(encoding="utf-8")
    return {case["id"]: case for case in json.loads(text)["cases"]}


# What was recorded -----------------------------------------------------------------------------------------------


def recorded(case: Mapping[str, Any]) -> dict[str, Answer]:
    """Return every value that repro_eval gave for CASE, by name; an error by its text."""
    theirs = case["repro_eval"]
    found: dict[str, Answer] = {}
    for role in runs_of(case):
        for side in ("orig", "rep"):
            what = f"arp {side} {role}"
            for measure, mean in theirs[f"arp_{LETTERS[role]}_{side}"].items():
                found[f"{what}: {measure}"] = float(mean)
            for topic, scores in theirs[f"run_{LETTERS[role]}_{side}_score"].items():
                found |= {f"{what}: {measure}-{topic}": float(score) for measure, score in scores.items()}
        for measure in ("rmse", "nrmse", "ttest_paired", "ttest_unpaired"):
            name = "p" if measure.startswith("ttest") else measure
            if measure in theirs:
                found |= {f"{name} {role}: {of}": float(value) for of, value in theirs[measure][role].items()}
        found |= dict(recorded_order(theirs, role))
    for measure in ("er", "dri"):
        found |= {f"{measure} both: {of}": float(value) for of, value in theirs.get(measure, {}).items()}
    return found


def recorded_order(theirs: Mapping[str, Any], role: str) -> Iterator[tuple[str, Answer]]:
    """Yield the values of document order, as a mean and by topic; an error stands for all of them."""
    for name, mean, topics in (
        ("ktu", "ktu", "ktu_per_topic"),
        ("rbo", "rbo_p0.95_depth1000", "rbo_per_topic_p0.95_depth1000"),
        ("rbo-8-10", None, "rbo_per_topic_p0.8_depth10"),
    ):
        if topics not in theirs:
            continue
        if "error" in theirs[topics]:
            yield f"{name} {role}: mean", theirs[topics]["error"]
            continue
        if mean is not None:
            yield f"{name} {role}: mean", float(theirs[mean][role])
        for topic, value in theirs[topics][role].items():
            yield f"{name} {role}: topic-{topic}", float(value)


def runs_of(case: Mapping[str, Any]) -> list[str]:
    """Return which runs the experiments of CASE have."""
    return [role for role, name in FILES.items() if f"orig_{name}" in case["inputs"]]


# What we find ----------------------------------------------------------------------------------------------------


def assessed(case: Mapping[str, Any], folder: Path, **settings: Any) -> Assessment:
    """Return our assessment of CASE, by the rules of repro_eval: topics that a run lacks count as 0."""
    inputs = case["inputs"]
    original, reproduction = (
        tuple(
            written_run(folder / f"{side}_{FILES[role]}.run", inputs[f"{side}_{FILES[role]}"]) for role in runs_of(case)
        )
        for side in ("orig", "rep")
    )
    if "qrels_rpl" in inputs:
        elsewhere = written_qrels(folder / "other.qrels", inputs["qrels_rpl"])
        settings |= {"reproduction_qrels": elsewhere, "test": "student"}
    qrels = written_qrels(folder / "qrels", inputs["qrels"])
    return assess(original, reproduction, qrels, measures=MEASURES, rules=Rules(complete=True), **settings)


def written_run(path: Path, run: Mapping[str, list[tuple[str, float]]]) -> Path:
    """Return PATH with RUN in it, in the order in which it is given."""
    rows = [(topic, *row) for topic, documents in run.items() for row in documents]
    path.write_text("".join(f"{topic} Q0 {document} 1 {score!r} {path.stem}\n" for topic, document, score in rows))
    return path


def written_qrels(path: Path, qrels: Mapping[str, Mapping[str, int]]) -> Path:
    """Return PATH with QRELS in it."""
    rows = [(topic, *row) for topic, documents in qrels.items() for row in documents.items()]
    path.write_text("".join(f"{topic} 0 {document} {level}\n" for topic, document, level in rows))
    return path


def found(name: str, assessment: Assessment, at_ten: Assessment) -> Answer:
    """Return our answer for the value called NAME; AT_TEN has rank-biased overlap with p 0.8 at depth 10."""
    what, one = name.split(": ")
    measure, *side, role = what.split()
    experiment = assessment.original if side == ["orig"] else only(at_ten if measure == "rbo-8-10" else assessment)
    of, _, topic = one.partition("-") if measure in ("arp", "ktu", "rbo", "rbo-8-10") else (one, "", "")
    is_order = measure in ("ktu", "rbo", "rbo-8-10")
    values = [
        value
        for value in experiment.values
        if (value.measure, value.run) == (measure.removesuffix("-8-10"), role) and (is_order or value.of == of)
    ]
    (value,) = values
    return value.topics.get(topic, "no value for this topic") if topic else answer(value)


def only(assessment: Assessment) -> Reproduction:
    """Return the one reproduction."""
    (reproduction,) = assessment
    return reproduction


def answer(value: Value | None) -> Answer:
    """Return the number, or why there is none."""
    assert value is not None
    return value.undefined if value.value is None else value.value


def agree(theirs: Answer, ours: Answer) -> bool:
    """Tell whether two answers are the same number; a NaN is no number."""
    if isinstance(theirs, str) or isinstance(ours, str):
        return False
    return math.isclose(theirs, ours, rel_tol=0, abs_tol=TOLERANCE)


def fits(ours: Answer, expected: Answer) -> bool:
    """Tell whether OURS is the number, or a reason that holds the text, that is EXPECTED."""
    if isinstance(ours, str) and isinstance(expected, str):
        return re.search(re.escape(expected), ours) is not None
    return agree(expected, ours)


# Whole experiments -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", DEFECTS)
def test_each_value_is_found_unless_a_defect_is_listed(case: str, vectors: dict[str, Any], tmp_path: Path) -> None:
    expected = recorded(vectors[case])

    assessment = assessed(vectors[case], tmp_path)
    at_ten = assessed(vectors[case], tmp_path, p=0.8, depth=10)

    ours = {name: found(name, assessment, at_ten) for name in expected}
    differing = {name for name, theirs in expected.items() if not agree(theirs, ours[name])}
    assert differing == set(named(case))
    assert {name: ours[name] for name, defect in named(case).items() if not fits(ours[name], defect.ours)} == {}


def test_a_baseline_that_is_judged_and_scores_0_leaves_all_but_dri(vectors: dict[str, Any], tmp_path: Path) -> None:
    case = copy.deepcopy(vectors["V18_zero_baseline"])
    for judged in case["inputs"]["qrels"].values():
        judged["x1"] = 0
    # Bpref counts judged documents, so what was recorded without this judgment does not hold for it.
    expected = {name: theirs for name, theirs in recorded(case).items() if name[:3] != "ktu" and "Bpref" not in name}

    assessment, at_ten = assessed(case, tmp_path), assessed(case, tmp_path, p=0.8, depth=10)

    ours = {name: found(name, assessment, at_ten) for name in expected}
    measures = [measure for measure in MEASURES if measure != "Bpref"]
    defects = {f"dri both: {measure}": NO_BASELINE for measure in measures}
    defects |= {f"p advanced: {measure}": EQUAL_SCORES for measure in ("P@5", "P@10", "R@10")}
    defects |= {"p baseline: P@10": SAME_DIFFERENCE}
    assert {name for name, theirs in expected.items() if not agree(theirs, ours[name])} == set(defects)
    assert {name: ours[name] for name, defect in defects.items() if not fits(ours[name], defect.ours)} == {}


def test_a_document_listed_twice_is_refused_and_the_line_named(vectors: dict[str, Any], tmp_path: Path) -> None:
    assessment = assessed(vectors[REFUSED], tmp_path)

    problem = f"{tmp_path / 'rep_base.run'}:6: expected each document once per topic, found 'd1' of topic '1' again"
    assert only(assessment).problem.startswith(problem)
    assert only(assessment).values == ()
    arp = {value.of: value.value for value in assessment.original.values}
    assert arp == pytest.approx(vectors[REFUSED]["repro_eval"]["arp_b_orig"], abs=TOLERANCE)


def test_the_cases_are_all_there_are(vectors: dict[str, Any]) -> None:
    assert set(vectors) == {*DEFECTS, REFUSED}


def test_all_but_a_few_hundred_of_the_recorded_values_are_found(vectors: dict[str, Any]) -> None:
    number = sum(len(recorded(vectors[case])) for case in DEFECTS)

    assert number > 2000
    assert sum(len(named(case)) for case in DEFECTS) < number / 10


@pytest.mark.parametrize(
    ("case", "remark"),
    [
        ("V12_topic_missing_in_rep", r"rep_base\.run: 1 judged topics? not in the run, counted as 0 \(-c\): 2"),
        ("V14_topic_not_in_qrels", r"rep_base\.run: 1 topics? without judgments, compared in their order only: 3"),
    ],
)
def test_what_is_passed_over_in_silence_there_is_said_here(
    case: str, remark: str, vectors: dict[str, Any], tmp_path: Path
) -> None:
    assessment = assessed(vectors[case], tmp_path)

    (said,) = only(assessment).remarks
    assert re.search(remark, said)


def test_the_topic_left_out_of_ktu_is_named_with_the_reason(vectors: dict[str, Any], tmp_path: Path) -> None:
    assessment = assessed(vectors["V08_unequal_length"], tmp_path)

    value = only(assessment).find("ktu")
    assert value is not None
    assert dict(value.topics) == {"1": 1.0}
    assert "lists of unequal length" in value.note
