"""Does `primad template` print a skeleton that can be filled in and used?"""

from pathlib import Path

import pytest

from primad.metadata.profile import BUILT_IN, load_profile
from primad.metadata.template import skeleton
from tests.cli.running import Outcome, primad


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_skeleton_of_a_profile_is_printed(name: str) -> None:
    assert primad("template", "--profile", name) == Outcome(0, skeleton(load_profile(name)), "")


def test_without_options_it_is_that_of_ir_metadata() -> None:
    assert primad("template") == Outcome(0, skeleton(load_profile()), "")


def test_everything_is_more_than_what_a_person_has_to_say() -> None:
    outcome = primad("template", "--all")

    assert outcome == Outcome(0, skeleton(load_profile(), everything=True), "")
    assert "  twitter: ENTER_VALUE_HERE\n" in outcome.out
    assert "twitter" not in primad("template").out


def test_components_are_printed_in_the_order_they_were_named() -> None:
    lines = primad("template", "--component", "actor", "--component", "research goal").out.splitlines()

    assert [line for line in lines if line and line[0] not in " #"] == ["actor:", "research goal:"]


def test_an_unknown_component_is_one_message() -> None:
    outcome = primad("template", "--component", "actr")

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("primad: unknown component 'actr'; expected one of: general, platform,")


def test_an_unknown_profile_is_one_message() -> None:
    outcome = primad("template", "--profile", "trec")

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("primad: unknown profile 'trec'; expected one of ir_metadata, longeval2026,")


def test_a_profile_of_ones_own_asks_for_its_own_fields(folder: Path) -> None:
    (folder / "mine.yaml").write_text(
        "name: mine\ntitle: Our task\nessential: [method.seed]\n"
        "fields: [{path: method.seed, type: integer, meaning: Seed of chance., why: It counts.}]\n"
    )

    assert primad("template", "--profile", "mine.yaml").out.endswith(
        "\nmethod:\n  # Seed of chance. (essential)\n  seed: ENTER_VALUE_HERE\n"
    )


def test_a_skeleton_that_nobody_filled_in_adds_nothing_to_a_run(folder: Path) -> None:
    (folder / "me.yml").write_text(primad("template").out)
    (folder / "a.run").write_bytes(b"1 Q0 a 1 1.0 t\n")

    outcome = primad("annotate", "a.run", "--template", "me.yml", "--no-capture", "--output", "b.run")

    assert outcome.code == 0
    assert b"ENTER_VALUE_HERE" not in (folder / "b.run").read_bytes()
    assert {line.split()[0] for line in primad("show", "b.run").out.splitlines()} == {
        "schema-version",
        "run-version",
        "tag",
        "ranking",
        "sha256",
    }


def test_what_was_filled_in_is_what_the_run_says(folder: Path) -> None:
    text = primad("template").out
    text = text.replace("  role: ENTER_VALUE_HERE", "  role: reproducer").replace(
        "- name: ENTER_VALUE_HERE", "- name: bm25"
    )
    (folder / "me.yml").write_text(text.replace("baseline: [ENTER_VALUE_HERE]", "baseline: [WCrobust04]"))
    (folder / "a.run").write_bytes(b"1 Q0 a 1 1.0 t\n")

    primad("annotate", "a.run", "--template", "me.yml", "--no-capture", "--in-place")

    shown = primad("show", "a.run").out
    assert "actor\n  role  reproducer\n" in shown
    assert "  evaluation\n    baseline  WCrobust04\n" in shown
    assert "  retrieval\n    - name  bm25\n" in shown
    assert "(not stated)" not in shown
