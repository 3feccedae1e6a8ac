"""How does a command ask a site?

    RemoteSite   a site: questions to it, files from and to it, and jobs that are waited for
    address_of   the address of a site as it is kept
    Unreachable  a site that does not answer

A question that failed on its way is asked again, with the same key, so that nothing is done twice.  A token is sent
by https only, or to this machine, and then past every proxy; no message holds it.
"""

from __future__ import annotations

import ipaddress
import os
import re
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from primad.cli._output import say
from primad.cli.remote.tokens import token_for
from primad.errors import DataError, FileError, NotAllowed, PairingError, UsageError

if TYPE_CHECKING:
    import httpx

_PATIENCE = 120.0
_TRIES = 4
_PAUSE = 0.5
_POLL = 0.5
_AWAY = (502, 503, 504)  # the site, or what it needs, is not there for a while
_AGAIN = (429, *_AWAY)
_BUSY = 409  # with a word about when to come again: the same question is being answered
_LONGEST_PAUSE = 30.0
_MOST_SILENCES = 20  # so often a site may not answer while a job is waited for: somebody starts it anew
_WAS = {"failed": "has failed", "cancelled": "was cancelled"}
_TOKEN = re.compile(r"[\x21-\x7e]{1,500}")
_EXAMPLE = "the address of a site, such as https://runs.example.org"


def address_of(text: str) -> str:
    """Return the address of a site as it is kept.

    >>> address_of("https://Runs.example.org/")
    'https://runs.example.org'
    """
    shown = f"'{text:.80}'" if "@" not in text else "one with an @, which may hold a password"
    try:
        parts = urlsplit(text.strip())
        is_whole = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # a port or an address that is none
        raise UsageError(f"expected {_EXAMPLE}, found {shown}") from None
    if not is_whole or parts.username is not None or parts.query or parts.fragment:
        raise UsageError(f"expected {_EXAMPLE}, found {shown}")
    return f"{parts.scheme}://{parts.netloc.lower()}{parts.path.rstrip('/')}"


def _is_here(address: str) -> bool:
    """Tell whether ADDRESS is one of this machine."""
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Unreachable(FileError):
    """A site that does not answer."""


