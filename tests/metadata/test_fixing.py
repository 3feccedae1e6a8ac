"""Is what can be repaired repaired, said, and nothing else touched?"""

import gzip
from pathlib import Path

import pytest

from primad.errors import FileError, FormatError
from primad.metadata.checking.files import check_file
from primad.metadata.fixing import Fixed, fix
from primad.metadata.header import with_block
from primad.metadata.reading import read_record
from primad.trec.ranking import ranking_digest

RIGHT = b"1 Q0 b 1 2.0 t\n1 Q0 a 2 1.0 t\n"
WRONG = b"1 Q0 a 1 1.0 t\n1 Q0 b 2 2.0 t\n"
MOVED = "lines of 1 topic put in the order of the scores"
ANEW = "metadata written anew, in one form and without comments"


def record_of(fixed: Fixed) -> dict[str, object]:
    return read_record(fixed.data).tree


# Runs without metadata ---------------------------------------------------------------------------------------


def test_ranks_and_order_are_made_to_follow_the_scores() -> None:
    assert fix(WRONG) == Fixed(RIGHT, (MOVED, "ranks of 1 topic made to follow the scores, counted from 1"))


def test_a_run_in_which_nothing_is_wrong_stays_as_it_is() -> None:
    assert fix(RIGHT) == Fixed(RIGHT, ())


def test_comments_above_and_between_the_lines_stay() -> None:
    fixed = fix(b"# mine\n\n1 Q0 a 1 1.0 t\n# a comment\n1 Q0 b 2 2.0 t\n")

    assert fixed.data == b"# mine\n\n1 Q0 b 1 2.0 t\n# a comment\n1 Q0 a 2 1.0 t\n"


def test_a_packed_run_is_repaired_as_a_plain_one(tmp_path: Path) -> None:
    (tmp_path / "a.run.gz").write_bytes(gzip.compress(WRONG))

    assert fix(tmp_path / "a.run.gz").data == RIGHT


# Runs with metadata ------------------------------------------------------------------------------------------


def test_placeholders_are_taken_out_of_a_header() -> None:
    record = "tag: t\nactor:\n  name: ENTER_VALUE_HERE\n  fields: [ir, ENTER_VALUE_HERE]\ndata: {x: ENTER_VALUE_HERE}\n"

    fixed = fix(with_block(record, RIGHT))

    assert record_of(fixed) == {"tag": "t", "actor": {"fields": ["ir"]}}
    assert fixed.changes == ("3 placeholders removed", ANEW)
    assert fixed.data.endswith(b"# ir_metadata.end\n" + RIGHT)


def test_one_placeholder_is_one() -> None:
    assert fix(with_block("tag: ENTER_VALUE_HERE\nactor: {name: a}\n", RIGHT)).changes == (
        "1 placeholder removed",
        ANEW,
    )


def test_two_headers_are_joined_and_the_first_wins() -> None:
    fixed = fix(with_block("tag: new\n", with_block("tag: old\nactor: {name: a}\n", RIGHT)))

    assert record_of(fixed) == {"tag": "new", "actor": {"name": "a"}}
    assert fixed.changes == ("2 headers joined", ANEW)
    assert fixed.data.count(b"ir_metadata.start") == 1


def test_a_header_without_fault_stays_as_it_is_above_a_repaired_ranking() -> None:
    block = b"# ir_metadata.start\n#   # a comment\n#   tag: 't'\n#   test_collection: x\n# ir_metadata.end\n"
    header = b"# before\n" + block + b"# behind\n"

    fixed = fix(header + WRONG)

    assert fixed.data == header + RIGHT
    assert fixed.changes[0] == MOVED


def test_a_run_with_a_right_header_and_ranking_stays_byte_by_byte() -> None:
    data = b"# ir_metadata.start\n#tag: t # mine\n# ir_metadata.end\r\n" + RIGHT

    assert fix(data) == Fixed(data, ())


def test_the_digest_of_a_ranking_that_was_right_is_taken_anew(tmp_path: Path) -> None:
    fixed = fix(with_block(f"tag: t\nranking: {{sha256: {ranking_digest(WRONG)}}}\n", WRONG))
    (tmp_path / "a.run").write_bytes(fixed.data)

    assert record_of(fixed)["ranking"] == {"sha256": ranking_digest(RIGHT)}
    assert fixed.changes[:2] == ("digest of the ranking taken anew", ANEW)
    assert "digest" not in {finding.code for finding in check_file(str(tmp_path / "a.run")).findings}


def test_the_digest_of_another_ranking_stays_as_evidence() -> None:
    digest = ranking_digest(b"another")

    fixed = fix(with_block(f"tag: t\nranking: {{sha256: {digest}}}\nactor: {{name: ENTER_VALUE_HERE}}\n", WRONG))

    assert record_of(fixed) == {"tag": "t", "ranking": {"sha256": digest}}
    assert fixed.data.endswith(RIGHT)


def test_comments_outside_of_a_header_that_is_written_anew_stay() -> None:
    data = (
        b"# before\n# ir_metadata.start\n# tag: ENTER_VALUE_HERE\n# run-version: 1.0\n# ir_metadata.end\n# behind\n"
        + WRONG
    )

    fixed = fix(data)

    assert fixed.data.endswith(b"# ir_metadata.end\n# before\n# behind\n" + RIGHT)
    assert record_of(fixed) == {"run-version": "1.0"}


def test_markers_without_a_number_sign_are_read_too() -> None:
    fixed = fix(b"ir_metadata.start\n# tag: ENTER_VALUE_HERE\n# run-version: 1.0\nir_metadata.end\n" + WRONG)

    assert fixed.data == with_block("run-version: '1.0'\n", RIGHT)


# Metadata files ----------------------------------------------------------------------------------------------


def test_placeholders_are_taken_out_of_a_metadata_file() -> None:
    fixed = fix(b"# fill in\ntag: ENTER_VALUE_HERE\nactor: {team: a}\n")

    assert fixed == Fixed(b"actor:\n  team: a\n", ("1 placeholder removed", ANEW))


def test_a_metadata_file_without_placeholders_stays_as_it_is() -> None:
    data = b"# mine\ndata: {test_collection: a}\n"

    assert fix(data) == Fixed(data, ())


def test_a_skeleton_of_longeval_is_left_with_what_was_filled_in(shared_data: Path) -> None:
    fixed = fix(shared_data / "ir_metadata/tira/longeval-ir-metadata/ir-metadata-incomplete.yml")

    assert record_of(fixed) == {"data": {"training data": [{"name": "longeval-sci"}]}}
    assert fixed.changes[0] == "17 placeholders removed"


# What cannot be repaired -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "line"),
    [
        pytest.param(RIGHT + b"1 Q0 c 3 nan t\n", 3, id="no number as score"),
        pytest.param(with_block("tag: t\n", RIGHT + b"1 Q0 c\n"), 6, id="too few columns below a header"),
        pytest.param(
            with_block("tag: ENTER_VALUE_HERE\n", RIGHT + b"1 Q0 c\n"), 6, id="below a header with placeholder"
        ),
        pytest.param(b"# ir_metadata.start\n# tag: [\n# ir_metadata.end\n" + RIGHT, 3, id="no header"),
        pytest.param(b"services: {}\n", 1, id="no metadata"),
    ],
)
def test_what_only_a_person_can_repair_is_refused_with_its_line(data: bytes, line: int) -> None:
    with pytest.raises(FormatError) as caught:
        fix(data)

    assert (caught.value.path, caught.value.line) == ("<bytes>", line)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no such file"):
        fix(tmp_path / "a.run")
