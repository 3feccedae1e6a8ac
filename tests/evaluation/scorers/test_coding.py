"""Are documents and codes counted as the rules say, in every form, clean or not?"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_fscore_support

from primad.errors import FileError, FormatError, UsageError
from primad.evaluation.scorers import Scored, scorer
from primad.evaluation.scorers.coding_files import cells_of

Coded = Mapping[str, list[str]]

GOLD = b"1\ta\n1\tb\n2\tc\n"


def score(gold: bytes, output: bytes, **setting: Any) -> Scored:
    return scorer("coding", setting).score({"gold.tsv": gold}, {"out.tsv": output})


def piped(coded: Coded) -> bytes:
    return "".join(f"{document}\t{'|'.join(codes)}\n" for document, codes in coded.items()).encode()


@pytest.fixture
def sample(shared_data: Path) -> Path:
    return shared_data / "codiesp_sample"


def test_the_toy_data_of_codiesp_have_the_values_that_a_person_computes(sample: Path) -> None:
    # Document ...900013-1: gold {q64.4 n39.0 z87.440}, output q64.4 n48.30 CODE6 n39.0 z87.4 a53.9 CODE7:
    #   right 2, given 7, wanted 3; right in places 1 and 4: average precision (1/1 + 2/4) / 3 = 1/2.
    # Document ...700013-1: gold {a53.9 n48.30}, no output: right 0, given 0, wanted 2; average precision 0.
    # Document ...600004-2: gold {m89.9 r52 d49.2 k02.9 k13.79}, m89.9 five times, output m89.9 a53.9 r52 n39.0 CODE3
    #   CODE4 (m89.9) CODE11: right 2, given 7, wanted 5; right in places 1 and 3: (1/1 + 2/3) / 5 = 1/3.
    # Codes: 10 of gold, and CODE6, z87.4, CODE7, CODE3, CODE4, CODE11 of the output: 16.  Right: q64.4 1 of 1 given and
    #   1 wanted, n39.0 1 of 2 and 1, m89.9 and r52 1 of 1 and 1; a53.9 and n48.30 are given elsewhere.
    scored = score(
        (sample / "gold/toy_data/gs_D.tsv").read_bytes(), (sample / "system/toy_data/pred_D.tsv").read_bytes()
    )

    assert scored.measures == pytest.approx(
        {
            "precision": 4 / 14,
            "recall": 4 / 10,
            "f1": 8 / 24,
            "macro_precision": (1 + 1 / 2 + 1 + 1) / 16,
            "macro_recall": 4 / 16,
            "macro_f1": (1 + 2 / 3 + 1 + 1) / 16,
            "doc_precision": (2 / 7 + 0 + 2 / 7) / 3,
            "doc_recall": (2 / 3 + 0 + 2 / 5) / 3,
            "doc_f1": (4 / 10 + 0 + 4 / 12) / 3,
            "exact": 0.0,
            "map": (1 / 2 + 0 + 1 / 3) / 3,
            "map_given": (1 / 2 + 1 / 3) / 2,
        }
    )
    assert scored.primary == "f1"
    assert scored.remarks == ("documents without a code in the output count as missed: S0210-48062005000700013-1",)


@pytest.mark.parametrize("task", ["D", "P"])
def test_a_gold_standard_against_itself_is_perfect(sample: Path, task: str) -> None:
    gold = (sample / f"gold/codiesp-{task}/sample/sample_annotations_{task}.tsv").read_bytes()

    scored = score(gold, gold)

    assert set(scored.measures.values()) == {1.0}
    assert scored.remarks == ()


codes = st.lists(st.sampled_from("abcdefg"), max_size=5, unique=True)
coded = st.dictionaries(st.sampled_from(["d1", "d2", "d3", "d4", "d5", "d6"]), codes, min_size=1)


@pytest.mark.slow
@settings(max_examples=150)
@given(further=coded, output=coded)
def test_micro_macro_and_samples_are_those_of_scikit_learn(further: Coded, output: Coded) -> None:
    gold = {"d0": ["a", "b"], **further}  # scikit-learn takes a single label for a question of yes and no
    output = {"d0": ["c"], **output}  # an output without a document of the gold standard is an error
    scored = score(piped(gold), piped(output), format="piped").measures

    documents = [*gold, *(one for one, given in output.items() if given and one not in gold)]
    labels = sorted({code for side in (gold, output) for one in documents for code in side.get(one, [])})
    truth, guess = (
        np.array([[label in side.get(one, []) for label in labels] for one in documents], dtype=int)
        for side in (gold, output)
    )
    for average, prefix in (("micro", ""), ("macro", "macro_"), ("samples", "doc_")):
        expected = precision_recall_fscore_support(truth, guess, average=average, zero_division=0)[:3]
        assert [scored[f"{prefix}{name}"] for name in ("precision", "recall", "f1")] == pytest.approx(expected)
    assert scored["exact"] == pytest.approx((truth == guess).all(axis=1).mean())


@settings(max_examples=80)
@given(further=coded, output=coded)
def test_average_precision_is_that_of_trec_eval_with_codes_as_documents(further: Coded, output: Coded) -> None:
    gold, output = {"d0": ["a"], **further}, {"d0": ["b", "a"], **output}
    qrels = "".join(f"{one} 0 {code} 1\n" for one, listed in gold.items() for code in listed)
    run = "".join(
        f"{one} Q0 {code} 0 {-place} t\n" for one, listed in output.items() for place, code in enumerate(listed)
    )
    # One code that is never right keeps trec_eval from refusing an output without a judged document.
    run += "".join(f"{one} Q0 none 0 -99 t\n" for one in gold)

    expected = scorer("trec", {"measures": ["map"]}).score({"q": qrels.encode()}, {"r": run.encode()})

    assert score(piped(gold), piped(output), format="piped").measures["map"] == pytest.approx(expected.measures["map"])


@settings(max_examples=60)
@given(further=coded, output=coded)
def test_a_measure_made_of_sums_has_the_value_of_the_measure(further: Coded, output: Coded) -> None:
    gold, output = {"d0": ["a"], **further}, {"d0": ["b", "a"], **output}
    scored = score(piped(gold), piped(output), format="piped")

    assert {name: additive.value for name, additive in scored.additive.items()} == pytest.approx(
        {name: value for name, value in scored.measures.items() if not name.startswith("macro_")}
    )


def test_codes_differ_by_case_only_if_that_is_set() -> None:
    assert score(b"1\tI10\n", b"1\ti10\n").measures["f1"] == 1
    assert score(b"1\tI10\n", b"1\ti10\n", case=True).measures["f1"] == 0


def test_a_code_given_twice_counts_once_and_where_it_stands_first() -> None:
    scored = score(GOLD, b"1\tb\n1\tx\n1\tb\n1\ta\n2\tc\n")

    assert scored.measures["precision"] == 3 / 4
    assert scored.measures["map"] == pytest.approx(((1 / 1 + 2 / 3) / 2 + 1) / 2)


def test_a_document_that_gold_lacks_counts_as_wrong_and_is_named() -> None:
    scored = score(GOLD, GOLD + b"9\ta\n")

    assert scored.measures["precision"] == 3 / 4
    assert scored.measures["exact"] == 2 / 3
    assert scored.measures["map"] == 1
    assert scored.remarks == ("documents that the gold standard lacks count as wrong: 9",)


def test_an_output_that_gives_nothing_has_precision_0_by_rule() -> None:
    scored = score(GOLD, b"")

    assert scored.measures["precision"] == scored.measures["recall"] == scored.measures["f1"] == 0
    assert scored.remarks == ("the output gives no code, so precision is 0 by rule",)


@pytest.mark.parametrize("gold", [b"", b"\n\n", b"1\t|\n"], ids=["empty", "blank", "no code"])
def test_a_gold_standard_without_codes_is_an_error(gold: bytes) -> None:
    with pytest.raises(FileError, match=r"gold\.tsv: expected codes of documents in the gold standard, found none"):
        score(gold, GOLD)


FORMS = {
    "pairs": b"1\ta\n1\tb\n2\tc\n",
    "windows": b"1\ta\r\n1\tb\r\n2\tc\r\n",
    "piped": b"1\ta|b\n2\tc\n",
    "piped with blanks": b"1\t a | b |\n2\tc\n",
    "semicolon": b"DocID;Text;Code\n1;x;a\n1;y;b\n2;z;c\n",
    "mark of byte order": b"\xef\xbb\xbfDocID;Text;Code\n1;x;a\n1;y;b\n2;z;c\n",
    "quoted": b'"DocID";"Text";"Code"\n"1";"x";"a"\n"1";"y ""so""";"b"\n"2";"z";"c"\n',
    "semicolons in quotes": b'DocID;Text;Code\n1;"x; x";a\n1;"y;;y";b\n2;z;c\n',
    "quotes left open": b'DocID;Text;Code\n1;"x; x;a\n1;y" y; y;b\n2;"z "z;c\n',
    "Latin-1": "DocID;Text;Code\n1;fièvre;a\n1;y;b\n2;z;c\n".encode("latin-1"),
    "other columns": b"Code;Year;docid\na;1;1\nb;1;1\nc;2;2\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_found_by_itself_and_says_the_same(form: str) -> None:
    scored = score(GOLD, FORMS[form])

    assert scored.measures["f1"] == scored.measures["exact"] == 1


