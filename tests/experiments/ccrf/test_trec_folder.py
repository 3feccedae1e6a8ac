"""Is any folder with TREC documents, topics and qrels read right, and what is wrong in it said with file and line?"""

import gzip
import pickle
import re
from pathlib import Path

import pytest

from primad import PrimadError
from primad.experiments.ccrf import trec_folder
from primad.experiments.ccrf.trec_folder import FolderError, read_collection

DOCUMENTS = (
    "<DOC>\n<DOCNO> d1 </DOCNO>\n<TEXT>Red &amp; <b>white</b>\nrose</TEXT>\n</DOC>\n<doc><docno>d2</docno>a<2</doc>\n"
)
TOPICS = "<top>\n<num> Number: 301\n<title> Topic: Red\n roses\n<desc> Description:\nMore.\n</top>\n"
QRELS = "301 0 d1 1\n301 0 d2 0\n"


def write(folder: Path, **files: str | bytes) -> Path:
    """Write good documents, topics and qrels into FOLDER, or what FILES says instead."""
    for name, content in {"documents": DOCUMENTS, "topics": TOPICS, "qrels": QRELS, **files}.items():
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def test_vaswani_has_its_documents_and_topics(shared_data: Path) -> None:
    collection = read_collection(shared_data / "vaswani")

    assert (collection.name, len(collection.documents), len(collection.topics)) == ("vaswani", 11429, 93)
    assert collection.topics["4"] == "SYSTEMS OF DATA CODING FOR INFORMATION TRANSFER"
    assert collection.documents["1"].startswith(
        "compact memories have flexible capacities a digital data storage system"
    )
    assert sum(len(grades) for grades in collection.qrels.values()) == 2083
    assert set(collection.judged) <= collection.documents.keys()


def test_tags_numbers_and_labels_are_no_text(tmp_path: Path) -> None:
    collection = read_collection(write(tmp_path), "roses")

    assert collection.name == "roses"
    assert collection.documents == {"d1": "Red & white rose", "d2": "a<2"}
    assert collection.topics == {"301": "Red roses"}
    assert collection.qrels == {"301": {"d1": 1, "d2": 0}}
    assert collection.description == "2 documents and 1 topics in TREC format"


def test_files_may_be_many_packed_and_in_folders(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "b.gz").write_bytes(gzip.compress(b"<DOC><DOCNO>d3</DOCNO>green</DOC>"))

    collection = read_collection(write(tmp_path, qrels=gzip.compress(QRELS.encode())))

    assert list(collection.documents) == ["d1", "d2", "d3"]
    assert collection.qrels == {"301": {"d1": 1, "d2": 0}}


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".hidden").write_text("<DOC> never closed")
    others: dict[str, str | bytes] = {
        "README": "about <DOC> and <top>",
        "a.run": "301 Q0 d1 1 2.5 bm25\n",
        "empty": "",
        "noise": b"\x00\xff",
    }

    assert list(read_collection(write(tmp_path, **others)).documents) == ["d1", "d2"]


@pytest.mark.parametrize(
    "topics",
    [
        pytest.param("<top><num>301<title>red roses<top><num>302<title>blue", id="no end tags"),
        pytest.param(
            "<TOP>\r\n<NUM>Number: 301</NUM>\r\n<TITLE>red\r\nroses</TITLE></TOP>"
            "<top><num>302</num><title>blue</title></top>",
            id="capitals and carriage returns",
        ),
        pytest.param(
            "\ufeff<top><num>0301</num><title>red roses</title></top><top><num>302<title>blue", id="zeros, a mark"
        ),
    ],
)
def test_topics_are_read_in_every_usual_form(tmp_path: Path, topics: str) -> None:
    topics = topics.replace("\ufeff<top>", "\ufeff\n<top>")

    assert read_collection(write(tmp_path, topics=topics)).topics == {"301": "red roses", "302": "blue"}


def test_a_topic_keeps_its_zeros_where_another_has_the_number_without(tmp_path: Path) -> None:
    topics = "<top><num>0301<title>other<top><num>301<title>red roses"

    assert read_collection(write(tmp_path, topics=topics)).topics == {"0301": "other", "301": "red roses"}


def test_text_that_is_not_utf_8_is_latin_1(tmp_path: Path) -> None:
    documents = "<DOC><DOCNO>d1</DOCNO>caf\u00e9</DOC>"

    assert read_collection(write(tmp_path, documents=documents.encode("latin-1"))).documents == {"d1": "caf\u00e9"}
    assert read_collection(write(tmp_path, documents=documents.encode())).documents == {"d1": "caf\u00e9"}


