"""Where do collections that share topics come from when there is no data at hand?  From a seed.

    generate   collections by name, the same ones for the same seed
    Shape      how large they are, how strong their topics, how strict their judgments
    SHAPE      the shape where none is said

What comes out is synthetic and says so.  Words are made of syllables.  A concept has a place in a Zipf distribution,
and each collection has a lexicon that gives concepts their words: for a stated share of the concepts the word that
all collections use, for the rest one of its own.  A topic is a set of concepts; its title names the first few in
words known everywhere.  A document is background, or dwells on some concepts of one topic, or strays: it uses title
words in another sense.  How many different concepts of a topic it names decides its grade, judges erring now and then.

With the same version of numpy its stream of chance is the same on every machine, so texts and grades are; scores
computed from them differ by rounding only (relative 1e-6).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from primad.experiments.ccrf.collection import Collection, CollectionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator
    from numpy.typing import NDArray

NAMES = ("news93", "news99", "wire05", "posts17")

_ONSETS = tuple("bdfgklmnprstvz")
_NUCLEI = tuple("aeiou")
_CODAS = ("", "", "l", "n", "r", "s")
_ENDINGS = tuple("aou")  # no English stop word, plural or participle looks like this, and no stemmer cuts it
_ZIPF_SHIFT, _ZIPF_POWER = 2.7, 1.05  # Mandelbrot's form: the first ranks are flatter than a power law
_FEWEST_WORDS = 10
_TITLE_HANDICAP = 0.1  # the lower, the more documents of a topic use the words of its title
_MOST_TIMES_MEDIAN = 10
_FIRST_TOPIC = 301  # as TREC numbers them
_SEEDS = 1 << 63
_MOST_CONCEPTS = 1_000_000  # there are not many more words of three syllables


@dataclass(frozen=True)
class Shape:
    """What the collections are like; the default gives BM25 an AP between .2 and .5."""

    documents: int = 3000
    topics: int = 50
    pool: int = 60  # judged documents of each topic
    concepts: int = 12000
    function_words: int = 150  # the most frequent concepts, about which no topic is
    topic_concepts: int = 60
    title_words: int = 3
    median_length: float = 80.0
    length_spread: float = 0.5  # standard deviation of the logarithm
    topical: float = 0.6  # share of documents that dwell on a topic
    stray: float = 0.05  # share of documents that use title words in another sense
    strength: float = 0.15  # largest share of a document's words that are about its topic
    relevant_from: int = 5  # different concepts of the topic that make a document relevant (grade 1)
    highly_from: int = 9  # and highly relevant (grade 2)
    error: float = 0.1  # share of judgments that are one grade off


SHAPE = Shape()


@dataclass(frozen=True)
class _World:
    """What all collections of one seed share."""

    words: NDArray[np.str_]  # the common word of each concept
    topics: NDArray[np.int64]  # concepts of each topic, those of the title first
    order: NDArray[np.int64]  # concepts, those first that are the last to get a word of a collection's own
    fixed: int  # how many of these never get one


@dataclass(frozen=True)
class _Tokens:
    """The concepts that the documents name, one after another."""

    concepts: NDArray[np.int64]
    lengths: NDArray[np.int64]

    @property
    def documents(self) -> NDArray[np.int64]:
        """Return for each token the number of its document."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)


def generate(
    seed: int,
    collections: Sequence[str] = NAMES,
    *,
    shape: Shape = SHAPE,
    overlap: float | Mapping[str, float] = 0.4,
) -> dict[str, Collection]:
    """Return synthetic collections with the same topics, by their names.

    OVERLAP is the share of concepts, and so of each topic's, for which a collection uses the common word (function
    words and titles always are common); two collections share the smaller of their shares.  A collection depends on
    SEED, SHAPE, its name and its own OVERLAP, not on which others are made.
    """
    shares = _shares(collections, overlap)
    _refuse(seed, shape)
    world = _world(shape, np.random.default_rng([seed, 0]))
    return {name: _collection(name, share, seed, shape, world) for name, share in shares.items()}


def _shares(names: Sequence[str], overlap: float | Mapping[str, float]) -> dict[str, float]:
    """Return the OVERLAP of each collection, or say which name or share is wrong."""
    wrong = [name for name in names if not name or any(not sign.isprintable() or sign == " " for sign in name)]
    if not names or wrong or len(set(names)) < len(names):
        raise CollectionError(f"expected different names without blanks for collections, found {list(names)}")
    unknown = [name for name in names if isinstance(overlap, Mapping) and name not in overlap]
    if unknown:
        raise CollectionError(f"no overlap is given for: {', '.join(unknown)}")
    shares = {name: float(overlap[name] if isinstance(overlap, Mapping) else overlap) for name in names}
    for name, share in shares.items():
        if not 0 <= share <= 1:
            raise CollectionError(f"expected an overlap between 0 and 1 for '{name}', found {share}")
    return shares


