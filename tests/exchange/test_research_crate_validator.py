"""Does the validator of RO-Crates accept what is written, by the profile Process Run Crate 0.5?

It runs as it is, in an environment of its own that ``make test`` makes (tests/peers), and without a network.  Two
things it can therefore not do, as the page on exchange says:

    the terms of RO-Crate 1.1 are at an address; in their place it gets those that the package rocrate brings along, of
        a later version (test_research_crate_packing keeps a list of the terms that are used)
    nothing is asked for at any address; a crate has no file on the web, so the checks of such files have nothing to do
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from primad.exchange.gathering import gather
from primad.exchange.writing import export
from tests.exchange import rocrate_crates as crates
from tests.exchange.peers import run_peer
from tests.exchange.some_things import QRELS, STATED, an_experiment
from tests.exchange.test_research_crate_round_trip import an_attempt

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("research crate")]

Found = dict[str, Any]

# What the profile recommends and a crate does not have, because nobody has said it.
URL_OF_SOFTWARE = "Application url"  # records name libraries by name and version
ID_OF_SOFTWARE = "SoftwareApplication id"  # the same, for it asks for an address
URL_OF_TEAM = "Organization: RECOMMENDED url property"
PUBLISHER = "Root Data Entity: `publisher` property"
AUTHOR = "Root Data Entity: `author` property"
AFFILIATIONS = {
    "CreativeWork Author: RECOMMENDED affiliation property",
    "CreativeWork Author: RECOMMENDED Contextual Entity linked for the organizational `affiliation` property",
}
VERSION = "version or softwareVersion"
AGENT, END, RESULT = "Action agent", "Action endTime", "Action result"
REMAINING = {
    "experiment": {URL_OF_SOFTWARE, ID_OF_SOFTWARE, URL_OF_TEAM},
    "assessment": {URL_OF_SOFTWARE, ID_OF_SOFTWARE, PUBLISHER, AUTHOR, AGENT, END},
    "attempt": {URL_OF_SOFTWARE, ID_OF_SOFTWARE, URL_OF_TEAM, PUBLISHER, VERSION, END, RESULT, *AFFILIATIONS},
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Found]:
    """Return what the validator says of each crate, by name."""
    place = tmp_path_factory.mktemp("crates")
    written = {name: place / f"{name}.zip" if name == "attempt" else place / name for name in REMAINING}
    run = crates.write_files(place / "source", {"BM25 k1=0.9 (50%).run": crates.annotated()})
    report = {"assessment.json": b'{"primad": "1.2"}', "report.html": b"<p>", "core17.qrels": QRELS}
    experiment = replace(an_experiment(), files=(*gather(run).files, *an_experiment().files[1:]))
    export(experiment, "ro-crate", written["experiment"], stated=STATED)
    export(crates.write_files(place / "report", report), "ro-crate", written["assessment"])
    export(an_attempt(), "ro-crate", written["attempt"])
    written["broken"] = _broken(written["experiment"], place / "broken")
    context = files("rocrate") / "data" / "ro-crate.jsonld"
    said = run_peer("rocrate_validator", "crate_validation.py", context, place / "cache", *written.values())
    by_path = json.loads(said.stdout)
    return {name: by_path[str(path)] for name, path in written.items()}


def _broken(crate: Path, target: Path) -> Path:
    """Return a copy of CRATE without a licence, without a program, and without the file that it lists."""
    kept = {path: data for path, data in crates.contents(crate).items() if not path.endswith(".run")}
    tree = json.loads(kept[crates.DESCRIPTOR])
    for entity in tree["@graph"]:
        if entity["@type"] == "CreateAction":
            del entity["instrument"]
        if entity["@id"] == "./":
            del entity["license"]
    return crates.write_files(target, kept | {crates.DESCRIPTOR: json.dumps(tree).encode()})


def issues(said: Found, severity: str) -> set[str]:
    """Return the names of the checks of SEVERITY that the validator SAID do not hold."""
    return {name for level, name, *_ in said["issues"] if level == severity}


@pytest.mark.parametrize("name", REMAINING)
def test_the_crate_has_all_that_the_profile_requires(found: dict[str, Found], name: str) -> None:
    assert [issue for issue in found[name]["issues"] if issue[0] == "REQUIRED"] == []


@pytest.mark.parametrize("name", REMAINING)
def test_the_crate_has_all_that_the_profile_recommends_but_for_what_nobody_has_said(
    found: dict[str, Found], name: str
) -> None:
    assert issues(found[name], "RECOMMENDED") == REMAINING[name]


@pytest.mark.parametrize("name", REMAINING)
def test_no_check_was_left_out(found: dict[str, Found], name: str) -> None:
    assert found[name]["skipped"] == {}
    assert {
        "Action instrument",
        "Root Data Entity conformsTo",
        "File Descriptor @context property validation",
        "Data Entity: REQUIRED resource availability",
    } <= set(found[name]["checks"])


def test_a_crate_that_is_broken_is_refused(found: dict[str, Found]) -> None:
    assert issues(found["broken"], "REQUIRED") == {
        "Action instrument",
        "Data Entity: REQUIRED resource availability",
        "Root Data Entity: `license` property",
    }


@pytest.mark.parametrize("thing", [an_experiment, an_attempt], ids=["experiment", "attempt"])
def test_no_file_of_a_crate_is_on_the_web(tmp_path: Path, thing: Callable[[], Any]) -> None:
    export(thing(), "ro-crate", tmp_path / "crate")

    entities = crates.entities_of(tmp_path / "crate").values()

    assert [one["@id"] for one in entities if one["@type"] == "File" and ":" in one["@id"]] == []
