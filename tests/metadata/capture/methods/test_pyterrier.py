"""Do PyTerrier pipelines become methods, and their results annotated runs?  Indexes are real ones, made by PISA."""

import re
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pandas as pd
import pyterrier as pt
import pytest

import primad
from primad.errors import DataError
from primad.metadata.capture.methods import Names, method_of
from primad.metadata.capture.methods.pyterrier import indexing, knows, record, stages, toolkit, toolkits
from primad.metadata.record import Record

# PyTerrier 1.1 calls pandas 3.1 in ways that pandas 4 will not know.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:The inplace keyword")]

pisa = pytest.importorskip("pyterrier_pisa", reason="pyterrier-pisa is made for Linux on x86_64 only")

DOCUMENTS = {"d1": "retrieval of words", "d2": "words about words", "d3": "the retrieval of documents"}
TOPICS = pd.DataFrame({"qid": ["1", "2"], "query": ["retrieval", "words"]})
TEMPLATE = Record(
    {
        "actor": {"name": "Jimmy Lin", "role": "experimenter"},
        "implementation": {"source": {"repository": "https://github.com/example/study", "commit": "a" * 40}},
        "method": {"automatic": True},
        "data": {"test collection": {"name": "three documents"}},
    }
)


def lr_reranker(row: Any) -> float:
    """Score a document by its identifier; stands for a classifier."""
    return float(row["docno"].removeprefix("d"))


class Expansion(pt.Transformer):
    """Makes queries from the results of a first stage."""

    def __init__(self, terms: int = 10) -> None:
        self.terms = terms

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        return inp[["qid", "query"]].drop_duplicates("qid")


