"""Who runs which system?  A matrix of analysts and submissions that is fair to both.

    Person, Wanted    an analyst with role and machines, and a submission whose system is to be run
    Pair, Matrix      who runs what, on which machine, and what could not be done
    assign            the matrix
    fits              whether a machine has the operating system that a system was made for

As many places as possible are filled.  Of all ways to do so that one is taken in which, in this order, submissions have
equally many analysts, analysts have a machine that fits, roles are balanced in each submission, and analysts have
equally much to do.  All of these are costs that grow with each unit more, so that a flow of least cost finds the best.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from primad.errors import UsageError
from primad.track._flow import Network

_FAMILIES: Mapping[str, re.Pattern[str]] = {
    "windows": re.compile(r"windows|\bwin\d", re.IGNORECASE),
    "linux": re.compile(r"linux|ubuntu|debian|fedora|cent ?os|red hat|rocky|suse|\bmint\b|\barch\b", re.IGNORECASE),
    # Not every word that begins with mac: a machine that runs macros is none.
    "mac": re.compile(r"\bi?mac(?:intosh|book|[ _-]?os(?:[ _-]?x)?)?(?![a-z])|\bos ?x\b|darwin", re.IGNORECASE),
}
_SOURCE, _SINK = "source", "sink"


@dataclass(frozen=True)
class Person:
    """An analyst: SLUG, ROLE, the operating system of each of the MACHINES, and the teams that are CONFLICTS."""

    slug: str
    role: str
    machines: Mapping[str, str] = field(default_factory=dict)
    conflicts: Collection[str] = ()


@dataclass(frozen=True)
class Wanted:
    """A submission whose system is to be run: its ADDRESS, its TEAM, and the operating system it was made for."""

    address: str
    team: str
    operating_system: str = ""


@dataclass(frozen=True)
class Pair:
    """An ANALYST who runs a SUBMISSION, on which MACHINE if they have one; FIXED if it was so before."""

    analyst: str
    submission: str
    machine: str = ""
    fixed: bool = False


@dataclass(frozen=True)
class Matrix:
    """Who runs what, and sentences on what could not be done and why."""

    pairs: tuple[Pair, ...]
    notes: tuple[str, ...] = ()

    def analysts_of(self, submission: str) -> tuple[str, ...]:
        """Return who runs SUBMISSION."""
        return tuple(pair.analyst for pair in self.pairs if pair.submission == submission)


def assign(
    analysts: Sequence[Person],
    submissions: Sequence[Wanted],
    *,
    per_submission: int,
    fixed: Collection[tuple[str, str]] = (),
) -> Matrix:
    """Return who of ANALYSTS runs which of SUBMISSIONS.

    PER_SUBMISSION is how many analysts each gets.  FIXED pairs of analyst and submission stay, unless there is a
    conflict of interest.
    """
    if per_submission < 1:
        raise UsageError(f"expected at least 1 analyst per submission, found {per_submission}")
    problem = _Problem({one.slug: one for one in analysts}, {one.address: one for one in submissions}, per_submission)
    kept, refused = _kept(problem, fixed)
    new = _chosen(problem, kept)
    pairs = [
        Pair(slug, address, problem.machine(slug, address), (slug, address) in kept)
        for address in problem.submissions
        for slug in problem.analysts
        if (slug, address) in kept or (slug, address) in new
    ]
    return Matrix(tuple(pairs), (*refused, *_notes(problem, Matrix(tuple(pairs)))))


def fits(system: str, machine: str) -> bool:
    """Tell whether a MACHINE has the operating system that a SYSTEM was made for; one that is not stated fits all.

    >>> fits("Linux", "Windows and Ubuntu"), fits("Windows", "Ubuntu 14.04.3 LTS"), fits("", "Mac OS X")
    (True, False, True)
    """
    wanted = {name for name, words in _FAMILIES.items() if words.search(system)}
    return not wanted or any(_FAMILIES[name].search(machine) for name in wanted)


# The problem -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Problem:
    """Everything that is asked for; PLACES is how many analysts each submission gets."""

    analysts: Mapping[str, Person]
    submissions: Mapping[str, Wanted]
    places: int

    def conflicts(self, slug: str, address: str) -> bool:
        """Tell whether the analyst SLUG has a conflict of interest with the submission at ADDRESS."""
        return self.submissions[address].team in self.analysts[slug].conflicts

    def has_machine(self, slug: str, address: str) -> bool:
        """Tell whether the analyst SLUG has a machine for the submission at ADDRESS; not if nothing is known of any."""
        wanted = self.submissions[address].operating_system
        return any(fits(wanted, system) for system in self.analysts[slug].machines.values()) or fits(wanted, "")

    def machine(self, slug: str, address: str) -> str:
        """Return the machine on which the analyst SLUG runs the submission at ADDRESS."""
        machines = self.analysts[slug].machines
        wanted = self.submissions[address].operating_system
        return next((name for name, system in machines.items() if fits(wanted, system)), next(iter(machines), ""))


def _kept(problem: _Problem, fixed: Collection[tuple[str, str]]) -> tuple[frozenset[tuple[str, str]], list[str]]:
    """Return the FIXED pairs that can stay, and why others cannot."""
    refused, kept = [], set()
    for slug, address in sorted(fixed):
        if slug not in problem.analysts or address not in problem.submissions:
            refused.append(f"{slug} runs {address} no more: one of the two is not there, or is not replicated.")
        elif problem.conflicts(slug, address):
            refused.append(f"{slug} runs {address} no more: there is a conflict of interest.")
        else:
            kept.add((slug, address))
    return frozenset(kept), refused


# The flow --------------------------------------------------------------------------------------------------------


def _chosen(problem: _Problem, kept: Collection[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return the pairs that are made beside those that are KEPT."""
    network = _network(problem, kept)
    network.flow(_SOURCE, _SINK)
    return {
        (slug, address)
        for slug, address in _possible(problem, kept)
        if network.used(("analyst", slug), ("role", address, problem.analysts[slug].role))
    }