def _refuse(seed: int, shape: Shape) -> None:
    """Say why nothing can be generated from SEED and SHAPE, if so."""
    if not 0 <= seed < _SEEDS:
        raise CollectionError(f"expected a seed between 0 and {_SEEDS - 1}, found {seed}")
    for field in fields(shape):
        if not 0 <= getattr(shape, field.name) < np.inf:
            raise CollectionError(f"{field.name}: expected a number from 0 on, found {getattr(shape, field.name)}")
    demands = {
        "documents, topics, pool and title_words of at least 1": min(
            shape.documents, shape.topics, shape.pool, shape.title_words
        )
        >= 1,
        "a median_length above 0": shape.median_length > 0,
        "at most as many title_words as topic_concepts": shape.title_words <= shape.topic_concepts,
        "more concepts than function_words and topic_concepts": shape.concepts
        >= shape.function_words + shape.topic_concepts,
        f"at most {_MOST_CONCEPTS} concepts": shape.concepts <= _MOST_CONCEPTS,
        "relevant_from at least 1 and below highly_from": 1 <= shape.relevant_from < shape.highly_from,
        "topical and stray shares that add up to at most 1": shape.topical + shape.stray <= 1,
        "strength and error of at most 1": max(shape.strength, shape.error) <= 1,
    }
    if unmet := [demand for demand, is_met in demands.items() if not is_met]:
        raise CollectionError(f"a shape needs {'; '.join(unmet)}; found {shape}")