def test_a_file_that_is_no_utf_8_is_read_as_latin_1_and_that_is_said() -> None:
    assert score(GOLD, FORMS["Latin-1"]).remarks == ("out.tsv is not UTF-8 and was read as Latin-1",)


def test_lines_of_a_certificate_are_documents_of_their_own() -> None:
    gold = b"DocID;YearCoded;LineID;RawText;ICD10\n7;2013;1;choc;R57\n7;2013;2;cancer;C80\n8;2013;1;rien;\n"
    swapped = b"DocID;YearCoded;LineID;RawText;ICD10\n7;2013;1;choc;C80\n7;2013;2;cancer;R57\n"

    assert score(gold, swapped).measures["f1"] == 0
    assert score(gold, swapped, document="DocID").measures["f1"] == 1
    assert score(gold, gold).measures["exact"] == 1


def test_the_columns_of_a_table_can_be_named() -> None:
    table = b"case;line;cause\n1;a;x\n"

    assert score(b"1\tx\n", table, document="case", code="cause").measures["f1"] == 1
    with pytest.raises(FormatError, match=r"out.tsv:1: expected a header with the column DocID, found .*'document'"):
        score(b"1\tx\n", table)
    with pytest.raises(FormatError, match="expected a header with the column ICD10 or Code"):
        score(b"1\tx\n", table, document="case")