def _possible(problem: _Problem, kept: Collection[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield each pair that can be made."""
    for address in problem.submissions:
        for slug in problem.analysts:
            pair = (slug, address)
            if pair not in kept and not problem.conflicts(slug, address):
                yield pair


def _network(problem: _Problem, kept: Collection[tuple[str, str]]) -> Network:
    """Return the network: analysts by their load, then roles in a submission, then submissions by their places.

    Each further unit costs one more than the one before, which makes equal numbers the cheapest.
    """
    network = Network()
    places, misfit, role, load = _weights(problem)
    loads = Counter(slug for slug, _ in kept)
    for slug in problem.analysts:
        for unit in range(loads[slug], len(problem.submissions)):
            network.join(_SOURCE, ("analyst", slug), cost=load * unit)
    for slug, address in _possible(problem, kept):
        cost = 0 if problem.has_machine(slug, address) else misfit
        network.join(("analyst", slug), ("role", address, problem.analysts[slug].role), cost=cost)
    roles = sorted({person.role for person in problem.analysts.values()})
    filled = Counter((address, problem.analysts[slug].role) for slug, address in kept)
    taken = Counter(address for _, address in kept)
    for address in problem.submissions:
        for name in roles:
            for unit in range(filled[address, name], problem.places):
                network.join(("role", address, name), ("submission", address), cost=role * unit)
        for unit in range(taken[address], problem.places):
            network.join(("submission", address), _SINK, cost=places * unit)
    return network


def _weights(problem: _Problem) -> tuple[int, int, int, int]:
    """Return what a unit of places, of misfit, of role and of load costs: each more than all that comes behind it."""
    systems, people = len(problem.submissions) + 1, len(problem.analysts) + 1
    base = systems * people * (systems + people + problem.places)
    return base**3, base**2, base, 1


# What could not be done ------------------------------------------------------------------------------------------


def _notes(problem: _Problem, matrix: Matrix) -> Iterator[str]:
    """Yield what could not be done in MATRIX, and why."""
    for address in problem.submissions:
        yield from _missing(problem, matrix, address)
        yield from _one_sided(problem, matrix, address)
    for pair in matrix.pairs:
        wanted = problem.submissions[pair.submission].operating_system
        if not problem.has_machine(pair.analyst, pair.submission):
            yield f"{pair.analyst} has no machine known to fit {pair.submission} ({wanted})."


def _missing(problem: _Problem, matrix: Matrix, address: str) -> Iterator[str]:
    """Yield that the submission at ADDRESS has too few analysts, and why others do not run it."""
    found = matrix.analysts_of(address)
    if len(found) >= problem.places:
        return
    team = problem.submissions[address].team  # with which all others have a conflict, or they would run it
    why = "; ".join(f"{slug} has a conflict of interest with {team}" for slug in problem.analysts if slug not in found)
    yield f"{address} has {len(found)} of {problem.places} analysts: {why or 'there is nobody else'}."


def _one_sided(problem: _Problem, matrix: Matrix, address: str) -> Iterator[str]:
    """Yield that the submission at ADDRESS has several analysts but not of every role."""
    roles = Counter(problem.analysts[slug].role for slug in matrix.analysts_of(address))
    known = sorted({person.role for person in problem.analysts.values() if person.role})
    absent = [role for role in known if not roles[role]]
    if sum(roles.values()) >= len(known) > 1 and absent:
        yield f"{address} has no analyst in the role of a {' or '.join(absent)}."
