"""Which questions of a datasheet can be answered without asking anybody?

    Answer       some lines, where they come from, and whether they answer all of the question
    answers_of   the answers that the files and records of a thing give, by the number of the question

What is counted says in which files, what is stated says in which field.  A question about intentions, people or law is
never answered from data.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from primad.exchange.citations.citing import once
from primad.exchange.datasheets.counting import (
    Judgments,
    Rankings,
    Spread,
    Topics,
    judgments_in,
    rankings_in,
    topics_in,
)
from primad.exchange.plain_text import counted, one_line, paragraphs
from primad.exchange.told import datasets_of, deed_of, software_of
from primad.metadata.paths import leaves, written
from primad.metadata.record import is_stated
from primad.metadata.secrets import redact

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from primad.exchange.citations.citing import Citation
    from primad.exchange.thing import Thing
    from primad.exchange.told import Dataset

_MOST_LISTED = 20
_KINDS = {
    "qrels": "judgments: how relevant a document is for a topic",
    "topics": "topics: what somebody wanted to know, in words",
    "run": "runs: for each topic the documents that a system ranked, best first",
    "measurements": "measured values",
}


@dataclass(frozen=True)
class Answer:
    """LINES that answer a question, HOW they are known, and whether the question asks for more than that."""

    lines: tuple[str, ...]
    how: str
    is_partial: bool = False


@dataclass(frozen=True)
class Counts:
    """What was counted in the files of a thing, by their paths."""

    judgments: dict[str, Judgments]
    topics: dict[str, Topics]
    runs: dict[str, Rankings]
    unread: int

    @classmethod
    def of(cls, thing: Thing) -> Counts:
        """Count what is in the files of THING."""
        runs = {file.path: rankings_in(file) for file in thing.runs}
        return cls(
            {file.path: judgments_in(file) for file in thing.of_role("qrels")},
            {file.path: topics_in(file) for file in thing.of_role("topics")},
            {path: found for path, found in runs.items() if found is not None},
            sum(1 for found in runs.values() if found is None),
        )


def answers_of(thing: Thing, citation: Citation) -> dict[str, Answer]:
    """Return what is known of THING, by the number of the question that it answers."""
    counts = Counts.of(thing)
    found = {
        **dict(_about_files(thing, counts)),
        **dict(_about_judgments(counts)),
        **dict(_about_records(thing, citation)),
        **dict(_about_making(thing, citation)),
        **dict(_about_publishing(citation)),
    }
    return {number: answer for number, answer in found.items() if answer.lines}


def _about_files(thing: Thing, counts: Counts) -> Iterator[tuple[str, Answer]]:
    """Yield what the files of THING tell of its composition."""
    roles = [words for role, words in _KINDS.items() if thing.of_role(role)]  # type: ignore[arg-type]
    yield (
        "2.1",
        Answer(tuple(words[0].upper() + words[1:] + "." for words in roles), "told by the content of the files"),
    )
    yield "2.2", Answer(tuple(_numbers(thing, counts)), "counted in the files named")
    yield "2.4", Answer(tuple(_columns(counts)), "read from the files")
    yield "2.6", Answer(tuple(_missing(counts)), "counted by comparing the files with each other", is_partial=True)
    yield "2.9", Answer(tuple(_doubles(thing, counts)), "counted in the files named", is_partial=True)
    facts = tuple(f"{one_line(name)}: {one_line(value)}." for name, value in told_facts(thing).items())
    yield "2.16", Answer(facts, "known where it is kept", is_partial=True)
    pooled = tuple(fact for fact in facts if "pool" in fact.lower())
    yield "3.3", Answer(pooled, "known where it is kept", is_partial=True)


def told_facts(thing: Thing) -> dict[str, str | float]:
    """Return the facts of THING that fit into a line."""
    facts = thing.facts.items()
    return {name: value for name, value in facts if isinstance(value, str | int | float) and is_stated(value)}


def _numbers(thing: Thing, counts: Counts) -> Iterator[str]:
    """Yield how many instances of each kind there are."""
    for path, topics in counts.topics.items():
        length = f"{counted(topics.lines, 'line')}, {counted(topics.size, 'byte')}"
        if not topics.form:
            yield f"{one_line(path)}: topics in a form that is not known here ({length})."
            continue
        words = Spread.of(len(text.split()) for text in topics.texts.values() if text)
        asked = f" Words of a topic: {words}." if words else ""
        yield f"{one_line(path)}: {counted(len(topics.texts), 'topic')} ({length}).{asked}"
    for path, found in counts.judgments.items():
        yield (
            f"{one_line(path)}: {counted(found.number, 'judgment')} of {counted(len(found.documents), 'document')} "
            f"for {counted(len(found.judged), 'topic')}."
        )
    if counts.runs:
        depths = Spread.of(depth for run in counts.runs.values() for depth in run.depths.values())
        names = {topic for run in counts.runs.values() for topic in run.depths}
        yield (
            f"{counted(len(counts.runs), 'run')}, in which topics have {counted(len(names), 'identifier')}. "
            f"Documents for a topic of a run: {depths}."
        )
    if thing.material.measurements:
        yield f"{counted(len(thing.material.measurements), 'measured value')}."


def _columns(counts: Counts) -> Iterator[str]:
    """Yield what an instance of each kind consists of."""
    if counts.judgments:
        yield "A judgment: the identifiers of topic and document, and a level of relevance."
    for path, topics in counts.topics.items():
        if topics.form:
            yield f"A topic in {one_line(path)}, {topics.form}: its identifier and {_listed(topics.fields)}."
    if counts.runs:
        yield "A line of a run: the identifiers of topic and document, the rank, the score and the tag of the run."


def _missing(counts: Counts) -> Iterator[str]:
    """Yield what some instances lack that others have."""
    judged = {topic for found in counts.judgments.values() for topic in found.judged}
    worded = {name for topics in counts.topics.values() for name, text in topics.texts.items() if text}
    ranked = {topic for run in counts.runs.values() for topic in run.depths}
    if judged and counts.topics:
        yield f"Topics without judgments: {_some(worded - judged)}."
        yield f"Judged topics without words: {_some(judged - worded)}."
    if judged and ranked:
        yield f"Topics of runs without judgments: {_some(ranked - judged)}."
        yield f"Judged topics that no run has: {_some(judged - ranked)}."
    for path, found in counts.judgments.items():
        below = sum(number for level, number in found.levels.items() if level < 0)
        if below:
            yield f"{one_line(path)}: {counted(below, 'document')} with a level below 0, in the pool and not judged."


def _doubles(thing: Thing, counts: Counts) -> Iterator[str]:
    """Yield which errors and doubles can be seen in the files."""
    for path, found in counts.judgments.items():
        yield (
            f"{one_line(path)}: lines that repeat an earlier judgment: {found.repeated:,}; pairs of topic and document "
            f"with more than one level: {found.contradicting:,}; lines that are no judgments: {found.unreadable:,}."
        )
    for path, topics in counts.topics.items():
        if topics.form:
            yield (
                f"{one_line(path)}: topics with the identifier of an earlier one: {topics.repeated:,}; "
                f"with the words of an earlier one: {topics.same_texts:,}."
            )
    if counts.runs or counts.unread:
        digests = Counter(file.sha256 for file in thing.runs)
        doubles = sum(number - 1 for number in digests.values())
        yield f"Runs with the same bytes as an earlier one: {doubles:,}; that cannot be read: {counts.unread:,}."


def _about_judgments(counts: Counts) -> Iterator[tuple[str, Answer]]:
    """Yield what judgments tell: how many documents they are of, their levels, and what topics have in common."""
    found = counts.judgments
    per_topic = tuple(
        f"{one_line(path)}: documents judged for a topic: {Spread.of(one.judged.values())}; all others are not judged. "
        "How those were chosen is asked in 3.3."
        for path, one in found.items()
        if one.number
    )
    yield "2.3", Answer(per_topic, "counted for each topic", is_partial=True)
    yield "2.5", Answer(tuple(line for item in found.items() for line in _levels(*item)), "counted in the files named")
    shared = tuple(
        f"{one_line(path)}: a judgment relates a document to a topic; {counted(one.shared, 'document')} of "
        f"{len(one.documents):,} ({_share(one.shared, len(one.documents))}) "
        f"{'is' if one.shared == 1 else 'are'} judged for more than one topic."
        for path, one in found.items()
        if one.number
    )
    yield "2.7", Answer(shared, "counted in the files named")


def _levels(path: str, found: Judgments) -> Iterator[str]:
    """Yield the levels that the judgments FOUND at PATH have."""
    if not found.number:
        return
    levels = ", ".join(
        f"level {level}: {number:,} ({_share(number, found.number)})" for level, number in sorted(found.levels.items())
    )
    yield f"{one_line(path)}: {levels}."
    relevant = Spread.of(found.relevant[topic] for topic in found.judged)
    yield (
        f"{one_line(path)}: documents of a topic that have a level above 0: {relevant}. "
        f"Topics without such a document: {_some(set(found.without_relevant))}."
    )


def _about_records(thing: Thing, citation: Citation) -> Iterator[tuple[str, Answer]]:
    """Yield what the records of runs state about why, by whom and from what these were made."""
    records = list(thing.records())
    goals = once(paragraphs(record.get("research goal.description", "")) for record in records)
    said = _only(paragraphs(thing.description))
    yield "1.1", Answer(goals or said, "stated in research goal.description" if goals else "stated as its description")
    people = tuple(
        one_line(person.name) + (f" ({one_line(person.team)})" if person.team and not name.is_team else "") + "."
        for person, name in citation.creators
    )
    yield "1.2", Answer(people, "stated in actor.name and actor.team", is_partial=True)
    trained = (one for record in records for one in datasets_of(record) if one.use == "training")
    splits = tuple(f"Trained on {one_line(one.name)}." for one in once(trained))
    yield "2.8", Answer(splits, "stated in data.training data", is_partial=True)
    needed = once(_needed(one) for one in citation.datasets)
    yield "2.10", Answer(needed, "stated in data", is_partial=True)
    used = once(
        " ".join(filter(None, (one_line(one.venue), str(one.year or ""), f"doi:{one.doi}" if one.doi else one.address)))
        for one in citation.publications
    )
    yield (
        "5.1",
        Answer(tuple(f"For the publication {one}." for one in used), "stated in research goal", is_partial=True),
    )
    mails = once(one_line(record.get("actor.mail", "")) for record in records)
    yield "7.2", Answer(tuple(f"{mail}." for mail in mails), "stated in actor.mail")


def _about_making(thing: Thing, citation: Citation) -> Iterator[tuple[str, Answer]]:
    """Yield what the records of runs state about how these were made."""
    records = list(thing.records())
    deeds = (deed for record in records if (deed := deed_of(record)))
    commands = _first([f"Made by the command: {redact(one_line(one))}" for one in once(deed.command for deed in deeds)])
    yield "3.1", Answer(commands, "recorded in implementation.executable.cmd", is_partial=True)
    tools = once(one_line(f"{one.name} {one.version}") for record in records for one in software_of(record))
    stages = (f"Stages of retrieval: {_listed(citation.stages)}.",) if citation.stages else ()
    yield "3.2", Answer((*stages, *_tools(tools)), "stated in method and platform.software", is_partial=True)
    if citation.created:
        first, last = citation.created
        spanned = f"On {first}." if first == last else f"From {first} to {last}."
        lines = (f"{spanned} This is when the runs were made.",)
        yield "3.5", Answer(lines, "recorded in resources.runtime", is_partial=True)
    indexing = once(_indexing(record.get("method.indexing")) for record in records)
    yield "4.1", Answer(_first(list(indexing)), "stated in method.indexing", is_partial=True)
    code = tuple(
        f"{one_line(one.source or one.name)}{f', commit {one_line(one.commit)}' if one.commit else ''}."
        for one in citation.code
    )
    yield "4.3", Answer(code, "stated in implementation.source", is_partial=True)


def _about_publishing(citation: Citation) -> Iterator[tuple[str, Answer]]:
    """Yield what the publisher states."""
    places = [f"doi:{citation.doi}" if citation.doi else "", citation.address]
    yield "6.2", Answer(tuple(f"{place}." for place in places if place), "stated by the publisher")
    yield "6.3", Answer(_only(f"{citation.day}." if citation.is_dated else ""), "stated by the publisher")
    licence = citation.licence
    text = " ".join(filter(None, (f"{licence.name}.", licence.address))) if licence else ""
    yield "6.4", Answer(_only(text), "stated by the publisher")
    yield "7.1", Answer(_only(f"{citation.publisher}." if citation.publisher else ""), "stated by the publisher")


def _needed(dataset: Dataset) -> str:
    """Return what has to be got from elsewhere."""
    places = [one_line(place) for place in (dataset.source, dataset.topics, dataset.qrels) if one_line(place)]
    name = one_line(dataset.name) + (f", ir_datasets {one_line(dataset.ir_datasets)}" if dataset.ir_datasets else "")
    return f"It needs {name}" + (f": {', '.join(once(places))}." if places else ", of which no address is stated.")


def _indexing(value: object) -> str:
    """Return how documents were indexed, as a record states it."""
    stated = [(path, one) for path, one in leaves(value) if is_stated(one)]
    return ", ".join(f"{written(path)}: {one_line(one)}" if path else one_line(one) for path, one in stated)


def _tools(tools: tuple[str, ...]) -> tuple[str, ...]:
    """Return the programs that were used in a line."""
    return (f"Software: {_listed(tools)}.",) if tools else ()


def _first(lines: list[str]) -> tuple[str, ...]:
    """Return the first of LINES, and how many more there are."""
    more = len(lines) - _MOST_LISTED
    return (*lines[:_MOST_LISTED], *((f"And {more:,} more.",) if more > 0 else ()))


def _listed(names: Iterable[str]) -> str:
    """Return the first of NAMES with commas between them."""
    known = list(names)
    more = len(known) - _MOST_LISTED
    return ", ".join([*known[:_MOST_LISTED], *([f"and {more:,} more"] if more > 0 else [])]) or "nothing else"


def _some(topics: set[str]) -> str:
    """Return how many TOPICS there are, and the first of them."""
    return f"{len(topics):,} ({_listed(sorted(topics))})" if topics else "none"


def _share(part: int, whole: int) -> str:
    """Return PART as a share of WHOLE."""
    return f"{100 * part / whole:.1f} %"


def _only(text: str) -> tuple[str, ...]:
    """Return TEXT as the only line, none if it is empty."""
    return (text,) if text else ()
