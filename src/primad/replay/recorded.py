"""How is a replay written down?  As plain values that JSON can hold, and back.

    as_json       a replay
    replayed_of   the same, read again
    step_json     one step
    step_of       the same, read again
    typed         values that are of the kinds they should be

What is read may have been written by anybody, so it is checked.
"""

from __future__ import annotations

import math
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from primad.errors import DataError
from primad.replay.result import Produced, Replayed, Rung, Sandbox, Stage, Step
from primad.safe_paths import is_safe_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import UnionType

    Kinds = Mapping[str, type | UnionType]

SCHEMA = "primad.replay/1"
WRONG = (AttributeError, KeyError, TypeError, ValueError)  # what values of other kinds or names lead to

_OF_A_STEP: Kinds = {
    "stage": str,
    "command": str,
    "started": str,
    "ended": str,
    "status": int,
    "wall": int | float,
    "user": int | float,
    "system": int | float,
    "peak_memory": int | None,
    "network": bool,
    "stopped_by": str,
    "remark": str,
}
_OF_A_SANDBOX: Kinds = {"rung": str, "engine": str, "held": list, "open": list}
_OF_A_FILE: Kinds = {"path": str, "size": int, "digest": str}
_OF_A_REPLAY: Kinds = {
    "sandbox": dict,
    "steps": list,
    "output": list,
    "succeeded": bool,
    "stage": str | None,
    "reason": str,
    "remarks": list,
}


def as_json(replayed: Replayed) -> dict[str, Any]:
    """Return a replay as plain values."""
    return {
        "schema": SCHEMA,
        "sandbox": sandbox_json(replayed.sandbox),
        "steps": [step_json(step) for step in replayed.steps],
        "output": [asdict(produced) for produced in replayed.output],
        "succeeded": replayed.succeeded,
        "stage": replayed.stage.value if replayed.stage else None,
        "reason": replayed.reason,
        "remarks": list(replayed.remarks),
        "run_seconds": replayed.run_seconds,
    }


def sandbox_json(sandbox: Sandbox) -> dict[str, Any]:
    """Return what held the steps as plain values."""
    return {
        "rung": sandbox.rung.value,
        "engine": sandbox.engine,
        "held": list(sandbox.held),
        "open": list(sandbox.open),
    }


def step_json(step: Step) -> dict[str, Any]:
    """Return one step as plain values."""
    times = {"started": step.started.isoformat(), "ended": step.ended.isoformat()}
    return asdict(step) | {"stage": step.stage.value} | times


def replayed_of(values: dict[str, Any]) -> Replayed:
    """Return the replay that was written down as VALUES."""
    if values.get("schema") != SCHEMA:
        raise DataError(f"expected a replay by the schema {SCHEMA}, found {values.get('schema')!r}")
    try:
        told = typed(values, _OF_A_REPLAY)
        return Replayed(
            sandbox=sandbox_of(told["sandbox"]),
            steps=tuple(map(step_of, told["steps"])),
            output=tuple(map(_produced_of, told["output"])),
            succeeded=told["succeeded"],
            stage=Stage(told["stage"]) if told["stage"] else None,
            reason=told["reason"],
            remarks=_texts(told["remarks"]),
        )
    except WRONG as error:
        raise DataError(f"expected a replay by the schema {SCHEMA}, found one that is not whole ({error})") from None


def sandbox_of(values: dict[str, Any]) -> Sandbox:
    """Return what held the steps."""
    told = typed(values, _OF_A_SANDBOX)
    return Sandbox(Rung(told["rung"]), told["engine"], _texts(told["held"]), _texts(told["open"]))


def step_of(values: dict[str, Any]) -> Step:
    """Return one step."""
    told = typed(values, _OF_A_STEP)
    times = {name: datetime.fromisoformat(told[name]) for name in ("started", "ended")}
    if any(time.tzinfo is None for time in times.values()):
        raise ValueError("a time without its zone")
    return Step(**(told | {"stage": Stage(told["stage"])} | times))


def _produced_of(values: dict[str, Any]) -> Produced:
    """Return one file of the output."""
    produced = Produced(**typed(values, _OF_A_FILE))
    if not is_safe_path(produced.path):
        raise ValueError("a path that leaves the output")
    return produced


def _texts(values: Iterable[Any]) -> tuple[str, ...]:
    """Return VALUES, which are texts."""
    texts = tuple(values)
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("no text")
    return texts


def typed(values: dict[str, Any], kinds: Kinds) -> dict[str, Any]:
    """Return those of VALUES that KINDS names, all of which must be there and of their kind; no number is infinite."""
    for name, kind in kinds.items():
        value = values[name]
        if not isinstance(value, kind) or (isinstance(value, float) and not math.isfinite(value)):
            raise TypeError(f"{name} of another kind")
    return {name: values[name] for name in kinds}
