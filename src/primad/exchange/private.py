"""What of a thing may its publisher not want everybody to read?

private_in    a remark on each kind of it that stands in what is published

Secrets become REDACTED in everything that a format writes, and mail addresses are written by none but the one that asks
how to reach somebody.  A command stays as it was, with the folders that it names, or nobody could repeat it.  But the
files of a thing are handed over byte for byte, with all that their records say: so whoever publishes them is told.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from primad.exchange.remarking import together
from primad.metadata.paths import leaves
from primad.metadata.secrets import redact_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from primad.exchange.thing import Thing
    from primad.metadata.record import Record

# Where a path follows, as in git@example.org:team/code, it is how a repository is reached.  Nothing that was read is
# given back: behind a shorter host the same path would follow.
_MAIL = re.compile(r"[\w.+-]{1,64}+@[\w-]{1,64}+(?:\.[\w-]{1,64}+)++(?![\w.-]*+[:/][\w~.-])")
_HOME = re.compile(r"(?:/home/|/Users/|[A-Za-z]:\\Users\\)[^/\\\s'\"]{1,64}")
_LOOK = "look before you publish it"


def private_in(thing: Thing, text: str | None = None) -> Iterator[str]:
    """Yield what is private in the records of THING; where all that is published is TEXT, in as far as it has it."""
    plain = None if text is None else text.replace("\\\\", "\\")  # as JSON has a path of Windows
    return together(_remarks(thing, lambda word: plain is None or word in plain))


def _remarks(thing: Thing, is_published: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    """Yield each file of THING that has something private in its metadata, and what; a run once with what it shares."""
    runs = {run.path for run in thing.runs}
    for file in thing.files:
        if file.record is None or file.about in runs:
            continue
        if redact_tree(file.record.tree) != file.record.tree:
            yield file.path, f"what looks like a secret in the metadata: {_LOOK}"
        found = list(_words(file.record))
        if any(_MAIL.fullmatch(word) and is_published(word) for word in found):
            yield file.path, f"a mail address in the metadata: {_LOOK}"
        if any(_HOME.fullmatch(word) and is_published(word) for word in found):
            yield file.path, f"somebody's home folder in the metadata: {_LOOK}"


def _words(record: Record) -> Iterator[str]:
    """Yield the mail addresses and home folders that RECORD names."""
    for _, value in leaves(record.tree):
        if isinstance(value, str):
            yield from _MAIL.findall(value)
            yield from _HOME.findall(value)