def _world(shape: Shape, random: Generator) -> _World:
    """Make up the words and topics that all collections share."""
    words = _words(shape.concepts, random, syllables=(2, 3))
    # Topics are about what is neither said in every document nor hardly ever.
    band = np.arange(shape.function_words, max(shape.concepts // 4, shape.function_words + shape.topic_concepts))
    topics = np.array([random.choice(band, shape.topic_concepts, replace=False) for _ in range(shape.topics)])
    always_common = np.union1d(np.arange(shape.function_words), topics[:, : shape.title_words])
    others = np.setdiff1d(np.arange(shape.concepts), always_common)
    return _World(words, topics, np.concatenate([always_common, random.permutation(others)]), len(always_common))


def _words(count: int, random: Generator, *, syllables: tuple[int, int]) -> NDArray[np.str_]:
    """Return COUNT different made-up words, the shorter ones first."""
    found: dict[str, None] = {}
    fewest, most = syllables
    while len(found) < count:
        draws = random.integers(1 << 31, size=(count, most, 3))
        lengths = random.integers(fewest, most + 1, size=count)
        found |= {_word(draw[:length]): None for draw, length in zip(draws.tolist(), lengths.tolist(), strict=True)}
    return np.array(sorted(list(found)[:count], key=len))


def _word(draws: list[list[int]]) -> str:
    """Return the word that the DRAWS, three for each syllable, stand for."""
    *heads, last = draws
    start = "".join(
        _pick(_ONSETS, first) + _pick(_NUCLEI, second) + _pick(_CODAS, third) for first, second, third in heads
    )
    return start + _pick(_ONSETS, last[0]) + _pick(_ENDINGS, last[1])


def _pick(choices: tuple[str, ...], draw: int) -> str:
    """Return one of the CHOICES."""
    return choices[draw % len(choices)]


def _collection(name: str, overlap: float, seed: int, shape: Shape, world: _World) -> Collection:
    """Write the documents of the collection NAME and judge them."""
    random = np.random.default_rng([seed, 1, crc32(name.encode())])
    tokens = _tokens(shape, world, random)
    texts = _texts(tokens, _lexicon(overlap, world, random))
    ids = [f"{name}-{number:0{len(str(shape.documents))}d}" for number in range(1, shape.documents + 1)]
    numbers = [str(_FIRST_TOPIC + number) for number in range(shape.topics)]
    titles = [" ".join(world.words[concepts[: shape.title_words]]) for concepts in world.topics]
    judgments = _judge(_named(tokens, world, shape), shape, random)
    return Collection(
        name=name,
        documents=dict(zip(ids, texts, strict=True)),
        topics=dict(zip(numbers, titles, strict=True)),
        qrels={
            number: {ids[document]: grade for document, grade in grades.items()}
            for number, grades in zip(numbers, judgments, strict=True)
        },
        description=f"synthetic: {shape.documents} generated documents, seed {seed}, "
        f"the words that all collections use for {overlap:.0%} of the concepts",
    )


def _lexicon(overlap: float, world: _World, random: Generator) -> NDArray[np.str_]:
    """Return the word of each concept: the common one for a share OVERLAP of them, and one of the collection's own."""
    concepts = len(world.words)
    common = max(round(overlap * concepts), world.fixed)
    own = _words(concepts, random, syllables=(4, 4))
    lexicon = own.copy()
    lexicon[world.order[:common]] = world.words[world.order[:common]]
    return lexicon


def _tokens(shape: Shape, world: _World, random: Generator) -> _Tokens:
    """Draw the concepts of all documents: background first, then a topic over it."""
    drawn = random.lognormal(np.log(shape.median_length), shape.length_spread, shape.documents)
    lengths = np.clip(np.rint(drawn), _FEWEST_WORDS, _MOST_TIMES_MEDIAN * max(shape.median_length, 1)).astype(np.int64)
    zipf = (np.arange(shape.concepts) + _ZIPF_SHIFT) ** -_ZIPF_POWER
    background = zipf * random.lognormal(0, 0.5, shape.concepts)  # each collection has its favourites
    tokens = _Tokens(_sample(background, int(lengths.sum()), random), lengths)
    return _dwell(tokens, shape, world, random)


def _dwell(tokens: _Tokens, shape: Shape, world: _World, random: Generator) -> _Tokens:
    """Replace words of topical and stray documents by words of a topic."""
    kind = random.random(shape.documents)
    about = random.integers(shape.topics, size=shape.documents)
    # Every document has its own favourites among the concepts of the topic; the title's are often among them.
    liking = random.random((shape.documents, shape.topic_concepts))
    liking[:, : shape.title_words] *= _TITLE_HANDICAP
    favourites = np.argsort(liking, axis=1, kind="stable")
    is_stray = (kind >= shape.topical) & (kind < shape.topical + shape.stray)
    favourites[is_stray] %= shape.title_words
    strength = np.where(kind < shape.topical + shape.stray, shape.strength * random.random(shape.documents), 0.0)

    place = np.flatnonzero(random.random(len(tokens.concepts)) < strength[tokens.documents])
    document = tokens.documents[place]
    rank = _sample(1 / (np.arange(shape.topic_concepts) + 2.0), len(place), random)
    concepts = tokens.concepts.copy()
    concepts[place] = world.topics[about[document], favourites[document, rank]]
    return _Tokens(concepts, tokens.lengths)


def _sample(weights: NDArray[np.float64], size: int, random: Generator) -> NDArray[np.int64]:
    """Return SIZE indices drawn in proportion to WEIGHTS."""
    steps = np.cumsum(weights)
    indices: NDArray[np.int64] = np.searchsorted(steps[:-1], random.random(size) * steps[-1], side="right")
    return indices


def _texts(tokens: _Tokens, lexicon: NDArray[np.str_]) -> list[str]:
    """Return the text of each document."""
    words = lexicon.astype(object)[tokens.concepts].tolist()
    ends = np.cumsum(tokens.lengths).tolist()
    return [" ".join(words[start:end]) for start, end in zip([0, *ends], ends, strict=False)]


def _named(tokens: _Tokens, world: _World, shape: Shape) -> NDArray[np.int64]:
    """Return how many different concepts of each topic (column) each document (row) names."""
    from scipy.sparse import csr_array

    size = len(tokens.lengths), shape.concepts
    ones = np.ones(len(tokens.concepts), np.int64)
    says = csr_array((ones, (tokens.documents, tokens.concepts)), shape=size)
    says.sum_duplicates()
    says.data[:] = 1
    columns = np.repeat(np.arange(shape.topics), shape.topic_concepts)
    belongs = csr_array(
        (np.ones(world.topics.size, np.int64), (world.topics.ravel(), columns)), shape=(size[1], shape.topics)
    )
    return np.asarray((says @ belongs).toarray(), np.int64)


def _judge(named: NDArray[np.int64], shape: Shape, random: Generator) -> list[dict[int, int]]:
    """Return for each topic the grades of its pool: what several systems would have found, by document number."""
    grades = (named >= shape.relevant_from).astype(np.int64) + (named >= shape.highly_from)
    errs = random.random(named.shape) < shape.error
    judged = np.where(errs, np.clip(grades + random.choice([-1, 1], named.shape), 0, 2), grades)
    found = named + random.normal(0, 1.5, named.shape)
    pools = np.sort(np.argsort(-found, axis=0, kind="stable")[: shape.pool], axis=0)
    return [dict(zip(pool.tolist(), judged[pool, topic].tolist(), strict=True)) for topic, pool in enumerate(pools.T)]
