"""Does `primad template` print a skeleton that can be filled in and used?"""

import json
import re
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


# Measurements and the checklist -----------------------------------------------------------------------------------


def filled_in(skeleton: str) -> str:
    """Return the SKELETON of measurements with the values that its comments have."""
    return re.sub(r"value: +# as ([0-9.]+)", r"value: \1 #", skeleton)


def test_the_skeleton_of_measurements_can_be_assessed_once_it_has_values(folder: Path) -> None:
    printed = primad("template", "--of", "measurements")
    (folder / "study.qra.yaml").write_text(filled_in(printed.out))

    outcome = primad("qra", "study.qra.yaml", "--causes", "--format", "json")

    assert (printed.code, printed.err, outcome.code, outcome.err) == (0, "", 0, "")
    (group,) = json.loads(outcome.out)["groups"]
    assert (group["object"], group["measurand"], group["n"], group["study"]) == ("system A", "BLEU", 2, "my-study")
    assert (group["scale"], group["unit"], group["direction"]) == ([0, 100], "points", "higher")
    assert group["conditions"] == {
        "constant": dict.fromkeys(("code_by", "test_set", "comp_trained_by"), "Original et al. (2020)"),
        "varying": {
            "implemented_by": ["Original et al. (2020)", "SacreBLEU"],
            "performed_by": ["Original et al. (2020)", "Others (2024)"],
            "seed": ["?", "1"],
        },
        "not_stated_throughout": [],
        "unknown": ["seed"],
    }
    assert [one["value"] for one in group["measurements"]] == ["84.50", "85.60"]


def test_the_claims_of_the_skeleton_can_be_used(folder: Path) -> None:
    other = "- {object: system B, measurand: BLEU, value: 80, source: Original et al. (2020), role: original}\n"
    skeleton = primad("template", "--of", "measurements").out
    text = filled_in(skeleton).replace("# claims:", f"{other}claims:")
    (folder / "study.qra.yaml").write_text(text.replace("# - {", "- {"))

    outcome = primad("qra", "study.qra.yaml", "--format", "json")

    (claim,) = json.loads(outcome.out)["claims"]
    assert (claim["above"], claim["below"], claim["measurand"]) == ("system A", "system B", "BLEU")


@pytest.mark.parametrize("kind", ["metadata", "measurements", "checklist"])
def test_a_skeleton_ends_with_a_whole_line(kind: str) -> None:
    assert primad("template", "--of", kind).out[-1] == "\n"


def test_a_checklist_that_nobody_filled_in_states_nothing(folder: Path) -> None:
    (folder / "checklist.yaml").write_text(primad("template", "--of", "checklist").out)
    (folder / "m.csv").write_text("object,measurand,value\nA,P,50\nA,P,52\n")

    outcome = primad("qra", "m.csv", "--conditions-from", "checklist.yaml", "--format", "json")

    assert (outcome.code, outcome.err) == (0, "")
    assert json.loads(outcome.out)["groups"][0]["conditions"]["constant"] == {}


def test_what_was_answered_in_the_checklist_is_a_condition(folder: Path) -> None:
    text = primad("template", "--of", "checklist").out.replace("answer:\n", "answer: yes\n", 1)
    (folder / "checklist.yaml").write_text(text)
    (folder / "m.csv").write_text("object,measurand,value\nA,P,50\nA,P,52\n")

    outcome = primad("qra", "m.csv", "--conditions-from", "checklist.yaml", "--format", "json")

    assert json.loads(outcome.out)["groups"][0]["conditions"]["constant"] == {"checklist: models.description": "yes"}


@pytest.mark.parametrize("kind", ["measurements", "checklist"])
@pytest.mark.parametrize(
    "options",
    [("--all",), ("--component", "actor"), ("--profile", "longeval2026"), ("--profile", "")],
    ids=["all", "a component", "a profile", "a blank profile"],
)
def test_fields_of_metadata_cannot_be_chosen_of_anything_else(kind: str, options: tuple[str, ...]) -> None:
    message = f"primad: --component, --profile and --all choose fields of metadata, not of {kind}\n"

    assert primad("template", "--of", kind, *options) == Outcome(2, "", message)


def test_there_is_no_skeleton_of_anything_else() -> None:
    outcome = primad("template", "--of", "runs")

    assert (outcome.code, outcome.out) == (2, "")
    assert "Invalid value for '--of'" in outcome.err