def test_a_cell_that_nobody_can_tell_is_not_guessed() -> None:
    assert cells_of("1;a;b;c", 3, [0, 2]) is None
    assert cells_of('1;"a;b;"c', 3, [0, 2]) is None
    assert cells_of("1;a", 3, [0, 2]) is None
    assert cells_of('1;"a;b";c;"d";e', 4, [0, 3]) == ["1", "e"]


@pytest.mark.parametrize(
    ("output", "message"),
    [
        pytest.param(b"1\n", r"out.tsv:1: expected 2 columns \(document, code\).*, found '1'; is it separated", id="1"),
        pytest.param(b"1\ta\n1\tb\tc\n", r"out.tsv:2: expected 2 columns .* found '1\\tb\\tc'", id="3 columns"),
        pytest.param(b"1\ta\tb\n", "the setting 'further' passes over further columns", id="3 columns in all lines"),
        pytest.param(b"1\t\n", "out.tsv:1: expected 2 columns", id="no code"),
        pytest.param(b"\ta\n", "out.tsv:1: expected 2 columns", id="no document"),
        pytest.param(b"a\0b", "out.tsv: expected text, found binary data in line 1", id="binary"),
        pytest.param("1\ta\n".encode("utf-16"), "out.tsv: expected UTF-8, found UTF-16", id="UTF-16"),
        pytest.param(b"\x1f\x8b\x08broken", "out.tsv: truncated or damaged archive", id="damaged"),
        pytest.param(b"x" * 1_000_000, "out.tsv:1: expected 2 columns", id="a long line"),
        pytest.param(b"DocID;Code\n" + b'";' * 500_000, "out.tsv:2: expected", id="a long line of quotes"),
        pytest.param(b"DocID;Code\n;a\n", "out.tsv:2: expected a document in the column DocID", id="nameless"),
        pytest.param(b"DocID;Code\n1;2;3\n", "out.tsv:2: expected 2 columns with semicolons", id="too many"),
        pytest.param(b"1\n" * 300, r"and 299 more problems", id="many problems"),
    ],
)
def test_what_cannot_be_read_is_an_error_that_names_file_and_line(output: bytes, message: str) -> None:
    with pytest.raises(FileError, match=message) as error:
        score(GOLD, output)

    assert len(str(error.value)) < 400


