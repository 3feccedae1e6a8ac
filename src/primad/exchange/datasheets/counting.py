"""What can be counted in judgments, topics and runs, whatever is wrong with them?

    Judgments, judgments_in    levels, judged documents, doubles and contradictions in a file of judgments
    Topics, topics_in          identifiers and texts in a file of topics
    Rankings, rankings_in      topics and depths of a run
    Spread                     least, median and most of some numbers

A file that another reader would refuse is counted as it is: a line that is none of what it should be is counted, too.
Topics are known as TREC writes them, as elements ``topic`` of XML, as lines of a table with tabs, and as JSON lines.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Any

from primad.errors import PrimadError
from primad.trec.files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from primad.exchange.thing import File

_COLUMNS = 4
_LEVEL = re.compile(r"-?\d{1,9}")
_TREC = re.compile(r"<top>", re.IGNORECASE)
_XML = re.compile(r"<topic\b", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"\s(?:number|id|num)\s*=\s*[\"']([^\"']{1,200})[\"']", re.IGNORECASE)
_ELEMENT = re.compile(r"<(num|title|query|desc|description|narr|narrative|question)\b[^<>]{0,200}>", re.IGNORECASE)
_WORD_BEFORE = re.compile(r"(?:number|topic|description|narrative)\s*:", re.IGNORECASE)
_IDENTIFIERS = ("query_id", "qid", "topic_id", "id", "_id", "number")
_TEXTS = ("title", "query", "text", "question")


@dataclass(frozen=True)
class Spread:
    """The least, the median and the most of some numbers."""

    least: float
    median: float
    most: float

    @classmethod
    def of(cls, numbers: Iterable[float]) -> Spread | None:
        """Return the spread of NUMBERS, None if there are none."""
        values = list(numbers)
        return cls(min(values), median(values), max(values)) if values else None

    def __str__(self) -> str:
        """Return all three as a sentence has them, one number if they are the same."""
        if self.least == self.most:
            return f"{self.most:,g}"
        return f"{self.least:,g} to {self.most:,g}, median {self.median:,g}"


@dataclass(frozen=True)
class Judgments:
    """What is in a file of judgments.

    levels          how many judgments have which level
    judged          how many documents are judged for each topic
    relevant        how many of them have a level above 0
    documents       for how many topics each document is judged
    repeated        lines that say again what an earlier one said
    contradicting   pairs of topic and document with more than one level; counted is the first
    unreadable      lines that are no judgments
    """

    levels: Counter[int] = field(default_factory=Counter)
    judged: Counter[str] = field(default_factory=Counter)
    relevant: Counter[str] = field(default_factory=Counter)
    documents: Counter[str] = field(default_factory=Counter)
    repeated: int = 0
    contradicting: int = 0
    unreadable: int = 0

    @property
    def number(self) -> int:
        """Return how many pairs of topic and document are judged."""
        return self.levels.total()

    @property
    def without_relevant(self) -> list[str]:
        """Return the topics for which no document is relevant."""
        return sorted(topic for topic in self.judged if not self.relevant[topic])

    @property
    def shared(self) -> int:
        """Return how many documents are judged for more than one topic."""
        return sum(1 for number in self.documents.values() if number > 1)


@dataclass(frozen=True)
class Topics:
    """What is in a file of topics: texts by identifier, which fields there are, doubles, and how long the file is.

    ``form`` is empty where it is none of those that are known, and then only the length is.
    """

    form: str
    texts: dict[str, str]
    fields: tuple[str, ...]
    repeated: int
    lines: int
    size: int

    @property
    def same_texts(self) -> int:
        """Return how many topics have the text of an earlier one."""
        texts = [" ".join(text.lower().split()) for text in self.texts.values() if text.strip()]
        return len(texts) - len(set(texts))


@dataclass(frozen=True)
class Rankings:
    """What is in a run: how many documents each topic has."""

    depths: dict[str, int]


def judgments_in(file: File) -> Judgments:
    """Return what is in the judgments of FILE."""
    first: dict[tuple[str, str], int] = {}
    contradicting: set[tuple[str, str]] = set()
    repeated = unreadable = 0
    for line in _text(file).split("\n"):
        columns = line.split()
        if len(columns) != _COLUMNS or not _LEVEL.fullmatch(columns[3]):
            unreadable += bool(columns)
            continue
        pair, level = (columns[0], columns[2]), int(columns[3])
        if pair not in first:
            first[pair] = level
        elif first[pair] == level:
            repeated += 1
        else:
            contradicting.add(pair)
    return Judgments(
        Counter(first.values()),
        Counter(topic for topic, _ in first),
        Counter(topic for (topic, _), level in first.items() if level > 0),
        Counter(document for _, document in first),
        repeated,
        len(contradicting),
        unreadable,
    )


def topics_in(file: File) -> Topics:
    """Return what is in the topics of FILE."""
    text = _text(file)
    form, found = _topics(text)
    topics: dict[str, dict[str, str]] = {}
    repeated = 0
    for identifier, parts in found:
        repeated += identifier in topics
        topics.setdefault(identifier, parts)
    texts = {name: next((parts[key] for key in _TEXTS if parts.get(key)), "") for name, parts in topics.items()}
    names = dict.fromkeys(key for parts in topics.values() for key in parts)
    return Topics(form if topics else "", texts, tuple(names), repeated, len(text.splitlines()), file.size)


def rankings_in(file: File) -> Rankings | None:
    """Return what is in the run FILE, None if it cannot be read as one."""
    from primad.trec.run import read_run

    try:
        run = read_run(file.read())
    except PrimadError:
        return None
    places = zip(run.topics, pairwise(run.offsets.tolist()), strict=True)
    return Rankings({topic: end - begin for topic, (begin, end) in places})


def _text(file: File) -> str:
    """Return FILE as text; bytes that are none are shown as a sign."""
    return read_bytes(file.read()).decode("utf-8", "replace").replace("\r\n", "\n")


def _topics(text: str) -> tuple[str, Iterator[tuple[str, dict[str, str]]]]:
    """Return the form of the topics TEXT in words, and each topic's identifier with its parts."""
    if _TREC.search(text):
        return "as TREC writes them", _marked(_TREC.split(text)[1:])
    if _XML.search(text):
        return "as XML", _marked(_XML.split(text)[1:])
    if text.lstrip().startswith("{"):
        return "as JSON lines", _json_lines(text)
    return "as a table with tabs", _table(text)


