"""A datasheet of a collection or an experiment, by the questions of Gebru et al. (doi:10.1145/3458723).

    write     a thing as Markdown, every question with its answer or with the words that there is none

What files and records tell is answered, and each answer says where it comes from; all else is left to whoever made the
data, and a remark lists it.  Text from outside is escaped, so that it can be neither a heading nor markup.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from primad.exchange.citations.citing import (
    ON_DATA,
    ON_PUBLICATIONS,
    ON_SOFTWARE,
    ON_TIMES,
    citation_of,
    remarks_on,
    what_is_lost,
)
from primad.exchange.datasheets.answers import answers_of, told_facts
from primad.exchange.datasheets.questions import DOI, NUMBER_OF_QUESTIONS, SECTIONS
from primad.exchange.formats import Written, writes
from primad.exchange.plain_text import as_uri, one_line, shortened
from primad.exchange.thing import File

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.exchange.citations.citing import Citation
    from primad.exchange.datasheets.answers import Answer
    from primad.exchange.thing import Thing

NOT_ANSWERED = "not answered"

# What is carried besides what every citation carries.
_CARRIED = (
    *ON_SOFTWARE,
    *ON_PUBLICATIONS,
    "implementation.executable.cmd",
    "implementation.source.repository",
    "implementation.source.commit",
    "method.indexing",
    "actor.mail",  # the questions ask how to reach somebody
    *ON_DATA,
    *ON_TIMES,
)
_MARKUP = re.compile(r"[\\`*_\[\]#|~]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_BEGINNING = re.compile(r"[-+=]|\d{1,9}[.)]")
_ADDRESS = re.compile(r"(?P<least>https?://\S)\S*")
_BEHIND_ADDRESS = ".,:;)"


@writes("datasheet", title="Datasheet (Gebru et al.)", source=f"https://doi.org/{DOI}", of=("collection", "experiment"))
def write(thing: Thing) -> Written:
    """Return THING as a datasheet."""
    citation = citation_of(thing)
    answers = answers_of(thing, citation)
    text = "\n".join(_lines(citation, answers)) + "\n"
    file = File.of_bytes(text.encode(), f"{thing.name}.datasheet.md", "other")
    remarks = (*_remarks(answers), *remarks_on(citation))
    lost = what_is_lost(citation, thing, _CARRIED, facts=told_facts(thing))
    return Written((file,), tuple(lost), remarks)


def _remarks(answers: dict[str, Answer]) -> Iterator[str]:
    """Yield which questions are left to whoever made the data."""
    asked = [question.number for questions in SECTIONS.values() for question in questions]
    left = [number for number in asked if number not in answers]
    partly = [number for number in asked if number in answers and answers[number].is_partial]
    yield f"{len(left)} of {NUMBER_OF_QUESTIONS} questions are not answered: {', '.join(left)}; fill them in"
    if partly:
        yield f"of the others, {len(partly)} are answered only in part: {', '.join(partly)}; complete them"


def _lines(citation: Citation, answers: dict[str, Answer]) -> Iterator[str]:
    """Yield the datasheet line by line."""
    yield from (f"# Datasheet: {in_markdown(citation.title)}", "")
    yield (
        f"The questions are those of Gebru et al., *Datasheets for Datasets* (<https://doi.org/{DOI}>), in other words "
        f"and in their order. {len(answers)} of {NUMBER_OF_QUESTIONS} have an answer that files and records give, and "
        f"each says how it is known. Where there is none it reads *{NOT_ANSWERED}*: whoever made the data can tell."
    )
    for title, questions in SECTIONS.items():
        yield from ("", f"## {title}")
        for question in questions:
            yield from ("", f"### {question.number} {question.text}", "")
            yield from _answered(answers.get(question.number))


def _answered(answer: Answer | None) -> Iterator[str]:
    """Yield the lines of ANSWER, or that there is none."""
    if answer is None:
        yield f"*{NOT_ANSWERED}*"
        return
    yield from (f"- {in_markdown(shortened(line))}" for line in answer.lines)
    rest = ". The rest of the question is not answered" if answer.is_partial else ""
    yield from ("", f"*How this is known: {answer.how}{rest}.*")


def in_markdown(text: str) -> str:
    r"""Return TEXT on one line, with nothing in it that means something to Markdown or HTML, and addresses as links.

    >>> in_markdown("# a <b> at https://example.org/x_y, 1 * 2")
    '\\# a &lt;b&gt; at <https://example.org/x_y>, 1 \\* 2'
    """
    words = " ".join(map(_word, one_line(text).split(" ")))
    return f"&#{ord(words[0])};{words[1:]}" if _BEGINNING.match(words) else words


def _word(word: str) -> str:
    """Return WORD as Markdown has to write it."""
    address = _ADDRESS.fullmatch(word)
    if address:
        end = max(address.end("least"), len(word.rstrip(_BEHIND_ADDRESS)))
        return f"<{as_uri(word[:end])}>{word[end:]}"
    escaped = _MARKUP.sub(lambda found: f"\\{found[0]}", word)
    return re.sub("[&<>]", lambda found: _ENTITIES[found[0]], escaped)
