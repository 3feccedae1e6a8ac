"""Is the metadata that other tools and people have written read, all of it, and in one form?

Each YAML file and each run below ir_metadata has a line here: what must come out, or why it is refused.
"""

from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from primad.errors import FormatError
from primad.metadata.header import with_block
from primad.metadata.paths import leaves
from primad.metadata.reading import from_tree, metadata_in, read_metadata, read_record, side_file
from primad.metadata.recording.written import looks_like_run
from primad.trec.files import read_bytes
from primad.trec.ranking import is_ranking

RANKING = b"301 Q0 FT911-3 1 0.5 bm25\n"


class Read(NamedTuple):
    """A file that is read: values in normal form, None where nothing is stated, and the file they stand in."""

    values: dict[str, Any]
    beside: str = ""


class Refused(NamedTuple):
    """A file that is refused in a line, with a message."""

    line: int
    message: str


def tracked_by_anserini(part: str, wallclock: str) -> dict[str, Any]:
    """Return what the files with !!string, !!bool and other tags say."""
    return {
        "schema-version": "0.2",
        "implementation.executable": {
            "cmd": f"./baseline.py --output runs/{part}/run.txt.gz "
            f"--index trec-tot-2025-anserini-index --dataset trec-tot/2025/{part}"
        },
        "implementation.python": {"interactive": False, "modules": "3.10.12"},
        "implementation.source.devcontainer.image": "mam10eks/trec-tot-anserini-baseline:dev-0.0.1",
        "platform.software.libraries.python[0]": "GitPython==3.1.44",
        "platform.hardware.ram": "202.75 GB",
        "platform.hardware.cpu.number of cores": 12,
        "platform.hardware.cpu.virtualization": None,
        "platform.hardware.gpu.supported": False,
        "resources.runtime.wallclock": wallclock,
    }


def tracked_by_seismic(collection: str, wallclock: str, energy: str) -> dict[str, Any]:
    """Return what the files of a benchmark of learned sparse retrieval say."""
    return {
        "schema-version": "0.2",
        "data.test collection": {"name": collection},
        "platform.hardware.ram": "33.347 GB",
        "platform.software.libraries.python[7]": "UNKNOWN==0.2.16.dev10+g329425f8b",
        "implementation.source.uncommitted changes": True,
        "implementation.source.archive path": "trec-28-deep-learning-passages/.tirex-tracker/code.zip",
        "resources.runtime.wallclock": wallclock,
        "resources.cpu.energy used system": energy,
    }


CHATNOIR = {
    "schema-version": "0.2",
    "implementation.source.is repo": True,
    "implementation.source.uncommitted changes": False,
    "implementation.source.lang": None,
    "implementation.source.archive.script path": "chatnoir-baseline/chatnoir-retrieval.py",
    "platform.hardware.ram": "202.735 GB",
    "platform.hardware.cpu.caches": {"l1d": "384 KiB", "l1i": "384 KiB", "l2": "3072 KiB", "l3": "30720 KiB"},
    "resources.runtime": {"system": "120 ms", "user": "4020 ms", "wallclock": "17850 ms"},
    "resources.cpu.used process.max": 43,
}
TWICE = "expected each key once, found 'repository' again (first in line {})"