def _marked(parts: list[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the topics that stand in PARTS, each behind its opening mark."""
    for part in parts:
        marks = list(_ELEMENT.finditer(part))
        fields: dict[str, str] = {}
        for mark, after in zip(marks, [*marks[1:], None], strict=True):
            said = part[mark.end() : after.start() if after else len(part)].split("<", 1)[0]
            fields.setdefault(mark[1].lower(), " ".join(_WORD_BEFORE.sub("", said, count=1).split()))
        attribute = _ATTRIBUTE.search(part.split(">", 1)[0])
        identifier = fields.pop("num", "") or (attribute[1] if attribute else "")
        if identifier:
            yield identifier, fields


def _json_lines(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the topics of the lines of TEXT that are mappings of JSON with an identifier."""
    for line in text.splitlines():
        try:
            said: Any = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(said, dict):
            name = next((said[key] for key in _IDENTIFIERS if isinstance(said.get(key), str | int)), None)
            if name is not None:
                yield str(name), {key: value for key, value in said.items() if isinstance(value, str)}


def _table(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the topics of the lines of TEXT that have a tab behind an identifier."""
    for line in text.splitlines():
        identifier, tab, words = line.partition("\t")
        if tab and identifier.strip() and words.strip():
            yield identifier.strip(), {"text": words.strip()}
