"""Which of the addresses that a record names no longer lead anywhere?

    addresses      the addresses in a record: links, DOIs, repositories
    unreachable    those of many records that do not answer, each asked once

Records come from outside, so what is asked is bounded: only http and https, no addresses inside this network unless
allowed, some seconds each however slowly the server talks, and no more of an answer is read than its status.  A name
may lead elsewhere the second time it is looked up, so the address that was connected to is looked at too.
"""

from __future__ import annotations

import http.client
import ipaddress
import queue
import re
import socket
import threading
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urlsplit

from primad.metadata.paths import leaves
from primad.metadata.secrets import redact_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from http.client import HTTPMessage

    from primad.metadata.paths import Path
    from primad.metadata.record import Tree

_PATIENCE = 10.0  # with each step of the network
_DEADLINE = 20.0  # for all that is asked about one address
_AT_A_TIME = 8
_MOST_ADDRESSES = 1000
_DOI = re.compile(r"(?:doi:)?(10\.[0-9]{4,9}/\S+)")
_SCP_LIKE = re.compile(r"git@([\w.-]+):(\S+?)(?:\.git)?")
# The server is there and answers, only not to us: no reason to doubt the address.
_ANSWERS = {401, 403, 406, 418, 429, 503}
_BROWSER_LIKE = {"User-Agent": "primad (checks whether addresses in metadata resolve)", "Accept": "*/*"}


def addresses(tree: Tree) -> Iterator[tuple[Path, str]]:
    """Yield where TREE names an address, and the address that a browser would be given."""
    for path, value in leaves(tree):
        address = _address(value.strip()) if isinstance(value, str) else None
        if address:
            yield path, address


def _address(text: str) -> str | None:
    """Return the web address that TEXT stands for, if any.

    >>> _address("doi:10.1145/3477495.3531738"), _address("git@example.org:team/code.git"), _address("bm25")
    ('https://doi.org/10.1145/3477495.3531738', 'https://example.org/team/code', None)
    """
    if re.match(r"https?://\S+$", text):
        return redact_url(text)
    if found := _DOI.fullmatch(text):
        return f"https://doi.org/{found[1]}"
    if found := _SCP_LIKE.fullmatch(text):
        return f"https://{found[1]}/{found[2]}"
    return None


def unreachable(wanted: Iterable[str], *, inside: bool = False) -> dict[str, str]:
    """Return why each of the addresses WANTED does not answer; INSIDE allows addresses of this network."""
    each = list(dict.fromkeys(wanted))
    asked, left_out = each[:_MOST_ADDRESSES], each[_MOST_ADDRESSES:]
    with ThreadPoolExecutor(_AT_A_TIME) as pool:
        answers = dict(zip(asked, pool.map(partial(_ask_in_time, inside=inside), asked), strict=True))
    reasons = {address: reason for address, reason in answers.items() if reason}
    return reasons | dict.fromkeys(left_out, f"was not asked: more than {_MOST_ADDRESSES:,} addresses")


class _Guard(urllib.request.HTTPRedirectHandler):
    """Follows only redirects to addresses that could have been asked at first."""

    def __init__(self, *, inside: bool) -> None:
        """Allow addresses INSIDE this network, or not."""
        self.inside = inside

    def http_error_302(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage
    ) -> Any:
        """Follow, and close the connection also where the new address is refused."""
        try:
            return super().http_error_302(req, fp, code, msg, headers)
        except (ValueError, urllib.error.URLError):
            fp.close()
            raise

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302

    def redirect_request(self, *answer: Any) -> urllib.request.Request | None:
        """Refuse to be led elsewhere, and go on with the same method; the new address comes last."""
        reason = _refused(answer[-1], inside=self.inside)
        if reason:
            raise urllib.error.URLError(reason)
        request = super().redirect_request(*answer)
        if request:
            request.method = answer[0].get_method()
        return request


def _ask_in_time(address: str, *, inside: bool) -> str:
    """Return why ADDRESS does not answer, empty if it does; give up at the deadline.

    A server that sends a byte now and then never lets a step of the network time out, and a name server may take as
    long as it likes: so a thread asks, and is left behind.  It is a daemon, which no process waits for.
    """
    attempt = _Attempt(inside=inside)
    answers: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=lambda: answers.put(_ask(address, attempt)), daemon=True).start()
    try:
        return answers.get(timeout=_DEADLINE)
    except queue.Empty:
        return "does not answer (timed out)"
    finally:
        attempt.end()


