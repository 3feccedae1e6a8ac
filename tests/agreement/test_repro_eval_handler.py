"""Do repro_eval's handler of metadata and primad read each other's headers, and read the same in them?

The handler runs as it is, in an environment of its own that ``make test`` makes (tests/peers).
"""

from __future__ import annotations

import atexit
import gzip
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from primad.metadata.paths import find
from primad.metadata.schema import load_schema
from tests.cli.running import primad

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = ROOT / ".venv" / "peers" / "repro_eval"
PROGRAM = ROOT / "tests" / "peers" / "handler.py"
MISSING = "the environment of repro_eval is missing; run: make test"
GIT = shutil.which("git") or "git"

COMPONENTS = ("platform", "research goal", "implementation", "method", "actor", "data")
ADDED_TO = ("platform", "implementation")  # the components that primad and the handler can fill by themselves

RANKING = "301 Q0 FT911-3 1 2.5 bm25+rm3\n301 Q0 FT911-4 2 1.25 bm25+rm3\n302 Q0 FT911-3 1 -0.5 bm25+rm3\n"

# Every field of ir_metadata 0.1, with text that readers of YAML take for something else.  All of it is quoted here, so
# that every reader agrees on what goes in.
TEMPLATE = r"""
schema-version: '0.1'
run-version: '1.0'
tag: bm25+rm3
platform:
  hardware:
    cpu: {model: 'Xeon: Gold #6144', architecture: x86_64, operation mode: 64-bit, number of cores: 16}
    gpu: {model: NVIDIA RTX A6000, architecture: Ampere, number of cores: 10752, memory: 48 GB}
    ram: 64 GB
  operating system: {kernel: '5.10', distribution: Ubuntu 18.04.5 LTS, platform: Linux}
  software:
    libraries: {python: ['numpy==1.15.4', 'scikit-learn==0.20'], java: ['lucene==7.6']}
    retrieval toolkit: ['anserini==0.3.0']
research goal:
  venue: {name: SIGIR, year: 2019}
  publication:
    dblp: 'https://dblp.org/rec/conf/ecir/YuXL19'
    doi: 'https://doi.org/10.1007/978-3-030-15712-8_26'
    arxiv: 'https://arxiv.org/abs/2010.13447'
    url: 'https://example.org/paper.pdf#page=3'
    abstract: "We ask: \"does it come back?\"\n\n  It does.\n# ir_metadata.end\n---\n- the end: \tyes \n"
  evaluation:
    reported measures: [map, P_10, ndcg]
    baseline: ['1e5', '0777']
    significance test:
    - {name: t-test, correction method: 'no'}
    - {name: wilcoxon, correction method: 'null'}
implementation:
  executable: {cmd: "java -cp 'a b.jar' Search --topics \"core 17\" # all; 'it''s'"}
  source: {lang: [Java, Python], repository: 'https://example.org/lab/anserini.git', commit: '9548e6'}
method:
  automatic: true
  score ties: 'text: with colon'
  indexing: {tokenizer: '~', stemmer: '- Porter', stopwords: 'no'}
  retrieval:
  - {name: bm25, method: org.example.BM25Similarity, b: 0.4, k1: 0.9, epsilon: 1.0e-05, axiom.deterministic: true}
  - {name: rm3, reranks: bm25, params: {terms: 10, separator: ' ', prefix: '', version: 'no'}}
  - {name: mixed, interpolates: [bm25, rm3], weight: 0.6}
  - {name: all, ensembles: [mixed, '1:30']}
actor:
  name: Žofie Müller-山田 😀
  orcid: '0000-0002-0661-7189'
  team: 'on'
  fields: [ir, 'y']
  mail: zofie@example.org
  role: reproducer
  degree: 'Ph.D. [hon.]'
  github: 'https://example.org/zofie'
  twitter: '@zofie'
data:
  test collection:
    name: The New York Times Annotated Corpus
    source: 'https://catalog.example.org/LDC2008T19'
    qrels: 'https://example.org/qrels.txt'
    topics: 'https://example.org/topics.txt'
    ir_datasets: nyt/trec-core-2017
  training data:
  - name: '2004-11-16'
    source: 'https://example.org/robust'
    qrels: 'https://example.org/robust/qrels.txt'
    topics: 'https://example.org/robust/topics.txt'
    ir_datasets: disks45/nocr/trec-robust-2004
    folds: [disks45/nocr/trec-robust-2004/fold1]
  other:
  - {name: "lines\r\nof another system\u2028", source: '*anchor'}
"""
MEANT: dict[str, Any] = yaml.safe_load(TEMPLATE)

Handler = Callable[..., Any]


@pytest.fixture(scope="session")
def handler() -> Handler:
    """Return what runs tests/peers/handler.py in its environment; without that the test is skipped."""
    if not (ENVIRONMENT / ".locked").exists():
        pytest.skip(MISSING)
    return run_handler


def run_handler(*arguments: object) -> Any:
    """Return what the handler prints."""
    process = serving()
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps([*map(str, arguments)]) + "\n")
    process.stdin.flush()
    done = json.loads(process.stdout.readline())
    assert done["is_done"], done["err"]
    return json.loads(done["out"]) if done["out"] else None


