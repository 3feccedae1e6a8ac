"""Is made-up data the same for the same seed, and of the shape asked for?"""

from bench.synthetic import Collection, Shape
from primad import evaluate, read_qrels, read_run

SMALL = Shape(topics=5, judged=20, retrieved=10, documents=50)


def test_the_same_seed_gives_the_same_lines_and_another_seed_gives_others() -> None:
    one, again, other = (Collection(SMALL, seed) for seed in (1, 1, 2))

    assert list(one.qrels_lines()) == list(again.qrels_lines()) != list(other.qrels_lines())
    assert list(one.run_lines("x", 1.0)) == list(again.run_lines("x", 1.0)) != list(other.run_lines("x", 1.0))


def test_systems_with_other_numbers_make_other_runs() -> None:
    collection = Collection(SMALL, 1)

    assert list(collection.run_lines("x", 1.0, 1)) != list(collection.run_lines("x", 1.0, 2))


def test_qrels_and_runs_have_the_shape_asked_for() -> None:
    collection = Collection(SMALL, 1)

    qrels = read_qrels("".join(collection.qrels_lines()).encode()).to_dict()
    run = read_run("".join(collection.run_lines("x", 1.0)).encode())

    topics = ["301", "302", "303", "304", "305"]
    assert {topic: len(documents) for topic, documents in qrels.items()} == dict.fromkeys(topics, 20)
    assert {topic: len(documents) for topic, documents in run.to_dict().items()} == dict.fromkeys(topics, 10)
    assert {level for documents in qrels.values() for level in documents.values()} <= {0, 1, 2}
    assert run.tag == "x"


def test_a_collection_smaller_than_a_ranking_is_retrieved_whole() -> None:
    collection = Collection(Shape(topics=1, judged=5, retrieved=100, documents=8), 1)

    run = read_run("".join(collection.run_lines("x", 1.0)).encode())

    assert len(run.to_dict()["301"]) == 8


def test_less_noise_makes_a_better_run() -> None:
    collection = Collection(Shape(topics=20), 1)
    qrels = "".join(collection.qrels_lines()).encode()
    runs = {str(noise): "".join(collection.run_lines("x", noise)).encode() for noise in (0.0, 0.5, 5.0)}

    silent, some, loud = (run.summary["ndcg"] for run in evaluate(qrels, runs, ["ndcg"]))

    assert 1.0 == silent > some > loud > 0