class _Attempt:
    """What is connected for the sake of one address, and can be cut off from another thread."""

    def __init__(self, *, inside: bool) -> None:
        """Allow addresses INSIDE this network, or not."""
        self.inside = inside
        self._has_ended = False
        self._connected: list[socket.socket] = []
        self._lock = threading.Lock()

    def take(self, connected: socket.socket, *, is_proxy: bool) -> None:
        """Refuse what is CONNECTED where it may not be; a proxy may be inside, and looks names up itself."""
        with self._lock:
            if self._has_ended:
                raise TimeoutError("timed out")
            self._connected.append(connected.dup())  # TLS takes the socket itself over
        host = str(connected.getpeername()[0])
        if not (self.inside or is_proxy or _is_outside(host)):
            raise PermissionError(f"leads to an address inside this network ({host}), which is not asked")

    def end(self) -> None:
        """Cut off whatever is connected still, and allow nothing further."""
        with self._lock:
            self._has_ended = True
            for connected in self._connected:
                with connected, suppress(OSError):
                    connected.shutdown(socket.SHUT_RDWR)
            self._connected.clear()


class _Connection(http.client.HTTPConnection):
    """A connection that is looked at before anything is asked."""

    attempt: _Attempt
    is_proxy: bool

    def connect(self) -> None:
        """Connect, and go on only if that was allowed."""
        super().connect()
        self.attempt.take(self.sock, is_proxy=self.is_proxy)


class _SecureConnection(http.client.HTTPSConnection, _Connection):
    """The same with TLS, which begins after the look."""


class _Web(urllib.request.HTTPHandler, urllib.request.HTTPSHandler):
    """Opens addresses of http and https for an attempt."""

    def __init__(self, attempt: _Attempt) -> None:
        """Open for the sake of ATTEMPT."""
        super().__init__()
        self.attempt = attempt

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """Open what REQ asks for."""
        return self.do_open(partial(self._connection, _Connection, req), req)

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """Open what REQ asks for, by TLS."""
        return self.do_open(partial(self._connection, _SecureConnection, req), req)

    def _connection(
        self, kind: type[_Connection], req: urllib.request.Request, host: str, **options: Any
    ) -> _Connection:
        """Return a connection of that KIND to HOST, which is that of the address or a proxy."""
        connection = kind(host, **options)
        connection.attempt = self.attempt
        connection.is_proxy = req.host != urlsplit(req.full_url).netloc
        return connection


def _ask(address: str, attempt: _Attempt) -> str:
    """Return why ADDRESS does not answer, empty if it does."""
    reason = _refused(address, inside=attempt.inside)
    if reason:
        return reason
    opener = urllib.request.build_opener(_Guard(inside=attempt.inside), _Web(attempt))
    for method in ("HEAD", "GET"):
        request = urllib.request.Request(address, method=method, headers=_BROWSER_LIKE)  # noqa: S310  # only http(s) gets here
        try:
            with opener.open(request, timeout=_PATIENCE):
                return ""
        except urllib.error.HTTPError as error:
            error.close()
            if error.code in _ANSWERS:
                return ""
            # Some servers do not know HEAD, so the last word is that about GET.
            reason = f"answers with {error.code} {' '.join(str(error.reason).split())}".rstrip()
        except (OSError, ValueError) as error:
            return f"does not answer ({getattr(error, 'reason', None) or error})"
        except Exception as error:  # noqa: BLE001  # http.client has errors of many kinds for servers that talk nonsense
            return f"does not answer with HTTP ({type(error).__name__})"
    return reason


def _refused(address: str, *, inside: bool) -> str:
    """Return why ADDRESS is not asked, empty if it may be."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return "is no web address"
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return "is no web address"
    if inside:
        return ""
    try:
        hosts = {info[4][0] for info in socket.getaddrinfo(parts.hostname, port or 443, type=socket.SOCK_STREAM)}
    except (OSError, ValueError) as error:
        return f"does not answer ({getattr(error, 'strerror', None) or error})"
    private = [host for host in hosts if not _is_outside(str(host))]
    return f"is an address inside this network ({private[0]}), which is not asked" if private else ""


def _is_outside(host: str) -> bool:
    """Return whether the address HOST, in numbers, is one of the whole world."""
    return ipaddress.ip_address(host.partition("%")[0]).is_global
