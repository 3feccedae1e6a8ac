"""Are annotations matched as the rules say, exactly and inexactly, with and without concepts?"""

from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from primad.errors import DataError, FileError
from primad.evaluation.scorers import Scored, scorer, span_matching
from primad.evaluation.scorers.span_matching import overlapping_pairs

ANN = (
    b"T1\tDISO 0 10\tinsuffisan\n"
    b"N1\tReference T1 UMLS:C0001\tinsuffisance\n"
    b"T2\tDISO 12 20;25 30\tcardiaque aigue\n"
    b"#1\tAnnotatorNotes T2\tC0002 C0003\n"
    b"T3\tCHEM 40 50\taspirine\n"
    b"#2\tAnnotatorNotes T3\tnot sure\n"
    b"R1\tcauses Arg1:T1 Arg2:T2\n"
)


def score(gold: bytes, output: bytes, **setting: Any) -> Scored:
    return scorer("spans", setting).score({"d1.ann": gold}, {"d1.ann": output})


def table(gold: bytes, output: bytes, **setting: Any) -> Scored:
    return scorer("spans", setting).score({"gold.tsv": gold}, {"run.tsv": output})


def f1s(scored: Scored) -> dict[str, float]:
    return {name.removesuffix("_f1"): value for name, value in scored.measures.items() if name.endswith("_f1")}


@pytest.fixture
def sample(shared_data: Path) -> Path:
    return shared_data / "codiesp_sample"


def test_the_toy_data_of_codiesp_have_the_values_that_a_person_computes(sample: Path) -> None:
    # 14 annotations in gold, 15 in the output.  Line by line of the output (type places concept: found in gold?)
    #   n20.0 100 200: nothing there          bw40zzz 1968 1969: inexact            bw03zzz 1732 1733: inexact
    #   br00zzz 1662 1693: exact              m81.0 1550 1582: inexact, within 10   m81.0 754 766: exact
    #   h80.90 628 641: exact                 s42.409 385 402: exact                r69 146 156: exact
    #   s42.90x 385 411 for 385 397;405 411: inexact, same extent                   z87.81 167 198: the same
    #   S43.40 405 411 for 405 411;572 581: inexact, and too short
    #   S0000: 100 200 PROCEDIMIENTO: exact, but another concept; 200 300 PROEDIMIENTO: no such type; 500 501: nothing
    # exact: br00zzz m81.0 h80.90 s42.409 r69 and 100 200 = 6; with concepts 5.
    # inexact: those 6 and bw40zzz bw03zzz m81.0 s42.90x z87.81 S43.40 = 12; with concepts 11.
    # Pairs of document and code: 13 in gold (m81.0 twice), 14 in the output; right are br00zzz m81.0 h80.90 s42.409
    #   s42.90x z87.81 r69 = 7.
    scored = table(
        (sample / "gold/toy_data/gs_X.tsv").read_bytes(), (sample / "system/toy_data/pred_X.tsv").read_bytes()
    )

    expected: dict[str, float] = {}
    counts = {
        "exact": (6, 15, 14),
        "exact_concept": (5, 15, 14),
        "inexact": (12, 15, 14),
        "inexact_concept": (11, 15, 14),
        "code": (7, 14, 13),
    }
    for way, (right, given_, wanted) in counts.items():
        expected |= {f"{way}_precision": right / given_, f"{way}_recall": right / wanted}
        expected |= {f"{way}_f1": 2 * right / (given_ + wanted)}
    assert scored.measures == pytest.approx(expected)
    assert scored.primary == "exact_f1"


def test_a_gold_standard_against_itself_is_perfect(sample: Path) -> None:
    gold = (sample / "gold/codiesp-X/sample/sample_annotations_task3_processed.tsv").read_bytes()

    assert set(table(gold, gold).measures.values()) == {1.0}


def test_brat_files_are_read_with_gaps_references_and_notes() -> None:
    found = scorer("spans").compare({"d1.ann": ANN}, {"d1.ann": b""})

    (differing,) = found.differing
    assert differing.item == "d1"
    assert differing.first == ("DISO 0 10 c0001", "DISO 12 20;25 30 c0002 c0003", "CHEM 40 50")


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        pytest.param(ANN, (1, 1, 1, 1), id="the same"),
        pytest.param(ANN.replace(b"C0001", b"C0009"), (1, 2 / 3, 1, 2 / 3), id="another concept"),
        pytest.param(ANN.replace(b"UMLS:C0001", b"c0001"), (1, 1, 1, 1), id="a concept without its vocabulary"),
        pytest.param(ANN.replace(b"C0002 C0003", b"C0002"), (1, 2 / 3, 1, 2 / 3), id="one of two concepts"),
        pytest.param(ANN.replace(b"0 10", b"0 9"), (2 / 3, 2 / 3, 1, 1), id="one character less"),
        pytest.param(ANN.replace(b"0 10", b"10 11"), (2 / 3, 2 / 3, 2 / 3, 2 / 3), id="right behind"),
        pytest.param(ANN.replace(b"12 20;25 30", b"20 25"), (2 / 3, 2 / 3, 2 / 3, 2 / 3), id="in the gap"),
        pytest.param(ANN.replace(b"12 20;25 30", b"25 30;12 20"), (1, 1, 1, 1), id="gaps in another order"),
        pytest.param(ANN.replace(b"CHEM", b"DISO"), (2 / 3, 2 / 3, 2 / 3, 2 / 3), id="another type"),
        pytest.param(ANN + b"T9\tCHEM 40 50\ttwice\n", (1, 1, 1, 1), id="twice"),
        pytest.param(b"", (0, 0, 0, 0), id="nothing"),
    ],
)
def test_annotations_are_matched_in_four_ways(output: bytes, expected: tuple[float, ...]) -> None:
    found = f1s(score(ANN, output))

    ways = ("exact", "exact_concept", "inexact", "inexact_concept")
    assert [found[way] for way in ways] == pytest.approx(list(expected))


