"""Is whoever publishes a thing told what not everybody should read, and only of what is published?"""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from primad.exchange.catalogue import formats
from primad.exchange.private import private_in
from primad.exchange.thing import Thing, side_file
from primad.exchange.writing import export
from primad.qra.material import Material
from primad.qra.measurement import Measurement
from tests.exchange.some_things import a_run, an_experiment

MAIL = "jan@example.org"
LOOK = "look before you publish it"
RECORDS = {"ro-crate": ["runs/bm25+rm3.run.meta"], "tira": ["bm25+rm3/ir-metadata.yml"]}


def commanded(command: str) -> Thing:
    """Return a run that was made by COMMAND, of which nobody has stated a mail address."""
    return a_run(implementation={"executable": {"cmd": command}}, actor={"name": "Jan van der Berg"})


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        pytest.param("python search.py", [], id="nothing"),
        pytest.param("python /home/jan/search.py", ["somebody's home folder"], id="a home folder"),
        pytest.param(r"python C:\Users\jan\search.py", ["somebody's home folder"], id="a home folder of Windows"),
        pytest.param("python /opt/homes/search.py", [], id="a folder of nobody"),
        pytest.param("python search.py --to jan@example.org", ["a mail address"], id="a mail address"),
        pytest.param("git clone git@host:code", [], id="no mail address"),
        pytest.param("git clone git@github.com:team/code.git", [], id="a repository"),
        pytest.param("git clone ssh://git@code.example.org/team/code", [], id="a repository by its whole address"),
        pytest.param("python search.py --by jan@example.org: me", ["a mail address"], id="a mail address and a colon"),
        pytest.param("python search.py --api-key abcdef123456", ["what looks like a secret"], id="a secret"),
    ],
)
def test_what_is_private_in_a_record_is_said(command: str, expected: list[str]) -> None:
    found = list(private_in(commanded(command)))

    assert found == [f"bm25+rm3.run: {what} in the metadata: {LOOK}" for what in expected]


@pytest.mark.parametrize(
    ("tail", "expected"),
    [pytest.param(":x", [], id="as a repository"), pytest.param(": x", ["a mail address"], id="as an address")],
)
def test_the_longest_address_is_read_in_one_pass(tail: str, expected: list[str]) -> None:
    # To look for a path behind each part of the host again would take minutes: no clock is needed to notice that.
    address = "a." * 50_000 + "a@b" + ".b" * 50_000

    found = list(private_in(commanded(f"python search.py --by {address}{tail}")))

    assert found == [f"bm25+rm3.run: {what} in the metadata: {LOOK}" for what in expected]


def test_many_runs_are_named_in_one_line() -> None:
    files = [replace(a_run().files[0], path=f"{number}.run") for number in range(77)]

    assert list(private_in(replace(an_experiment(), files=tuple(files)))) == [
        f"0.run, 1.run and 75 more: a mail address in the metadata: {LOOK}"
    ]


def test_a_run_and_the_file_beside_it_are_named_once() -> None:
    (run,) = a_run().files
    assert run.record is not None
    thing = replace(a_run(), files=(run, side_file(run.path, run.record)))

    assert list(private_in(thing)) == [f"bm25+rm3.run: a mail address in the metadata: {LOOK}"]


def test_only_what_a_text_says_counts_where_the_text_is_all_that_is_published() -> None:
    thing = commanded("python /home/jan/search.py")

    assert list(private_in(thing, "by Jan van der Berg")) == []
    assert list(private_in(thing, "python /home/jan/search.py")) == [
        f"bm25+rm3.run: somebody's home folder in the metadata: {LOOK}"
    ]


def test_a_path_of_windows_is_found_in_json_too() -> None:
    command = r"python C:\Users\jan\search.py"

    assert len(list(private_in(commanded(command), json.dumps(command)))) == 1


@pytest.mark.parametrize("name", [name for name, one in formats().items() if one.write and name != "datasheet"])
def test_no_format_writes_a_mail_address_but_in_a_record_that_it_hands_over(name: str) -> None:
    measured = Material((Measurement(object="A", measurand="map", value="0.5"),))
    write = formats()[name].write
    assert write is not None

    files = write(replace(an_experiment(), material=measured)).files

    assert [file.path for file in files if MAIL.encode() in file.read()] == RECORDS.get(name, [])


def test_a_datasheet_answers_how_to_reach_somebody_and_whoever_publishes_it_is_told() -> None:
    exported = export(an_experiment(), "datasheet")

    assert f"- {MAIL}." in exported.text.splitlines()
    assert f"runs/bm25+rm3.run: a mail address in the metadata: {LOOK}" in exported.remarks
