"""Which of the addresses that a record names no longer lead anywhere?

    addresses      the addresses in a record: links, DOIs, repositories
    unreachable    those of many records that do not answer, each asked once

Records come from outside, so what is asked is bounded: only http and https, no addresses inside this network unless
allowed, a few seconds each, and no more of an answer is read than its status.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urlsplit

from primad.metadata.paths import leaves
from primad.metadata.secrets import redact_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from http.client import HTTPMessage

    from primad.metadata.paths import Path
    from primad.metadata.record import Tree

_PATIENCE = 10.0
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
        answers = dict(zip(asked, pool.map(lambda address: _ask(address, inside=inside), asked), strict=True))
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


def _ask(address: str, *, inside: bool) -> str:
    """Return why ADDRESS does not answer, empty if it does."""
    reason = _refused(address, inside=inside)
    if reason:
        return reason
    opener = urllib.request.build_opener(_Guard(inside=inside))
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
    private = [host for host in hosts if not ipaddress.ip_address(str(host).split("%")[0]).is_global]
    return f"is an address inside this network ({private[0]}), which is not asked" if private else ""