def test_types_count_unless_they_are_switched_off() -> None:
    other = ANN.replace(b"CHEM", b"DISO")

    assert f1s(score(ANN, other, types="no"))["exact"] == 1
    assert f1s(score(ANN, other))["exact"] == pytest.approx(2 / 3)


def test_one_annotation_is_found_by_one_at_most() -> None:
    gold, output = b"T1\tA 0 10\tx\n", b"T1\tA 0 4\tx\nT2\tA 5 10\tx\n"

    scored = score(gold, output).measures

    assert (scored["inexact_precision"], scored["inexact_recall"]) == (0.5, 1.0)


def test_a_gold_standard_without_concepts_leaves_measures_on_them_undefined() -> None:
    gold = b"T1\tA 0 10\tx\n"

    scored = score(gold, gold)

    assert f1s(scored) == {"exact": 1, "inexact": 1}
    assert scored.undefined["code_f1"] == scored.undefined["exact_concept_recall"]
    assert scored.undefined["code_f1"] == "the gold standard has no concept ids"


@pytest.mark.parametrize(
    ("places", "is_right"),
    [
        ("100 110", True),
        ("90 120", True),
        ("89 110", False),
        ("100 121", False),
        ("101 110", False),
        ("100 109", False),
        ("95 100;105 115", True),
    ],
)
def test_a_code_is_right_where_the_piece_is_covered_with_ten_characters_to_spare(
    places: str, *, is_right: bool
) -> None:
    scored = table(b"d\tA\tx1\ttext\t100 102;105 110\n", f"d\t{places}\tB\tX1\n".encode())

    assert scored.measures["code_f1"] == is_right


def test_documents_that_only_one_side_has_are_named() -> None:
    spans = scorer("spans")

    scored = spans.score({"a.ann": ANN, "b.ann": ANN, "c.ann": b""}, {"x/a.ann": ANN, "z.ann": ANN})

    assert scored.measures["exact_f1"] == pytest.approx(0.5)
    assert scored.remarks == (
        "annotations of documents that the gold standard lacks count as wrong: z",
        "documents without annotations in the output count as missed: b",
    )


def test_texts_and_settings_beside_the_annotations_are_passed_over() -> None:
    gold = {"d1.ann": ANN, "d1.txt": b"insuffisance cardiaque", "annotation.conf": b"[entities]\n"}

    assert set(scorer("spans").score(gold, {"d1.ann": ANN, "log": b"\0"}).measures.values()) == {1.0}


def test_a_measure_made_of_sums_has_the_value_of_the_measure() -> None:
    spans = scorer("spans")
    scored = spans.score({"a.ann": ANN, "b.ann": ANN}, {"a.ann": ANN.replace(b"0 10", b"0 9"), "b.ann": b""})

    assert {name: additive.value for name, additive in scored.additive.items()} == scored.measures


@pytest.mark.parametrize(
    ("output", "message"),
    [
        pytest.param(b"T1\tA 10 5\tx\n", r"d1\.ann:1: expected .*places that begin before they end", id="backwards"),
        pytest.param(b"T1\tA 1 5\tx\nT1\tA 6 7\tx\n", r"d1\.ann:2: expected an identifier of its own", id="twice"),
        pytest.param(b"T1\tA one two\tx\n", r"d1\.ann:1: expected a line of brat's form", id="no offsets"),
        pytest.param(b"T1\tA 1 99999999999999999999\tx\n", r"d1\.ann:1: expected a line", id="a huge offset"),
        pytest.param(b"hello\n", r"d1\.ann:1: expected a line of brat's form", id="another file"),
        pytest.param(b"\0", "expected text, found binary data", id="binary"),
        pytest.param(b"T1\tA " + b"1 2;" * 250_000 + b"\tx", r"d1\.ann:1: expected a line", id="a long line"),
    ],
)
def test_what_cannot_be_read_is_an_error_that_names_file_and_line(output: bytes, message: str) -> None:
    with pytest.raises(FileError, match=message) as error:
        score(ANN, output)

    assert len(str(error.value)) < 400


