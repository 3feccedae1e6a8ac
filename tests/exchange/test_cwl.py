"""Does the reference runner of CWL take what is written for it, and does it make the same run again?"""

from __future__ import annotations

import hashlib
import json
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from primad.errors import DataError
from primad.exchange.formats import Written
from primad.exchange.gathering import gather
from primad.exchange.thing import File, Thing
from primad.exchange.told import Deed, Used
from primad.exchange.workflows.command_lines import parsed
from primad.exchange.workflows.cwl import write
from primad.metadata.annotation import annotate
from primad.trec.ranking import split_header
from tests.exchange.annotated import RECORD, experiment_in, ranking, run_in
from tests.exchange.peers import run_peer
from tests.exchange.some_things import odd_things

ODD = odd_things()
SECRET = "ghp_" + "a1B2" * 9
PROGRAM = """\
import json, os, sys
topics = [line.split()[0] for line in open("data/in/topics.txt")]
open("runs/deep/toy.run", "w").write("".join(f"{t} Q0 d{r} {r} {9 - r}.5 toy\\n" for t in topics for r in (1, 2)))
json.dump([sys.argv[1:], os.environ.get("DEPTH")], open("seen.json", "w"))
"""
HARD = ["two words", "", "$(inputs.x)", "${y}", "$HOME", r"a\\b", r"\$(q)", "it's", "*", "ünï", '{"k": "$(v)"}', "#7"]


def with_command(command: str, inputs: tuple[str, ...] = (), outputs: tuple[str, ...] = (), **more: Any) -> Thing:
    """Return an attempt whose one deed is COMMAND."""
    deed = Deed(command, inputs=tuple(map(Used, inputs)), outputs=tuple(map(Used, outputs)), **more)
    return Thing("attempt", "attempt", "attempt", deeds=(deed,))


def document(written: Written) -> dict[str, Any]:
    """Return the tool that was WRITTEN, as a reader of YAML has it."""
    (file,) = written.files
    tool: dict[str, Any] = yaml.safe_load(file.read())
    return tool


def remade(run: Path, work: Path, *given: object) -> Path:
    """Return the folder of outputs of the tool of RUN, carried out by cwltool in the folder WORK with what is GIVEN."""
    (file,) = write(gather(run)).files
    (work / "tool.cwl").write_bytes(file.read())
    out = work / "made"
    run_peer("cwltool", "cwltool", "--no-container", "--quiet", "--outdir", out, "tool.cwl", *given, cwd=work)
    return out


@pytest.mark.slow
def test_cwltool_makes_the_same_bytes_from_the_tool_of_a_recorded_command(tmp_path: Path) -> None:
    work = tmp_path / "work"
    for folder in ("data/in", "runs/deep", "code"):
        (work / folder).mkdir(parents=True)
    (work / "data" / "in" / "topics.txt").write_text("301 a\n302 b\n303 c\n")
    (work / "code" / "search.py").write_text(PROGRAM)
    command = f"DEPTH=5 {sys.executable} code/search.py {shlex.join(HARD)} --out runs/deep/toy.run"
    lines = b"".join(f"{t} Q0 d{r} {r} {9 - r}.5 toy\n".encode() for t in (301, 302, 303) for r in (1, 2))
    digest = hashlib.sha256(lines).hexdigest()
    recorded = {
        "implementation": {"executable": {"cmd": command, "program": "code/search.py"}},
        "data": {
            "inputs": [{"path": "data/in/topics.txt"}],
            "outputs": [{"path": "runs/deep/toy.run", "sha256": digest}, {"path": "seen.json"}],
        },
    }
    run = tmp_path / "toy.run"
    run.write_bytes(annotate(lines, recorded=recorded).data)

    made = remade(run, work)

    assert (made / "toy.run").read_bytes() == split_header(run.read_bytes())[1] == lines
    assert json.loads((made / "seen.json").read_text()) == [[*HARD, "--out", "runs/deep/toy.run"], "5"]


