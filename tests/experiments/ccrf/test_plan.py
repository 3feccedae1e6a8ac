"""Does each team make the runs that it is said to make, from the right collections?"""

import pickle
from dataclasses import replace
from itertools import groupby, permutations

import pytest

from primad.experiments.ccrf.collection import Collection, CollectionError
from primad.experiments.ccrf.feedback import ORIGINAL, REIMPLEMENTED, pseudo_labelled, rank_all, reranked
from primad.experiments.ccrf.first_stages import bm25, bm25_rm3
from primad.experiments.ccrf.fusion import interpolated
from primad.experiments.ccrf.generator import Shape, generate
from primad.experiments.ccrf.plan import NEGATIVES, PAIRING, TUNING, WEIGHT, WEIGHTS, Made, Work, plan, sources_of

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("plan")]

TINY = Shape(documents=60, topics=3, pool=20, concepts=500)
SEED, DEPTH = 5, 10

# Team, role and the run that is named, by tag, for collections a and b to learn from, c to search, and a further one d.
MADE = {
    "bm25.a": ("keywords", "experimenter", ""),
    "rm3.a": ("keywords", "experimenter", "bm25.a"),
    "bm25.b": ("keywords", "experimenter", ""),
    "rm3.b": ("keywords", "experimenter", "bm25.b"),
    "bm25.c": ("keywords", "experimenter", ""),
    "rm3.c": ("keywords", "experimenter", "bm25.c"),
    "bm25.d": ("keywords", "experimenter", ""),
    "rm3.d": ("keywords", "experimenter", "bm25.d"),
    "original-a.c": ("original", "experimenter", "bm25.c"),
    "original-a+b.c": ("original", "experimenter", "original-a.c"),
    "reranked-b.a": ("reranking", "reproducer", "original-a.c"),
    "reranked-b+c.a": ("reranking", "reproducer", "original-a+b.c"),
    "reranked-a.b": ("reranking", "reproducer", "original-a.c"),
    "reranked-a+c.b": ("reranking", "reproducer", "original-a+b.c"),
    "reranked-a.c": ("reranking", "reproducer", "original-a.c"),
    "sweep-a.c-w0.25": ("reranking", "experimenter", "bm25.c"),
    "sweep-a.c-w0.5": ("reranking", "experimenter", "bm25.c"),
    "reranked-a+b.c": ("reranking", "reproducer", "original-a+b.c"),
    "sweep-a+b.c-w0.25": ("reranking", "experimenter", "bm25.c"),
    "sweep-a+b.c-w0.5": ("reranking", "experimenter", "bm25.c"),
    "reranked-a.d": ("reranking", "reproducer", "original-a.c"),
    "sweep-a.d-w0.25": ("reranking", "experimenter", "bm25.d"),
    "sweep-a.d-w0.5": ("reranking", "experimenter", "bm25.d"),
    "reranked-a+b.d": ("reranking", "reproducer", "original-a+b.c"),
    "sweep-a+b.d-w0.25": ("reranking", "experimenter", "bm25.d"),
    "sweep-a+b.d-w0.5": ("reranking", "experimenter", "bm25.d"),
    "reimplemented-a.c": ("reimplementing", "reproducer", "original-a.c"),
    "reimplemented-a+b.c": ("reimplementing", "reproducer", "original-a+b.c"),
    "pair-c.a": ("reranking", "experimenter", "bm25.a"),
    "pair-d.a": ("reranking", "experimenter", "bm25.a"),
    "pair-c.b": ("reranking", "experimenter", "bm25.b"),
    "pair-d.b": ("reranking", "experimenter", "bm25.b"),
    "pair-b.c": ("reranking", "experimenter", "bm25.c"),
    "pair-d.c": ("reranking", "experimenter", "bm25.c"),
    "pair-b.d": ("reranking", "experimenter", "bm25.d"),
    "pair-c.d": ("reranking", "experimenter", "bm25.d"),
    "ensemble-a.c": ("reranking", "reproducer", "original-a.c"),
    "ensemble-a+b.c": ("reranking", "reproducer", "original-a+b.c"),
    "pseudo-a.d": ("original", "experimenter", "bm25.d"),
    "pseudo-a+b.d": ("original", "experimenter", "pseudo-a.d"),
    "transferred-b.a": ("transferring", "reproducer", "pseudo-a.d"),
    "transferred-b+c.a": ("transferring", "reproducer", "pseudo-a+b.d"),
    "transferred-a.b": ("transferring", "reproducer", "pseudo-a.d"),
    "transferred-a+c.b": ("transferring", "reproducer", "pseudo-a+b.d"),
    "transferred-a.c": ("transferring", "reproducer", "pseudo-a.d"),
    "transferred-a+b.c": ("transferring", "reproducer", "pseudo-a+b.d"),
    "transferred-a.d": ("transferring", "reproducer", "pseudo-a.d"),
    "transferred-a+b.d": ("transferring", "reproducer", "pseudo-a+b.d"),
}

