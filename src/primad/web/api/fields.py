"""What may be asked, and how long may it be?

Name, Query, Words, Key ...   texts with bounds, as both databases can hold them
Asking                        the form of what is sent: what it does not know is refused
plain                         an answer as JSON has it
refuse_without                refuse whoever acts unless they came for this

A text that no database could hold is written out, as it is for pages.
"""

from __future__ import annotations

from typing import Annotated, Any

from ninja import Schema
from pydantic import AfterValidator, ConfigDict, StringConstraints, TypeAdapter

from primad.archive.search.facts import storable
from primad.archive.search.language import LONGEST_QUERY
from primad.errors import NotAllowed
from primad.store.actors import current

_storable = AfterValidator(storable)

Name = Annotated[str, StringConstraints(max_length=300), _storable]
Words = Annotated[str, StringConstraints(max_length=2_000), _storable]
Query = Annotated[str, StringConstraints(max_length=LONGEST_QUERY // 2), _storable]
ShortQuery = Annotated[str, StringConstraints(max_length=4_000), _storable]  # in an address, which cannot be longer
Measure = Annotated[str, StringConstraints(min_length=1, max_length=100), _storable]
Key = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]


class Asking(Schema):
    """Something that is sent; a field that is not known is refused, for it was meant to change something."""

    model_config = ConfigDict(extra="forbid")


def plain(kind: Any, value: Any) -> Any:
    """Return VALUE, of a KIND, as JSON has it and as both databases can hold it."""
    return storable(TypeAdapter(kind).dump_python(value, mode="json"))


def refuse_without(scope: str) -> None:
    """Refuse whoever acts unless they are known and came for SCOPE."""
    actor = current()
    if not actor.is_known:
        raise NotAllowed("sign in first: send a token as Authorization: Bearer primad_...")
    if scope not in actor.scopes:
        raise NotAllowed(f"this token may not do that; make one with the scope '{scope}'")