@pytest.mark.parametrize(
    ("output", "message"),
    [
        (b"d\t1 2\tA\tc\nd\tA\tc\ttext\t1 2\n", r"run\.tsv:2: expected 4 columns \(document, places, type, concept"),
        (b"d\tA\tc\ttext\tNaN\n", r"run\.tsv:1: expected 5 columns \(document, type, concept, text, places"),
        (b"\t1 2\tA\tc\n", r"run\.tsv:1: expected 4 columns"),
        (b"x" * 1_000_000, r"run\.tsv:1: expected 5 columns"),
    ],
    ids=["columns change", "no places", "no document", "a long line"],
)
def test_a_table_that_cannot_be_read_is_an_error(output: bytes, message: str) -> None:
    with pytest.raises(FileError, match=message):
        table(b"d\tA\tc\ttext\t1 2\n", output)


def test_a_long_note_is_read_at_once() -> None:
    output = ANN + b"#3\tAnnotatorNotes T3\t" + b"x" * 1_000_000 + b"\n"

    assert f1s(score(ANN, output))["exact_concept"] == 1


def test_a_gold_standard_without_annotations_is_an_error() -> None:
    with pytest.raises(FileError, match=r"d1\.ann: expected annotations in the gold standard, found none"):
        score(b"", ANN)


def test_a_document_in_two_files_is_an_error() -> None:
    with pytest.raises(FileError, match=r"expected each document in one file only, found 'a' in a\.ann, too"):
        scorer("spans").score({"a.ann": ANN}, {"a.ann": ANN, "b/a.ann": ANN})


pieces = st.lists(
    st.tuples(st.integers(0, 12), st.integers(1, 5)).map(lambda pair: ((pair[0], pair[0] + pair[1]),)),
    max_size=5,
    unique=True,
)


@settings(max_examples=150)
@given(first=pieces, second=pieces)
def test_as_many_pairs_are_made_as_there_can_be(
    first: list[tuple[tuple[int, int], ...]], second: list[tuple[tuple[int, int], ...]]
) -> None:
    small, large = sorted((first, second), key=len)

    def is_pair(one: tuple[tuple[int, int], ...], other: tuple[tuple[int, int], ...]) -> bool:
        return one[0][0] < other[0][1] and other[0][0] < one[0][1]

    most = max(
        sum(is_pair(one, other) for one, other in zip(small, order, strict=True))
        for order in permutations(large, len(small))
    )
    assert overlapping_pairs(first, second) == most


def test_annotations_that_all_overlap_are_refused_before_memory_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(span_matching, "_MOST_OVERLAPS", 10_000)
    heap = [((0, 10**6 + number),) for number in range(200)]

    with pytest.raises(DataError, match="expected annotations that rarely overlap"):
        overlapping_pairs(heap, heap)


def test_with_valid_codes_the_toy_data_have_the_values_that_the_script_of_codiesp_prints(sample: Path) -> None:
    # Its README prints P .636, R .538, F .583: S43.40, given to both documents, and CODE4 are not in its lists.
    gold, output = sample / "gold/toy_data/gs_X.tsv", sample / "system/toy_data/pred_X.tsv"
    valid = "n20.0 bw40zzz bw03zzz br00zzz m81.0 h80.90 s42.409 s42.90x z87.81 r69"

    scored = table(gold.read_bytes(), output.read_bytes(), valid_codes=valid)

    found = [scored.measures[f"code_{share}"] for share in ("precision", "recall", "f1")]
    assert found == pytest.approx([7 / 11, 7 / 13, 14 / 24])
    assert scored.measures["exact_f1"] == pytest.approx(2 * 6 / 29)
    assert scored.remarks == ("codes outside of the valid ones are left out: code4, s43.40",)


def test_one_file_beside_one_file_is_the_same_document() -> None:
    spans = scorer("spans")

    assert set(spans.score({"gold.ann": ANN}, {"out.ann": ANN}).measures.values()) == {1.0}
    assert spans.compare({"one.ann": ANN}, {"other.ann": ANN}).is_identical
    assert not spans.compare({"one.ann": ANN, "two.ann": b""}, {"other.ann": ANN}).is_identical


def test_an_output_without_a_document_of_the_gold_standard_is_an_error() -> None:
    with pytest.raises(FileError, match=r"z\.ann: expected documents .*, found only others, such as 'z'"):
        scorer("spans").score({"a.ann": ANN, "b.ann": ANN}, {"z.ann": ANN})


@pytest.mark.parametrize(
    ("note", "shown", "remarks"),
    [
        ("C0001", "A 0 5 c0001", 0),
        ("UMLS:C0001; C0002", "A 0 5 c0001 c0002", 0),
        ("see page 3", "A 0 5", 0),
        ("3", "A 0 5", 0),
        ("C0001 (sure)", "A 0 5", 2),
    ],
)
def test_a_note_names_concepts_only_if_it_has_nothing_else(note: str, shown: str, remarks: int) -> None:
    ann = f"T1\tA 0 5\tx\n#1\tAnnotatorNotes T1\t{note}\n".encode()

    (found,) = scorer("spans").compare({"d": ann}, {"d": b"T1\tB 0 5\tx\n"}).differing

    assert found.first == (shown,)
    assert len(score(ann, ann).remarks) == remarks