# The work on feedback from judgments, and how many pieces of each kind follow on each other.
FEEDBACK = [
    ("keyword searches", 4),
    ("the whole collection ranked", 2),
    ("keyword search reranked", 8),
    ("the whole collection ranked by new code", 2),
    ("keyword search reranked", 8),
]


@pytest.fixture(scope="module")
def collections() -> dict[str, Collection]:
    """Return four collections that share topics, by name."""
    return generate(2, ("a", "b", "c", "d"), shape=TINY)


@pytest.fixture(scope="module")
def works(collections: dict[str, Collection]) -> list[Work]:
    """Return the work of a study with two weights."""
    return plan(list(collections.values()), seed=SEED, weights=(0.25, 0.5), depth=DEPTH)


@pytest.fixture(scope="module")
def made(works: list[Work]) -> dict[str, tuple[Work, Made]]:
    """Return all rankings by tag, each with the work that it came from."""
    return {one.tag: (work, one) for work in works for one in work.retrieve()}


def bare(names: str) -> list[Collection]:
    """Return collections without anything in them, one for each letter of NAMES."""
    return [Collection(name, {}, {}, {}) for name in names]


# Who makes what ------------------------------------------------------------------------------------------------


def test_each_team_makes_its_runs_and_names_what_they_reproduce_or_improve_on(
    made: dict[str, tuple[Work, Made]],
) -> None:
    found = {tag: (one.team.name, one.team.role, one.names) for tag, (_, one) in made.items()}

    assert list(found.items()) == list(MADE.items())


def test_a_tag_says_what_was_learned_from_and_what_was_searched(made: dict[str, tuple[Work, Made]]) -> None:
    for tag, (work, _) in made.items():
        learned_from = "-" + "+".join(one.name for one in work.sources) if work.sources else ""
        assert tag.partition("-w")[0].endswith(f"{learned_from}.{work.target.name}")


def test_every_run_that_is_named_is_made_before_the_run_that_names_it(made: dict[str, tuple[Work, Made]]) -> None:
    later = [tag for tag, (_, one) in made.items() if one.names and list(made).index(one.names) > list(made).index(tag)]

    # What is reproduced comes first, too: teams cannot reproduce what is still to be published.
    assert later == []


def test_the_original_authors_are_one_team_with_two_methods(made: dict[str, tuple[Work, Made]]) -> None:
    teams = {(one.team.name, one.team.authors, one.team.method) for _, one in made.values()}

    assert teams == {
        ("keywords", "-", "keyword search"),
        ("original", "Grossman and Cormack 2017", "feedback from judgments"),
        ("reranking", "Yu, Xie and Lin 2019", "feedback from judgments"),
        ("reimplementing", "Breuer et al. 2020", "feedback from judgments"),
        ("original", "Grossman and Cormack 2018", "feedback from pseudo-labelled texts"),
        ("transferring", "Breuer, Pest and Schaer 2021", "feedback from pseudo-labelled texts"),
    }


