"""Does `primad evaluate` print what trec_eval 10 prints?  Its own expected outputs, byte for byte."""

from pathlib import Path

import pytest

from tests.cli.running import primad

PARAMETERS = (
    *("-m", "iprec_at_recall..10,.20,.25,.75,.50", "-m", "P.5,7,3", "-m", "recall.20,2000"),
    *("-m", "Rprec_mult.5.0,0.2,0.35", "-m", "utility.2,-1,0,0", "-m", "11pt_avg..25,.5,.75"),
    *("-m", "ndcg.1=3,2=9,4=4.5", "-m", "ndcg_cut.10,20,23.4", "-m", "success.2,5,20"),
)


@pytest.mark.parametrize(
    ("expected", "flags", "qrels", "run"),
    [
        pytest.param("out.test", (), "qrels.test", "results.test", id="official measures"),
        pytest.param("out.test", (), "qrels.test.with-comments", "results.test", id="comments in the qrels"),
        pytest.param("out.test.a", ("-m", "all_trec"), "qrels.test", "results.test", id="all measures"),
        pytest.param("out.test.aq", ("-m", "all_trec", "-q"), "qrels.test", "results.test", id="by topic"),
        pytest.param("out.test.aqc", ("-m", "all_trec", "-q", "-c"), "qrels.test", "results.trunc", id="missing is 0"),
        pytest.param(
            "out.test.aqcM",
            ("-m", "all_trec", "-q", "-c", "-M100"),
            "qrels.test",
            "results.trunc",
            id="missing is 0, first 100",
        ),
        pytest.param(
            "out.test.aql",
            ("-m", "all_trec", "-mrelstring.20", "-q", "-l2"),
            "qrels.rel_level",
            "results.test",
            id="relevant from 2 on",
        ),
        pytest.param("out.comment.test", (), "qrels.comment.test", "results.comment.test", id="comments in both"),
        pytest.param("out.test.meas_params", ("-q", *PARAMETERS), "qrels.test", "results.test", id="parameters"),
    ],
)
def test_the_expected_output_of_trec_eval_is_printed_byte_for_byte(
    shared_data: Path, expected: str, flags: tuple[str, ...], qrels: str, run: str
) -> None:
    folder = shared_data / "trec_eval"

    outcome = primad("evaluate", folder / qrels, folder / run, "--format", "trec_eval", "--compat", "10", *flags)

    assert outcome.out.encode() == (folder / expected).read_bytes()
    assert outcome.code == 0
