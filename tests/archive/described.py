"""Runs with records, as small as they can be, for tests of the archive."""

from pathlib import Path
from typing import Any

from primad.metadata.paths import parse, put
from primad.metadata.record import Record

QRELS = "301 0 d1 1\n301 0 d2 0\n301 0 d3 1\n302 0 d4 1\n302 0 d5 0\n303 0 d6 1\n303 0 d7 0\n"
# Of three topics the relevant documents stand first, second, ... : the number says how good a run is, 0 is best.
DOCUMENTS = {"301": ["d1", "d3", "d2"], "302": ["d4", "d5"], "303": ["d6", "d7"]}


def ranking(tag: str, worse: int = 0) -> str:
    """Return the lines of a run whose lists are turned around in the first WORSE topics."""
    lines = []
    for number, (topic, documents) in enumerate(DOCUMENTS.items()):
        ordered = documents[::-1] if number < worse else documents
        lines += [f"{topic} Q0 {name} {rank} {10 - rank}.5 {tag}" for rank, name in enumerate(ordered, 1)]
    return "\n".join(lines) + "\n"


def record(tag: str = "bm25", **fields: Any) -> Record:
    """Return a record with the fields that every run should state; others by their paths, blanks as underscores."""
    tree: dict[str, Any] = {
        "schema-version": "0.2",
        "run-version": "1.0",
        "tag": tag,
        "platform": {"software": {"libraries": {"python": ["numpy==2.4"]}, "retrieval toolkit": ["anserini==0.4"]}},
        "research goal": {"venue": {"name": "TREC", "year": 2017}},
        "implementation": {
            "executable": {"cmd": "./run.sh"},
            "source": {"repository": "https://example.org/code", "commit": "a" * 40},
        },
        "method": {"automatic": True, "retrieval": [{"name": "bm25", "k1": 0.9}]},
        "actor": {"name": "Ada", "team": "h2oloo", "role": "experimenter"},
        "data": {"test collection": {"name": "Core17"}},
    }
    for path, value in fields.items():
        put(tree, parse(path.replace("__", ".").replace("_", " ")), value)
    return Record(tree)


def write(folder: Path, name: str, content: Record | None, lines: str) -> Path:
    """Write a run of these LINES to FOLDER, with the record CONTENT as its header."""
    folder.mkdir(parents=True, exist_ok=True)
    header = ""
    if content is not None:
        yaml = "".join(f"# {line}\n" for line in content.to_yaml().splitlines())
        header = f"# ir_metadata.start\n{yaml}# ir_metadata.end\n"
    path = folder / name
    path.write_text(header + lines)
    return path


def write_run(folder: Path, name: str = "bm25.run", tag: str = "bm25", worse: int = 0, **fields: Any) -> Path:
    """Write an annotated run; FIELDS are those of ``record``."""
    return write(folder, name, record(tag, **fields), ranking(tag, worse))


def write_own_run(folder: Path, number: int, tag: str = "", **fields: Any) -> Path:
    """Write an annotated run whose ranking no other has: it ends with an unjudged document of its own."""
    tag = tag or f"run{number}"
    lines = ranking(tag, number % 4) + f"303 Q0 unjudged-{tag} 3 0.5 {tag}\n"
    return write(folder, f"{tag}.run", record(tag, **fields), lines)


def write_qrels(folder: Path, name: str = "core17.qrels") -> Path:
    """Write the judgments that the runs are scored by."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(QRELS)
    return path