def test_what_reproduces_nobody_s_run_is_kept_apart_from_what_does(made: dict[str, tuple[Work, Made]]) -> None:
    folders = {tag: one.team.folder for tag, (_, one) in made.items() if one.team.folder}

    assert set(folders.values()) == {TUNING.folder, PAIRING.folder} == {"reranking-sweep", "reranking-pairs"}
    for prefix, folder in (("sweep-", "reranking-sweep"), ("pair-", "reranking-pairs")):
        assert [tag for tag, kept in folders.items() if kept == folder] == [
            tag for tag in MADE if tag.startswith(prefix)
        ]


def test_of_three_collections_the_third_is_searched_by_both_methods_of_the_original_authors() -> None:
    works = plan(bare("abc"))

    searched = {work.title: work.target.name for work in works if work.title.endswith(("ranked", "texts"))}
    assert searched["the whole collection ranked"] == "c"
    assert searched["pseudo-labelled texts"] == "c"


def test_the_work_comes_in_the_order_in_which_it_happened(works: list[Work]) -> None:
    assert [(title, len([*group])) for title, group in groupby(works, lambda work: work.title)] == [
        *FEEDBACK,
        ("expanded search reranked by two classifiers", 2),
        ("pseudo-labelled texts", 2),
        ("pseudo-labelled texts by new code", 8),
    ]


def test_a_part_of_the_study_leaves_out_two_classifiers_and_pseudo_labels(works: list[Work]) -> None:
    def outline(of: list[Work]) -> list[tuple[str, tuple[Collection, ...], Collection]]:
        return [(work.title, work.sources, work.target) for work in of]

    part = plan(bare("abcd"), weights=(0.25, 0.5), depth=DEPTH, whole=False)

    assert [(title, len([*group])) for title, group in groupby(part, lambda work: work.title)] == FEEDBACK
    # What is left is done as in the whole study, and in the same order.
    assert outline(part) == outline(plan(bare("abcd")))[: len(part)]
    assert len(works) == len(part) + 12


