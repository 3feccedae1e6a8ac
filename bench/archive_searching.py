"""How long does a search in an archive of a hundred thousand runs take?

    questions    what people may ask, a mix of kinds in an order of chance
    ask          the answers of an archive, each with its time
    tables       times by kind and database as lines of a page

A question counts as answered when the number of runs, the first twenty with their scores and the facets are there.
"""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap

import numpy as np

from bench.archive_records import LAST_YEAR, PHRASES, Publication, Records
from primad.archive.archive import Archive

GOAL_MS = 50
FACETS = ("team", "toolkit")


@dataclass(frozen=True)
class Question:
    """A QUERY of a KIND, the order that is wanted, and fields whose values are counted."""

    kind: str
    query: str
    sort: str = ""
    facets: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answer:
    """How long a question of a KIND took, and how many runs it found in TOTAL."""

    kind: str
    seconds: float
    total: int


def questions(records: Records, number: int, seed: int = 1) -> list[Question]:
    """Return NUMBER questions about RECORDS, as many of each kind; who has many runs is asked for often."""
    draw = random.Random(f"{seed} questions")
    found: list[Question] = []
    while len(found) < number:
        found += _one_of_each_kind(records, draw, draw.choice(records.publications))
    draw.shuffle(found)
    return found[:number]


def _one_of_each_kind(records: Records, draw: random.Random, publication: Publication) -> list[Question]:
    """Return questions that somebody may have who knows of PUBLICATION."""
    team, collection = f"team:{publication.team}", f'collection:"{publication.collection.name}"'
    first, expansion, _ = (name for name, _ in publication.stages)
    strong = f"method.retrieval.name:{first} {collection} map>={draw.uniform(0.2, 0.4):.2f}"
    words = f"{draw.choice(records.words[:500])} {draw.choice(PHRASES).split()[0]}"
    years = f"year:{publication.year}..{min(publication.year + draw.randint(0, 3), LAST_YEAR)}"
    broad = draw.choice((f"method:{first}", f"year>={draw.randint(2010, 2020)}", f"venue:{publication.venue}"))
    return [
        Question("a tag", f'tag:"{records.tag(draw.randrange(records.number))}"'),
        Question("a team", team),
        Question("a team on a collection", f"{team} {collection}"),
        Question("a method on a collection, with a score of at least", strong),
        Question("two words", words),
        Question("a phrase", f'"{draw.choice(PHRASES)}"'),
        Question("a venue in some years", f"venue:{publication.venue} {years}"),
        Question("a toolkit", f"toolkit:{publication.toolkit}{draw.choice(('', '==0'))}*"),
        Question("a parameter in a range", f"method.retrieval.k1>={draw.uniform(0.9, 1.9):.1f}"),
        Question("with negations", f"{collection} -role:reproducer -method:{expansion}"),
        Question("a collection, the best runs first", collection, sort="map"),
        Question("a collection, with facets", collection, facets=FACETS),
        Question("a broad query, with facets", broad, facets=FACETS),
    ]


def ask(folder: Path, asked: Sequence[Question]) -> list[Answer]:
    """Return how long the archive in FOLDER takes for each question ASKED."""
    archive = Archive(folder)
    archive.search(limit=1)  # connects, and imports what searches need
    return [_answer(archive, question) for question in asked]


def _answer(archive: Archive, question: Question) -> Answer:
    """Return how long ARCHIVE takes for QUESTION."""
    begin = time.perf_counter()
    found = archive.search(question.query, sort=question.sort, facets=question.facets)
    return Answer(question.kind, time.perf_counter() - begin, found.total)


# The page --------------------------------------------------------------------------------------------------------


def tables(answers: Mapping[str, Sequence[Answer]]) -> list[str]:
    """Return the times of ANSWERS by database: of all questions, and of each kind."""
    lines = [
        "| milliseconds | questions | median | 95th percentile | 99th percentile | longest |",
        "|---|---|---|---|---|---|",
    ]
    for name, found in answers.items():
        middle, most, nearly_all, longest = np.percentile([1000 * one.seconds for one in found], [50, 95, 99, 100])
        lines.append(f"| {name} | {len(found)} | {middle:.1f} | {most:.1f} | {nearly_all:.1f} | {longest:.1f} |")
    return [*lines, "", *_by_kind(answers), "", *wrap(_conclusion(answers), 120)]


def _by_kind(answers: Mapping[str, Sequence[Answer]]) -> list[str]:
    """Return the times by kind of question."""
    heads = "".join(f" {name}: median | 95th | longest |" for name in answers)
    lines = [f"| milliseconds | runs found, median |{heads}", "|---|---|" + "---|---|---|" * len(answers)]
    by_database = {name: _of_kinds(found) for name, found in answers.items()}
    for kind, found in sorted(next(iter(by_database.values())).items()):
        cells = ""
        for kinds in by_database.values():
            times = [1000 * one.seconds for one in kinds[kind]]
            cells += f" {np.median(times):.1f} | {np.percentile(times, 95):.1f} | {max(times):.1f} |"
        lines.append(f"| {kind} | {np.median([one.total for one in found]):,.0f} |{cells}")
    return lines


def _of_kinds(answers: Sequence[Answer]) -> dict[str, list[Answer]]:
    """Return ANSWERS by their kinds."""
    kinds: dict[str, list[Answer]] = defaultdict(list)
    for one in answers:
        kinds[one.kind].append(one)
    return kinds


def _conclusion(answers: Mapping[str, Sequence[Answer]]) -> str:
    """Return whether the goal was met, and by which kind of question it is most endangered."""
    said = []
    for name, found in answers.items():
        most = float(np.percentile([1000 * one.seconds for one in found], 95))
        kinds = {
            kind: float(np.median([1000 * one.seconds for one in some])) for kind, some in _of_kinds(found).items()
        }
        slowest = max(kinds, key=lambda kind: kinds[kind])
        verdict = "is met" if most < GOAL_MS else "is missed"
        said.append(f"{name} {verdict} ({most:.0f} ms; the slowest kind is: {slowest})")
    return f"The goal of {GOAL_MS} ms at the 95th percentile: {'; '.join(said)}."