FILES: dict[str, Read | Refused] = {
    "anserini-bm25-retrieval/dev1/retrieval-ir-metadata.yml": Read(tracked_by_anserini("dev1", "120938 ms")),
    "anserini-bm25-retrieval/dev1/run.txt.gz": Read(
        tracked_by_anserini("dev1", "120938 ms"), beside="retrieval-ir-metadata.yml"
    ),
    "anserini-bm25-retrieval/dev2/retrieval-ir-metadata.yml": Read(tracked_by_anserini("dev2", "108456 ms")),
    "tira/invalid-ir-metadata/.ir-metadata.yml": Refused(
        1,
        "expected PRIMAD metadata (platform, research goal, implementation, method, actor, data), found only: test",
    ),
    "tira/ir-metadata-no-script/metadata.yml": Refused(17, TWICE.format(11)),
    "tira/ir-metadata-with-script-and-notebook/metadata.yml": Refused(19, TWICE.format(13)),
    "tira/ir-metadata-with-script/metadata.yml": Refused(19, TWICE.format(13)),
    "tira/longeval-ir-metadata/ir-metadata-incomplete.yml": Read(
        {"tag": None, "method.automatic": None, "data.training data[0].name": "longeval-sci"}
    ),
    "tira/longeval-ir-metadata/ir-metadata-rag-incomplete.yml": Read(
        {"tag": None, "method.generation": None, "data.training data": [{"name": "longeval-sci-2026"}]}
    ),
    "tira/longeval-ir-metadata/ir-metadata-rag.yml": Read(
        {
            "tag": "some-tag",
            "research goal.description": "here is my description\nover multiple lines\n",
            "method.automatic": True,
            "method.retrieval[0].documents": 111,
            "method.generation.prompt": "Some multiline description\nsecond line\n",
            "method.generation.llm": "my own llm",
        }
    ),
    "tira/longeval-ir-metadata/ir-metadata.yml": Read(
        {
            "tag": "ows_bm25_bo1_keyqueries",
            "platform.software.libraries": {"other": ["PyTerrier==0.10.0", "Tira==0.0.129"]},
            "method.retrieval[0].lexical": True,
            "method.retrieval[0].dense_neural_model": False,
        }
    ),
    "tira/ranking-with-metadata/metadata.yml": Read(CHATNOIR),
    "tira/ranking-with-metadata/run.txt": Read(CHATNOIR, beside="metadata.yml"),
    "tira/valid-ir-metadata-multiple-datasets-ambiguous/foo-tmp.yml": Read(
        {
            "data.test collection.name": "some other dataset",
            "implementation.executable": None,
            "platform.software.libraries": {"python": ["Deprecated==1.2.18"]},
        }
    ),
    "tira/valid-ir-metadata-multiple-datasets-ambiguous/retrieval-metadata.yml": Read(
        tracked_by_seismic("learned-sparse-retrieval-20250926-training", "28 ms", "0 J")
    ),
    "tira/valid-ir-metadata-multiple-datasets-hidden/.indexing/foo.yml": Read(
        tracked_by_seismic("other-dataset", "42166 ms", "8 J")
    ),
    "tira/valid-ir-metadata-multiple-datasets/.indexing/foo.yml": Read(
        tracked_by_seismic("other-dataset", "42166 ms", "8 J")
    ),
    "tira/valid-ir-metadata-multiple-datasets/foo-tmp.yml": Read(
        {
            "data.test collection.name": "learned-sparse-retrieval-20250926-training",
            "implementation.python": {"interactive": False, "modules": "3.10.12"},
            "platform.software.libraries": {"python": ["Deprecated==1.2.18"]},
        }
    ),
    "tira/valid-ir-metadata-multiple-datasets/retrieval-metadata.yml": Read(
        tracked_by_seismic("learned-sparse-retrieval-20250926-training", "28 ms", "0 J")
    ),
    "tira/valid-multiple-ir-metadata/.ir-metadata.yml": Read(CHATNOIR),
    "tira/valid-multiple-ir-metadata/foo-1/foo-2/foo-metadata.yml": Read(CHATNOIR),
    "tira/valid-multiple-ir-metadata/foo-1/foo-metadata.yml": Read(CHATNOIR),
    "tira/valid-single-ir-metadata/.ir-metadata.yml": Read(CHATNOIR),
    "tira/wows26/complete/ir-metadata.yml": Read(
        {
            "method.name": "some-name",
            "actor.team": "my-team",
            "platform.software.libraries": {"other": ["hello worlds"]},
            "implementation.source.repository": "some-repo",
        }
    ),
    "tira/wows26/incomplete/ir-metadata.yml": Read({"actor": None, "method": None, "platform": None, "data": None}),
}

READ = [name for name, outcome in FILES.items() if isinstance(outcome, Read)]
WITHOUT_STRANGE_TAGS = [name for name in READ if name.startswith("tira/") and name.endswith(".yml")]


@pytest.fixture
def folder(shared_data: Path) -> Path:
    """Return the folder with the real files."""
    return shared_data / "ir_metadata"


def test_every_real_file_has_a_line_in_the_table(folder: Path) -> None:
    patterns = ("*.yml", "*.yaml", "*.meta", "*.run", "run*")

    found = {path.relative_to(folder).as_posix() for pattern in patterns for path in folder.rglob(pattern)}

    assert found == FILES.keys()


