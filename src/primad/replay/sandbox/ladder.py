"""Which sandbox does this machine have?  The highest rung that holds, by its self-test.

    find_sandbox   a container engine, else bubblewrap, else nothing but trust

A rung that works but does not hold is not used, and the ladder never falls to the plain rung by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.errors import UsageError, WorkError
from primad.replay.result import Rung, Sandbox
from primad.replay.sandbox.bubblewrap import Bubblewrap
from primad.replay.sandbox.container import ENGINES, Container
from primad.replay.sandbox.holder import Enclosure
from primad.replay.sandbox.plain import Plain
from primad.replay.sandbox.self_test import is_there, try_out

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.replay.sandbox.holder import Holder

_WHAT_TO_DO = "install bubblewrap (apt-get install bubblewrap), or run a system that you trust with --trust"


def find_sandbox(*, trust: bool = False, wanted: Rung | None = None, image: str = "") -> Enclosure:
    """Return the highest rung that this machine has, or the one WANTED; the plain one only with TRUST.

    A container engine is used if an IMAGE is named.
    """
    if wanted is not None and not isinstance(wanted, Rung):  # a text that is the name of one is equal to it
        raise UsageError(f"expected one of {', '.join(f'Rung.{rung.name}' for rung in Rung)}, found {wanted!r}")
    if wanted is Rung.PLAIN and not trust:
        raise UsageError("the plain rung holds nothing, so it has to be asked for with --trust")
    tried: list[str] = []
    for rung in [wanted] if wanted else Rung:
        found = _held_by(rung, trust=trust, image=image, tried=tried)
        if found:
            return found
    raise WorkError(f"found no sandbox; tried {'; '.join(tried)}; {_WHAT_TO_DO}")


def _held_by(rung: Rung, *, trust: bool, image: str, tried: list[str]) -> Enclosure | None:
    """Return what holds on RUNG, if anything does; what was TRIED in vain is noted."""
    if rung is Rung.PLAIN and not trust:
        tried.append("plain: not without --trust")
        return None
    if rung is Rung.CONTAINER and not image:
        tried.append("container: no image is named")
        return None
    for program, holder in _holders(rung, image):
        if program and not is_there(program):
            tried.append(f"{program}: not installed")
            continue
        finding = try_out(holder)
        if finding.broken:
            tried.append(f"{holder.engine}: does not work here ({finding.broken})")
        elif finding.open and rung is not Rung.PLAIN:
            tried.append(f"{holder.engine}: does not keep a command from {', '.join(finding.open)}")
        else:
            return Enclosure(holder, Sandbox(rung, holder.engine, finding.held, finding.open))
    return None


def _holders(rung: Rung, image: str) -> Iterator[tuple[str, Holder]]:
    """Yield what can hold a command on RUNG, each with the program it needs."""
    if rung is Rung.CONTAINER:
        for engine in ENGINES:
            yield engine, Container(engine, image)
    elif rung is Rung.BUBBLEWRAP:
        yield "bwrap", Bubblewrap()
    else:
        yield "", Plain()