@dataclass(frozen=True)
class RemoteSite:
    """A site at an ADDRESS, asked with a TOKEN, if there is one."""

    address: str
    token: str = field(default="", repr=False)

    @classmethod
    def at(cls, text: str) -> RemoteSite:
        """Return the site at the address that TEXT says, with the token that is kept for it."""
        address = address_of(text)
        home = os.environ.get("PRIMAD_SERVER", "")
        return cls(address, token_for(address, address_of(home) if home else ""))

    def __post_init__(self) -> None:
        """Refuse a site that a token cannot be sent to safely, and what cannot be a token; it is not shown."""
        if self.token and not _TOKEN.fullmatch(self.token):
            raise UsageError("expected a token such as primad_..., found something with blanks or signs that none has")
        if self.token and not self.address.startswith("https:") and not _is_here(self.address):
            raise UsageError(f"a token is sent by https only; expected https://..., found {self.address}")

    # Asking ----------------------------------------------------------------------------------------------------

    def get(self, kind: Any, *path: Any, **query: Any) -> Any:
        """Return what is at PATH, as a KIND of values."""
        return self._read(kind, self._ask("GET", path, params=_given(query)))

    def send(self, kind: Any, method: str, *path: Any, **body: Any) -> Any:
        """Send BODY by METHOD to PATH, and return the answer as a KIND of values."""
        return self._read(kind, self._ask(method, path, json=_text(body), headers=_key()))

    def change(self, kind: Any, method: str, *path: Any, **query: Any) -> Any:
        """Change what is at PATH by METHOD, as QUERY says, and return the answer as a KIND of values."""
        return self._read(kind, self._ask(method, path, params=_given(query), headers=_key()))

    def upload(self, kind: Any, *path: Any, files: list[tuple[str, str, bytes]], fields: Mapping[str, Any]) -> Any:
        """Send FILES, each a field, a name and its content, and FIELDS to PATH; return the answer as a KIND."""
        parts = [(name, (_text(file), data, "application/octet-stream")) for name, file, data in files]
        return self._read(kind, self._ask("POST", path, files=parts, data=_given(fields), headers=_key()))

    def download(self, *path: Any, **query: Any) -> bytes:
        """Return the file at PATH."""
        return self._ask("GET", path, params=_given(query)).content

    def followed(self, key: str, show: Callable[[Any], None] = lambda _job: None) -> dict[str, Any]:
        """Wait for the job KEY, SHOW how far it is, and return everything about it; one that failed is an error.

        Whoever interrupts the program calls the job off.
        """
        try:
            return self._followed(key, show)
        except KeyboardInterrupt:
            job: dict[str, Any] = self.send(dict[str, Any], "POST", "jobs", key, "cancellation")
            raise DataError(f"the job '{job['title']}' is called off: {job['why']}") from None

    def _followed(self, key: str, show: Callable[[Any], None]) -> dict[str, Any]:
        """Wait for the job KEY; a site that does not answer may be back soon, and the job goes on."""
        silences = 0
        while True:
            try:
                job: dict[str, Any] = self.get(dict[str, Any], "jobs", key)
            except Unreachable:
                silences += 1
                if silences >= _MOST_SILENCES:
                    raise
                if silences == 1:
                    say(f"{self.address} does not answer; waiting for it, for the job goes on there")
            else:
                silences = 0
                show(job)
                if job["state"] == "done":
                    return job
                if job["state"] in ("failed", "cancelled"):
                    raise DataError(f"the job '{job['title']}' {_WAS[job['state']]}: {job['why']}")
            time.sleep(_POLL)

    # How it is done --------------------------------------------------------------------------------------------

    def _read(self, kind: Any, response: httpx.Response) -> Any:
        """Return the content of RESPONSE as a KIND of values."""
        from pydantic import TypeAdapter, ValidationError

        if kind is None:
            return None
        try:
            return TypeAdapter(kind).validate_json(response.content)
        except ValidationError as error:
            first = error.errors()[0]
            raise FileError(
                self.address,
                f"answers in a form that is not known here ({'.'.join(map(str, first['loc']))}: {first['msg']})",
                "is the site of another version?",
            ) from None

    def _ask(self, method: str, path: tuple[Any, ...], **content: Any) -> httpx.Response:
        """Return the answer to a question; what failed on its way is asked again."""
        url = "/".join((f"{self.address}/api/v1", *(quote(_text(str(part)), safe="") for part in path)))
        with self._client() as client, self._explained():
            for left in reversed(range(_TRIES)):
                response = self._tried(client, method, url, content, is_last=not left)
                if response is not None and (not left or not _is_worth_another(response)):
                    return self._checked(response)
                time.sleep(_pause(response, _PAUSE * (_TRIES - left)))
        raise AssertionError  # the last try returns or raises

    def _tried(
        self, client: httpx.Client, method: str, url: str, content: Mapping[str, Any], *, is_last: bool
    ) -> httpx.Response | None:
        """Return the answer to one try, None where it failed on its way and is not the last."""
        import httpx

        try:
            return client.request(method, url, **content)
        except (httpx.ConnectError, httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError):
            if is_last:
                raise
            return None

    @contextmanager
    def _client(self) -> Iterator[httpx.Client]:
        """Return what asks."""
        import httpx

        headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {self.token}"} if self.token else {})
        is_away = not _is_here(self.address)  # else nothing, and no token, goes by way of a proxy
        with httpx.Client(headers=headers, timeout=_PATIENCE, follow_redirects=False, trust_env=is_away) as client:
            yield client

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Say what goes wrong on the way."""
        import httpx

        try:
            yield
        except httpx.TimeoutException:
            raise Unreachable(self.address, f"did not answer within {_PATIENCE:.0f} s", "try again later") from None
        except httpx.HTTPError as error:
            said = " ".join(str(error).split())[:200] or type(error).__name__
            raise Unreachable(self.address, f"cannot be reached ({said})", "is the address right?") from None

    def _checked(self, response: httpx.Response) -> httpx.Response:
        """Return RESPONSE unless it says that something is wrong."""
        if response.is_success:
            return response
        detail = _detail(response)
        sign_in = f"sign in with: primad login {self.address}"
        match response.status_code:
            case 401:
                raise NotAllowed(f"{detail}; {sign_in}")
            case 403:
                raise NotAllowed(detail if self.token else f"{detail}; {sign_in}")
            case 404:
                raise PairingError(detail)
            case 414:
                raise DataError("this question is too long for a site; ask with fewer words")
            case status if status in _AWAY:
                raise Unreachable(self.address, f"cannot answer now: {detail}", "try again in a while")
            case status if status >= 500:  # noqa: PLR2004 - the site itself is at fault
                raise FileError(self.address, f"has failed ({status})", "tell whoever runs it when that was")
            case status if 300 <= status < 400:  # noqa: PLR2004 - the site is elsewhere
                raise FileError(self.address, "is elsewhere", f"use {response.headers.get('location', 'that')[:200]}")
        raise DataError(detail)


def _detail(response: httpx.Response) -> str:
    """Return what RESPONSE says is wrong."""
    from primad.metadata.showing import harmless

    try:
        return harmless(str(response.json()["detail"]), keep="\n")
    except (ValueError, KeyError, TypeError):
        return f"the site answered with {response.status_code}, and not as one of primad does"


def _is_worth_another(response: httpx.Response) -> bool:
    """Tell whether the same question may get another answer in a moment."""
    return response.status_code in _AGAIN or (response.status_code == _BUSY and "retry-after" in response.headers)


def _pause(response: httpx.Response | None, usual: float) -> float:
    """Return how long to wait before the next try: as long as RESPONSE says, within reason."""
    said = "" if response is None else response.headers.get("retry-after", "")
    return min(max(float(said), usual), _LONGEST_PAUSE) if said.isdecimal() else usual


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of VALUES that are given, as a question has them."""
    said = {True: "true", False: "false"}
    return {
        name: said[value] if isinstance(value, bool) else _text(value)
        for name, value in values.items()
        if value is not None and value != ""
    }


def _text(value: Any) -> Any:
    """Return VALUE, of which bytes that are no text are replaced; a shell hands on any."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, Mapping):
        return {_text(key): _text(one) for key, one in value.items()}
    return [_text(one) for one in value] if isinstance(value, list | tuple) else value


def _key() -> dict[str, str]:
    """Return the key by which a site knows a question that is asked again."""
    return {"Idempotency-Key": uuid.uuid4().hex}