@pytest.mark.parametrize("name", READ)
def test_a_real_file_is_read_in_normal_form(folder: Path, name: str) -> None:
    outcome = FILES[name]
    assert isinstance(outcome, Read)

    metadata = read_metadata(folder / name)

    assert metadata.name == str((folder / name).with_name(outcome.beside) if outcome.beside else folder / name)
    assert {path: stated(metadata.record.get(path)) for path in outcome.values} == outcome.values


def stated(value: Any) -> Any:
    """Return VALUE without the placeholders of a skeleton in lists."""
    if isinstance(value, list):
        return [element for element in value if element != {"name": "ENTER_VALUE_HERE"}]
    return value


@pytest.mark.parametrize("name", [name for name, outcome in FILES.items() if isinstance(outcome, Refused)])
def test_a_real_file_that_is_wrong_is_refused_in_its_line(folder: Path, name: str) -> None:
    outcome = FILES[name]

    with pytest.raises(FormatError) as caught:
        read_metadata(folder / name)

    assert (caught.value.path, caught.value.line) == (str(folder / name), outcome[0])
    assert str(caught.value.problems[0]) == outcome[1]


@pytest.mark.parametrize("name", FILES)
def test_real_metadata_is_not_taken_for_a_run_nor_a_run_for_metadata(folder: Path, name: str) -> None:
    is_run = "/run" in name

    assert is_ranking(read_bytes(folder / name)) is is_run
    assert looks_like_run(folder / name) is is_run


@pytest.mark.parametrize("name", READ)
def test_a_real_record_is_the_same_after_it_was_written(folder: Path, name: str) -> None:
    record = read_record(folder / name)
    text = record.to_yaml()

    assert read_record(text.encode()) == record
    assert read_record(with_block(text, RANKING)) == record
    assert from_tree(record.tree) == record
    assert yaml.safe_load(text) == record.tree


@pytest.mark.parametrize("name", READ)
def test_a_real_record_that_was_read_again_has_nothing_left_to_move(folder: Path, name: str) -> None:
    metadata = metadata_in(read_record(folder / name).to_yaml().encode(), "a.yml")

    assert metadata is not None
    assert metadata.moves == ()


@pytest.mark.parametrize("name", WITHOUT_STRANGE_TAGS)
def test_every_text_of_a_real_file_is_found_again(folder: Path, name: str) -> None:
    before = yaml.safe_load((folder / name).read_text(encoding="utf-8"))

    missing = texts_in(before) - texts_in(read_record(folder / name).tree)

    # These are written otherwise: memory in gigabytes, and libraries with two equals signs.
    assert missing <= {"33347 MB", "202735 MB", "PyTerrier 0.10.0", "Tira 0.0.129"}


def texts_in(tree: Any) -> set[str]:
    """Return each value of TREE that is text."""
    return {text for _, text in leaves(tree) if isinstance(text, str)}


@pytest.mark.parametrize(
    ("place", "beside"),
    [
        pytest.param(
            "tira/valid-ir-metadata-multiple-datasets", "retrieval-metadata.yml", id="beside a temporary file"
        ),
        pytest.param(
            "tira/valid-ir-metadata-multiple-datasets-ambiguous", "retrieval-metadata.yml", id="of another name"
        ),
        pytest.param("tira/valid-ir-metadata-multiple-datasets-hidden", None, id="only in a hidden folder"),
        pytest.param("tira/valid-multiple-ir-metadata", ".ir-metadata.yml", id="hidden, with more in folders below"),
        pytest.param("tira/valid-multiple-ir-metadata/foo-1", "foo-metadata.yml", id="named after something"),
        pytest.param("tira/longeval-ir-metadata", "ir-metadata.yml", id="beside skeletons"),
        pytest.param("anserini-bm25-retrieval/dev2", "retrieval-ir-metadata.yml", id="named after the retrieval"),
    ],
)
def test_a_run_in_a_real_folder_finds_its_metadata(folder: Path, place: str, beside: str | None) -> None:
    assert side_file(folder / place / "run.txt") == (folder / place / beside if beside else None)
