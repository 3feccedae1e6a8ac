"""Do scores agree with the official ones that the OSIRRC 2019 workshop published beside its Core17 runs?"""

from pathlib import Path

import pytest

from primad import Evaluation, evaluate

MEASURES = ("map", "P_30", "ndcg_cut_20")


@pytest.fixture(scope="module")
def evaluation(shared_data: Path) -> Evaluation:
    folder = shared_data / "osirrc_core17"
    return evaluate(folder / "qrels.core17.txt", sorted((folder / "runs").glob("*.gz")), MEASURES)


def published(run: Path) -> dict[str, str]:
    lines = run.with_suffix(".trec_eval").read_text().splitlines()
    return {measure: score for measure, _, score in (line.split() for line in lines)}


def test_the_official_scores_of_all_20_runs_are_found_to_four_decimals(evaluation: Evaluation) -> None:
    found = {run.name: {name: f"{score:.4f}" for name, score in run.summary.items()} for run in evaluation}

    assert found == {name: published(Path(name)) for name in found}
    assert len(found) == 20
