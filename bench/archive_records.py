"""What may a large archive hold?  Records that are made up, but vary as real ones do, and are the same for a seed.

    Records     as many records as an archive is to have, each by its number
    Collection  a test collection that they name
    annotated   a record and its ranking as the bytes of a run file

Teams publish: a publication has a team, a venue, a year, a collection, an abstract, and some thirty runs, which are
pipelines of two or three methods with parameters of their own.  Few teams and collections have most of the runs.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Any

from primad.metadata.record import Record

TEAMS = 300
COLLECTIONS = 40
RUNS_OF_A_PUBLICATION = 33
LAST_YEAR = 2026

TRACKS = ("Robust", "Web", "Core", "Terabyte", "Genomics", "Blog", "Deep Learning", "Precision Medicine", "News", "Law")
VENUES = ("TREC", "SIGIR", "CIKM", "ECIR", "CLEF", "NTCIR", "ICTIR", "WSDM", "TOIS", "IRJ", "CHIIR", "IPM", "JASIST")
TOOLKITS = (
    "anserini",
    "pyserini",
    "terrier",
    "pyterrier",
    "indri",
    "galago",
    "solr",
    "elasticsearch",
    "lucene",
    "jass",
)
LIBRARIES = ("numpy", "scipy", "torch", "transformers", "pandas", "scikit-learn", "faiss", "lightgbm", "nltk", "tqdm")
PROCESSORS = ("Intel Xeon Gold 6144", "Intel Xeon E5-2680 v4", "AMD EPYC 7742", "AMD Opteron 6272", "Apple M2")
SYSTEMS = ("Ubuntu 16.04.7 LTS", "Ubuntu 20.04.3 LTS", "Ubuntu 22.04.1 LTS", "Debian 12", "CentOS 7", "macOS 14.2")
MEASURES = ("map", "ndcg", "ndcg_cut_10", "P_10", "P_30", "recip_rank", "recall_1000", "bpref", "Rprec")
SIGNIFICANCE = ("t-test", "wilcoxon", "permutation", "bootstrap")
CORRECTIONS = ("bonferroni", "holm-bonferroni", "none")
STEMMERS = ("Porter", "Krovetz", "Snowball", "none")
STOPWORDS = ("Indri", "Lucene", "Smart", "Terrier", "none")
LANGUAGES = ("Python", "Java", "C++", "Shell", "Rust")
PHRASES = tuple(
    f"{first} {second}"
    for first in ("relevance", "query", "document", "passage", "neural", "language", "test", "learned")
    for second in ("feedback", "expansion", "ranking", "model", "collection", "retrieval", "weighting")
)

# A method and the ranges of its parameters.
Method = tuple[str, dict[str, tuple[float, float]]]
_BM25 = {"k1": (0.4, 2.0), "b": (0.1, 0.9)}
_SMOOTHED = {"mu": (200.0, 3000.0)}
_DIVERGENCE = {"c": (0.5, 9.0)}
FIRST: tuple[Method, ...] = (
    *((name, _BM25) for name in ("bm25", "bm25+", "bm25l", "bm25f")),
    *((name, _SMOOTHED) for name in ("ql", "ql-jm", "sdm", "fdm")),
    *((name, _DIVERGENCE) for name in ("pl2", "dph", "inl2", "spl", "lgd", "dlh13")),
    ("tfidf", {"slope": (0.1, 0.4)}),
    ("splade", {"quantization": (50, 250)}),
)
EXPANSIONS: tuple[Method, ...] = tuple(
    (name, {"terms": (5, 50), "documents": (3, 30), "weight": (0.1, 0.9)})
    for name in ("rm3", "rm1", "rocchio", "axiom", "bo1", "kl", "ccrf", "prf-dense")
)
RERANKERS: tuple[Method, ...] = tuple(
    (f"{name}-{size}", {"depth": (50, 1000), "max length": (128, 512)})
    for name in (
        "monobert",
        "duobert",
        "monot5",
        "duot5",
        "colbert",
        "parade",
        "cedr",
        "knrm",
        "drmm",
        "tk",
        "ltr",
        "llm",
    )
    for size in ("small", "base", "large")
)
NEURAL_SINCE = 2016


@dataclass(frozen=True)
class Collection:
    """A test collection: its NAME, since which YEAR it is there, and its identifier in ir_datasets, not always."""

    name: str
    year: int
    ir_datasets: str

    @property
    def source(self) -> str:
        """Return the address at which it can be obtained."""
        return f"https://example.org/collections/{self.name.lower().replace(' ', '-')}"


@dataclass(frozen=True)
class Publication:
    """What all runs of a publication have in common; FIRST is the number of the first of them."""

    first: int
    team: str
    actors: tuple[str, ...]
    venue: str
    year: int
    collection: Collection
    toolkit: str
    stages: tuple[Method, ...]
    shared: dict[str, Any]


class Records:
    """So many records, each the same whenever it is asked for."""

    def __init__(self, number: int, seed: int = 1) -> None:
        """Make up teams, collections and publications for NUMBER records by SEED."""
        self._seed = seed
        draw = random.Random(f"{seed} world")
        self.number = number
        self.words = _invented(draw, 4000)
        self.teams = [name.capitalize() for name in _invented(draw, TEAMS)]
        self.collections = _collections(draw)
        people = [f"{name.capitalize()} {draw.choice(self.teams)}" for name in _invented(draw, 4 * TEAMS)]
        self._actors = [tuple(people[place : place + 4]) for place in range(0, len(people), 4)]
        firsts = range(0, number, RUNS_OF_A_PUBLICATION)
        self.publications = [self._publication(first, random.Random(f"{seed} publication {first}")) for first in firsts]
        self._by_collection: dict[str, list[Publication]] = {}
        for publication in self.publications:
            self._by_collection.setdefault(publication.collection.name, []).append(publication)

    def publication_of(self, number: int) -> Publication:
        """Return the publication that the run NUMBER belongs to."""
        return self.publications[number // RUNS_OF_A_PUBLICATION]

    def tag(self, number: int) -> str:
        """Return the tag of the run NUMBER."""
        publication = self.publication_of(number)
        place = number - publication.first
        stages = "".join(name for name, _ in _stages(publication, place))
        return f"{publication.team.lower()}{publication.year % 100:02d}-{stages}-{place + 1}"

    def __getitem__(self, number: int) -> Record:
        """Return the record of the run NUMBER."""
        draw = random.Random(f"{self._seed} run {number}")
        publication = self.publication_of(number)
        role = "reproducer" if draw.random() < 0.1 else "experimenter"
        stages = [_stage(draw, method) for method in _stages(publication, number - publication.first)]
        goal = publication.shared["research goal"]
        evaluation = {**goal["evaluation"], "baseline": [self._baseline(draw, number, role)]}
        tree: dict[str, Any] = {
            "schema-version": "0.2",
            "run-version": "1.0",
            "tag": self.tag(number),
            "platform": publication.shared["platform"],
            "research goal": {**goal, "evaluation": evaluation},
            "implementation": {
                **publication.shared["implementation"],
                "executable": {"cmd": f"./run.sh --output {self.tag(number)}.run"},
            },
            "method": {**publication.shared["method"], "retrieval": stages},
            "actor": {"name": draw.choice(publication.actors), "team": publication.team, "role": role},
            "data": publication.shared["data"],
        }
        return Record(tree)

    def ranking(self, number: int) -> str:
        """Return the ten lines of the run NUMBER; no other run has the same."""
        draw = random.Random(f"{self._seed} ranking {number}")
        tag = self.tag(number)
        return "".join(
            f"{topic} Q0 SYN-{draw.randrange(10**7) * 10 + rank:08d} {rank} {20 - rank - draw.random():.4f} {tag}\n"
            for topic in (301, 302)
            for rank in range(1, 6)
        )

    def _baseline(self, draw: random.Random, number: int, role: str) -> str:
        """Return the tag that the run NUMBER is compared with: of its publication, or of another on the collection."""
        publication = self.publication_of(number)
        if role == "experimenter" and number > publication.first:
            return self.tag(publication.first)
        return self.tag(draw.choice(self._by_collection[publication.collection.name]).first)

    def _publication(self, first: int, draw: random.Random) -> Publication:
        """Return the publication whose first run has the number FIRST."""
        team = _skewed(draw, range(TEAMS))
        collection = self.collections[_skewed(draw, range(COLLECTIONS))]
        year = min(collection.year + int(draw.expovariate(0.25)), LAST_YEAR)
        second = RERANKERS if year >= NEURAL_SINCE else EXPANSIONS
        stages = (draw.choice(FIRST), draw.choice(EXPANSIONS), draw.choice(second))
        venue, toolkit = _skewed(draw, VENUES), _skewed(draw, TOOLKITS)
        shared = {
            "platform": _platform(draw, toolkit),
            "research goal": self._goal(draw, first, venue, year),
            "implementation": _implementation(draw, self.teams[team]),
            "method": _indexing(draw),
            "data": {"test collection": _named(collection)},
        }
        actors = self._actors[team]
        return Publication(first, self.teams[team], actors, venue, year, collection, toolkit, stages, shared)

    def _goal(self, draw: random.Random, first: int, venue: str, year: int) -> dict[str, Any]:
        """Return what a publication is about: words as rare as words are, and phrases of the field."""
        words = draw.choices(self.words, cum_weights=_falling(len(self.words)), k=draw.randint(80, 150))
        for phrase in draw.sample(PHRASES, 3):
            words[draw.randrange(len(words))] = phrase
        test = {"name": draw.choice(SIGNIFICANCE), "correction method": draw.choice(CORRECTIONS)}
        return {
            "venue": {"name": venue, "year": year},
            "publication": {"doi": f"https://doi.org/10.5555/{first}.{year}", "abstract": f"{' '.join(words)}."},
            "evaluation": {"reported measures": draw.sample(MEASURES, draw.randint(2, 4)), "significance test": [test]},
        }


def annotated(record: Record, ranking: str) -> bytes:
    """Return a run file: RECORD as its header, and the lines of RANKING."""
    header = "".join(f"# {line}\n" for line in record.to_yaml().splitlines())
    return f"# ir_metadata.start\n{header}# ir_metadata.end\n{ranking}".encode()


def _stages(publication: Publication, place: int) -> tuple[Method, ...]:
    """Return the pipeline of the run at PLACE in PUBLICATION: its first stage alone, or with others after it."""
    first, expansion, last = publication.stages
    return ((first,), (first, expansion), (first, last), (first, expansion, last))[place % 4]


def _stage(draw: random.Random, method: Method) -> dict[str, Any]:
    """Return METHOD with parameters."""
    name, ranges = method
    stage: dict[str, Any] = {"name": name}
    for parameter, (low, high) in ranges.items():
        stage[parameter] = round(draw.uniform(low, high), 2) if high < 10 else draw.randint(int(low), int(high))
    return stage


def _named(collection: Collection) -> dict[str, str]:
    """Return how records name COLLECTION."""
    named = {"name": collection.name, "source": collection.source, "qrels": f"{collection.source}/qrels.txt"}
    return named | ({"ir_datasets": collection.ir_datasets} if collection.ir_datasets else {})


def _platform(draw: random.Random, toolkit: str) -> dict[str, Any]:
    """Return a machine with its software."""
    libraries = [f"{name}=={draw.randint(0, 2)}.{draw.randint(0, 20)}" for name in draw.sample(LIBRARIES, 5)]
    return {
        "hardware": {
            "cpu": {
                "model": draw.choice(PROCESSORS),
                "architecture": draw.choice(("x86_64", "x86_64", "arm64")),
                "number of cores": 2 ** draw.randint(2, 7),
            },
            "ram": f"{2 ** draw.randint(4, 10)} GB",
        },
        "operating system": {"kernel": f"5.{draw.randint(0, 19)}.0", "distribution": draw.choice(SYSTEMS)},
        "software": {
            "libraries": {"python": libraries},
            "retrieval toolkit": [f"{toolkit}=={draw.randint(0, 5)}.{draw.randint(0, 9)}"],
        },
    }


def _implementation(draw: random.Random, team: str) -> dict[str, Any]:
    """Return where the code is."""
    source = {
        "lang": draw.sample(LANGUAGES, 2),
        "repository": f"https://example.org/{team.lower()}/code{draw.randint(1, 9)}",
        "commit": f"{draw.getrandbits(160):040x}",
    }
    return {"source": source}


def _indexing(draw: random.Random) -> dict[str, Any]:
    """Return how documents were indexed."""
    indexing = {"tokenizer": "standard", "stemmer": draw.choice(STEMMERS), "stopwords": draw.choice(STOPWORDS)}
    return {"automatic": draw.random() < 0.9, "score ties": "reverse alphabetical order", "indexing": indexing}


def _collections(draw: random.Random) -> list[Collection]:
    """Return test collections: each track has had several."""
    found = []
    for number in range(COLLECTIONS):
        track, year = TRACKS[number % len(TRACKS)], 1999 + 6 * (number // len(TRACKS)) + draw.randint(0, 5)
        known = f"{track.lower().replace(' ', '-')}/{year}" if draw.random() < 0.7 else ""
        found.append(Collection(f"{track} {year}", year, known))
    draw.shuffle(found)  # the first ones get most of the runs, whatever their year
    return found


def _invented(draw: random.Random, number: int) -> list[str]:
    """Return NUMBER words that no language has, each once."""
    found: dict[str, None] = {}
    while len(found) < number:
        syllables = [draw.choice("bdfghklmnprstvz") + draw.choice("aeiou") for _ in range(draw.randint(2, 4))]
        found["".join(syllables) + draw.choice(("", "", "n", "r", "s", "x"))] = None
    return list(found)


@cache
def _falling(number: int) -> list[float]:
    """Return weights, added up, that fall as the frequencies of words do."""
    return list(accumulate(1 / (place + 3) for place in range(number)))


def _skewed(draw: random.Random, choices: Sequence[Any]) -> Any:
    """Return one of CHOICES, the first ones much more often than the last."""
    return draw.choices(choices, cum_weights=_falling(len(choices)))[0]
