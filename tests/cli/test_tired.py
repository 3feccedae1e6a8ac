"""Does somebody who is tired get an answer that helps?  What was typed, and what must be in the answer.

Commands, options, files, measures and numbers are mistyped, swapped or of another kind.  Each answer says what was
expected, what was found or what to do, on standard error, with a status that is not 0, and nobody sees a traceback: an
exception that is no message of ours would come through as it is.
"""

import os
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.cli.running import primad

SWAPPED = "expected 4 columns (topic iteration document relevance), found '1 Q0 d1 1 2.0 bm25'"
BINARY = "expected text, found binary data"
JUDGMENTS = "expected a run (topic Q0 document rank score tag) or metadata, found relevance judgments (qrels)"
SCORES = "run,tag,topic,map\nbm25.run,bm25,all,1.0\n"
NO_ARCHIVE = "is no archive; make one with: primad archive init, or primad track init"

WRONG_USAGE = {
    "evaluate core.qrels bm25.run -m map P_10": "found the measure P_10; name each measure behind an -m: -m P_10",
    # commands
    "asess": "No such command 'asess'. Did you mean 'assess'?",
    "Evaluate core.qrels bm25.run": "No such command 'Evaluate'. Did you mean 'evaluate'?",
    "archive serch": "No such command 'serch'. Did you mean 'search'?",
    "track sumbit": "No such command 'sumbit'. Did you mean 'submit'?",
    "track attempt strt": "No such command 'strt'. Did you mean 'start'?",
    # options
    "--verison": "No such option: --verison",
    "evaluate core.qrels bm25.run --mesure map": "No such option: --mesure; did you mean '--measure'?",
    "assess --orginal a --reproduction b": "No such option: --orginal; did you mean '--original'?",
    "doctor --formt json": "No such option: --formt; did you mean '--format'?",
    "evaluate core.qrels bm25.run --report out": "No such option: --report; it is one of primad assess, qra, archive",
    "check bm25.run --rbo-p 0.9": "No such option: --rbo-p; it is one of primad assess, archive assess",
    "show bm25.run --no-such": "No such option: --no-such",
    # what is missing, or too much
    "evaluate": "Missing argument 'QRELS'",
    "evaluate core.qrels": "Missing argument 'RUN'",
    "score coding core.qrels": "Missing argument 'OUTPUT [OUTPUT]'",
    "assess bm25.run bm25.run core.qrels": "each file stands behind its option: --in, --original, --qrels,",
    "assess --original bm25.run --reproduction bm25.run": "expected judgments: --qrels FILE",
    "assess --original bm25.run --qrels core.qrels": "expected an original and a reproduction: --original BASELINE",
    "assess --original --qrels core.qrels": "expected a value after --original, found none",
    "export bm25.run --to": "expected a value after --to, found none",
    "archive add bm25.run --collection": "expected a value after --collection, found none",
    "evaluate core.qrels bm25.run -m": "expected a value after -m, found none",
    "evaluate core.qrels bm25.run --complete=yes": "expected --complete without a value, found one",
    "score trec core.qrels bm25.run bm25.run bm25.run": "expected one output, or two to compare, found 3",
    "compare bm25.run": "expected an original and runs to compare with it, or a folder of runs",
    "qra": "nothing to assess: name a file of measurements, --example or --runs",
    "qra --runs runs": "--runs needs --qrels FILE",
    "export bm25.run": "expected a format, found none; there are: ro-crate,",
    "track replay alpha/run1": "expected --analyst ANALYST, who runs the system",
    # values that are no such values
    "evaluate core.qrels bm25.run --format jsn": "found 'jsn'; did you mean 'json'?",
    "evaluate core.qrels bm25.run --compat 8": "'--compat': expected 9, 10, found '8'",
    "evaluate core.qrels bm25.run -l x": "expected a whole number, found 'x'",
    "evaluate core.qrels bm25.run -l -3": "expected a relevance level of at least 0, found -3",
    "evaluate core.qrels bm25.run -M 0": "expected a depth of at least 1, found 0",
    "evaluate core.qrels bm25.run --jobs 0": "'--jobs': expected at least 1, found '0'",
    "evaluate core.qrels bm25.run --jobs two": "'--jobs': expected a whole number, found 'two'",
    "assess --original bm25.run --reproduction bm25.run --qrels core.qrels --confidence 95": "0 and 1, found 95",
    "assess --original bm25.run --reproduction bm25.run --qrels core.qrels --rbo-p 1.5": "between 0 and 1, found 1.5",
    "assess --original bm25.run --reproduction bm25.run --qrels core.qrels --depth 0": "at least 1, found 0",
    "assess --original a --reproduction b --qrels c --margin map": "expected --margin MEASURE=X, as in map=0.01, found",
    "assess --original a --reproduction b --qrels c --rbo-p high": "expected a number, found 'high'",
    "qra --example belz": "unknown example 'belz'; did you mean 'belz2022'?",
    "qra values.csv --confidence 2": "expected a confidence from 0.6 to below 1, found 2",
    "score trek core.qrels bm25.run": "found 'trek'; did you mean 'trec'?",
    "compare bm25.run runs --type priX": "--type: expected a type such as priMad or PRIM'AD, found 'priX'",
    "annotate bm25.run --set actor.team": "as in --set actor.team=h2oloo, found 'actor.team'",
    "completion csh": "expected bash, zsh, fish, found 'csh'",
    "serve --port 99999": "'--port': expected at most 65535, found '99999'",
    "demo --seed -1": "'--seed': expected at least 0, found '-1'",
    "login not-an-address": "expected the address of a site, such as https://runs.example.org, found 'not-an-address'",
    "check runs": "expected runs or metadata files in runs, found none",
    "qra --runs runs --qrels core.qrels": "expected runs, found none in runs",
}
WRONG_INPUT = {
    # files that are not there, or others
    "evaluate core.qrels bm26.run": "bm26.run: no such file",
    "evaluate core.qrel bm25.run": "core.qrel: no such file",
    "show nothing.run": "nothing.run: no such file",
    "annotate bm25.run --template nothing.yml": "nothing.yml: no such file",
    "rerun nothing.run": "nothing.run: no such file",
    "qra values.cvs": "values.cvs: no such file",
    "assess --original bm25 --in nowhere --qrels core.qrels": "nowhere: no such file",
    "evaluate core.qrels runs": "runs: expected a file, found a directory; name the files in it",
    "show runs": "runs: expected a file, found a directory; name the files in it",
    "evaluate bm25.run core.qrels": f"bm25.run:1: {SWAPPED} (and 2 more problems); this looks like a run; were run and",
    "score trec bm25.run core.qrels": f"bm25.run:1: {SWAPPED}",
    "assess --original bm25.run --reproduction bm25.run --qrels bm25.run": f"bm25.run:1: {SWAPPED}",
    "assess --original core.qrels --reproduction bm25.run --qrels core.qrels": "these look like qrels",
    "strip core.qrels": "core.qrels: expected a run (topic Q0 document rank score tag), found '1 0 d1 1'",
    "annotate core.qrels": f"core.qrels:1: {JUDGMENTS}",
    "show core.qrels": f"core.qrels:1: {JUDGMENTS}",
    "rerun core.qrels": f"core.qrels:1: {JUDGMENTS}",
    "evaluate core.qrels empty.run": "found none; the file is empty or has only comments",
    "evaluate empty.run bm25.run": "found none; the file is empty or has only comments",
    "evaluate core.qrels binary.run": f"binary.run: {BINARY} in line 1; is it the file you meant?",
    "evaluate core.qrels bm25.zip": f"bm25.zip: {BINARY} in line 1; is it the file you meant?",
    "strip bm25.zip": f"bm25.zip: {BINARY}; is it the file you meant?",
    "show binary.run": "binary.run: expected a run or YAML in UTF-8, found other bytes; is it the file you meant?",
    "show bm25.run": "bm25.run: has no metadata; add it with: primad annotate",
    "rerun bm25.run": "bm25.run: has no metadata, so nobody knows how it was made; record runs with: primad exec",
    "assess --original a --reproduction b --qrels c --report bm25.run": "bm25.run: expected a folder, found a file",
    "qra values.csv --report bm25.run": "bm25.run: expected a folder, found a file; name another folder",
    # names that nobody knows
    "evaluate core.qrels bm25.run -m mpa": "unknown measure 'mpa'; did you mean 'map'?",
    "evaluate core.qrels bm25.rum": "bm25.rum: no such file",
    "evaluate core.qrels bm25.run -m map,P_10": "expected one measure at a time, as in: -m map -m P_10",
    "evaluate core.qrels bm25.run -m P_IA@5": "it needs judgments of subtopics, which these qrels do not hold",
    "check bm25.run --profile longeval": "unknown profile 'longeval'; expected one of ir_metadata, longeval2026, or",
    "template --component actors": "unknown component 'actors'; expected one of: general, platform,",
    "schema --version 9": "unknown schema version '9'; expected one of: 0.1, 0.2",
    # folders
    "archive add bm25.run": f"{NO_ARCHIVE}; name one with --archive DIR or PRIMAD_ARCHIVE",
    "archive search --archive runs": f"runs: {NO_ARCHIVE}",
    "archive init bm25.run": "bm25.run: expected a folder, found a file; name another folder",
    "track show": f"{NO_ARCHIVE}; name one with --archive DIR or PRIMAD_ARCHIVE",
}
OF_A_COMMAND = {  # whose own mistakes have a status of their own, since 1 and 2 may be that of what is run
    "exec": "Missing argument 'COMMAND'",
    "exec --repeat 1 -- true": "'--repeat': expected at least 2, found '1'",
    "exec --report out -- true": "No such option: --report; it is one of primad assess,",
}
HELP = {
    "help": "Usage: primad [OPTIONS] COMMAND",
    "help assess": "Usage: primad assess [OPTIONS]",
    "help track submit": "Usage: primad track submit [OPTIONS]",
    "track help": "Usage: primad track [OPTIONS] COMMAND",
    "-h": "Usage: primad [OPTIONS] COMMAND",
    "evaluate -h": "Usage: primad evaluate [OPTIONS]",
}
TYPED = [
    *((typed, 2, answer) for typed, answer in WRONG_USAGE.items()),
    *((typed, 1, answer) for typed, answer in WRONG_INPUT.items()),
    *((typed, 125, answer) for typed, answer in OF_A_COMMAND.items()),
]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what somebody has lying about."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "runs").mkdir()
    (folder / "bm25.run").write_text("1 Q0 d1 1 2.0 bm25\n1 Q0 d2 2 1.0 bm25\n2 Q0 d1 1 2.0 bm25\n")
    (folder / "core.qrels").write_text("1 0 d1 1\n1 0 d2 0\n2 0 d1 1\n")
    (folder / "values.csv").write_text("object,measurand,value\nA,BLEU,1\nA,BLEU,2\n")
    (folder / "empty.run").touch()
    (folder / "binary.run").write_bytes(bytes(range(256)) * 4)
    with zipfile.ZipFile(folder / "bm25.zip", "w") as packed:
        packed.write(folder / "bm25.run", "bm25.run")
    return folder


