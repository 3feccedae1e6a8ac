"""A program that asks the API of a small site, for tests.

Asker   questions of somebody in a role, with a token of theirs
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from django.test import Client

from tests.web.small_site import SmallSite

BASE = "/api/v1"


@dataclass(frozen=True)
class Answer:
    """What was answered: a STATUS, the HEADERS, and the content."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def json(self) -> Any:
        """Return the content as JSON has it."""
        return json.loads(self.content)

    @property
    def detail(self) -> str:
        """Return what is wrong, as problem details have it."""
        assert self.headers["Content-Type"] == "application/problem+json"
        return str(self.json["detail"])


@dataclass
class Asker:
    """Questions to SITE of somebody in a ROLE, whose token is good for SCOPES, all of them if none are named."""

    site: SmallSite
    role: str = "visitor"
    scopes: tuple[str, ...] = ()
    client: Client = field(default_factory=Client)

    def __post_init__(self) -> None:
        """Make a token."""
        self.site.archive()  # which lets Django speak to the database of this site
        self.token = "" if self.role == "visitor" else self.site.token(self.role, *self.scopes)

    def ask(self, method: str, path: str, body: Any = None, *, key: str = "", **headers: str) -> Answer:
        """Return the answer to a question whose BODY is JSON."""
        data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        answer = self.client.generic(
            method, f"{BASE}{path}", data, "application/json", headers=self._named(key, headers)
        )
        return _answer(answer)

    def get(self, path: str, **headers: str) -> Answer:
        """Return what is at PATH."""
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: Any = None, *, key: str = "") -> Answer:
        """Return the answer to BODY, sent to PATH."""
        return self.ask("POST", path, {} if body is None else body, key=key)

    def send(self, path: str, fields: Mapping[str, Any], *, key: str = "") -> Answer:
        """Return the answer to a form with FIELDS, of which some are files."""
        return _answer(self.client.post(f"{BASE}{path}", dict(fields), headers=self._named(key, {})))

    def _named(self, key: str, headers: Mapping[str, str]) -> dict[str, str]:
        """Return the headers of a question."""
        signed = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return {**signed, **({"Idempotency-Key": key} if key else {}), **headers}


def _answer(response: Any) -> Answer:
    """Return RESPONSE as an answer."""
    content = b"".join(response.streaming_content) if response.streaming else response.content
    return Answer(response.status_code, dict(response.headers), content)


def upload(name: str, text: str | bytes) -> BytesIO:
    """Return a file called NAME as a form sends it."""
    file = BytesIO(text.encode() if isinstance(text, str) else text)
    file.name = name
    return file