def test_further_columns_and_a_header_are_passed_over_if_that_is_set() -> None:
    output = b"doc\tcode\tscore\n1\ta\t0.9\n1\tb\t0.8\n2\tc\t0.1\n"

    assert score(GOLD, output, further="true", header="output").measures["f1"] == 1


def test_several_files_are_one_output_and_a_document_in_two_of_them_is_an_error() -> None:
    coding = scorer("coding")

    parted = coding.score({"gold": GOLD}, {"one": b"1\ta\n1\tb\n", "two": b"2\tc\n"})

    assert parted.measures["f1"] == 1
    with pytest.raises(FileError, match="two: expected each document in one file only, found '1' in one, too"):
        coding.score({"gold": GOLD}, {"one": b"1\ta\n", "two": b"1\tb\n"})
    with pytest.raises(FileError, match="expected at least one file"):
        coding.score({"gold": GOLD}, {})


def test_two_outputs_are_compared_document_by_document() -> None:
    found = scorer("coding").compare({"a": b"1\ta\n1\tb\n2\tc\n4\td\n"}, {"b": b"1\tB\n1\tx\n2\tC\n3\td\n"})

    assert (found.same, found.different) == (1, 3)
    assert [(one.item, one.first, one.second) for one in found.differing] == [
        ("1", ("a",), ("x",)),
        ("4", ("d",), ()),
        ("3", (), ("d",)),
    ]


def test_the_order_of_codes_counts_where_they_are_ranked() -> None:
    one, other = {"a": b"1\ta\n1\tb\n"}, {"a": b"1\tb\n1\ta\n"}

    assert scorer("coding").compare(one, other).is_identical
    assert scorer("coding", {"ranked": False, "primary": "map"}).compare(one, other).is_identical
    (ranked,) = scorer("coding", {"primary": "map"}).compare(one, other).differing
    assert (ranked.first, ranked.second) == (("a in place 1",), ("b in place 1",))


