"""Does `primad qra` read, assess, print, save and report as its options say, and end with the right code?"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from primad.qra.assess import assess
from primad.qra.example import example_measurements
from primad.reports.qra.text import render
from tests.cli.running import Outcome, primad

BELZ = ("qra", "--example", "belz2022")
CSV = (
    "object,measurand,value,scale_min,scale_max,direction,source,role,c:seed\n"
    "A,P,50,0,100,higher,x,original,1\nA,P,52,0,100,higher,y,reproduction,2\n"
)
LABELS = "measurand,item,rater,label\nClarity,1,a,x\nClarity,1,b,x\nClarity,2,a,y\nClarity,2,b,y\n"
QRA3 = (
    "Key,Study,Experiment,System,Criterion,Result\n1,S1,original,A,Clarity,5.64\n2,S2,reproduction,A,Clarity,6.2975\n"
)
QRELS = b"1 0 a 1\n1 0 n 0\n2 0 a 1\n"
FIRST = b"1 Q0 a 1 2.0 bm25\n1 Q0 n 2 1.0 bm25\n2 Q0 x 1 2.0 bm25\n2 Q0 a 2 1.0 bm25\n"
SECOND = b"1 Q0 a 1 2.0 bm25\n1 Q0 n 2 1.0 bm25\n2 Q0 a 1 2.0 bm25\n2 Q0 x 2 1.0 bm25\n"
CHECKLIST = (
    "checklist: '2.0'\nitems:\n  models.description: {answer: yes}\n  data.link: {answer: no, note: on request}\n"
)


def option(text: str, *names: str) -> dict[str, Any]:
    """Return an entry of a datasheet: an option that was chosen for the criteria NAMES, or for all."""
    return {"data": dict.fromkeys(names or ("",), True), "control": {}, "text": dict.fromkeys(names or ("",), text)}


HEDS = {
    "heds-system-tasks-2": option("2. data to text"),
    "heds-criteria-criterion-criteria-quality_type-1": option("1. Correctness", "Meaning"),
    "heds-criteria-criterion-criteria-quality_type-2": option("2. Goodness", "Fluency"),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with files of measurements and runs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    for name, content in {
        "m.csv": CSV.encode(),
        "labels.csv": LABELS.encode(),
        "old.csv": QRA3.encode(),
        "settings.json": b'{"scale_starts_at": 1}',
        "heds.json": json.dumps(HEDS).encode(),
        "checklist.yaml": CHECKLIST.encode(),
        "qrels": QRELS,
        "runs/one.run": FIRST,
        "runs/two.run": SECOND,
    }.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


def found(*arguments: object) -> dict[str, Any]:
    """Return what `primad ARGUMENTS` finds, as JSON has it; NaN and infinity are errors."""
    outcome = primad(*arguments, "--format", "json")
    assert outcome.code == 0, outcome.err
    content: dict[str, Any] = json.loads(outcome.out, parse_constant=pytest.fail)
    return content


def groups(*arguments: object) -> list[dict[str, Any]]:
    """Return the groups that `primad ARGUMENTS` finds."""
    content: list[dict[str, Any]] = found(*arguments)["groups"]
    return content


def where(**wanted: str) -> list[str]:
    """Return the options that choose measurements with the values WANTED."""
    return [part for name, value in wanted.items() for part in ("--where", f"{name}={value}")]


# The example --------------------------------------------------------------------------------------------------


def test_the_example_has_18_groups_with_the_fields_that_programs_rely_on() -> None:
    content = found(*BELZ)

    assert (content["schema"], len(content["groups"])) == ("primad.qra/1", 18)
    (bleu,) = [one for one in content["groups"] if (one["object"], one["measurand"]) == ("NTS_def", "BLEU")]
    assert {name: bleu[name] for name in ("n", "variant", "kind")} == {
        "n": 7,
        "variant": "acl2022",
        "kind": "reproducibility",
    }
    figures = {name: f"{bleu[name]:.3f}" for name in ("mean", "stdev", "cv", "cv_acl2022", "cv_qra3")}
    assert figures == {"mean": "85.583", "stdev": "1.290", "cv": "1.562", "cv_acl2022": "1.562", "cv_qra3": "1.508"}
    assert [f"{bound:.3f}" for bound in (*bleu["stdev_ci"], *bleu["cv_ci"])] == ["0.798", "2.726", "0.932", "3.186"]


def test_each_published_cv_is_printed(shared_data: Path) -> None:
    tables = json.loads((shared_data.parent / "reference" / "qra_tables.json").read_text("utf-8"))
    printed = {(one["object"], one["measurand"]): one["printed"]["cv_star"] for one in tables["groups"]}

    computed = {
        (
            one["object"],
            one["measurand"],
        ): f"{one['cv']:.{len(printed[one['object'], one['measurand']].split('.')[1])}f}"
        for one in groups(*BELZ)
    }

    assert {name: cv for name, cv in computed.items() if cv != printed[name]} == {("PASS", "Clarity"): "13.240"}
    assert computed.keys() == printed.keys()


def test_an_interval_that_nothing_bounds_is_null() -> None:
    assert [one["cv_ci"][1] for one in groups(*BELZ, *where(measurand="Fluency"))] == [None]


SAME_OUTPUTS = [*where(outputs="outputs 1", measurand="BLEU")]


def ids(group: str, *places: int) -> list[str]:
    return [part for place in places for part in ("--where", f"id={group}/{place}")]


@pytest.mark.parametrize(
    ("options", "n", "printed"),
    [
        pytest.param([*SAME_OUTPUTS, *where(object="NTS_def")], 4, "0.838", id="NTS_def BLEU, same outputs"),
        pytest.param([*SAME_OUTPUTS, *where(object="NTS-w2v_def")], 3, "1.314", id="NTS-w2v_def BLEU, same outputs"),
        pytest.param(ids("NTS_def/SARI", 1, 3, 5), 3, "3.11", id="NTS_def SARI, regenerated"),
        pytest.param(ids("NTS-w2v_def/SARI", 1, 2, 4), 3, "4.05", id="NTS-w2v_def SARI, regenerated"),
        pytest.param(ids("NTS_def/BLEU", 1, 3, 6), 3, "2.154", id="NTS_def BLEU, regenerated"),
        pytest.param(ids("NTS-w2v_def/BLEU", 1, 2, 5), 3, "6.598", id="NTS-w2v_def BLEU, regenerated"),
    ],
)
def test_the_subsets_of_the_papers_section_4_1_have_the_printed_cv(options: list[str], n: int, printed: str) -> None:
    (one,) = groups(*BELZ, *options)

    assert (one["n"], f"{one['cv']:.{len(printed.split('.')[1])}f}") == (n, printed)


def test_by_parts_each_group() -> None:
    parts = groups(*BELZ, *where(measurand="BLEU"), "--by", "comp_trained_by")

    assert [(one["object"], one["subset"]["comp_trained_by"][:6], one["n"]) for one in parts] == [
        ("NTS_def", "Nisioi", 4),
        ("NTS_def", "Cooper", 1),
        ("NTS_def", "Belz e", 2),
        ("NTS-w2v_def", "Nisioi", 3),
        ("NTS-w2v_def", "Cooper", 1),
        ("NTS-w2v_def", "Belz e", 2),
    ]
    assert f"{parts[0]['cv']:.3f}" == "0.838"


def test_by_two_conditions_parts_by_both() -> None:
    parts = groups(*BELZ, *where(object="NTS_def", measurand="BLEU"), "--by", "outputs", "--by", "Implemented by")

    assert [one["subset"]["implemented_by"][:6] for one in parts if one["subset"]["outputs"] == "outputs 3"] == [
        "≈Nisio",
        "SacreB",
    ]


def test_the_papers_seven_conditions_make_repeatability_of_what_differs_in_others_only() -> None:
    chosen = where(object="mult-word-", performed_by="Bestgen (2020)", implemented_by="Vajjala & Rama (2018)")

    (twelve,) = groups(*BELZ, *chosen)
    (seven,) = groups(*BELZ, *chosen, "--conditions", "paper")

    assert (twelve["kind"], twelve["conditions"]["varying"]) == ("reproducibility", {"env": ["e4", "e5"]})
    assert (seven["kind"], seven["conditions"]["varying"]) == ("repeatability", {})
    assert twelve["cv"] == seven["cv"] == pytest.approx(17.143, abs=1e-3)


def test_conditions_are_named_with_commas() -> None:
    (one,) = groups(*BELZ, *where(object="NTS_def", measurand="SARI"), "--conditions", "code_by, Performed by")

    assert (list(one["conditions"]["constant"]), list(one["conditions"]["varying"])) == (["code_by"], ["performed_by"])


# Figures that were asked for ------------------------------------------------------------------------------------


def test_the_variant_changes_what_counts_and_neither_of_the_definitions() -> None:
    acl, qra3 = groups(*BELZ), groups(*BELZ, "--variant", "qra3")

    assert [one["cv"] for one in acl] == [one["cv_acl2022"] for one in acl] == [one["cv_acl2022"] for one in qra3]
    assert [one["cv"] for one in qra3] == [one["cv_qra3"] for one in qra3] == [one["cv_qra3"] for one in acl]
    assert all(one["cv"] < other["cv"] for one, other in zip(qra3, acl, strict=True))
    assert "CV* = 1.508 % (qra3; " in qra3[3]["sentence"]


def test_causes_are_in_the_table_and_in_json() -> None:
    chosen = (*BELZ, *where(object="NTS_def", measurand="BLEU"), "--causes", "--conditions", "paper")

    table = primad(*chosen).out
    (one,) = groups(*chosen)

    assert "\nWhy NTS_def, BLEU varies:\n" in table
    assert one["causes"]["ranking"] == [["comp_trained_by"], ["implemented_by"]]
    assert " ".join(one["causes"]["conclusion"].split()) in " ".join(table.split())


def test_without_causes_nothing_is_said_about_why() -> None:
    assert "Why " not in primad("qra", "m.csv").out
    assert groups("qra", "m.csv")[0]["causes"] is None


def test_all_conditions_make_an_environment_a_contrast_that_the_papers_seven_do_not_record() -> None:
    chosen = (*BELZ, *where(object="mult-word-"), "--causes")

    (twelve,), (seven,) = groups(*chosen), groups(*chosen, "--conditions", "paper")

    assert "env" in twelve["causes"]["conclusion"]
    assert seven["causes"]["floor"]["cause_not_recorded"] is True
    assert f"{seven['causes']['floor']['cv']:.1f}" == "17.1"


def test_a_margin_asks_for_equivalence() -> None:
    options = (*BELZ, *where(object="NTS_def"), "--margin", "BLEU=2")

    bleu, sari = groups(*options)

    assert (bleu["equivalence"]["margin"], bleu["equivalence"]["alpha"]) == (2, 0.05)
    assert sari["equivalence"] is None
    assert "\nEquivalence:\n- NTS_def, BLEU: the mean of 6 reproductions" in primad(*options).out


def test_the_laboratory_is_the_condition_named() -> None:
    rows = "".join(f"A,P,{value},{site}\n" for value, site in ((10, "x"), (12, "x"), (20, "y"), (22, "y")))
    Path("sites.csv").write_text(f"object,measurand,value,c:site\n{rows}")

    (one,) = groups("qra", "sites.csv", "--laboratory", "site")

    assert one["laboratories"]["laboratories"] == {"x": 2, "y": 2}
    assert one["laboratories"]["repeatability_stdev"] == pytest.approx(2**0.5)
    assert "\nLaboratories (ISO 5725):\n- A, P: Over 4 values of 2 laboratories" in (
        primad("qra", "sites.csv", "--laboratory", "site").out
    )


def test_the_confidence_is_that_of_all_intervals_and_printed_with_its_digits() -> None:
    outcome = primad("qra", "m.csv", "--confidence", "0.975")

    assert "  stdev 97.5% CI  " in outcome.out
    assert "  CV 97.5% CI  " in outcome.out
    assert groups("qra", "m.csv", "--confidence", "0.975")[0]["confidence"] == 0.975


# Input --------------------------------------------------------------------------------------------------------


def test_several_files_are_assessed_together() -> None:
    Path("more.csv").write_text(CSV.replace(",50,", ",54,").replace(",52,", ",56,"))

    assert [one["n"] for one in groups("qra", "m.csv", "more.csv")] == [4]


def test_a_file_is_read_from_standard_input() -> None:
    outcome = primad("qra", "-", "--format", "json", stdin=CSV.encode())

    assert [one["n"] for one in json.loads(outcome.out)["groups"]] == [2]


def test_labels_alone_are_assessed_and_nothing_else_is_printed() -> None:
    outcome = primad("qra", "labels.csv")

    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("Labels (type III):\n- Clarity: Krippendorff's alpha (nominal) is 1.000 ")


@pytest.mark.parametrize("form", ["csv", "latex"])
def test_a_form_that_has_no_place_for_labels_says_where_they_are(form: str) -> None:
    message = f"primad: the agreement of labels is in --format table and json, not in {form}\n"

    assert primad("qra", "labels.csv", "--format", form)[::2] == (0, message)
    assert primad("qra", "m.csv", "--format", form)[::2] == (0, "")


def test_flaws_of_all_files_are_said_at_once() -> None:
    Path("bad1.csv").write_text(CSV.replace(",50,", ",x,"))
    Path("bad2.csv").write_text(CSV.replace(",52,", ",y,"))

    outcome = primad("qra", "bad1.csv", "m.csv", "bad2.csv", "gone.csv")

    assert (outcome.code, outcome.out) == (1, "")
    assert [line.split(": ")[0] for line in outcome.err.removeprefix("primad: ").splitlines()] == [
        *("bad1.csv:2", "bad2.csv:3", "gone.csv")
    ]


def test_claims_alone_are_nothing_to_assess() -> None:
    Path("claims.yaml").write_text("claims:\n- {above: A, below: B, measurand: P}\n")

    assert primad("qra", "claims.yaml") == Outcome(
        1,
        "",
        "primad: nothing to assess: what was read has no measurements and no labels, "
        "only claims, which are tested on measurements\n",
    )


def test_runs_that_give_no_measurement_are_nothing_to_assess_and_remarks_say_why() -> None:
    Path("qrels").write_bytes(b"1 0 a 0\n2 0 a 0\n")

    outcome = primad("qra", "--runs", "runs", "--qrels", "qrels", "-m", "map")

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.splitlines()[-2:] == [
        "primad: bm25, map: all 2 scores are 0, so it is left out",
        "primad: nothing to assess: what was read has no measurements and no labels",
    ]


def test_a_pipe_of_qra3_is_read_once() -> None:
    program = Path(sys.executable).with_name("primad")
    script = f"{program} qra <(cat old.csv) --config <(cat settings.json) --format json"

    done = subprocess.run(["/bin/bash", "-c", script], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    assert [(one["n"], one["shift"]) for one in json.loads(done.stdout)["groups"]] == [(2, 1)]


def test_names_in_a_file_cannot_steer_the_terminal() -> None:
    Path("m.csv").write_text("object,measurand,value\n\x1b[2JA,P,x\nB,P,\x1b[31my\n")

    outcome = primad("qra", "m.csv")

    assert "\x1b" not in outcome.err
    assert " for \\x1b[2JA, P, found 'x'\n" in outcome.err
    assert outcome.err.count("\n") == 2


def test_what_parted_groups_leave_out_is_said() -> None:
    outcome = primad("qra", "m.csv", "labels.csv", "--by", "seed")

    assert outcome.err == (
        "primad: groups are parted by seed, so nothing is said of sets of scores and findings, nor of 4 labels\n"
    )


def test_conditions_from_elsewhere_have_nothing_to_apply_to_in_labels() -> None:
    outcome = primad("qra", "labels.csv", "--conditions-from", "checklist.yaml")

    assert (outcome.code, outcome.err) == (
        0,
        "primad: --conditions-from has nothing to apply to: conditions are those of measurements, and there are none\n",
    )


def test_the_configuration_of_qra3_may_have_any_name() -> None:
    without, with_config = primad("qra", "old.csv"), primad("qra", "old.csv", "--config", "settings.json")

    assert without.err == (
        "primad: old.csv: nothing says where the scales start, for there is no configuration "
        "(a JSON file of that name)\n"
    )
    assert (with_config.code, with_config.err) == (0, "")
    (one,) = groups("qra", "old.csv", "--config", "settings.json")
    assert (one["shift"], f"{one['cv']:.3f}") == (1, "13.193")


def test_a_datasheet_states_conditions_for_all_measurements() -> None:
    (one,) = groups("qra", "m.csv", "--conditions-from", "heds.json", "--criterion", "Fluency")

    assert one["conditions"]["constant"] == {"object: tasks": "data to text", "method: quality type": "Goodness"}


def test_a_checklist_states_conditions_for_all_measurements() -> None:
    (one,) = groups("qra", "m.csv", "--conditions-from", "checklist.yaml")

    assert one["conditions"]["constant"] == {
        "checklist: models.description": "yes",
        "checklist: data.link": "no: on request",
    }


def test_what_a_measurement_says_itself_counts_more_than_a_checklist() -> None:
    Path("m.csv").write_text("object,measurand,value,c:checklist: data.link\nA,P,50,mine\nA,P,52,\n")

    (one,) = groups("qra", "m.csv", "--conditions-from", "checklist.yaml")

    assert one["conditions"]["varying"] == {"checklist: data.link": ["mine", "no: on request"]}


# Runs ---------------------------------------------------------------------------------------------------------


def test_runs_become_measurements() -> None:
    outcome = primad("qra", "--runs", "runs", "--qrels", "qrels", "-m", "map", "--format", "json")

    (one,) = json.loads(outcome.out)["groups"]
    assert (one["object"], one["measurand"], one["n"], one["mean"]) == ("bm25", "map", 2, 0.875)
    assert one["cv"] == pytest.approx(28.4859, abs=1e-4)
    assert outcome.err == (
        "primad: 2 of 2 runs have no metadata that can be read, so they are known by their tags: one.run, two.run\n"
    )


def test_runs_are_named_one_behind_the_other_and_measured_by_three_measures_unless_told() -> None:
    measurands = [
        one["measurand"] for one in groups("qra", "--runs", "runs/one.run", "runs/two.run", "--qrels", "qrels")
    ]

    assert measurands == ["map", "ndcg", "P_10"]


def test_runs_and_files_are_assessed_together() -> None:
    objects = [one["object"] for one in groups("qra", "m.csv", "--runs", "runs", "--qrels", "qrels", "-m", "map")]

    assert objects == ["A", "bm25"]


def test_real_runs_become_measurements(shared_data: Path) -> None:
    core17 = shared_data / "osirrc_core17"
    runs = [core17 / "runs" / f"anserini__2019-06-18__{name}.run.gz" for name in ("bm25", "ql")]

    (one,) = groups("qra", "--runs", *runs, "--qrels", core17 / "qrels.core17.txt", "-m", "map")

    assert [f"{float(each['value']):.4f}" for each in one["measurements"]] == ["0.2087", "0.2032"]
    assert (one["kind"], f"{one['cv']:.3f}") == ("reproducibility", "2.669")


# Output -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["table", "csv", "json", "latex"])
def test_a_form_is_printed_as_the_library_renders_it(form: str) -> None:
    assert primad("qra", "m.csv", "--format", form) == Outcome(0, render(assess("m.csv"), form), "")


@pytest.mark.parametrize("name", ["kept.csv", "kept.yaml", "kept.yml", "kept.jsonl", "KEPT.CSV"])
def test_what_was_saved_is_assessed_alike(name: str) -> None:
    outcome = primad(*BELZ, "--save", name)

    assert (outcome.code, outcome.err) == (0, f"primad: measurements in {name}\n")
    assert unplaced(found("qra", name)) == unplaced(found(*BELZ))


def unplaced(content: dict[str, Any]) -> dict[str, Any]:
    """Return an assessment without the files and lines that measurements were read from."""
    for group in content["groups"]:
        for one in group["measurements"]:
            del one["file"], one["line"]
    return content


def test_what_was_saved_for_qra3_has_its_configuration_and_the_same_precision() -> None:
    outcome = primad(*BELZ, "--save", "kept.qra3.csv")

    names = ("object", "measurand", "n", "mean", "shift", "stdev", "stdev_ci", "cv", "cv_qra3", "cv_ci")
    before, after = groups(*BELZ), groups("qra", "kept.qra3.csv")
    assert outcome.err == (
        "primad: measurements in kept.qra3.csv\nprimad: measurements in kept.qra3.json\n"
        "primad: kept.qra3.csv: QRA3 has no place for conditions, units, directions, studies, tasks, "
        "kinds of evaluation, kinds of system, attributes of objects, upper ends of scales: they are not saved\n"
    )
    assert [{name: one[name] for name in names} for one in after] == [
        {name: one[name] for name in names} for one in before
    ]


def test_the_measurements_of_runs_are_saved() -> None:
    primad("qra", "--runs", "runs", "--qrels", "qrels", "-m", "map", "--save", "kept.csv")

    assert [one["value"] for one in groups("qra", "kept.csv")[0]["measurements"]] == ["0.75", "1.0"]


def test_everything_that_was_read_is_saved_whatever_was_chosen_of_it() -> None:
    outcome = primad("qra", "m.csv", "--where", "role=original", "--save", "kept.csv")

    assert outcome.err == "primad: measurements in kept.csv\n"
    assert [one["n"] for one in groups("qra", "kept.csv")] == [2]


def test_labels_that_a_format_cannot_hold_are_said_to_be_left_out() -> None:
    outcome = primad("qra", "m.csv", "labels.csv", "--save", "kept.jsonl")

    assert outcome.err == (
        "primad: measurements in kept.jsonl\nprimad: kept.jsonl: no place for 4 labels: only YAML holds them\n"
    )


def test_labels_alone_are_saved_as_yaml_and_refused_as_csv(folder: Path) -> None:
    assert primad("qra", "labels.csv", "--save", "kept.csv") == Outcome(
        1,
        "",
        "primad: nothing to save in kept.csv, which holds measurements alone, and there are none, "
        "but 4 labels: save as .yaml\n",
    )
    assert not (folder / "kept.csv").exists()
    assert primad("qra", "labels.csv", "--save", "kept.yaml").code == 0
    assert found("qra", "kept.yaml")["labels"] == found("qra", "labels.csv")["labels"]


def test_a_file_beside_that_nobody_named_is_not_overwritten(folder: Path) -> None:
    (folder / "kept.qra3.json").write_text("mine")

    outcome = primad("qra", "m.csv", "--save", "kept.qra3.csv")

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("primad: kept.qra3.json: is there already")
    assert ((folder / "kept.qra3.json").read_text(), (folder / "kept.qra3.csv").exists()) == ("mine", False)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(["--save", "kept.txt"], id="a name to save to"),
        pytest.param(["--criterion", "x"], id="a criterion"),
        pytest.param(["--conditions", ""], id="no condition"),
        pytest.param(["--where", "x"], id="a value"),
        pytest.param(["--margin", "P=x"], id="a margin"),
        pytest.param(["-m", "map"], id="a measure"),
    ],
)
def test_options_are_refused_before_anything_is_read(options: list[str]) -> None:
    assert primad("qra", "gone.csv", *options).code == 2


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        pytest.param(
            "kept.txt",
            2,
            "expected a name that ends in .csv, .yaml, .jsonl or .qra3.csv to save to, found 'kept.txt'",
            id="no format",
        ),
        pytest.param(
            "gone/kept.csv", 1, "gone/kept.csv: cannot be written (No such file or directory)", id="no folder"
        ),
    ],
)
def test_what_cannot_be_saved_is_one_message(name: str, code: int, message: str) -> None:
    assert primad("qra", "m.csv", "--save", name) == Outcome(code, "", f"primad: {message}\n")


def test_what_is_wrong_is_not_saved(folder: Path) -> None:
    (folder / "m.csv").write_text(CSV.replace(",50,", ",500,"))

    assert primad("qra", "m.csv", "--save", "kept.csv").code == 1
    assert not (folder / "kept.csv").exists()


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        pytest.param("A,B,1\nA,B,2\nA,B,1\n", "1 of 3 measurements says the same as another", id="one"),
        pytest.param("A,B,1\nA,B,2\n" * 3, "4 of 6 measurements say the same as another", id="pasted three times"),
        pytest.param("A,B,1\nA,B,2\n", None, id="none"),
    ],
)
def test_copies_are_counted_beside_the_value_that_they_make_look_precise(
    folder: Path, rows: str, said: str | None
) -> None:
    (folder / "m.csv").write_text(f"object,measurand,value\n{rows}")

    first, _, _ = primad("qra", "m.csv").out.partition("\n\n")

    assert (f"- {said}: if that is no repetition, remove it." in first) if said else ("same as another" not in first)


@pytest.mark.slow
def test_a_page_says_why_a_group_has_no_cv_and_what_copies_are_left_out_of(folder: Path) -> None:
    at_start = "A,P,1,1,5,1\nA,P,1,1,5,2\n"
    copied = "B,P,3.1,1,5,1\nB,P,3.1,1,5,1\nB,P,3.5,1,5,2\n"
    (folder / "mixed.csv").write_text(f"object,measurand,value,scale_min,scale_max,c:seed\n{at_start}{copied}")

    outcome = primad("qra", "mixed.csv", "--causes", "--report", "report")

    page = (folder / "report" / "report.html").read_text()
    assert (outcome.code, outcome.err) == (0, "primad: report in report\n")
    assert "A, P: CV* needs a mean above the start of the scale, found all values there." in page
    assert "Both leave out measurements that may be copies of others." in page
    assert "NaN" not in (folder / "report" / "qra.json").read_text()


@pytest.mark.slow
def test_a_report_is_a_page_with_tables(folder: Path) -> None:
    outcome = primad("qra", "m.csv", "--report", "report")

    assert (outcome.code, outcome.err) == (0, "primad: report in report\n")
    written = {path.name: path for path in (folder / "report").iterdir()}
    assert {"report.html", "qra.csv", "qra.json", "qra.tex", "values.svg", "cv.svg"} <= set(written)
    assert written["qra.json"].read_text("utf-8") == primad("qra", "m.csv", "--format", "json").out


# Refusals -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param([], "nothing to assess: name a file of measurements, --example or --runs", id="nothing"),
        pytest.param(["--causes"], "nothing to assess: name a file of measurements, --example or --runs", id="no file"),
        pytest.param(["--example", "belz"], "unknown example 'belz'; did you mean 'belz2022'?", id="near example"),
        pytest.param(["--example", "x"], "unknown example 'x'; there is belz2022", id="unknown example"),
        pytest.param(["--runs", "runs"], "--runs needs --qrels FILE: scores come from judgments", id="no judgments"),
        pytest.param(["m.csv", "--qrels", "qrels"], "--qrels, -m and --object need --runs", id="judgments alone"),
        pytest.param(["m.csv", "-m", "map"], "--qrels, -m and --object need --runs", id="a measure alone"),
        pytest.param(["m.csv", "--object", "tag"], "--qrels, -m and --object need --runs", id="a field alone"),
        pytest.param(
            ["--example", "belz2022", "--config", "settings.json"],
            "--config needs a FILE that it is the configuration of",
            id="a configuration alone",
        ),
        pytest.param(
            ["m.csv", "--criterion", "Fluency"],
            "--criterion needs --conditions-from, for it is one of a datasheet",
            id="a criterion alone",
        ),
        pytest.param(
            ["m.csv", "--conditions-from", "heds.json", "--criterion", "X"],
            "heds.json describes no criterion 'X'; it has 'Meaning', 'Fluency'",
            id="an unknown criterion",
        ),
        pytest.param(
            ["m.csv", "--conditions-from", "heds.json"],
            "heds.json describes 2 criteria; name one of them: 'Meaning', 'Fluency'",
            id="several criteria",
        ),
        pytest.param(
            ["m.csv", "--by", "gpu"], "unknown condition 'gpu'; the measurements state seed", id="unknown condition"
        ),
        pytest.param(
            ["m.csv", "--conditions", "seed,gpu"],
            "unknown condition 'gpu'; the measurements state seed",
            id="one unknown condition of two",
        ),
        pytest.param(
            ["m.csv", "--laboratory", "gpu"],
            "unknown condition 'gpu'; the measurements state seed",
            id="unknown laboratory",
        ),
        pytest.param(
            ["m.csv", "--where", "seed=3"], "no measurement has seed=3; stated is '1', '2'", id="no such value"
        ),
        pytest.param(
            ["m.csv", "--where", "seed"],
            "expected --where NAME=VALUE, as in role=original, found 'seed'",
            id="no value",
        ),
        pytest.param(
            ["m.csv", "--where", "=1"], "expected --where NAME=VALUE, as in role=original, found '=1'", id="no name"
        ),
        pytest.param(
            ["m.csv", "--margin", "P"], "expected --margin MEASURAND=X, as in BLEU=0.5, found 'P'", id="no margin"
        ),
        pytest.param(
            ["m.csv", "--margin", "P=wide"],
            "expected --margin MEASURAND=X, as in BLEU=0.5, found 'P=wide'",
            id="a margin that is no number",
        ),
        pytest.param(
            ["m.csv", "--margin", "P=1", "--margin", "P=2"],
            "expected one --margin for P, found 2: 1, 2",
            id="two margins",
        ),
        pytest.param(
            ["m.csv", "--conditions", ""],
            "expected --conditions NAME,..., as in code_by,test_set, found ''",
            id="no conditions",
        ),
        pytest.param(
            ["m.csv", "--conditions", "seed,,env"],
            "expected --conditions NAME,..., as in code_by,test_set, found 'seed,,env'",
            id="a condition without a name",
        ),
        pytest.param(
            ["m.csv", "--margin", "P=inf"], "expected a finite margin above 0 for P, found inf", id="any margin"
        ),
        pytest.param(["m.csv", "--margin", "Q=1"], "no measurand is called 'Q'; there are P", id="margin of nothing"),
        pytest.param(
            ["m.csv", "--confidence", "95"], "expected a confidence from 0.6 to below 1, found 95.0", id="percent"
        ),
        pytest.param(
            ["m.csv", "--confidence", "nan"], "expected a confidence from 0.6 to below 1, found nan", id="NaN"
        ),
    ],
)
def test_options_that_nobody_can_mean_are_one_message_and_exit_status_2(arguments: list[str], message: str) -> None:
    assert primad("qra", *arguments) == Outcome(2, "", f"primad: {message}\n")


@pytest.mark.parametrize("arguments", [["--variant", "x"], ["--format", "xml"], ["--confidence", "much"]])
def test_an_option_of_another_kind_is_exit_status_2(arguments: list[str]) -> None:
    outcome = primad("qra", "m.csv", *arguments)

    assert (outcome.code, outcome.out) == (2, "")
    assert f"Invalid value for '{arguments[0]}'" in outcome.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["gone.csv"], "gone.csv: no such file", id="missing file"),
        pytest.param(["m.csv", "gone.csv"], "gone.csv: no such file", id="one missing file of two"),
        pytest.param(["runs"], "runs: expected a file, found a directory; name the files in it", id="directory"),
        pytest.param(["old.csv", "--config", "gone.json"], "gone.json: no such file", id="missing configuration"),
        pytest.param(
            ["m.csv", "--config", "settings.json"],
            "m.csv: is no table of QRA3 (columns System, Criterion, Result), and only these have a configuration; "
            "leave the configuration out",
            id="a configuration of another table",
        ),
        pytest.param(["m.csv", "--conditions-from", "gone.json"], "gone.json: no such file", id="missing datasheet"),
        pytest.param(
            ["m.csv", "--conditions-from", "m.csv"],
            "m.csv: states no conditions that can be imported; expected a human evaluation datasheet (keys 'heds-…') "
            "or a reproducibility checklist (key 'checklist')",
            id="no datasheet",
        ),
        pytest.param(["--runs", "runs", "--qrels", "gone"], "gone: no such file", id="missing judgments"),
        pytest.param(
            ["--runs", "runs", "--qrels", "qrels", "-m", "nosuch"],
            "unknown measure 'nosuch'; expected one such as P, recall, relative_P, Rprec, Rprec_mult, iprec_at_recall, "
            "11pt_avg, success, recip_rank, recip_rank_cut, unj, map",
            id="measure",
        ),
        pytest.param(
            ["--runs", "runs", "--qrels", "qrels", "-m", "er"],
            "measure 'er': CV* needs a true zero, which no measure of reproduction has; name one as map",
            id="a measure of reproduction",
        ),
    ],
)
def test_what_cannot_be_read_is_one_message_and_exit_status_1(arguments: list[str], message: str) -> None:
    assert primad("qra", *arguments) == Outcome(1, "", f"primad: {message}\n")


def test_nothing_to_say_is_exit_status_1_but_printed() -> None:
    Path("m.csv").write_text("object,measurand,value\nA,P,50\n")

    outcome = primad("qra", "m.csv", "--format", "json")

    assert (outcome.code, json.loads(outcome.out)["groups"][0]["cv"]) == (1, None)


def test_the_example_itself_is_never_changed_by_conditions_from_elsewhere() -> None:
    before = example_measurements("belz2022")

    primad(*BELZ, "--conditions-from", "checklist.yaml")

    assert example_measurements("belz2022") == before
    assert not any("checklist: data.link" in one.conditions for one in example_measurements("belz2022").measurements)