@cache
def serving() -> subprocess.Popen[str]:
    """Return the process that runs the handler for the tests of this one, as long as this one lives."""
    command = [str(ENVIRONMENT / "bin" / "python"), "-W", "ignore", str(PROGRAM), "serve"]
    # Its packages are installed uncompiled, so the first import has to be allowed to keep what it compiles.
    settings = outside_git() | {"PYTHONDONTWRITEBYTECODE": "", "PYTHONUTF8": "1"}
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, encoding="utf-8", env=settings, cwd=ROOT)
    atexit.register(process.communicate)  # which closes what it reads from, and it ends
    return process


def outside_git() -> dict[str, str]:
    """Return the variables of this process but those by which a hook of git names its own repository."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Return a run without metadata."""
    return written(tmp_path / "plain.run", RANKING)


@pytest.fixture
def template(tmp_path: Path) -> Path:
    """Return a file with TEMPLATE."""
    return written(tmp_path / "template.yaml", TEMPLATE)


def written(path: Path, text: str) -> Path:
    """Return PATH, with TEXT in it."""
    path.write_bytes(text.encode())
    return path


def annotate(run: Path, template: Path, *options: str) -> Path:
    """Return RUN after primad has written TEMPLATE into it."""
    outcome = primad("annotate", run, "--template", template, "--in-place", *options)
    assert outcome.code == 0, outcome.err
    return run


def record_of(run: Path) -> Any:
    """Return the record that primad shows of RUN."""
    outcome = primad("show", run, "--format", "json")
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out)["record"]


def partial(template: str) -> str:
    """Return TEMPLATE without the components that can be captured."""
    return re.sub(rf"^({'|'.join(ADDED_TO)}):\n( .*\n)+", "", template, flags=re.MULTILINE)


def components(tree: dict[str, Any], *, but: tuple[str, ...] = ()) -> str:
    """Return the components of TREE as text, in which 1, 1.0, true and '1' differ."""
    chosen = {name: tree.get(name) for name in COMPONENTS if name not in but}
    return json.dumps(chosen, indent=1, sort_keys=True, ensure_ascii=False)


def overlaid(under: Any, over: Any) -> Any:
    """Return UNDER with the values of OVER in it; it is UNDER still if these are there already."""
    if isinstance(under, dict) and isinstance(over, dict):
        return under | {key: overlaid(under.get(key), value) for key, value in over.items()}
    return over


# From primad to the handler ----------------------------------------------------------------------------------


def test_the_template_has_every_field_of_version_0_1() -> None:
    assert [field.path for field in load_schema("0.1").fields if not list(find(MEANT, field.steps))] == []


@pytest.mark.parametrize("commit", ["9548e6", "1234567"])
def test_the_handler_reads_in_our_header_what_the_template_says(handler: Handler, run: Path, commit: str) -> None:
    template = written(run.with_name("template.yaml"), TEMPLATE.replace("'9548e6'", f"'{commit}'"))
    source = MEANT["implementation"]["source"] | {"commit": commit}
    meant = MEANT | {"implementation": MEANT["implementation"] | {"source": source}}

    read = handler("read", annotate(run, template, "--no-capture"))

    assert components(read) == components(meant)
    assert read["tag"] == "bm25+rm3"


def test_what_is_captured_stands_beside_the_template_and_replaces_nothing(
    handler: Handler, run: Path, template: Path
) -> None:
    read = handler("read", annotate(run, template))

    assert components(read, but=ADDED_TO) == components(MEANT, but=ADDED_TO)
    assert components(read) == components(overlaid(read, MEANT))
    assert read["ranking"]["sha256"] == hashlib.sha256(RANKING.encode()).hexdigest()


def test_the_handler_reads_the_platform_that_we_captured(handler: Handler, run: Path) -> None:
    template = written(run.with_name("template.yaml"), partial(TEMPLATE))

    read = handler("read", annotate(run, template))

    assert read["platform"]["hardware"]["cpu"]["architecture"] == platform.machine()
    assert platform.release() in read["platform"]["operating system"]["kernel"]


def test_the_handler_finds_the_same_ranking_below_our_header(handler: Handler, run: Path, template: Path) -> None:
    annotated = annotate(written(run.with_name("annotated.run"), RANKING), template)

    plain, below = handler("strip", run, annotated)

    assert plain == {"301": {"FT911-3": 2.5, "FT911-4": 1.25}, "302": {"FT911-3": -0.5}}
    assert below == plain


def test_the_analyzer_finds_the_types_of_runs_that_we_annotated(handler: Handler, tmp_path: Path) -> None:
    texts = {
        "reference.run": TEMPLATE,
        "sweep.run": TEMPLATE.replace("k1: 0.9", "k1: 1.2"),
        "others.run": TEMPLATE.replace("team: 'on'", "team: 'off'"),
    }
    folder = tmp_path / "runs"
    folder.mkdir()
    for name, text in texts.items():
        annotate(written(folder / name, RANKING), written(tmp_path / "template.yaml", text), "--no-capture")

    types = handler("types", folder / "reference.run", folder)

    assert types == {"priMad": [str(folder / "sweep.run")], "primAd": [str(folder / "others.run")]}


