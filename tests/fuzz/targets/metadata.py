"""Records and what is done with them: headers, files beside runs, profiles, templates, settings that people type."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import yaml

from primad.metadata.annotation import annotate
from primad.metadata.checking.files import Demands, check_data
from primad.metadata.fixing import fix
from primad.metadata.header import with_block
from primad.metadata.profile import load_profile
from primad.metadata.reading import metadata_in, read_metadata
from primad.metadata.settings import apply, read_settings
from primad.metadata.showing import harmless
from primad.reproducibility import compare
from tests.exchange.annotated import RECORD
from tests.fuzz.mutating import mutated
from tests.fuzz.target import in_bytes, packed, target, unpacked, write_files
from tests.fuzz.targets.trec import RUN
from tests.fuzz.trees import as_yaml, changed, odd

TREE: dict[str, Any] = yaml.safe_load(RECORD)
OLD: dict[str, Any] = {
    "schema version": 0.1,
    "platform": {"hardware": {"cpu": "Xeon", "ram": "64GB"}, "software": {"libraries": {"python": ["numpy"]}}},
    "research_goal": {"venue": "SIGIR", "year": "2020"},
    "method": {"retrieval": "bm25", "score ties": "reverse alphabetical order"},
    "actor": "Ada",
    "data": {"test_collection": "Robust04", "training data": "none"},
}
TREES = (TREE, OLD)
TEXTS = (RECORD.encode(), *(yaml.safe_dump(tree, sort_keys=False).encode() for tree in TREES))
PROFILE: dict[str, Any] = {
    "name": "ours",
    "title": "Our track",
    "schema": "0.2",
    "extends": "ir_metadata",
    "essential": ["tag", {"path": "actor.team", "if": "actor.name"}, "our.field"],
    "recommended": ["data.test collection.name", {"path": "actor.orcid", "unless": "actor.team"}],
    "fields": [{"path": "our.field", "type": "text", "meaning": "Anything", "why": "We ask for it", "example": "a"}],
    "depth": 1000,
}
SETTINGS = (
    "tag=bm25",
    "method.retrieval[0].k1 = 0.9",
    "actor.team=h2oloo",
    "data.test collection.name=Core17",
    "platform.hardware.cpu={model: Xeon}",
    "research goal.venue.year=2019",
    "method.automatic=true",
    "resources.exit status=0",
    "data.training data=[{name: a}]",
    "platform.software.libraries.python=[numpy==2.0]",
    "actor.mail=",
    "a\\.b.c=~",
)


def make_record(chance: Random) -> bytes:
    """Return a record that is damaged or has odd values."""
    if chance.random() < 0.4:
        return mutated(chance.choice(TEXTS), chance, TEXTS)
    return as_yaml(changed(chance.choice(TREES), chance, TREES), chance)


def make_annotated(chance: Random) -> bytes:
    """Return a run with a header, either of which may be odd."""
    text = make_record(chance) if chance.random() < 0.8 else chance.choice(TEXTS)
    whole = with_block(text.decode("utf-8", "replace"), RUN)
    return mutated(whole, chance, (RUN, *TEXTS)) if chance.random() < 0.4 else whole


def make_profile(chance: Random) -> bytes:
    """Return a profile that is damaged or has odd values."""
    if chance.random() < 0.3:
        return mutated(yaml.safe_dump(PROFILE, sort_keys=False).encode(), chance, TEXTS)
    return as_yaml(changed(PROFILE, chance, TREES), chance)


def make_settings(chance: Random) -> bytes:
    """Return settings as somebody types them."""
    typed = [mutated(chance.choice(SETTINGS).encode(), chance) for _ in range(chance.randint(1, 3))]
    return b"\n".join(typed)


def make_two(chance: Random) -> bytes:
    """Return two annotated runs."""
    return packed({f"{name}.run": make_annotated(chance) for name in "ab"})


@target("metadata", make_record, weight=60)
def take_record(data: bytes, _place: Path) -> Any:
    """Read a metadata file, and write its record again."""
    metadata = read_metadata(data)
    written = metadata.record.to_yaml()
    assert read_metadata(written.encode()).record.to_yaml() == written, "what is written is read otherwise"
    return metadata.moves, metadata.conflicts


@target("header", make_annotated, weight=60)
def take_header(data: bytes, _place: Path) -> Any:
    """Read the header of a run."""
    found = metadata_in(data, "x.run")
    return found and harmless(found.record.to_yaml())


@target("check", make_annotated, weight=10)
def take_check(data: bytes, _place: Path) -> Any:
    """Say everything that is wrong with an annotated run."""
    checked, _ = check_data(data, "x.run", Demands(chance_of(data)))
    for finding in checked.findings:
        str(finding).encode()
    return checked


def chance_of(data: bytes) -> str:
    """Return which profile DATA are checked by: another for others, but always the same."""
    return ("ir_metadata", "longeval2026")[len(data) % 2]


@target("fix", make_annotated, weight=10)
def take_fix(data: bytes, _place: Path) -> Any:
    """Repair an annotated run; what was repaired can be read."""
    fixed = fix(data)
    metadata_in(fixed.data, "fixed.run")


@target("annotate", lambda chance: packed({"run": make_annotated(chance), "template": make_record(chance)}), weight=10)
def take_annotate(data: bytes, _place: Path) -> Any:
    """Annotate a run by a template; what was written can be read, and says the same."""
    given = unpacked(data)
    annotation = annotate(
        in_bytes(given["run"]), template=in_bytes(given["template"]), values={"actor.team": "x"}, accept_ranking=True
    )
    found = metadata_in(annotation.data, "x.run")
    assert found is not None
    assert found.record.to_yaml() == annotation.record.to_yaml(), "what is written is read otherwise"


@target("set", make_settings, weight=80)
def take_settings(data: bytes, _place: Path) -> Any:
    """Read settings as somebody types them, and apply them to a record."""
    typed = data.decode("utf-8", "surrogateescape").split("\n")
    tree, remarks = apply(read_settings(typed), TREE)
    return tree, remarks


@target("profile", make_profile, weight=8)
def take_profile(data: bytes, place: Path) -> Any:
    """Read a profile, and check a run by it."""
    path = place / "ours.yaml"
    path.write_bytes(data)
    profile = load_profile(str(path))
    check_data(with_block(RECORD, RUN), "x.run", Demands(str(path)))
    return profile.depth


@target("compare", make_two, weight=3)
def take_two(data: bytes, place: Path) -> Any:
    """Say what changed between two runs."""
    folder = write_files(unpacked(data), place / "runs")
    return compare([folder / "a.run", folder / "b.run"])


@target(
    "values",
    lambda chance: as_yaml({"actor": odd(chance), "method": odd(chance), "data": odd(chance)}, chance),
    weight=20,
)
def take_values(data: bytes, _place: Path) -> Any:
    """Check a record of which nothing is as it should be."""
    checked, _ = check_data(data, "x.yaml", Demands())
    return checked
