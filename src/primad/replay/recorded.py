"""How is a replay written down?  As plain values that JSON can hold, and back.

as_json       a replay
replayed_of   the same, read again
step_json     one step
step_of       the same, read again
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

from primad.errors import DataError
from primad.replay.result import Produced, Replayed, Rung, Sandbox, Stage, Step

SCHEMA = "primad.replay/1"


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
        return Replayed(
            sandbox=sandbox_of(values["sandbox"]),
            steps=tuple(map(step_of, values["steps"])),
            output=tuple(Produced(**produced) for produced in values["output"]),
            succeeded=values["succeeded"],
            stage=Stage(values["stage"]) if values["stage"] else None,
            reason=values["reason"],
            remarks=tuple(values["remarks"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"expected a replay by the schema {SCHEMA}, found one that is not whole ({error})") from None


def sandbox_of(values: dict[str, Any]) -> Sandbox:
    """Return what held the steps."""
    return Sandbox(Rung(values["rung"]), values["engine"], tuple(values["held"]), tuple(values["open"]))


def step_of(values: dict[str, Any]) -> Step:
    """Return one step."""
    times = {name: datetime.fromisoformat(values[name]) for name in ("started", "ended")}
    return Step(**(values | {"stage": Stage(values["stage"])} | times))