def test_the_handler_reads_a_real_run_that_we_annotated(handler: Handler, shared_data: Path, tmp_path: Path) -> None:
    packed = shared_data / "osirrc_core17" / "runs" / "anserini__2019-06-18__bm25.run.gz"
    plain, run = tmp_path / "plain.run", tmp_path / "bm25.run"
    for path in (plain, run):
        path.write_bytes(gzip.decompress(packed.read_bytes()))
    template = written(tmp_path / "template.yaml", TEMPLATE.replace("tag: bm25+rm3", "tag: Anserini"))

    annotate(run, template)

    read = handler("read", run)
    assert components(read, but=ADDED_TO) == components(MEANT, but=ADDED_TO)
    assert read["tag"] == "Anserini"
    before, after = handler("strip", plain, run)
    assert after == before
    assert sum(map(len, after.values())) == 50_000


# From the handler to primad ----------------------------------------------------------------------------------


# The handler writes the text 'no' unquoted; in a parameter, where a truth value may stand as well, it can mean either.
FOR_THE_HANDLER = TEMPLATE.replace("version: 'no'", "version: none")
MEANT_FOR_THE_HANDLER: dict[str, Any] = yaml.safe_load(FOR_THE_HANDLER)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a git repository with a commit, a program in Python and a remote."""
    folder = tmp_path / "repository"
    folder.mkdir()
    written(folder / "search.py", "print('301 Q0 FT911-3 1 2.5 bm25')\n")
    for command in (
        ("init", "--quiet"),
        ("add", "search.py"),
        ("commit", "--quiet", "--message", "Search"),
        ("remote", "add", "origin", "https://example.org/lab/search.git"),
    ):
        git(folder, *command)
    return folder


def git(folder: Path, *arguments: str) -> str:
    """Return what git prints in FOLDER, whatever the settings of the person who runs the tests."""
    settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    named = ("-c", "user.name=Tester", "-c", "user.email=tester@example.org")
    command = [GIT, "-C", str(folder), *named, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=outside_git() | settings).stdout


def test_we_read_what_the_handler_wrote(handler: Handler, run: Path, tmp_path: Path) -> None:
    metadata = written(tmp_path / "given.yaml", FOR_THE_HANDLER)

    handler("write", run, metadata, tmp_path / "annotated.run")

    record = record_of(tmp_path / "annotated.run")
    assert components(record) == components(MEANT_FOR_THE_HANDLER)
    assert record["tag"] == "bm25+rm3"


def test_what_the_handler_found_out_by_itself_is_read_in_its_documented_place(
    handler: Handler, run: Path, repository: Path, tmp_path: Path
) -> None:
    metadata = written(tmp_path / "given.yaml", partial(FOR_THE_HANDLER))

    handler("write", run, metadata, tmp_path / "annotated.run", "--complete", repository)

    record = record_of(tmp_path / "annotated.run")
    assert record["implementation"] == {
        "source": {
            "repository": "https://example.org/lab/search.git",
            "commit": git(repository, "rev-parse", "HEAD").strip(),
            "lang": ["Python"],
        }
    }
    assert record["platform"]["hardware"]["cpu"]["architecture"] == platform.machine()
    assert record["platform"]["operating system"]["kernel"] == platform.release()
    assert "numpy" in record["platform"]["software"]["libraries"]["python"]
    assert components(record, but=ADDED_TO) == components(MEANT_FOR_THE_HANDLER, but=ADDED_TO)


def test_the_newest_of_two_headers_is_read(handler: Handler, run: Path, tmp_path: Path) -> None:
    once, twice = tmp_path / "once.run", tmp_path / "twice.run"
    older = written(tmp_path / "older.yaml", FOR_THE_HANDLER.replace("k1: 0.9", "k1: 1.2"))
    newer = written(tmp_path / "newer.yaml", FOR_THE_HANDLER)

    handler("write", run, older, once)
    handler("write", once, newer, twice)

    assert twice.read_text(encoding="utf-8").splitlines().count("# ir_metadata.start") == 2
    assert components(record_of(twice)) == components(MEANT_FOR_THE_HANDLER)


# Without the environment -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_where_ci_is_true_a_missing_environment_fails_the_run(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "tests", tmp_path / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    test = f"{Path(__file__).relative_to(ROOT)}::{test_we_read_what_the_handler_wrote.__name__}"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", test]

    codes, outputs = zip(*(pytest_outcome(command, tmp_path, ci=ci) for ci in ("true", "")), strict=True)

    assert codes == (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.OK)
    assert all(MISSING in output for output in outputs)


def pytest_outcome(command: list[str], folder: Path, *, ci: str) -> tuple[int, str]:
    """Return the exit code and the output of a run of pytest in FOLDER."""
    done = subprocess.run(
        command, cwd=folder, capture_output=True, encoding="utf-8", check=False, env=os.environ | {"CI": ci}
    )
    return done.returncode, done.stdout