@pytest.mark.slow
def test_cwltool_gives_a_command_with_operators_to_a_shell_and_the_places_of_a_replay(tmp_path: Path) -> None:
    (tmp_path / "topics.txt").write_text("302 b\n301 a\n")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "more.txt").write_text("303 c\n")
    command = """cut -d' ' -f1 topics.txt "$inputDataset"/more.txt | sort > 'sorted.txt' &&
        for t in $(cat sorted.txt); do
        echo "${t} Q0 d1 1 0.5 sh"; done > "$outputDir"/toy.run"""
    record = RECORD.replace(
        "python search.py --topics topics.txt --seed 7 --out bm25ce.run, program: search.py", json.dumps(command)
    ).replace("bm25ce.run", "toy.run")
    run = run_in(tmp_path, "toy.run", record)

    made = remade(run, tmp_path, "--inputDataset", tmp_path / "data")

    assert (made / "toy.run").read_text() == "".join(f"{topic} Q0 d1 1 0.5 sh\n" for topic in (301, 302, 303))


@pytest.mark.slow
def test_everything_that_is_written_is_valid_for_cwltool_which_would_say_what_is_wrong(tmp_path: Path) -> None:
    documents = {name: write(thing).files[0].read() for name, thing in ODD.items() if _has_command(thing)}
    documents["experiment"] = write(gather(experiment_in(tmp_path))).files[0].read()
    documents["hard"] = write(with_command(shlex.join(["run", *HARD]), ("/abs/in",), ("a[1]*.run",))).files[0].read()
    documents["shell"] = write(with_command("A=1 x | y > $OUT/z; echo `date`")).files[0].read()
    documents["unclosed"] = write(with_command("echo 'it")).files[0].read()
    places = []
    for number, data in enumerate(documents.values()):
        path = tmp_path / f"{number}.cwl"
        path.write_bytes(data)
        tools = yaml.safe_load(data).get("$graph", [])
        places += [f"{path.as_uri()}#{tool['id']}" for tool in tools] or [path.as_uri()]

    wrong = tmp_path / "wrong.cwl"
    wrong.write_bytes(write(ODD["whole"]).files[0].read().replace(b"baseCommand", b"baseComand"))

    *answers, last = json.loads(run_peer("cwltool", "cwl_documents.py", *places, wrong.as_uri()).stdout)

    assert answers == ["valid"] * len(places)
    assert "baseComand" in last


def _has_command(thing: Thing) -> bool:
    """Tell whether a record of THING states a command; the many are one after another."""
    return len(thing.files) < 10 and any(record.get("implementation.executable.cmd") for record in thing.records())


def test_a_tool_has_the_words_the_files_and_the_versions_of_the_record(tmp_path: Path) -> None:
    written = write(gather(run_in(tmp_path)))

    tool = document(written)

    assert tool["cwlVersion"] == "v1.2"
    assert tool["baseCommand"] == ["python", "search.py"]
    assert tool["arguments"] == ["--topics", "topics.txt", "--seed", "7", "--out", "bm25ce.run"]
    assert list(tool["inputs"]) == ["topics_txt", "search_py"]
    assert tool["inputs"]["topics_txt"]["default"] == {"class": "File", "location": "topics.txt"}
    assert (
        "SHA-256 edae3d1b1432e2cadb5bd2946edafe4c8e56b0e17ab52196f6ba7dc51fefc389"
        in (tool["inputs"]["topics_txt"]["doc"])
    )
    assert tool["outputs"]["bm25ce_run"]["outputBinding"] == {"glob": "bm25ce.run"}
    assert tool["hints"]["SoftwareRequirement"]["packages"] == [
        {"package": "pyserini", "version": ["1.2.0"]},
        {"package": "python", "version": ["3.11.7"]},
        {"package": "numpy", "version": ["2.4.0"]},
        {"package": "torch", "version": ["2.9.1"]},
    ]
    assert written.remarks == (
        "other files of https://example.org/team/code.git at 9548cd6a that search.py needs are no inputs; add them",
    )
    assert "method.retrieval: 6 values" in written.lost
    assert "the content of 1 run" in written.lost