def test_the_weights_to_try_are_the_tenths_between_the_two_rankings() -> None:
    assert WEIGHTS == (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
    assert WEIGHT == 0.5


def test_without_weights_there_is_no_sweep(collections: dict[str, Collection]) -> None:
    works = plan(list(collections.values()), weights=(), depth=DEPTH)
    (work,) = [
        one
        for one in works
        if one.title == "keyword search reranked" and one.target.name == "c" and one.sources == (collections["a"],)
    ]

    assert [one.tag for one in work.retrieve()] == ["reranked-a.c"]


# How -----------------------------------------------------------------------------------------------------------


def test_the_rankings_are_those_of_the_methods_that_the_teams_follow(
    collections: dict[str, Collection], made: dict[str, tuple[Work, Made]]
) -> None:
    a, b, c, d = collections.values()
    training, anew = (replace(one, seed=SEED, negatives=NEGATIVES) for one in (ORIGINAL, REIMPLEMENTED))
    first = bm25(c, DEPTH)

    expected = {
        "bm25.c": first,
        "rm3.c": bm25_rm3(c, DEPTH),
        "original-a+b.c": rank_all([a, b], c, training, depth=DEPTH),
        "reranked-a.c": interpolated(reranked([a], c, first, training, depth=DEPTH), first, 0.5),
        "sweep-a.c-w0.25": interpolated(reranked([a], c, first, training, depth=DEPTH), first, 0.25),
        "pair-d.c": interpolated(reranked([d], c, first, training, depth=DEPTH), first, 0.5),
        "reimplemented-a+b.c": rank_all([a, b], c, anew, depth=DEPTH),
        "pseudo-a+b.d": pseudo_labelled([a, b], d, training, depth=DEPTH),
        "transferred-b.a": pseudo_labelled([b], a, anew, depth=DEPTH),
    }

    assert {tag: made[tag][1].retrieved for tag in expected} == expected


def test_the_fixed_weight_gives_what_the_sweep_gives_there(made: dict[str, tuple[Work, Made]]) -> None:
    for pair in ("a.c", "a+b.c", "a.d", "a+b.d"):
        assert made[f"reranked-{pair}"][1].retrieved == made[f"sweep-{pair}-w0.5"][1].retrieved
        assert made[f"sweep-{pair}-w0.25"][1].retrieved.ranking != made[f"sweep-{pair}-w0.5"][1].retrieved.ranking


def test_the_ensemble_reranks_the_expanded_search_by_two_classifiers(made: dict[str, tuple[Work, Made]]) -> None:
    stages = made["ensemble-a.c"][1].retrieved.stages

    assert [stage["name"] for stage in stages] == [
        "bm25",
        "rm3",
        "lr+svm reranker lr",
        "lr+svm reranker svm",
        "lr+svm reranker",
        "interpolation",
    ]
    assert stages[-1]["interpolates"] == ["lr+svm reranker", "rm3"]


def test_the_seed_of_the_study_is_that_of_every_training(made: dict[str, tuple[Work, Made]]) -> None:
    stages = [stage for _, one in made.values() for stage in one.retrieved.stages]

    assert {stage["seed"] for stage in stages if "seed" in stage} == {SEED}
    assert {stage["random_state"] for stage in stages if "svm" in stage["method"]} == {SEED}


def test_no_ranking_is_deeper_than_asked(made: dict[str, tuple[Work, Made]]) -> None:
    longest = {
        tag: max(len(scores) for scores in one.retrieved.ranking.values())
        for tag, (_, one) in made.items()
        if tag.startswith(("original-", "reimplemented-", "pseudo-", "transferred-", "bm25.", "rm3."))
    }

    assert set(longest.values()) == {DEPTH}


def test_work_can_be_handed_to_another_process(works: list[Work]) -> None:
    here = works[0].retrieve()

    assert pickle.loads(pickle.dumps(works[0])).retrieve() == here  # noqa: S301 - our own bytes


# What is learned from ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "baseline", "advanced"),
    [
        pytest.param("a", "b", "bc", id="the first collection"),
        pytest.param("b", "a", "ac", id="the second collection"),
        pytest.param("c", "a", "ab", id="the third collection"),
        pytest.param("d", "a", "ab", id="a further collection"),
    ],
)
def test_a_target_is_learned_about_from_the_first_one_or_two_others(target: str, baseline: str, advanced: str) -> None:
    collections = bare("abcd")
    (wanted,) = [one for one in collections if one.name == target]

    found = sources_of(wanted, collections)

    assert tuple("".join(one.name for one in sources) for sources in found) == (baseline, advanced)


@pytest.mark.parametrize("names", ["abc", "abcd", "abcdef"])
def test_from_every_collection_to_every_other_one_keyword_search_is_reranked_with_it_alone(names: str) -> None:
    works = plan(bare(names), whole=False)

    alone = [
        (work.sources[0].name, work.target.name)
        for work in works
        if work.title == "keyword search reranked" and len(work.sources) == 1
    ]
    assert sorted(alone) == sorted(permutations(names, 2))


@pytest.mark.parametrize(
    ("names", "found"),
    [
        pytest.param("", "found 0", id="none"),
        pytest.param("a", "found 1: a", id="one"),
        pytest.param("ab", "found 2: a, b", id="two"),
        pytest.param("aaa", "found 3: a, a, a", id="one name for all"),
        pytest.param("abca", "found 4: a, b, c, a", id="a name twice"),
    ],
)
def test_too_few_collections_or_one_name_for_two_are_refused(names: str, found: str) -> None:
    message = (
        "expected 3 or more collections that share topics (two to learn from, one to search), each with a name of its "
        f"own, {found}"
    )

    with pytest.raises(CollectionError) as caught:
        plan(bare(names))

    assert str(caught.value) == message