@pytest.mark.parametrize(
    ("name", "content", "line", "found"),
    [
        pytest.param("documents", "<DOC><DOCNO>1</DOCNO></DOC>\n<DOC>\n", 2, "expected </DOC> after this", id="no end"),
        pytest.param("documents", "<DOC>\n<DOCNO>1</DOCNO>\n<DOC>", 3, "expected </DOC>, found <DOC>", id="nested"),
        pytest.param(
            "documents", "\n<DOC><DOCNO>1</DOCNO></DOC></DOC>", 2, "expected <DOC>, found </DOC>", id="end twice"
        ),
        pytest.param("documents", "\n<DOC>\n</DOC>", 2, "expected <DOCNO>...</DOCNO>", id="no number"),
        pytest.param("documents", "<DOC>\n<DOCNO>a b</DOCNO></DOC>", 2, "of one word, found 'a b'", id="two words"),
        pytest.param("documents", "<DOC><DOCNO> </DOCNO></DOC>", 1, "of one word, found ''", id="empty number"),
        pytest.param(
            "documents",
            "<DOC><DOCNO>1</DOCNO></DOC>\n<DOC><DOCNO>1</DOCNO></DOC>",
            2,
            "document '1' is there a second time",
            id="a document twice",
        ),
        pytest.param("topics", "<top>\n<title>red", 1, "expected <num> in the topic", id="topic without number"),
        pytest.param("topics", "\n<top><num>1", 2, "expected <title> in the topic", id="topic without title"),
        pytest.param(
            "topics", "<top><num>1<title> Topic: <desc>x", 1, "expected words in the <title>", id="empty title"
        ),
        pytest.param("topics", TOPICS + TOPICS, 8, "topic '301' is there a second time", id="a topic twice"),
    ],
)
def test_a_broken_file_is_reported_with_its_line(
    tmp_path: Path, name: str, content: str, line: int, found: str
) -> None:
    with pytest.raises(FolderError, match=re.escape(found)) as caught:
        read_collection(write(tmp_path, **{name: content}))

    assert (caught.value.path, caught.value.line) == (str(tmp_path / name), line)
    assert str(caught.value).startswith(f"{tmp_path / name}:{line}: ")


def test_wrong_qrels_are_reported_with_their_line(tmp_path: Path) -> None:
    with pytest.raises(PrimadError, match=r"qrels:2: expected"):
        read_collection(write(tmp_path, qrels="301 0 d1 1\n301 0 d2\n"))


@pytest.mark.parametrize(
    ("name", "found"),
    [
        pytest.param("documents", "expected a file with TREC documents (<DOC> ... </DOC>), found none", id="documents"),
        pytest.param("topics", "expected a file with TREC topics (<top> ... </top>), found none", id="topics"),
        pytest.param("qrels", "expected a file with TREC qrels (topic 0 document grade), found none", id="qrels"),
    ],
)
def test_a_missing_part_is_named(tmp_path: Path, name: str, found: str) -> None:
    (write(tmp_path) / name).unlink()

    with pytest.raises(FolderError, match=re.escape(found)):
        read_collection(tmp_path)


def test_two_files_with_qrels_are_one_too_many(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match="expected one file with qrels, found judgments, qrels; move all but one"):
        read_collection(write(tmp_path, judgments=QRELS))


def test_judgments_of_other_topics_only_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match="expected judgments of the folder's topics, found none"):
        read_collection(write(tmp_path, qrels="999 0 d1 1\n"))


def test_what_is_no_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(FolderError, match="expected a folder, found a file"):
        read_collection(tmp_path / "file")
    with pytest.raises(FolderError, match="expected a folder, found none"):
        read_collection(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("content", "found"),
    [
        pytest.param(gzip.compress(DOCUMENTS.encode())[:-9], "cannot be read (", id="truncated gzip"),
        pytest.param(b"\x1f\x8b\x08\x00nonsense", "cannot be read (", id="damaged gzip"),
        pytest.param(b"\x1f\x9d\x90", "packed with compress, which cannot be read; unpack it with", id="compress"),
    ],
)
def test_a_damaged_or_foreign_archive_is_reported(tmp_path: Path, content: bytes, found: str) -> None:
    with pytest.raises(FolderError, match=re.escape(found)):
        read_collection(write(tmp_path, documents=content))


def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trec_folder, "MAX_BYTES", 5000)

    with pytest.raises(FolderError, match="holds more than 5,000 bytes"):
        read_collection(write(tmp_path, documents=gzip.compress(DOCUMENTS.encode() + b" " * 100_000)))


def test_the_error_travels_between_processes_whole() -> None:
    error = FolderError(Path("a"), "found", 3, "hint")

    again = pickle.loads(pickle.dumps(error))  # noqa: S301

    assert (str(again), again.path, again.line) == ("a:3: found; hint", "a", 3)