def test_measures_and_the_primary_one_can_be_chosen() -> None:
    chosen = score(GOLD, GOLD, measures="map, f1")

    assert list(chosen.measures) == ["map", "f1"]
    assert chosen.primary == "map"
    assert score(GOLD, GOLD, measures=["map", "f1"], primary="f1").primary == "f1"


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"colour": "red"}, "knows .format, further, .*, found 'colour'"),
        ({"format": "xml"}, "setting 'format': expected one of found, pairs, piped, semicolon, found 'xml'"),
        ({"case": "perhaps"}, "setting 'case': expected true or false, found 'perhaps'"),
        ({"measures": 7}, "setting 'measures': expected a list of names, found 7"),
        ({"code": ["a"]}, "setting 'code': expected a text"),
    ],
)
def test_a_wrong_setting_is_refused_with_what_is_known(setting: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        scorer("coding", setting)


def test_an_unknown_measure_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(UsageError, match=r"'measures': expected measures \(precision, .*, map_given\), found 'f2'"):
        scorer("coding", {"measures": ["f2"]})
    with pytest.raises(UsageError, match=r"'primary': expected measures \(map\), found 'f1'"):
        scorer("coding", {"measures": ["map"], "primary": "f1"})


def test_an_unknown_scorer_is_refused_with_the_nearest() -> None:
    with pytest.raises(
        UsageError, match=r"expected a scorer .trec, coding, spans, numbers, command.*did you mean 'coding'"
    ):
        scorer("codings")


def test_with_its_rules_the_toy_data_have_the_map_that_the_script_of_codiesp_prints(sample: Path) -> None:
    # Its README prints .444.  Without CODE6, n39.0 stands in place 3: (1/1 + 2/3) / 3 = 5/9; beside it 1/3, over the
    # two documents that the output has.
    gold, output = sample / "gold/toy_data/gs_D.tsv", sample / "system/toy_data/pred_D.tsv"
    valid = ["q64.4", "n48.30", "n39.0", "z87.4", "a53.9", "m89.9", "r52"]

    scored = score(gold.read_bytes(), output.read_bytes(), valid_codes=valid)

    assert scored.measures["map_given"] == pytest.approx((5 / 9 + 1 / 3) / 2)
    assert round(scored.measures["map_given"], 3) == 0.444
    assert scored.measures["map"] == pytest.approx((5 / 9 + 1 / 3) / 3)
    assert "codes outside of the valid ones are left out: code11, code3, code4, code6, code7" in scored.remarks


def test_valid_codes_can_stand_in_a_file_beside_the_gold_standard() -> None:
    files = {"gold.tsv": GOLD, "codes.tsv": b"A\tfirst\nb\nc\tthird\n"}
    coding = scorer("coding", {"valid_codes_in": "codes.tsv"})

    assert coding.score(files, {"o": GOLD + b"2\tx\n"}).measures["f1"] == 1
    with pytest.raises(FileError, match=r"codes\.tsv: expected the valid codes beside the gold standard, found gold"):
        coding.score({"gold.tsv": GOLD}, {"o": GOLD})


def test_an_output_without_a_valid_code_has_no_map_over_what_it_gives() -> None:
    assert score(GOLD, GOLD, valid_codes="z").undefined == {
        "map_given": "the output gives no valid code to any document of the gold standard"
    }


@pytest.mark.parametrize("header", [b"doc\tcode\n", b"Doc_ID\tICD-10\n", b"filename\tlabels\n"])
def test_a_header_is_no_pair_and_that_is_said(header: bytes) -> None:
    scored = score(header + b"1\tI10\n", header + b"1\tE11\n")

    assert scored.measures["f1"] == 0
    assert len([remark for remark in scored.remarks if "was passed over as a header" in remark]) == 2
    assert score(header + b"1\tI10\n", header + b"1\tE11\n", header="none").measures["f1"] == 0.5


def test_a_first_line_that_only_looks_like_a_header_counts_and_that_is_said() -> None:
    scored = score(b"wer\twas\n1\tI10\n", b"wer\twas\n1\tE11\n")

    assert scored.measures["f1"] == 0.5
    assert scored.remarks[0] == (
        "the first line of gold.tsv counts as codes; is it a header (setting 'header')? 'wer\\twas'"
    )


def test_an_output_without_a_document_of_the_gold_standard_is_an_error_with_an_example_of_its_own_only() -> None:
    gold = b"DocID;LineID;ICD10\n7;1;R57\n"

    with pytest.raises(FileError, match=r"out\.tsv: expected documents .*, found only others, such as '7'") as error:
        score(gold, b"DocID;ICD10\n7;R57\n")
    assert "7 1" not in str(error.value)


@pytest.mark.parametrize("limit", ["0", "-1", "nan", "inf", "a", True, "1e999", [1]])
def test_a_limit_that_is_no_number_above_0_is_refused(limit: Any) -> None:
    with pytest.raises(UsageError, match="setting 'limit': expected a number above 0"):
        scorer("coding", {"limit": limit})


def test_a_limit_can_be_a_text_or_a_number() -> None:
    assert [scorer("coding", {"limit": limit}).limit for limit in ("0.5", 2, 1e-05, None)] == [0.5, 2.0, 1e-05, None]
