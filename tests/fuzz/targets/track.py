"""Folders that describe tracks, as somebody wrote them by hand or another site exported them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import yaml

from primad.track.sheet import DEFAULT, check_answers, rule_of, template_of, tree_of
from primad.track.track import Track
from tests.fuzz.mutating import mutated
from tests.fuzz.sites import Fresh, small_site
from tests.fuzz.target import packed, target, unpacked, write_files
from tests.fuzz.trees import as_json, as_yaml, changed

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@cache
def _folders() -> tuple[dict[str, bytes], ...]:
    """Return the files of tracks that are described in folders."""
    return tuple(
        {one.relative_to(folder).as_posix(): one.read_bytes() for one in sorted(folder.rglob("*")) if one.is_file()}
        for folder in (EXAMPLES / "clef-ehealth-2016", EXAMPLES / "lab_track")
    )


def make_folder(chance: Random) -> bytes:
    """Return a folder of a track, one of whose files is odd."""
    files = dict(chance.choice(_folders()))
    described = [one for one in files if one.endswith(".yaml")]
    for name in chance.sample(described, chance.choice((1, 1, 2))):
        if chance.random() < 0.7:
            files[name] = as_yaml(changed(yaml.safe_load(files[name]), chance, _trees()), chance)
        else:
            files[name] = mutated(files[name], chance)
    return packed(files)


@cache
def _trees() -> tuple[Any, ...]:
    """Return what the files of tracks say."""
    return tuple(yaml.safe_load(data) for files in _folders() for name, data in files.items() if name.endswith(".yaml"))


class _Open:
    """The data folder that tracks are taken into."""

    fresh: Fresh


@contextmanager
def opened(shared: Path) -> Iterator[None]:
    """Let tracks be taken into a data folder in SHARED."""
    with small_site(shared) as (fresh, _):
        _Open.fresh = fresh
        yield


@target("import-track", make_folder, weight=1, set_up=opened)
def take_folder(data: bytes, place: Path) -> Any:
    """Take a track in, look at it, and export it again."""
    source = write_files(unpacked(data), place / "theirs")
    try:
        track = Track.import_folder(source, _Open.fresh.folder)
        track.export(place / "ours")
        facts = track.facts()
        track.report()
    finally:
        _Open.fresh.restore()
    return facts


@cache
def _sheet() -> dict[str, Any]:
    """Return the questions of a sheet as they are kept."""
    return tree_of(template_of(DEFAULT))


_ANSWERS: dict[str, tuple[Any, ...]] = {
    "yes-no": ("yes", "no", {"value": "yes", "comment": "hardly"}),
    "five": (5, "4", {"value": 3, "note": "a", "proposed": 4}),
    "four": (4, 1),
    "text": ("fine", None),
}


def make_sheet(chance: Random) -> bytes:
    """Return the questions of a sheet, and answers, either of which are odd."""
    answers = {one["key"]: chance.choice(_ANSWERS[one["scale"]]) for one in _sheet()["questions"]}
    is_odd = chance.random() < 0.6
    return as_json(
        [changed(_sheet(), chance) if is_odd else _sheet(), answers if is_odd else changed(answers, chance)], chance
    )


@target("sheet", make_sheet, weight=20)
def take_sheet(data: bytes, _place: Path) -> Any:
    """Read the questions of a sheet, and answers to them."""
    tree, answers = json.loads(data)
    template = template_of(tree)
    answered = check_answers(template, answers, final=len(data) % 2 == 0)
    return tree_of(template), answered, [rule_of(item) for item in template.items]
