"""Crates for tests: files on the disk to pack, and crates as others write them.

write_files      files with their content below a folder
contents         the bytes of all files below a folder, by path
annotated        a run with a header
foreign_crate    a crate with the entities that somebody else has written
process_run      the entities of a Process Run Crate by hand
provenance_run   those of a workflow run, in the form that runcrate gives them
"""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

from primad.metadata.annotation import annotate
from tests.exchange.some_things import RUN, TREE

Entities = list[dict[str, Any]]

DESCRIPTOR = "ro-crate-metadata.json"
PLAIN = RUN.replace(b"bm25+rm3", b"plain")


def write_files(folder: Path, files: dict[str, bytes]) -> Path:
    """Write FILES by their paths below FOLDER, and return it."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """Return what is in the files below FOLDER."""
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


def annotated(ranking: bytes = RUN, **values: Any) -> bytes:
    """Return RANKING with a header, in which the fields VALUES are other than in TREE; dots are double underscores."""
    changed = {name.replace("__", ".").replace("_", " "): value for name, value in values.items()}
    data = annotate(ranking, template=_record(ranking), values=changed).data
    return bytes(data)


def _record(ranking: bytes) -> Any:
    """Return TREE as the record of RANKING."""
    from primad.metadata.reading import from_tree

    return from_tree(TREE | {"tag": ranking.split()[5].decode()})


def packed(data: bytes) -> bytes:
    """Return DATA packed by gzip, always alike."""
    return gzip.compress(data, mtime=0)


def entities_of(crate: Path) -> dict[str, dict[str, Any]]:
    """Return the entities of the CRATE on the disk by identifier."""
    graph = json.loads((crate / DESCRIPTOR).read_text(encoding="utf-8"))["@graph"]
    found = {entity["@id"]: entity for entity in graph}
    assert len(found) == len(graph)  # none stands there twice
    return found


def foreign_crate(
    folder: Path,
    entities: Entities,
    files: dict[str, bytes] | None = None,
    *,
    root: dict[str, Any] | None = None,
    version: str = "1.1",
) -> Path:
    """Write a crate with ENTITIES and FILES below FOLDER; ROOT has further properties of the crate itself."""
    whole: dict[str, Any] = {"@id": "./", "@type": "Dataset", "name": "theirs", "description": "A crate."} | (
        root or {}
    )
    descriptor = {
        "@id": DESCRIPTOR,
        "@type": "CreativeWork",
        "conformsTo": {"@id": f"https://w3id.org/ro/crate/{version}"},
        "about": {"@id": whole["@id"]},
    }
    graph = {"@context": f"https://w3id.org/ro/crate/{version}/context", "@graph": [descriptor, whole, *entities]}
    return write_files(folder, {DESCRIPTOR: json.dumps(graph).encode(), **(files or {})})


def process_run(run: str = "out.run", **of_run: Any) -> Entities:
    """Return the entities of a command that somebody has described by hand; OF_RUN are properties of its output."""
    return [
        {"@id": run, "@type": "File", "name": "the ranking", "encodingFormat": "text/plain"} | of_run,
        {"@id": "topics.txt", "@type": "File", "contentSize": "12"},
        {
            "@id": "#search",
            "@type": "CreateAction",
            "name": "Search Core17",
            "description": "Anserini -index idx -topics topics.txt -bm25",
            "instrument": {"@id": "https://github.com/castorini/anserini"},
            "agent": {"@id": "https://orcid.org/0000-0002-0661-7189"},
            "startTime": "2024-05-17T01:04:50+01:00",
            "endTime": "2024-05-17T01:04:52+01:00",
            "actionStatus": "http://schema.org/CompletedActionStatus",
            "object": [{"@id": "topics.txt"}, {"@id": "#k1"}, {"@id": "https://example.org/core17/"}],
            "result": {"@id": run},
        },
        {
            "@id": "https://github.com/castorini/anserini",
            "@type": "SoftwareApplication",
            "name": "Anserini",
            "softwareVersion": "0.36.0",
            "codeRepository": "https://github.com/castorini/anserini",
            "softwareRequirements": [{"@id": "#lucene"}],
        },
        {"@id": "#lucene", "@type": "SoftwareApplication", "name": "lucene", "version": "9.9"},
        {"@id": "#k1", "@type": "PropertyValue", "name": "k1", "value": 0.9},
        {"@id": "https://example.org/core17/", "@type": "Dataset", "name": "Core17"},
        {
            "@id": "https://orcid.org/0000-0002-0661-7189",
            "@type": "Person",
            "name": "Jimmy Lin",
            "affiliation": {"@id": "https://ror.org/01aff2v68"},
        },
        {"@id": "https://ror.org/01aff2v68", "@type": "Organization", "name": "University of Waterloo"},
    ]


def provenance_run(data: bytes) -> Entities:
    """Return the entities of a workflow of one step, whose output has the content DATA."""
    steps = {"@id": "#step-run", "@type": "CreateAction", "name": "Run of search.cwl"}
    return [
        {
            "@id": "workflow.cwl",
            "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo"],
            "name": "workflow.cwl",
            "programmingLanguage": {"@id": "https://w3id.org/workflowhub/workflow-ro-crate#cwl"},
            "step": [{"@id": "workflow.cwl#main/search"}],
        },
        {"@id": "https://w3id.org/workflowhub/workflow-ro-crate#cwl", "@type": "ComputerLanguage", "name": "CWL"},
        {"@id": "workflow.cwl#main/search", "@type": "HowToStep", "position": "0"},
        {
            "@id": "#workflow-run",
            "@type": "CreateAction",
            "instrument": {"@id": "workflow.cwl"},
            "result": [{"@id": "b9214658cc453331b62c2282b772a5c063dbd284"}],
        },
        steps
        | {
            "instrument": {"@id": "workflow.cwl#search.cwl"},
            "object": [{"@id": "#param-depth"}],
            "result": [{"@id": "b9214658cc453331b62c2282b772a5c063dbd284"}],
        },
        {"@id": "workflow.cwl#search.cwl", "@type": "SoftwareApplication", "name": "search.cwl"},
        {
            "@id": "#param-depth",
            "@type": "PropertyValue",
            "exampleOfWork": {"@id": "#formal-depth"},
            "name": "main/depth",
            "value": "1000",
        },
        {"@id": "#formal-depth", "@type": "FormalParameter", "additionalType": "Integer", "name": "depth"},
        {
            "@id": "b9214658cc453331b62c2282b772a5c063dbd284",
            "@type": "File",
            "alternateName": "ranking.txt",
            "contentSize": len(data),
            "sha1": hashlib.sha1(data, usedforsecurity=False).hexdigest(),
        },
    ]
