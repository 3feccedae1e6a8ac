"""Are qrels written so that they are read back?"""

from pathlib import Path

import pytest

from primad.errors import DataError, FileError
from primad.trec import Qrels, read_qrels, write_qrels


@pytest.mark.parametrize(
    ("nested", "expected"),
    [
        pytest.param({"301": {"d1": 1}}, "<Qrels: 1 judgments of 1 topic>", id="one"),
        pytest.param({"301": {"d1": 1, "d2": 0}, "302": {"d1": 1}}, "<Qrels: 3 judgments of 2 topics>", id="many"),
    ],
)
def test_qrels_show_their_size(nested: dict[str, dict[str, float]], expected: str) -> None:
    assert repr(Qrels.from_dict(nested)) == expected


def test_judgments_stay_in_the_order_of_the_file_within_their_topic() -> None:
    qrels = read_qrels(b"2 0 b 1\n1 0 x 0\n2 0 a 2\n")

    assert list(qrels.rows()) == [("2", "b", 1), ("2", "a", 2), ("1", "x", 0)]
    assert qrels.relevance.tolist() == [1, 2, 0]


def test_qrels_are_written_with_four_columns(tmp_path: Path) -> None:
    write_qrels(Qrels.from_dict({"302": {"d2": 1, "d1": -1}, "301": {"é": 0, "\udce9": 3}}), tmp_path / "my.qrels")

    written = (tmp_path / "my.qrels").read_bytes()

    assert written == b"302 0 d2 1\n302 0 d1 -1\n301 0 \xc3\xa9 0\n301 0 \xe9 3\n"


@pytest.mark.parametrize("relevance", [0, -2, 4, 2**53 + 1, 2**63 - 1, -(2**63)])
def test_written_qrels_are_read_back(tmp_path: Path, relevance: int) -> None:
    qrels = read_qrels(b"301 0 d1 %d\n302 0 d1 1\n" % relevance)

    write_qrels(qrels, tmp_path / "my.qrels")

    assert read_qrels(tmp_path / "my.qrels") == qrels


def test_qrels_with_unwritable_identifiers_leave_the_old_file_untouched(tmp_path: Path) -> None:
    path = tmp_path / "my.qrels"
    path.write_bytes(b"old")

    with pytest.raises(DataError) as caught:
        write_qrels(Qrels.from_dict({"3 01": {"d1": 1}}), path)

    expected = "identifiers without blanks, topics without '#' or byte order mark in front"
    assert str(caught.value) == f"expected {expected}, found '3 01'"
    assert path.read_bytes() == b"old"


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError) as caught:
        write_qrels(Qrels.from_dict({"301": {"d1": 1}}), tmp_path / "missing" / "my.qrels")

    assert str(caught.value) == f"{tmp_path}/missing/my.qrels: cannot be written (No such file or directory)"
