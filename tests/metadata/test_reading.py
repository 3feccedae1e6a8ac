"""Does the metadata of a run get out of its file, or out of the file beside it, whatever these are like?"""

import gzip
import os
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.errors import DataError, FileError, FormatError, NoMetadata, PrimadError
from primad.metadata import read_record
from primad.metadata.header import with_block
from primad.metadata.reading import from_tree, metadata_in, read_metadata, side_file
from primad.metadata.record import Record
from primad.metadata.schema import load_schema
from primad.trec.ranking import is_ranking

RANKING = b"301 Q0 FT911-3 1 0.5 bm25\n301 Q0 FT911-4 2 0.25 bm25\n"
YAML = "tag: bm25\nactor:\n  team: ours\n"
TREE = {"tag": "bm25", "actor": {"team": "ours"}}
NO_MAPPING = "expected a mapping of components (platform, research goal, ...)"
WHICH = "is it a run (topic Q0 document rank score tag) or a metadata file?"
A_MESSAGE = re.compile(r"a\.run(:[1-9][0-9]*)?: expected .+, found .+", re.DOTALL)


def tree_in(data: bytes) -> Any:
    """Return the record in DATA as plain values."""
    metadata = metadata_in(data, "a.run")
    assert metadata is not None
    return metadata.record.tree


def refused(data: bytes) -> FileError:
    """Return the error with which DATA is refused."""
    with pytest.raises(FileError) as caught:
        metadata_in(data, "a.run")
    assert caught.value.path == "a.run"
    return caught.value


