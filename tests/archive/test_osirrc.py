"""Do real runs go in, come out by what they say of themselves, score as their authors say, and find their re-runs?

The runs are those of the OSIRRC 2019 workshop on Core17, each made twice, ten days apart.  Their records state what the
names of folders and files there state, with the roles of an experimenter and of somebody who ran the same image again.
"""

from pathlib import Path

import pytest

from primad import annotate
from primad.archive.archive import Archive

EARLIER, LATER = "2019-06-18", "2019-06-28"
STAGES = {"bm25": ["bm25"], "bm25.rm3": ["bm25", "rm3"], "bm25.ax": ["bm25", "ax"]}
STAGES |= {"ql": ["ql"], "ql.rm3": ["ql", "rm3"], "ql.ax": ["ql", "ax"]}


@pytest.fixture(scope="module")
def annotated(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with annotated copies of the twenty runs."""
    folder = tmp_path_factory.mktemp("osirrc")
    for packed in sorted((shared_data / "osirrc_core17" / "runs").glob("*.gz")):
        system, date, name = packed.with_suffix("").name.split("__")
        stem = name.removesuffix(".run").removesuffix(".txt")
        stages = STAGES.get(stem, ["bm25"])
        stated: dict[str, object] = {
            "tag": f"{system}-{stem}-{date}",
            "run-version": "1.0",
            "platform.software.retrieval toolkit": [system],
            "research goal.venue": {"name": "OSIRRC", "year": 2019},
            "method": {"automatic": True, "retrieval": [{"name": stage} for stage in stages]},
            "actor": {"name": f"the {system} team", "team": system, "role": "experimenter"},
            "data.test collection": {"name": "Core17", "ir_datasets": "nyt/trec-core-2017"},
        }
        if date == LATER:
            stated["actor"] = {"name": "the organisers", "team": "osirrc", "role": "reproducer"}
            stated["research goal.evaluation.baseline"] = [f"{system}-{stem}-{EARLIER}"]
        (folder / f"{system}-{stem}-{date}.run").write_bytes(annotate(packed, values=stated).data)
    return folder


@pytest.fixture
def core17(archive: Archive, annotated: Path, shared_data: Path) -> Archive:
    """Return an archive with the runs and their judgments."""
    archive.set_collection("Core17", qrels=[shared_data / "osirrc_core17" / "qrels.core17.txt"])
    assert [one.status for one in archive.add(annotated)] == ["added"] * 20
    return archive


@pytest.mark.slow
def test_real_runs_are_found_by_field_and_score_as_their_authors_say(core17: Archive, shared_data: Path) -> None:
    done = core17.evaluate(measures=["map", "P_30", "ndcg_cut_20"])

    found = core17.search("toolkit:anserini stage:rm3 -role:reproducer map>=0.2", sort="tag")
    everything = core17.search(limit=None, measures=["map", "P_30"])

    assert done.unscored == ()
    assert [hit.tag for hit in found.hits] == [f"anserini-bm25.rm3-{EARLIER}", f"anserini-ql.rm3-{EARLIER}"]
    assert {hit.tag: {name: f"{score:.4f}" for name, score in hit.scores.items()} for hit in everything.hits} == {
        tag: {"map": scores["map"], "P_30": scores["P_30"]} for tag, scores in official(shared_data).items()
    }


def official(shared_data: Path) -> dict[str, dict[str, str]]:
    """Return the scores that were shipped beside each run."""
    found = {}
    for path in (shared_data / "osirrc_core17" / "runs").glob("*.trec_eval"):
        system, date, name = path.name.removesuffix(".trec_eval").split("__")
        rows = [line.split() for line in path.read_text().splitlines()]
        stem = name.removesuffix(".run").removesuffix(".txt")
        if system != "irc-centre2019":  # whose runs are not here
            found[f"{system}-{stem}-{date}"] = {row[0]: row[2] for row in rows if len(row) == 3}
    return found


def test_the_re_run_of_a_real_run_is_found_as_its_reproduction(core17: Archive) -> None:
    (anserini,) = core17.reproductions_of(f"anserini-bm25-{EARLIER}").reproductions
    (jass,) = core17.reproductions_of(f"jass-JASS_c17_10_percent-{EARLIER}").reproductions

    assert (anserini.run.tag, anserini.is_perfect) == (f"anserini-bm25-{LATER}", True)
    assert (jass.run.tag, jass.is_perfect) == (f"jass-JASS_c17_10_percent-{LATER}", False)
    assert "A" in anserini.type  # another actor