@pytest.mark.parametrize(
    ("command", "base", "arguments"),
    [
        pytest.param("primad exec --run a.run -- python a.py -x", ["python", "a.py"], ["-x"], id="recorded by exec"),
        pytest.param("python -m team.search --k1 0.9", ["python"], ["-m", "team.search", "--k1", "0.9"], id="module"),
        pytest.param("./run.sh 'a | b' \"c d\"", ["./run.sh"], ["a | b", "c d"], id="quotes"),
        pytest.param(r"java -cp a\ b.jar Search", ["java"], ["-cp", "a b.jar", "Search"], id="escaped blank"),
        pytest.param("X=1 Y= run", ["run"], [], id="variables in front"),
    ],
)
def test_a_command_is_parted_as_a_shell_parts_it(command: str, base: list[str], arguments: list[str]) -> None:
    tool = document(write(with_command(command)))

    assert (tool["baseCommand"], tool["arguments"]) == (base, arguments)


@pytest.mark.parametrize(
    "command",
    [
        "a | b",
        "a > b",
        "a < b",
        "a && b",
        "a; b",
        "a *.txt",
        "a $B",
        'a "${B}"',
        "a `b`",
        "(a)",
        "a &",
        "ls ~/x",
        "a ?",
    ],
)
def test_what_only_a_shell_understands_is_given_to_one_as_it_is(command: str) -> None:
    line = parsed(command)

    assert (line.shell, line.words) == (command, ())
    assert document(write(with_command(command)))["requirements"]["ShellCommandRequirement"] == {}


def test_what_cannot_be_parted_and_what_is_not_recorded_is_said() -> None:
    remarks = {
        command: write(with_command(command)).remarks
        for command in ("echo 'it", "run $DATA/${TOPICS} > a.run", "/opt/env/bin/python a.py", "python -m x")
    }

    assert remarks["echo 'it"][0] == (
        "the command cannot be parted into words (no closing quotation), so a shell gets it as it is"
    )
    assert (
        "the command reads DATA, TOPICS from its environment, which is not recorded"
        in (remarks["run $DATA/${TOPICS} > a.run"])
    )
    assert (
        "/opt/env/bin/python is a place on the machine where the command ran; put in one of yours"
        in (remarks["/opt/env/bin/python a.py"])
    )
    assert "no output of the command is known, so the tool collects none" in remarks["python -m x"]


def test_the_data_set_of_a_track_is_an_input_and_its_output_goes_where_the_runner_collects_it() -> None:
    written = write(with_command('python3 code.py "$inputDataset" "$outputDir"', outputs=("output.tsv",)))

    tool = document(written)
    assert tool["inputs"] == {"inputDataset": {"type": "Directory", "doc": "the data set that the system is run on"}}
    places = {"inputDataset": "$(inputs.inputDataset.path)", "outputDir": "$(runtime.outdir)"}
    assert tool["requirements"]["EnvVarRequirement"]["envDef"] == places
    assert tool["outputs"]["output_tsv"]["outputBinding"] == {"glob": "output.tsv"}
    assert written.remarks == ()


def test_a_file_outside_of_the_folder_is_put_where_the_runner_has_it() -> None:
    thing = with_command(
        "run --topics=/data/topics.txt ../qrels 'a\\$(b)'", ("/data/topics.txt", "../qrels"), ("/out/x.run",)
    )

    written = write(thing)
    tool = document(written)

    assert tool["arguments"] == ["--topics=$(inputs.topics_txt.path)", "$(inputs.qrels.path)", r"a\\\$(b)"]
    assert "default" not in tool["inputs"]["topics_txt"]
    assert tool["outputs"] == {}
    assert "/out/x.run is written outside of the folder of the tool, and not collected" in written.remarks


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(f"run --api-key {SECRET}", id="an option"),
        pytest.param(f"TOKEN={SECRET} run", id="a variable"),
        pytest.param(f"run | curl -H 'Authorization: Bearer {SECRET}'", id="for a shell"),
        pytest.param(f"echo '{SECRET}", id="unclosed"),
    ],
)
def test_no_secret_is_written_and_it_is_said(command: str) -> None:
    written = write(with_command(command, (f"{SECRET}.txt",)))

    assert SECRET.encode() not in written.files[0].read()
    assert any("secret" in remark for remark in written.remarks)