def file(path: Path, content: bytes | str = YAML) -> Path:
    """Write CONTENT to PATH, and return it."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


# Headers -----------------------------------------------------------------------------------------------------


def test_a_run_is_read_with_its_header() -> None:
    metadata = metadata_in(with_block(YAML, RANKING), "a.run")

    assert metadata is not None
    assert metadata.record == Record(TREE)
    assert (metadata.name, metadata.blocks, metadata.rest) == ("a.run", 1, RANKING)
    assert metadata.line_of(("actor", "team")) == 4


def test_of_two_headers_the_newer_one_wins_and_the_older_one_adds_what_only_it_states() -> None:
    newer = "tag: newer\nactor: {team: ENTER_VALUE_HERE, name: Ann}\nmethod: {retrieval: [{name: rm3}]}\n"
    older = "tag: older\nactor: {team: ours, role: reproducer}\nmethod: {retrieval: {name: bm25}, automatic: no}\n"

    metadata = metadata_in(with_block(newer, with_block(older, RANKING)), "a.run")

    assert metadata is not None
    assert metadata.record.tree == {
        "tag": "newer",
        "actor": {"team": "ours", "name": "Ann", "role": "reproducer"},
        "method": {"retrieval": [{"name": "rm3"}], "automatic": False},
    }
    assert (metadata.blocks, metadata.rest) == (2, RANKING)


def test_an_older_header_that_cannot_be_read_is_refused_with_its_line() -> None:
    older = b"# ir_metadata.start\n# a: [\n# ir_metadata.end\n"

    assert str(refused(with_block(YAML, older + RANKING))).startswith("a.run:8: expected YAML, ")


def test_what_was_found_elsewhere_in_a_header_is_known() -> None:
    metadata = metadata_in(with_block("schema version: 0.1\nimplementation: {commit: 012}\n", RANKING), "a.run")

    assert metadata is not None
    assert [str(move) for move in metadata.moves] == [
        "schema version → schema-version",
        "implementation.commit → implementation.source.commit",
    ]


@pytest.mark.parametrize("text", ["", "# nothing but a comment\n", "{}\n", "null\n"])
def test_an_empty_header_is_an_empty_record(text: str) -> None:
    assert tree_in(with_block(text, RANKING)) == {}


def test_a_header_may_have_unknown_fields_only() -> None:
    assert tree_in(with_block("mine: 1\n", RANKING)) == {"mine": 1}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("- a\n- b\n", "a list", id="a list"),
        pytest.param("only a text\n", "text", id="a text"),
        pytest.param("5\n", "text", id="a number"),
    ],
)
def test_metadata_that_is_no_mapping_is_refused(text: str, found: str) -> None:
    message = f"a.run:2: {NO_MAPPING}, found {found}; {WHICH}"

    assert str(refused(with_block(text, RANKING))) == message
    assert str(refused(b"# comment\n" + text.encode())) == message


@pytest.mark.parametrize(
    ("lines", "line", "said"),
    [
        pytest.param(
            ["a: &a [x, x]", "b: [*a, *a]"], 3, "expected each value written out, found the alias 'a'", id="alias"
        ),
        pytest.param(["tag: a", "actor: {", "  x: 1, x: 2}"], 4, "'x' again (first in line 4)", id="a key twice"),
        pytest.param(["a: " + "[" * 200_000], 2, "expected at most 32 levels, found more", id="nesting"),
        pytest.param(["a: b", "c: " + "x" * (2 << 20)], 2, "expected YAML of at most 1,048,576 bytes", id="size"),
        pytest.param(["a: b", "c: d\0"], 3, r"found the character '\x00'", id="NUL"),
        pytest.param(["a: b", "", "c: \x1b[31m"], 4, r"found the character '\x1b'", id="an escape sequence"),
        pytest.param(["a: !!python/object/apply:os.system [ls]"], 2, "found the tag", id="a call"),
        pytest.param(["? [a]", ": b"], 2, "expected text as a key", id="a key that is a list"),
        pytest.param(["a: b", "---", "c: d"], 3, "expected one document", id="two documents"),
        pytest.param(["a: b", "c: d: e"], 3, "expected YAML", id="no YAML"),
    ],
)
def test_a_hostile_header_is_refused_with_the_line_of_the_run(lines: list[str], line: int, said: str) -> None:
    error = refused(with_block("\n".join(lines), RANKING))

    assert isinstance(error, FormatError)
    assert error.line == line
    assert said in str(error)


# Files of their own ------------------------------------------------------------------------------------------


def test_a_metadata_file_is_read_as_it_is() -> None:
    metadata = metadata_in(YAML.encode(), "a.yml")

    assert metadata is not None
    assert metadata.record == Record(TREE)
    assert (metadata.blocks, metadata.rest, metadata.line_of(("actor",))) == (0, b"", 2)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\xef\xbb\xbf" + YAML.encode(), id="a byte order mark"),
        pytest.param(YAML.replace("\n", "\r\n").encode(), id="lines that end in CRLF"),
        pytest.param(b"# a b c d e f g\n\n---\n" + YAML.encode(), id="comments that look like a ranking"),
        pytest.param(b"%YAML 1.1\n---\n" + YAML.encode(), id="a directive"),
        pytest.param(b'{"tag": "bm25", "actor": {"team": "ours"}}', id="JSON"),
    ],
)
def test_a_metadata_file_may_look_in_many_ways(data: bytes) -> None:
    assert tree_in(data) == TREE


@pytest.mark.parametrize("key", ["Tag", "schema version", "run-version", "research_goal", "resources", "data"])
def test_one_key_that_is_known_makes_a_metadata_file(key: str) -> None:
    assert len(tree_in(f"{key}: x\nmine: y\n".encode())) == 2


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("test:\n  foo: Hello\n", "only: test", id="one key"),
        pytest.param("a: 1\nb: 2\nc: 3\nd: 4\ne: 5\nf: 6\n", "only: a, b, c, d, e", id="many keys"),
        pytest.param("{}\n", "only: nothing", id="no key"),
        pytest.param(f"{'x' * 100}: 1\n", f"only: '{'x' * 60}'", id="a long key"),
        pytest.param('"\\e[31m\\n": 1\n', r"only: '\x1b[31m\n'", id="a key that would paint the terminal"),
    ],
)
def test_yaml_without_any_key_of_metadata_is_refused(text: str, found: str) -> None:
    assert str(refused(text.encode())) == (
        "a.run:1: expected PRIMAD metadata (platform, research goal, implementation, method, actor, data), "
        f"found {found}; is it the file you meant?"
    )


@pytest.mark.parametrize(
    "data",
    [
        pytest.param("name: Jürgen".encode("latin-1"), id="Latin-1"),
        pytest.param(YAML.encode("utf-16"), id="UTF-16"),
        pytest.param(bytes(range(128, 256)), id="any bytes"),
    ],
)
def test_a_file_that_is_no_utf8_is_refused(data: bytes) -> None:
    assert str(refused(data)) == "a.run: expected a run or YAML in UTF-8, found other bytes; is it the file you meant?"


@pytest.mark.parametrize("data", [b"# only a comment\n", b"---", b"null\n"], ids=["a comment", "a mark", "null"])
def test_a_file_that_says_nothing_is_refused(data: bytes) -> None:
    assert str(refused(data)) == f"a.run:1: {NO_MAPPING}, found nothing; {WHICH}"


@pytest.mark.parametrize(
    ("data", "line"),
    [
        pytest.param(b"301 0 FT911-3 1\n301 0 FT911-4 -1\n", 1, id="blanks"),
        pytest.param(b"301\t0\tFT911-3\t1\r\n301\t0\tFT911-4\t0\r\n", 1, id="tabs"),
        pytest.param(b"# of 2017\n\n301 0 FT911-3 1\n", 3, id="below a comment"),
    ],
)
def test_judgments_are_called_so(data: bytes, line: int) -> None:
    assert str(refused(data)) == (
        f"a.run:{line}: expected a run (topic Q0 document rank score tag) or metadata, "
        "found relevance judgments (qrels); name the run instead, which is scored by them with: "
        "primad evaluate QRELS RUN"
    )


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("301 0 FT911-3 1\nand more text\n", id="no further judgment"),
        pytest.param("301 0 FT911-3 relevant\n", id="no grade"),
        pytest.param("this was run 5 times\n", id="more words"),
    ],
)
def test_text_that_is_no_judgments_is_not_called_so(text: str) -> None:
    assert str(refused(text.encode())) == f"a.run:1: {NO_MAPPING}, found text; {WHICH}"


def test_metadata_that_could_pass_for_judgments_are_metadata() -> None:
    assert tree_in(b"tag: my run 5\n") == {"tag": "my run 5"}


def test_one_field_that_is_none_of_ours_is_not_called_judgments() -> None:
    assert "judgments" not in str(refused(b"a: b c 1\n"))


# Rankings ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(RANKING, True, id="a ranking"),
        pytest.param(b"\n# a: b\n \n" + RANKING, True, id="a ranking below comments"),
        pytest.param(b"301 Q0 d 1 0.5 my tag has many words", True, id="a tag of several words"),
        pytest.param(b"\xff Q0 \xff 1 0.5 x", True, id="bytes that are no text"),
        pytest.param(b"", True, id="nothing"),
        pytest.param(b"\n \r\n", True, id="blank lines"),
        pytest.param(b"# c\n" * 20_000, True, id="comments without end"),
        pytest.param(b"301 Q0 d 1 0.5", True, id="five columns"),
        pytest.param(b"301 ITER d 1 0.5 bm25", True, id="another second column"),
        pytest.param(b"301 Q0 d 1\n" + RANKING, True, id="a broken line above"),
        pytest.param(b"actor:\n  name: |\n" + b"    301 Q0 d 1 0.5 bm25\n" * 9, False, id="metadata that quotes a run"),
        pytest.param(b"This is a text of many words\n", False, id="a text"),
        pytest.param(b"tag: a b c d e f", False, id="a key with words"),
        pytest.param(b"# 301 Q0 d 1 0.5 bm25\n", False, id="a comment"),
        pytest.param(b"a b c " + b"1" * 60_000 + b"x y z\n", False, id="digits without end"),
    ],
)
def test_a_ranking_is_told_from_yaml_and_other_text(data: bytes, expected: bool) -> None:  # noqa: FBT001
    assert is_ranking(data) is expected


@pytest.mark.parametrize("data", [RANKING, b"", b"\xef\xbb\xbf" + RANKING, b"# c\n" + RANKING])
def test_a_run_without_header_has_no_metadata(data: bytes) -> None:
    assert metadata_in(data, "a.run") is None


def test_a_large_run_is_never_read_as_yaml() -> None:
    assert metadata_in(RANKING * 1_000_000, "a.run") is None


# Files beside a run ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("run", "beside"),
    [
        pytest.param("run.txt", "run.txt.meta", id="the name with .meta"),
        pytest.param("run.txt", "run.meta", id="the stem with .meta"),
        pytest.param("run.txt", "run.txt.yml", id="the name with .yml"),
        pytest.param("run.txt", "run.yaml", id="the stem with .yaml"),
        pytest.param("run.txt", "run-metadata.yml", id="the stem with -metadata.yml"),
        pytest.param("run.txt", "run.ir-metadata.yml", id="the stem with .ir-metadata.yml"),
        pytest.param("run.txt.gz", "run.txt.meta", id="a packed run"),
        pytest.param("run.txt.zst", "run.yml", id="the stem of a packed run"),
        pytest.param("run.txt.gz", "run.txt.gz.meta", id="the whole name of a packed run"),
        pytest.param("run.txt", "ir-metadata.yml", id="ir-metadata.yml"),
        pytest.param("run.txt", ".ir-metadata.yml", id="a hidden file"),
        pytest.param("run.txt", "metadata.yaml", id="metadata.yaml"),
        pytest.param("run.txt", "retrieval-ir-metadata.yml", id="any -ir-metadata.yml"),
        pytest.param("run.txt", "retrieval-metadata.yaml", id="any -metadata.yaml"),
    ],
)
def test_the_file_beside_a_run_is_found(tmp_path: Path, run: str, beside: str) -> None:
    file(tmp_path / beside)

    assert side_file(tmp_path / run) == tmp_path / beside


@pytest.mark.parametrize("name", ["other.meta", "other.yml", "notes.txt", "ir-metadata.json", "run.txt.meta.bak"])
def test_a_file_with_any_other_name_is_not_about_the_run(tmp_path: Path, name: str) -> None:
    file(tmp_path / name)

    assert side_file(tmp_path / "run.txt") is None


def test_the_file_named_after_the_run_is_preferred_to_others(tmp_path: Path) -> None:
    for name in ("ir-metadata.yml", "metadata.yml", "a-metadata.yml", "run.yml", "run.txt.meta"):
        file(tmp_path / name)

    assert side_file(tmp_path / "run.txt") == tmp_path / "run.txt.meta"


def test_of_several_files_for_the_whole_folder_none_is_chosen(tmp_path: Path) -> None:
    run = file(tmp_path / "run.txt", RANKING)
    for name in ("ir-metadata.yml", "b-metadata.yml", "a-ir-metadata.yml"):
        file(tmp_path / name)

    with pytest.raises(NoMetadata) as caught:
        read_metadata(run)

    assert str(caught.value) == (
        f"{run}: expected metadata in the file or one metadata file beside it, found 3: "
        "ir-metadata.yml, a-ir-metadata.yml, b-metadata.yml; name the one that is meant"
    )


def test_a_file_is_not_beside_itself(tmp_path: Path) -> None:
    run = file(tmp_path / "ir-metadata.yml", RANKING)

    assert side_file(run) is None


def test_a_folder_with_the_name_of_a_metadata_file_is_passed_over(tmp_path: Path) -> None:
    for name in ("run.meta", "ir-metadata.yml", "a-metadata.yml"):
        (tmp_path / name).mkdir()
    (tmp_path / "metadata.yml").symlink_to("nowhere")

    assert side_file(tmp_path / "run.txt") is None


def test_a_run_with_the_longest_name_has_nothing_beside_it(tmp_path: Path) -> None:
    run = file(tmp_path / ("r" * os.pathconf(tmp_path, "PC_NAME_MAX")), RANKING)

    with pytest.raises(NoMetadata, match=re.escape(": has no metadata; add it with: primad annotate")):
        read_metadata(run)


def test_a_run_in_this_folder_needs_no_folder_in_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file(tmp_path / "run.txt", RANKING)
    file(tmp_path / "metadata.yml")
    monkeypatch.chdir(tmp_path)

    assert read_metadata("run.txt").name == "metadata.yml"


@pytest.mark.parametrize(
    "name", ["dense-metadata.yml", "dense-ir-metadata.yml", "dense.run-metadata.yaml", "dense.yml"]
)
def test_a_file_named_after_another_run_is_not_about_this_one(tmp_path: Path, name: str) -> None:
    for run in ("bm25.run", "dense.run"):
        file(tmp_path / run, RANKING)
    file(tmp_path / name)

    assert side_file(tmp_path / "bm25.run") is None
    assert side_file(tmp_path / "dense.run") == tmp_path / name


def test_a_file_named_after_a_program_is_about_the_runs_of_the_folder(tmp_path: Path) -> None:
    file(tmp_path / "retrieval.py", "print()\n")
    beside = file(tmp_path / "retrieval-metadata.yml")

    assert side_file(tmp_path / "bm25.run") == beside


@pytest.mark.parametrize("name", ["bm25.yml", "bm25.run.yaml", "bm25-metadata.yml", "metadata.yml", "x-metadata.yml"])
@pytest.mark.parametrize(
    "text", ["k1: 0.9\nnested:\n  data: 1\n", "a: [\n", "a text\n"], ids=["keys", "no YAML", "text"]
)
def test_yaml_that_says_nothing_of_a_record_is_passed_over(tmp_path: Path, name: str, text: str) -> None:
    run = file(tmp_path / "bm25.run", RANKING)
    file(tmp_path / name, text)
    beside = file(tmp_path / "ir-metadata.yml")

    assert read_metadata(run).name == str(beside)
    with pytest.raises(FormatError):
        read_metadata(tmp_path / name)


def test_metadata_in_braces_is_metadata(tmp_path: Path) -> None:
    beside = file(tmp_path / "bm25.yml", '{\n  "tag": "bm25"\n}\n')

    assert side_file(tmp_path / "bm25.run") == beside


# Reading as a whole ------------------------------------------------------------------------------------------


def test_the_record_of_a_run_is_read_from_the_file_beside_it(tmp_path: Path) -> None:
    run = file(tmp_path / "run.txt.gz", gzip.compress(RANKING))
    beside = file(tmp_path / "run.meta")

    metadata = read_metadata(run)

    assert metadata.record == read_record(run) == Record(TREE)
    assert (metadata.name, metadata.blocks, metadata.rest) == (str(beside), 0, b"")


def test_a_header_is_preferred_to_a_file_beside(tmp_path: Path) -> None:
    run = file(tmp_path / "run.txt", with_block("tag: header\n", RANKING))
    file(tmp_path / "run.meta")

    assert read_record(run).tree == {"tag": "header"}


def test_a_packed_run_is_read_with_its_header(tmp_path: Path) -> None:
    run = file(tmp_path / "run.txt", gzip.compress(with_block(YAML, RANKING)))

    assert read_record(run).tree == TREE


def test_metadata_that_cannot_be_read_is_blamed_on_the_file_it_is_in(tmp_path: Path) -> None:
    run = file(tmp_path / "run.txt", RANKING)
    beside = file(tmp_path / "run.meta", "tag: a\ntag: b\n")

    with pytest.raises(FormatError) as caught:
        read_metadata(run)

    assert (caught.value.path, caught.value.line) == (str(beside), 2)


def test_a_file_beside_that_is_a_run_has_no_metadata_either(tmp_path: Path) -> None:
    run = file(tmp_path / "run.txt", RANKING)
    beside = file(tmp_path / "run.meta", RANKING)

    with pytest.raises(NoMetadata) as caught:
        read_metadata(run)

    assert str(caught.value) == f"{beside}: expected metadata, found a run without it"


def test_a_file_beside_that_unpacks_without_end_is_refused(tmp_path: Path) -> None:
    run = file(tmp_path / "run.txt", RANKING)
    file(tmp_path / "run.meta", gzip.compress(bytes(5 << 20)))

    with pytest.raises(FileError, match="unpacks to more than 4,194,304 bytes"):
        read_metadata(run)


def test_bytes_have_no_file_beside_them() -> None:
    with pytest.raises(NoMetadata) as caught:
        read_metadata(RANKING)

    assert str(caught.value) == "<bytes>: has no metadata; add it with: primad annotate"


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"run\.txt: no such file$"):
        read_record(tmp_path / "run.txt")


def test_metadata_is_read_in_the_form_of_the_schema_that_is_asked_for() -> None:
    data = b"implementation: {executable: ./run.py, commit: 012}\n"

    assert read_metadata(data, load_schema("0.1")).record.tree == {
        "implementation": {"executable": "./run.py", "source": {"commit": "012"}}
    }
    assert read_metadata(data).record.tree == {
        "implementation": {"executable": {"cmd": "./run.py"}, "source": {"commit": "012"}}
    }


# Trees of Python ---------------------------------------------------------------------------------------------


def test_a_record_is_made_from_plain_values_which_stay_as_they_are() -> None:
    tree = {"data": {"test_collection": "Robust04"}, "method": {"retrieval": {"name": "bm25"}}}

    record = from_tree(tree)

    assert record.tree == {
        "data": {"test collection": {"name": "Robust04"}},
        "method": {"retrieval": [{"name": "bm25"}]},
    }
    assert tree == {"data": {"test_collection": "Robust04"}, "method": {"retrieval": {"name": "bm25"}}}


def test_values_that_no_file_can_hold_are_refused() -> None:
    with pytest.raises(DataError, match=r"found a value of 'set'$"):
        from_tree({"tag": {"a"}})


# Anything ----------------------------------------------------------------------------------------------------


def fault_of(data: bytes) -> str:
    """Return the message with which DATA is refused, empty if it is read; any other error comes through."""
    try:
        metadata_in(data, "a.run")
    except PrimadError as error:
        return str(error)
    return ""


@given(st.binary())
def test_any_bytes_are_read_or_refused_with_a_message(data: bytes) -> None:
    fault = fault_of(data)

    assert not fault or A_MESSAGE.fullmatch(fault)


@given(st.binary() | st.text().map(str.encode))
def test_any_bytes_in_a_header_are_read_or_refused_with_a_message(data: bytes) -> None:
    lines = b"".join(b"# " + line + b"\n" for line in data.split(b"\n"))

    fault = fault_of(b"# ir_metadata.start\n" + lines + b"# ir_metadata.end\n" + RANKING)

    assert not fault or A_MESSAGE.fullmatch(fault)


changes = st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 5), st.binary(max_size=4)), min_size=1, max_size=8)


@given(changes=changes)
@pytest.mark.parametrize(
    "name",
    [
        "anserini-bm25-retrieval/dev1/retrieval-ir-metadata.yml",
        "tira/longeval-ir-metadata/ir-metadata.yml",
        "tira/ranking-with-metadata/metadata.yml",
        "tira/wows26/complete/ir-metadata.yml",
    ],
)
def test_a_real_header_that_was_damaged_is_read_or_refused_with_a_message(
    shared_data: Path, name: str, changes: list[tuple[int, int, bytes]]
) -> None:
    text = (shared_data / "ir_metadata" / name).read_text(encoding="utf-8")
    data = with_block("\n".join(text.splitlines()[:100]), RANKING)

    for place, length, new in changes:
        start = place % len(data)
        data = data[:start] + new + data[start + length :]

    fault = fault_of(data)
    assert not fault or A_MESSAGE.fullmatch(fault)
