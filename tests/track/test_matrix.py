"""Is the matrix of analysts and submissions fair, and honest about what it cannot do?"""

from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.errors import UsageError
from primad.track.matrix import Matrix, Person, Wanted, assign, fits

USER, DEVELOPER = Person("ann", "user"), Person("dev", "developer")
FOUR = (Person("ann", "user"), Person("bea", "user"), Person("cy", "developer"), Person("dan", "developer"))


def wanted(number: int, system: str = "") -> list[Wanted]:
    """Return so many submissions, each of a team of its own."""
    return [Wanted(f"t{place}/s", f"t{place}", system) for place in range(1, number + 1)]


def roles_of(matrix: Matrix, people: tuple[Person, ...], submission: str) -> Counter[str]:
    """Return how many analysts of each role run a submission."""
    role = {one.slug: one.role for one in people}
    return Counter(role[slug] for slug in matrix.analysts_of(submission))


def loads(matrix: Matrix) -> Counter[str]:
    """Return how many systems each analyst runs."""
    return Counter(pair.analyst for pair in matrix.pairs)


# Fairness --------------------------------------------------------------------------------------------------------


def test_each_submission_gets_one_user_and_one_developer() -> None:
    matrix = assign(FOUR, wanted(3), per_submission=2)

    assert [roles_of(matrix, FOUR, f"t{place}/s") for place in (1, 2, 3)] == [Counter(user=1, developer=1)] * 3
    assert matrix.notes == ()


def test_an_odd_number_of_analysts_differs_by_one_in_roles_and_loads() -> None:
    matrix = assign(FOUR, wanted(3), per_submission=3)

    assert sorted(loads(matrix).values()) == [2, 2, 2, 3]
    for place in (1, 2, 3):
        assert sorted(roles_of(matrix, FOUR, f"t{place}/s").values()) == [1, 2]


def test_the_machine_decides_before_the_role() -> None:
    people = (
        Person("ann", "user", {"laptop": "Windows 7"}),
        Person("bea", "user", {"old": "Mac OS X", "tower": "Windows and Ubuntu"}),
        Person("dev", "developer", {"server": "Ubuntu 14.04.3 LTS"}),
    )

    matrix = assign(people, [Wanted("t/s", "t", "Windows")], per_submission=2)

    assert [(pair.analyst, pair.machine) for pair in matrix.pairs] == [("ann", "laptop"), ("bea", "tower")]
    assert matrix.notes == ("t/s has no analyst in the role of a developer.",)


@pytest.mark.parametrize(
    ("system", "machine", "answer"),
    [
        ("Windows", "Windows 10", True),
        ("Linux", "Debian GNU/Linux 12", True),
        ("Linux", "Mac OS X", False),
        ("macOS", "Darwin 23", True),
        ("Mac", "macOS15", True),
        ("Macintosh", "Mac OS X", True),
        ("mac-os", "MacBook with macOS 14", True),
        ("Mac", "machine with Ubuntu", False),
        ("Emacs macros on any machine", "Windows 7", True),
        ("Windows", "Darwin 23", False),
        ("Linux or macOS", "Mac OS X", True),
        ("any", "Windows 10", True),
    ],
)
def test_a_machine_fits_a_system_of_its_family(system: str, machine: str, answer: bool) -> None:  # noqa: FBT001  (pytest)
    assert fits(system, machine) is answer


# Bounds ----------------------------------------------------------------------------------------------------------


def test_a_conflict_of_interest_is_never_assigned_and_is_named() -> None:
    people = (Person("ann", "user", conflicts=("t1",)), DEVELOPER)

    matrix = assign(people, wanted(2), per_submission=2)

    assert matrix.analysts_of("t1/s") == ("dev",)
    assert matrix.analysts_of("t2/s") == ("ann", "dev")
    assert matrix.notes == ("t1/s has 1 of 2 analysts: ann has a conflict of interest with t1.",)


def test_a_fixed_pair_in_conflict_goes_with_a_sentence() -> None:
    people = (Person("ann", "user", conflicts=("t1",)), DEVELOPER)

    matrix = assign(people, wanted(1), per_submission=1, fixed=[("ann", "t1/s")])

    assert matrix.analysts_of("t1/s") == ("dev",)
    assert matrix.notes == ("ann runs t1/s no more: there is a conflict of interest.",)


def test_fixed_pairs_stay_and_the_others_go_around_them() -> None:
    matrix = assign(FOUR, wanted(2), per_submission=2, fixed=[("ann", "t1/s"), ("bea", "t1/s")])

    assert matrix.analysts_of("t1/s") == ("ann", "bea")
    assert matrix.analysts_of("t2/s")[1] in {"cy", "dan"}
    assert [pair.analyst for pair in matrix.pairs if pair.fixed] == ["ann", "bea"]
    assert matrix.notes == ("t1/s has no analyst in the role of a developer.",)