@pytest.fixture(autouse=True)
def seated(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sit down at the desk, where nobody has set anything up."""
    monkeypatch.chdir(desk)
    for name in ("PRIMAD_ARCHIVE", "PRIMAD_SERVER", "PRIMAD_DATABASE"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(("typed", "code", "answer"), [pytest.param(*case, id=case[0] or "nothing") for case in TYPED])
def test_what_was_typed_wrongly_is_answered_with_what_was_expected_or_what_to_do(
    typed: str, code: int, answer: str
) -> None:
    outcome = primad(*shlex.split(typed))

    assert answer in outcome.err
    assert (outcome.code, outcome.out) == (code, "")
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize(
    ("typed", "code", "answer"),
    [
        pytest.param("import {}", 1, "{}: no such file or folder; is it the file you meant?", id="import"),
        pytest.param("export {} --to bibtex", 1, "{}: no such file or folder; is it the file you meant?", id="export"),
        pytest.param("compare {} bm25.run", 1, "{}: cannot be read (File name too long)", id="compare"),
        pytest.param("check bm25.run --here --repo {}", 2, "expected a folder after --repo, found '{}'", id="check"),
    ],
)
def test_a_name_that_no_file_can_have_is_that_of_no_file(typed: str, code: int, answer: str) -> None:
    name = "a" * 300

    outcome = primad(*shlex.split(typed.format(name)))

    assert answer.format(name) in outcome.err
    assert (outcome.code, outcome.out) == (code, "")


@pytest.mark.parametrize(
    ("typed", "closed", "code", "out", "err"),
    [
        pytest.param(
            "evaluate core.qrels bm25.run -m map --format csv",
            "2>&-",
            0,
            "run,tag,topic,map\nbm25.run,bm25,all,1.0\n",
            "",
            id="2",
        ),
        pytest.param(
            "login http://127.0.0.1:1",
            "<&-",
            2,
            "",
            "primad: expected a token; make one at http://127.0.0.1:1/account/\n",
            id="0",
        ),
    ],
)
def test_a_stream_that_is_closed_is_no_reason_to_fall_over(
    typed: str, closed: str, code: int, out: str, err: str
) -> None:
    line = f"exec {shlex.quote(sys.executable)} -c 'from primad.cli import main; main()' {typed} {closed}"

    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)  # noqa: S607

    assert (done.returncode, done.stdout, done.stderr) == (code, out, err)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_where_characters_cannot_be_printed_plain_ones_are(encoding: str) -> None:
    command = [sys.executable, "-c", "from primad.cli import main; main()", "qra", "--example", "belz2022"]

    done = subprocess.run(
        command, capture_output=True, check=False, env=os.environ | {"PYTHONIOENCODING": encoding, "COLUMNS": "200"}
    )

    assert (done.returncode, done.stderr) == (0, b"")
    assert "\n-------" in done.stdout.decode(encoding)


@pytest.mark.parametrize("module", ["primad.cli.program", "primad.cli.archive", "primad.cli.archive.telling"])
def test_an_interrupted_command_says_so_once_whenever_that_is(module: str) -> None:
    code = (
        "import sys, signal, os\n"
        "class Finder:\n"
        "    def find_spec(self, name, *rest):\n"
        f"        if name == {module!r}: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "sys.argv = ['primad', 'archive', 'show', 'bm25']\n"
        "from primad.cli import main; main()"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout, done.stderr) == (130, "", "primad: interrupted\n")


@pytest.mark.parametrize(("typed", "usage"), [pytest.param(*case, id=case[0]) for case in HELP.items()])
def test_help_is_there_however_it_is_asked_for(typed: str, usage: str) -> None:
    outcome = primad(*shlex.split(typed))

    assert outcome.out.startswith(usage)
    assert (outcome.code, outcome.err) == (0, "")


def test_nobody_wrote_anything_on_the_desk(desk: Path) -> None:
    kept = {"binary.run", "bm25.run", "bm25.zip", "core.qrels", "empty.run", "runs", "values.csv"}

    assert {path.name for path in desk.iterdir()} == kept
