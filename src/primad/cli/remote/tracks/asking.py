"""How is a site asked about a track?

Asking    a track of a site, and questions about it
plain     a value as JSON can hold it
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from primad.cli.remote.site import RemoteSite
from primad.errors import PairingError


@dataclass(frozen=True)
class Asking:
    """The track SLUG of a SITE."""

    site: RemoteSite
    slug: str

    def get(self, kind: Any, *path: Any, **query: Any) -> Any:
        """Return what is at PATH below this track, as a KIND of values."""
        return self.site.get(kind, "tracks", self.slug, *path, **query)

    def send(self, kind: Any, method: str, *path: Any, **body: Any) -> Any:
        """Send BODY to PATH below this track, and return the answer as a KIND of values."""
        return self.site.send(kind, method, "tracks", self.slug, *path, **plain(body))

    def upload(self, kind: Any, *path: Any, files: list[tuple[str, str, bytes]], fields: Mapping[str, Any]) -> Any:
        """Send FILES and FIELDS to PATH below this track, and return the answer as a KIND of values."""
        return self.site.upload(kind, "tracks", self.slug, *path, files=files, fields=fields)

    def path_of(self, address: str) -> tuple[str, ...]:
        """Return the path of the submission with this ADDRESS, TEAM/NAME, or NAME if only one has it."""
        found = address if "/" in address else self.called(f"submission:{address}")[1]
        team, _, name = found.partition("/")
        if not team or not name or "/" in name:
            raise PairingError(f"expected a submission as TEAM/NAME, found '{address:.80}'")
        return "submissions", team, name

    def sheet_path(self, analyst: str, address: str) -> tuple[str, ...]:
        """Return the path of the sheet of ANALYST on the submission with this ADDRESS."""
        return ("sheets", analyst, *self.path_of(address)[1:])

    def called(self, name: str) -> tuple[str, str]:
        """Return what NAME means, as its kind and its name."""
        found = self.get(dict[str, str], "things", name=name)
        return found["kind"], found["name"]


def plain(value: Any) -> Any:
    """Return VALUE as JSON can hold it: times with their zones, words of a choice as words."""
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value.isoformat() if isinstance(value, date) else str(value) if isinstance(value, str) else value