def test_a_fixed_pair_of_somebody_who_left_is_said() -> None:
    matrix = assign([USER], wanted(1), per_submission=1, fixed=[("bob", "t1/s")])

    assert matrix.notes == ("bob runs t1/s no more: one of the two is not there, or is not replicated.",)


def test_without_analysts_every_submission_is_named() -> None:
    matrix = assign([], wanted(2), per_submission=1)

    assert matrix.pairs == ()
    assert matrix.notes == (
        "t1/s has 0 of 1 analysts: there is nobody else.",
        "t2/s has 0 of 1 analysts: there is nobody else.",
    )


def test_no_analysts_for_each_submission_are_refused() -> None:
    with pytest.raises(UsageError, match="expected at least 1 analyst per submission, found 0"):
        assign([USER], wanted(1), per_submission=0)


# Whatever comes --------------------------------------------------------------------------------------------------

SYSTEMS = st.sampled_from(["", "Windows 7", "Ubuntu", "Mac OS X"])
PEOPLE = st.lists(
    st.tuples(
        st.sampled_from(["user", "developer"]), SYSTEMS, st.sets(st.sampled_from(["t1", "t2", "t3"]), max_size=2)
    ),
    max_size=6,
)


@given(PEOPLE, st.integers(1, 5), st.integers(1, 4))
def test_whatever_is_asked_no_bound_is_broken_and_the_answer_is_the_same_again(
    drawn: list[tuple[str, str, set[str]]], number: int, places: int
) -> None:
    people = [Person(f"a{place}", role, {"m": system}, teams) for place, (role, system, teams) in enumerate(drawn)]

    matrix = assign(people, wanted(number, "Linux"), per_submission=places)

    conflicts = {(one.slug, f"{team}/s") for one in people for team in one.conflicts}
    pairs = [(pair.analyst, pair.submission) for pair in matrix.pairs]
    assert conflicts.isdisjoint(pairs)
    assert len(pairs) == len(set(pairs))
    assert all(len(matrix.analysts_of(one.address)) <= places for one in wanted(number))
    assert matrix == assign(people, wanted(number, "Linux"), per_submission=places)


@given(
    st.lists(st.tuples(st.sampled_from(["user", "developer"]), SYSTEMS, st.booleans()), min_size=2, max_size=4),
    st.lists(st.sampled_from(["", "Windows", "Linux"]), min_size=1, max_size=2),
    st.integers(1, 3),
)
def test_no_other_matrix_is_better(
    drawn: list[tuple[str, str, bool]],
    systems: list[str],
    places: int,
) -> None:
    people = [
        Person(f"a{place}", role, {"m": system}, ["t1"] if conflict else [])
        for place, (role, system, conflict) in enumerate(drawn)
    ]
    submissions = [Wanted(f"t{place}/s", f"t{place}", system) for place, system in enumerate(systems, 1)]

    matrix = assign(people, submissions, per_submission=places)

    possible = [(one, what) for one in people for what in submissions if what.team not in one.conflicts]
    best = min(
        worth(chosen)
        for size in range(len(possible) + 1)
        for chosen in combinations(possible, size)
        if max(Counter(what.address for _, what in chosen).values(), default=0) <= places
    )
    made = {(pair.analyst, pair.submission) for pair in matrix.pairs}
    assert worth(tuple(pair for pair in possible if (pair[0].slug, pair[1].address) in made)) == best


def worth(pairs: tuple[tuple[Person, Wanted], ...]) -> tuple[int, ...]:
    """Return how bad PAIRS are, the first number first: places left empty or uneven, misfits, roles, loads."""
    places = Counter(what.address for _, what in pairs)
    misfits = sum(not fits(what.operating_system, one.machines["m"]) for one, what in pairs)
    roles = Counter((what.address, one.role) for one, what in pairs)
    loads = Counter(one.slug for one, _ in pairs)
    return -len(pairs), _squares(places), misfits, _squares(roles), _squares(loads)


def _squares(counted: Counter[Any]) -> int:
    """Return the sum of squares, which is least where all are equal."""
    return sum(number * number for number in counted.values())


@given(st.integers(1, 5), st.integers(1, 6), st.integers(1, 5))
def test_loads_and_roles_differ_by_at_most_one_when_nothing_hinders(each: int, number: int, places: int) -> None:
    people = tuple(Person(f"{role}{place}", role) for role in ("user", "developer") for place in range(each))

    matrix = assign(people, wanted(number), per_submission=min(places, 2 * each))

    systems = [loads(matrix)[one.slug] for one in people]
    assert max(systems) - min(systems) <= 1
    for one in wanted(number):
        roles = roles_of(matrix, people, one.address)
        assert abs(roles["user"] - roles["developer"]) <= 1
        assert roles.total() == min(places, 2 * each)