def test_a_command_that_failed_is_a_tool_that_is_expected_to() -> None:
    written = write(with_command("false", status=3))

    assert document(written)["successCodes"] == [3]
    assert "the command ended with the status 3, which is not 0" in written.remarks


def test_several_commands_are_a_graph_of_tools_with_names_of_their_own(tmp_path: Path) -> None:
    place = tmp_path / "runs"
    place.mkdir()
    for number, tag in enumerate(("x y", "x/y", "3")):
        record = RECORD.replace("tag: bm25+ce", f"tag: '{tag}'").replace("--seed 7", f"--seed {number}")
        run_in(place, f"{number}.run", record, ranking("t"))

    tool = document(write(gather(place)))

    assert [one["id"] for one in tool["$graph"]] == ["x_y", "x_y_2", "_3"]
    assert [one["arguments"][3] for one in tool["$graph"]] == ["0", "1", "2"]


def test_what_is_to_be_said_about_many_commands_is_said_once() -> None:
    deeds = [Deed(f"run {number}") for number in range(5)]

    remarks = write(Thing("attempt", "a", "a", deeds=tuple(deeds))).remarks

    assert remarks == (
        "a 1, a 2 and 3 more: no inputs are recorded (primad exec --trace does); add the files that the command reads",
        "a 1, a 2 and 3 more: no output of the command is known, so the tool collects none",
    )


def test_files_of_the_thing_that_the_command_names_are_its_inputs_where_none_are_recorded() -> None:
    topics = File.of_bytes(b"301 a\n", "topics.txt", "topics")

    tool = document(write(replace(with_command("run --topics=x in/topics.txt"), files=(topics,))))

    assert tool["inputs"]["topics_txt"]["default"] == {"class": "File", "location": "in/topics.txt"}
    assert topics.sha256 in tool["inputs"]["topics_txt"]["doc"]


@pytest.mark.parametrize("command", ["X=1", "   ", "x" * 200_000])
def test_what_is_no_command_is_left_out_and_if_there_is_nothing_else_refused(command: str) -> None:
    deeds = [Deed(command), Deed("run it")]

    written = write(Thing("attempt", "a", "a", deeds=tuple(deeds)))

    assert document(written)["baseCommand"] == ["run"]
    assert not command.strip() or any("is no command, and left out" in remark for remark in written.remarks)
    with pytest.raises(DataError, match="expected a command for CWL, found"):
        write(with_command(command))


def test_a_thing_without_a_command_is_refused_with_what_to_do() -> None:
    with pytest.raises(DataError, match=r"expected a command for CWL, found none in thing; state implementation"):
        write(Thing("run", "thing", "thing"))


@pytest.mark.parametrize("name", [name for name, thing in ODD.items() if _has_command(thing)])
def test_odd_things_are_written_the_same_twice(name: str) -> None:
    (once,), (again,) = write(ODD[name]).files, write(ODD[name]).files

    assert once.read() == again.read()
    assert document(write(ODD[name]))["cwlVersion"] == "v1.2"


def test_what_a_command_wrote_is_no_input_of_it_though_the_command_names_it() -> None:
    given = File.of_bytes(b"d1 j11", "replicated/output.tsv", "other")
    texts = File.of_bytes(b"d1 flu", "data/texts.tsv", "other")
    deed = Deed("python3 code.py texts.tsv output.tsv", outputs=(Used("output.tsv", given.sha256),))

    tool = document(write(Thing("attempt", "a", "a", files=(given, texts), deeds=(deed,))))

    assert list(tool["inputs"]) == ["texts_tsv"]
    assert list(tool["outputs"]) == ["output_tsv"]
