"""What does ``assess`` say of real systems that were run twice, ten days apart, and does repro_eval agree?

The runs are those of the OSIRRC 2019 workshop on Core17.  Their records state what the names of folders and files there
state, and nothing else.  repro_eval runs as it is, in an environment of its own that ``make test`` makes (tests/peers).
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from primad import Assessment, annotate, assess, compare

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = ROOT / ".venv" / "peers" / "repro_eval"
PROGRAM = ROOT / "tests" / "peers" / "closeness.py"
MISSING = "the environment of repro_eval is missing; run: make test"
QRELS = Path("osirrc_core17") / "qrels.core17.txt"

# As trec_eval calls them, and as repro_eval does.
MEASURES = {"map": "AP", "ndcg": "nDCG", "P_10": "P@10", "recip_rank": "RR", "Rprec": "Rprec", "bpref": "Bpref"}
ANSERINI = [f"anserini {run}.run" for run in ("bm25.ax", "bm25.rm3", "bm25", "ql.ax", "ql.rm3", "ql")]
ATIRE = "atire ANT_c17_100_percent.txt"
JASS = "jass JASS_c17_10_percent.txt"
JASS_2 = "jassv2 JASSv2_c17_10.txt"
PISA = "pisa core17-1000"
# How many of the 50 topics have another ranking the second time.
RERANKED = {JASS: 3, JASS_2: 3, PISA: 5}


class Rerun(NamedTuple):
    """The copies of a run and of its repetition."""

    earlier: Path
    later: Path


@pytest.fixture(scope="module")
def reruns(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Rerun]:
    """Return annotated copies of the runs of each system, by the names of system and file."""
    folder = tmp_path_factory.mktemp("annotated")
    found: dict[str, list[Path]] = {}
    for packed in runs_in(shared_data):
        system, date, name = names_in(packed)
        tag = f"{system} {name} {date}"
        stated = {"tag": tag, "run-version": date, "actor.team": system}
        copy = folder / packed.with_suffix("").name
        copy.write_bytes(annotate(packed, values=stated).data)
        found.setdefault(f"{system} {name}", []).append(copy)
    return {name: Rerun(*sorted(paths)) for name, paths in found.items()}


def runs_in(shared_data: Path) -> list[Path]:
    """Return the packed runs."""
    return sorted((shared_data / "osirrc_core17" / "runs").glob("*.gz"))


def names_in(packed: Path) -> tuple[str, str, str]:
    """Return the system, the date and the file that the name of a run is made of."""
    system, date, name = packed.with_suffix("").name.split("__")
    return system, date, name


@pytest.fixture(scope="module")
def assessments(reruns: dict[str, Rerun], shared_data: Path) -> dict[str, Assessment]:
    """Return how close the later run of each system is to the earlier one."""
    qrels = shared_data / QRELS
    return {name: assess(run.earlier, run.later, qrels, measures=MEASURES) for name, run in reruns.items()}


def values(assessments: dict[str, Assessment], measure: str, of: str = "") -> dict[str, float | None]:
    """Return the value of MEASURE for each system."""
    found = {name: assessment.reproductions[0].find(measure, of=of) for name, assessment in assessments.items()}
    return {name: value.value for name, value in found.items() if value is not None}


# What they say about themselves ----------------------------------------------------------------------------------


def test_there_are_ten_systems(reruns: dict[str, Rerun]) -> None:
    assert sorted(reruns) == sorted([*ANSERINI, ATIRE, JASS, JASS_2, PISA])


def test_each_rerun_is_a_repetition_as_far_as_its_record_says(reruns: dict[str, Rerun]) -> None:
    found = {name: compare(run.earlier, [run.later]).runs[0] for name, run in reruns.items()}

    assert {str(one.type) for one in found.values()} == {"????a?"}
    assert {one.name for one in found.values()} == {"repeat, as far as known"}
    assert len(found) == 10


def test_runs_of_two_systems_are_by_other_people(reruns: dict[str, Rerun]) -> None:
    (found,) = compare(reruns[JASS].earlier, [reruns[PISA].earlier]).runs

    assert str(found.type) == "????A?"


def test_the_tag_of_the_record_counts_where_files_share_one(assessments: dict[str, Assessment]) -> None:
    tags = {name: assessments[name].original.runs["baseline"].tag for name in ANSERINI}

    assert tags == {name: f"{name} 2019-06-18" for name in ANSERINI}


def test_the_type_stands_beside_the_values(assessments: dict[str, Assessment]) -> None:
    assert {assessment.reproductions[0].type for assessment in assessments.values()} == {"????a?"}


# How close they are ----------------------------------------------------------------------------------------------


def test_tau_is_1_for_the_reruns_of_anserini_and_atire(assessments: dict[str, Assessment]) -> None:
    found = values(assessments, "tau")

    assert {name: found[name] for name in (*ANSERINI, ATIRE)} == dict.fromkeys((*ANSERINI, ATIRE), 1.0)


def test_rbo_ext_is_1_for_the_reruns_of_anserini_and_atire(assessments: dict[str, Assessment]) -> None:
    found = values(assessments, "rbo_ext")

    assert {name: found[name] for name in (*ANSERINI, ATIRE)} == dict.fromkeys((*ANSERINI, ATIRE), 1.0)


def test_a_few_topics_of_jass_jassv2_and_pisa_are_ranked_otherwise(assessments: dict[str, Assessment]) -> None:
    found = {name: assessment.reproductions[0].find("tau") for name, assessment in assessments.items()}

    below = {name: sum(one < 1 for one in value.topics.values()) for name, value in found.items() if value}

    assert {name: number for name, number in below.items() if number} == RERANKED


def test_rbo_ext_of_jass_jassv2_and_pisa_is_below_1(assessments: dict[str, Assessment]) -> None:
    found = values(assessments, "rbo_ext")

    assert {name: found[name] for name in RERANKED} == pytest.approx(
        {JASS: 0.9999952760, JASS_2: 0.9999959123, PISA: 0.9999999975}, abs=1e-10
    )


def test_the_scores_of_jass_and_jassv2_alone_differ(assessments: dict[str, Assessment]) -> None:
    found = values(assessments, "rmse", "map")

    assert found.pop(JASS) == pytest.approx(3.85e-4, abs=5e-7)
    assert found.pop(JASS_2) == pytest.approx(3.9e-6, abs=5e-8)
    assert found == dict.fromkeys((*ANSERINI, ATIRE, PISA), 0.0)


def test_equal_scores_have_a_p_value_of_1(assessments: dict[str, Assessment]) -> None:
    found = values(assessments, "p", "map")

    assert {name for name, p in found.items() if p == 1} == {*ANSERINI, ATIRE, PISA}


# What repro_eval says --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def plain(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Rerun]:
    """Return copies that repro_eval can read: unpacked, without a header, each tag one word."""
    folder = tmp_path_factory.mktemp("plain")
    found: dict[str, list[Path]] = {}
    for packed in runs_in(shared_data):
        system, _, name = names_in(packed)
        copy = folder / packed.with_suffix("").name
        lines = gzip.decompress(packed.read_bytes()).decode().splitlines()
        copy.write_text("".join(f"{' '.join(line.split()[:6])}\n" for line in lines))
        found.setdefault(f"{system} {name}", []).append(copy)
    return {name: Rerun(*sorted(paths)) for name, paths in found.items()}


def repro_eval(qrels: Path, *runs: Path) -> subprocess.CompletedProcess[str]:
    """Return what became of tests/peers/closeness.py in its environment; without that the test is skipped."""
    if not (ENVIRONMENT / ".locked").exists():
        pytest.skip(MISSING)
    command = [str(ENVIRONMENT / "bin" / "python"), "-W", "ignore", str(PROGRAM), str(qrels), *map(str, runs)]
    # Its packages are installed uncompiled, so the first import has to be allowed to keep what it compiles.
    settings = os.environ | {"PYTHONDONTWRITEBYTECODE": "", "PYTHONUTF8": "1"}
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False, env=settings)


@pytest.mark.slow
def test_repro_eval_finds_the_same_values_where_both_define_one(
    plain: dict[str, Rerun], assessments: dict[str, Assessment], shared_data: Path
) -> None:
    done = repro_eval(shared_data / QRELS, *(path for run in plain.values() for path in run))

    assert done.returncode == 0, done.stderr
    answers = dict(zip(plain, json.loads(done.stdout), strict=True))
    theirs = {(name, *key): value for name, answer in answers.items() for key, value in flat(answer)}
    ours = {(name, *key): values(assessments, *key)[name] for name, *key in theirs}
    defined = {key for key, value in theirs.items() if value is not None}
    assert {key: ours[key] for key in defined} == pytest.approx({key: theirs[key] for key in defined}, abs=1e-9)
    # There equal scores have no p-value, unless those of all measures are equal.
    assert {ours[key] for key in theirs.keys() - defined} == {1.0}
    assert {measure for _, measure, *_ in theirs.keys() - defined} == {"p"}
    assert len(defined) > 200


def flat(answer: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], float | None]]:
    """Yield each value that repro_eval gave, by our names."""
    for measure, found in answer.items():
        if isinstance(found, dict):
            yield from (((measure, name), found[theirs]) for name, theirs in MEASURES.items())
        else:
            yield (measure,), found


@pytest.mark.slow
def test_repro_eval_can_read_neither_tags_of_two_words_nor_headers(
    reruns: dict[str, Rerun], shared_data: Path, tmp_path: Path
) -> None:
    with_tags = tmp_path / "jass.run"
    packed = next(path for path in runs_in(shared_data) if path.name.startswith("jass__"))
    with_tags.write_bytes(gzip.decompress(packed.read_bytes()))

    for run in (with_tags, reruns[PISA].earlier):
        done = repro_eval(shared_data / QRELS, run, run)

        assert done.returncode == 1
        assert "ValueError" in done.stderr.splitlines()[-1]