def built(folder: Path, documents: dict[str, str]) -> Any:
    """Return an index of DOCUMENTS in FOLDER."""
    index = pisa.PisaIndex(str(folder / "index"), text_field="text", stemmer="porter2")
    index.index({"docno": name, "text": text} for name, text in documents.items())
    return index


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return an index of three documents."""
    return built(tmp_path_factory.mktemp("pisa"), DOCUMENTS)


@pytest.fixture(scope="module")
def bm25(index: Any) -> Any:
    """Return BM25 with the defaults of pyterrier-pisa."""
    return index.bm25()


@pytest.fixture
def reranker() -> Any:
    """Return a transformer that scores the documents it is given."""
    return pt.apply.doc_score(lr_reranker)


def links(pipeline: Any) -> list[dict[str, Any]]:
    """Return the stages of PIPELINE without what a transformer is by itself."""
    kept = {"name", "reranks", "depth", "cutoff", "interpolates", "weight", "factors", "ensembles"}
    kept |= {"queries", "feedback", "adds"}
    return [{key: stage[key] for key in kept if key in stage} for stage in stages(pipeline)]


def test_a_stage_has_every_parameter_defaults_included(bm25: Any) -> None:
    assert stages(bm25) == [
        {
            "name": "bm25",
            "method": "pyterrier_pisa.PisaRetrieve",
            "index": "pyterrier_pisa.PisaIndex",
            "index.text_field": "text",
            "index.stemmer": "porter2",
            "index.index_encoding": "block_simdbp",
            "index.stops": "terrier",
            "scorer": "bm25",
            "num_results": 1000,
            "stops": "terrier",
            "query_algorithm": "block_max_wand",
            "query_weighted": False,
            "toks_scale": 100.0,
            "precompute_impact": False,
            "k1": 0.9,
            "b": 0.4,
        }
    ]


def test_parameters_are_the_effective_ones(index: Any) -> None:
    [stage] = stages(index.bm25(k1=1.2, b=0.75, num_results=20))

    assert (stage["k1"], stage["b"], stage["num_results"]) == (1.2, 0.75, 20)


def test_a_transformer_behind_a_retriever_reranks_it_to_the_depth_of_the_cutoff(bm25: Any, reranker: Any) -> None:
    assert links(bm25 % 100 >> reranker) == [{"name": "bm25"}, {"name": "lr_reranker", "reranks": "bm25", "depth": 100}]


def test_the_function_that_scores_is_the_method_of_its_stage(bm25: Any, reranker: Any) -> None:
    assert stages(bm25 >> reranker)[1]["method"] == f"{lr_reranker.__module__}.lr_reranker"


def test_a_linear_combination_has_the_stages_of_figure_4(bm25: Any, reranker: Any) -> None:
    reranker.name = "lr reranker"

    assert links(0.6 * (bm25 % 100 >> reranker) + 0.4 * bm25) == [
        {"name": "bm25"},
        {"name": "lr reranker", "reranks": "bm25", "depth": 100},
        {
            "name": "interpolation",
            "interpolates": ["lr reranker", "bm25"],
            "weight": 0.6,
            "factors": [0.6, 0.4],
        },
    ]


@pytest.mark.parametrize(
    ("combine", "factors"),
    [
        pytest.param(lambda a, b: a + b, [1.0, 1.0], id="plain sum"),
        pytest.param(lambda a, b: 2 * a + b, [2.0, 1.0], id="one weighted"),
        pytest.param(lambda a, b: 3 * (2 * a + b), [6.0, 3.0], id="weighted as a whole"),
        pytest.param(lambda a, b: a + 0.5 * (a + b), [1.0, 0.5, 0.5], id="sum in a sum"),
    ],
)
def test_weights_that_are_no_shares_are_factors_only(index: Any, bm25: Any, combine: Any, factors: list[float]) -> None:
    stage = links(combine(bm25, index.dph()))[-1]

    assert stage["factors"] == factors
    assert "weight" not in stage


@pytest.mark.parametrize(
    ("operator", "name"),
    [
        pytest.param(lambda a, b: a | b, "SetUnion", id="|"),
        pytest.param(lambda a, b: a & b, "SetIntersection", id="&"),
        pytest.param(lambda a, b: a ^ b, "Concatenate", id="^"),
    ],
)
def test_set_operators_are_ensembles(index: Any, bm25: Any, operator: Any, name: str) -> None:
    found = links(operator(bm25, index.dph()))

    assert found == [{"name": "bm25"}, {"name": "dph"}, {"name": name, "ensembles": ["bm25", "dph"]}]


def test_features_rerank_the_first_stage_and_the_learner_reranks_their_union(bm25: Any, reranker: Any) -> None:
    from sklearn.linear_model import LogisticRegression

    second = pt.apply.doc_score(lambda _: 1.0, label="constant")
    pipeline = bm25 % 10 >> (reranker**second) >> pt.ltr.apply_learned_model(LogisticRegression(C=2.0))

    assert links(pipeline) == [
        {"name": "bm25"},
        {"name": "lr_reranker", "reranks": "bm25", "depth": 10},
        {"name": "constant", "reranks": "bm25", "depth": 10},
        {"name": "FeatureUnion", "ensembles": ["lr_reranker", "constant"]},
        {"name": "RegressionTransformer", "reranks": "FeatureUnion"},
    ]
    learner = stages(pipeline)[-1]
    assert learner["learner"] == "sklearn.linear_model.LogisticRegression"
    assert (learner["learner.C"], learner["learner.fit_intercept"]) == (2.0, True)


def test_a_cutoff_at_the_end_belongs_to_the_stage_it_cuts(bm25: Any, reranker: Any) -> None:
    assert links((bm25 % 100 % 20 >> reranker) % 5) == [
        {"name": "bm25"},
        {"name": "lr_reranker", "reranks": "bm25", "depth": 20, "cutoff": 5},
    ]


def test_one_retriever_with_and_without_cutoff_is_two_stages(bm25: Any) -> None:
    assert links(bm25 % 10 + bm25) == [
        {"name": "bm25", "cutoff": 10},
        {"name": "bm25 2"},
        {"name": "interpolation", "interpolates": ["bm25", "bm25 2"], "factors": [1.0, 1.0]},
    ]


def test_feedback_makes_queries_and_the_second_retrieval_reranks_nothing(bm25: Any) -> None:
    assert links(bm25 % 3 >> Expansion() >> bm25) == [
        {"name": "bm25"},
        {"name": "Expansion", "feedback": "bm25", "depth": 3},
        {"name": "bm25 2", "queries": "Expansion"},
    ]
    assert stages(Expansion(terms=20) >> bm25)[0]["terms"] == 20


def test_what_only_adds_a_column_reranks_nothing(bm25: Any, reranker: Any) -> None:
    text = pt.apply.text(lambda row: DOCUMENTS[row["docno"]], label="text of the document")

    assert links(bm25 % 9 >> text >> reranker) == [
        {"name": "bm25"},
        {"name": "text of the document", "adds": ["text"], "depth": 9},
        {"name": "lr_reranker", "reranks": "bm25", "depth": 9},
    ]
    assert links((bm25 >> text) % 5)[-1] == {"name": "text of the document", "adds": ["text"], "cutoff": 5}


def test_names_that_are_taken_are_not_used_again(bm25: Any) -> None:
    assert [stage["name"] for stage in stages(bm25, Names({"bm25", "bm25 2"}))] == ["bm25 3"]


def test_a_parameter_called_like_a_field_of_a_stage_does_not_replace_it(bm25: Any) -> None:
    class Fusion(pt.Transformer):
        def __init__(self, method: str = "minmax") -> None:
            self.method = method

        def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
            return inp.assign(score=0.0, rank=0)

    stage = stages(bm25 >> Fusion())[1]

    assert stage["params"] == {"method": "minmax"}
    assert stage["method"].endswith("Fusion")


def test_toolkits_are_the_packages_of_all_transformers_with_their_versions(bm25: Any, reranker: Any) -> None:
    assert toolkit() == f"pyterrier=={version('pyterrier')}"
    assert toolkits(bm25 >> reranker) == [toolkit(), f"pyterrier_pisa=={version('pyterrier-pisa')}"]
    assert toolkits(reranker) == [toolkit()]


def test_indexes_that_disagree_tell_nothing(tmp_path: Path, bm25: Any) -> None:
    other = pisa.PisaIndex(str(tmp_path / "index"), text_field="text", stemmer="none", stops="none")
    other.index([{"docno": "d1", "text": "words"}])

    assert indexing(bm25) == {"stemmer": "porter2", "stopwords": "terrier"}
    assert indexing(bm25 + other.bm25()) == {}


def test_only_pipelines_are_known(bm25: Any, reranker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert knows(bm25)
    assert knows(bm25 >> reranker)
    assert not knows({"name": "bm25"})
    monkeypatch.delitem(sys.modules, "pyterrier")
    assert not knows(bm25)


def test_a_recorded_pipeline_gives_what_the_pipeline_gives(bm25: Any) -> None:
    results: Any = record(bm25, tag="bm25")(TOPICS)

    pd.testing.assert_frame_equal(results, bm25(TOPICS))


def test_the_header_of_a_recorded_pipeline_passes_the_check(tmp_path: Path, bm25: Any, reranker: Any) -> None:
    recorded = record(0.6 * (bm25 % 100 >> reranker) + 0.4 * bm25, tag="mixed", template=TEMPLATE)
    results: Any = recorded(TOPICS)
    recorded.write(tmp_path / "mixed.run")

    checked = primad.check_file(tmp_path / "mixed.run")
    assert [finding for finding in checked.findings if finding.severity == "error"] == []
    header, run = primad.read_record(tmp_path / "mixed.run"), primad.read_run(tmp_path / "mixed.run")
    assert header["method.retrieval"] == stages(0.6 * (bm25 % 100 >> reranker) + 0.4 * bm25)
    assert header["method.indexing"] == {"stemmer": "porter2", "stopwords": "terrier"}
    assert header["platform.software.retrieval toolkit"] == toolkits(bm25)
    assert header["resources.exit status"] == 0
    expected = {(row.qid, row.docno): row.score for row in results.itertuples()}
    assert {(row.query_id, row.doc_id): row.score for row in run.to_records()} == expected
    assert run.tag == "mixed"


def test_a_secret_among_the_parameters_is_not_written(tmp_path: Path, bm25: Any) -> None:
    class Remote(pt.Transformer):
        def __init__(self, api_key: str, model: str = "small") -> None:
            self.api_key = api_key
            self.model = model

        def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
            return inp.assign(score=1.0, rank=0)

    recorded = record(bm25 >> Remote("hunter2-hunter2"), tag="remote")
    recorded(TOPICS)
    recorded.write(tmp_path / "remote.run")

    assert "hunter2" not in (tmp_path / "remote.run").read_text()
    assert primad.read_record(tmp_path / "remote.run")["method.retrieval"][1]["model"] == "small"


def test_the_short_address_leads_to_the_same_function() -> None:
    from primad.metadata.capture import pyterrier as short

    assert short.record is record


def test_nothing_can_be_written_before_there_are_results(tmp_path: Path, bm25: Any) -> None:
    with pytest.raises(DataError, match="found none; call the recorded pipeline with topics first"):
        record(bm25, tag="bm25").write(tmp_path / "bm25.run")

    assert list(tmp_path.iterdir()) == []


def test_results_of_an_earlier_call_are_not_written_after_a_failure(tmp_path: Path, bm25: Any) -> None:
    recorded = record(bm25, tag="bm25")
    recorded(TOPICS)
    with pytest.raises(pt.validate.InputValidationError):
        recorded(pd.DataFrame({"qid": ["1"]}))

    with pytest.raises(DataError, match="found none"):
        recorded.write(tmp_path / "bm25.run")


def test_a_recording_leaves_no_file_in_the_working_folder(
    tmp_path: Path, bm25: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    record(bm25, tag="bm25")(TOPICS)

    assert list(tmp_path.iterdir()) == []


def test_the_registry_of_methods_describes_pipelines(bm25: Any, reranker: Any) -> None:
    tree = method_of(bm25 % 100 >> reranker)

    assert tree["method"]["retrieval"] == stages(bm25 % 100 >> reranker)
    assert tree["method"]["indexing"] == {"stemmer": "porter2", "stopwords": "terrier"}
    assert tree["platform"]["software"]["retrieval toolkit"][0] == toolkit()


def test_what_is_no_pipeline_cannot_be_recorded() -> None:
    with pytest.raises(DataError, match=re.escape("expected a pipeline of PyTerrier, found builtins.dict")):
        record({"name": "bm25"}, tag="bm25")


def test_experiments_of_pyterrier_take_recorded_pipelines(bm25: Any, tmp_path: Path) -> None:
    qrels = pd.DataFrame({"qid": ["1", "2"], "docno": ["d1", "d2"], "label": [1, 1]})
    recorded = record(bm25, tag="bm25")

    table = pt.Experiment([recorded], TOPICS, qrels, ["map"], names=["bm25"])
    recorded.write(tmp_path / "bm25.run")

    ours = primad.evaluate(qrels, tmp_path / "bm25.run", ["map"])
    assert table["map"][0] == pytest.approx(ours.runs[0].summary["map"])


def test_bm25_by_pisa_on_vaswani_reaches_an_average_precision_of_30(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "vaswani"
    text = (folder / "doc-text.trec").read_text()
    documents = dict(re.findall(r"<DOCNO>(.*?)</DOCNO>\s*(.*?)\s*</DOC>", text, re.DOTALL))
    topics = re.findall(r"<num>(.*?)</num>\s*<title>(.*?)</title>", (folder / "query-text.trec").read_text(), re.DOTALL)
    recorded = record(built(tmp_path, documents).bm25(), tag="bm25", template=TEMPLATE)

    recorded(pd.DataFrame(topics, columns=["qid", "query"]))
    recorded.write(tmp_path / "bm25.run")

    scores = primad.evaluate(folder / "qrels", tmp_path / "bm25.run", ["map"])
    assert scores.runs[0].summary["map"] >= 0.30
    assert len(documents) == 11_429
    method = primad.read_record(tmp_path / "bm25.run")["method"]
    assert method["automatic"] is True
    assert method["score ties"] == "reverse alphabetical order"
    assert method["indexing"] == {"stemmer": "porter2", "stopwords": "terrier"}
    assert [(stage["name"], stage["k1"], stage["b"]) for stage in method["retrieval"]] == [("bm25", 0.9, 0.4)]
    assert primad.check_file(tmp_path / "bm25.run").is_good


def test_every_toolkit_of_a_pipeline_is_in_the_record(bm25: Any) -> None:
    assert method_of(bm25)["platform"]["software"]["retrieval toolkit"] == toolkits(bm25)
