"""What did the reproduction cost, in relation to the original?

    costs     wall time, processor time, peak memory and energy of two records, as ratios
    cost_of   one of them out of a record, in milliseconds, megabytes or joules
    Cost      an amount that was recorded, with its parts

A ratio says nothing about a method as long as nobody knows the machines, so each value names both.  Energy is compared
over the parts (processor, graphics processor, memory) that both sides have measured; a part with 0 J had no counter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from primad.metadata.record import Record, is_stated
from primad.reproducibility._words import listed, shown, texts
from primad.reproducibility.assessment.result import Of, Value

VARIANT = "reproduction / original"


def _units(text: str) -> dict[str, float]:
    """Return the sizes of units by name, from TEXT such as '1 ms, 1e3 s sec'."""
    entries = [entry.split() for entry in text.split(",")]
    return {name: float(size) for size, *names in entries for name in names}


# Units by the one in which amounts are compared, in the spellings that are found in files.
_TIME = _units(
    "1e-6 ns, 1e-3 us µs, 1 ms millisecond milliseconds, 1e3 s sec secs second seconds, "
    "6e4 m min mins minute minutes, 3.6e6 h hr hrs hour hours, 8.64e7 d day days"
)
_MEMORY = _units("1e-6 b bytes, 1e-3 kb, 1 mb, 1e3 gb, 1e6 tb, 0.001024 kib, 1.048576 mib, 1073.741824 gib")
_ENERGY = _units("1e-3 mj, 1 j joule joules, 1e3 kj, 1e6 MJ, 3.6e3 wh, 3.6e6 kwh")
_PARTS = ("cpu", "gpu", "ram")
_WALL = "resources.runtime.wallclock"
_CPU = ("resources.runtime.user", "resources.runtime.system")
_PEAK, _TRACKED_PEAK = "resources.ram.peak", "resources.ram.used process.max"
_USED = "resources.{}.energy used system"
# Nobody has measured less or more, in any of our units; beyond, ratios would not be numbers.
_LEAST, _MOST = 1e-9, 1e30
_AMOUNT = re.compile(r"([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,18})(\.[0-9]{1,18})?([eE][+-]?[0-9]{1,3})?\s*([A-Za-zµ]*)")


# Hours, minutes and seconds, or minutes and seconds, as a clock or `time` shows them; days come before a dash.
_CLOCK = re.compile(r"(?:(?:([0-9]{1,5})-)?([0-9]{1,6}):)?([0-9]{1,2}):([0-9]{1,2}(?:\.[0-9]{1,9})?)")
_CLOCK_UNITS = (8.64e7, 3.6e6, 6e4, 1e3)
_SIXTY = 60
_LONGEST = 40


@dataclass(frozen=True)
class Cost:
    """An amount that was recorded, whole or by PARTS."""

    parts: Mapping[str, float]

    def over(self, names: tuple[str, ...]) -> float:
        """Return the sum of the parts called NAMES."""
        return sum(self.parts[name] for name in names)


@dataclass(frozen=True)
class _Kind:
    """A kind of cost: what it is an amount of, the fields that state it, how it is read, and written for a reader."""

    what: str
    fields: tuple[str, ...]
    amount: Callable[[Any], float | None]
    read: Callable[[Record], Cost | None]
    steps: tuple[tuple[float, str], ...]

    def written(self, amount: float) -> str:
        """Return AMOUNT in the largest unit of which there is at least one."""
        size, unit = next((step for step in reversed(self.steps) if amount >= step[0]), self.steps[0])
        return f"{amount / size:,.3g} {unit}" if amount / size < 1000 else f"{amount / size:,.0f} {unit}"  # noqa: PLR2004


def costs(original: Record | None, reproduction: Record | None, run: Of = "baseline") -> tuple[Value, ...]:
    """Return what REPRODUCTION cost in relation to ORIGINAL, None being a run that says nothing about itself.

    RUN is the run of the experiments that the records are about.

    >>> slow, fast = (Record({"resources": {"runtime": {"wallclock": text}}}) for text in ("3 s", "1500 ms"))
    >>> [(value.measure, value.value, value.undefined) for value in costs(slow, fast)][:2]
    [('wall', 0.5, ''), ('cpu', None, 'not recorded by either')]
    """
    original, reproduction = original or Record(), reproduction or Record()
    platforms = f"original on {_platform(original)}; reproduction on {_platform(reproduction)}"
    return tuple(_compared(name, original, reproduction, run, platforms) for name in _KINDS)


def cost_of(record: Record, name: str) -> Cost | None:
    """Return the cost called NAME (wall, cpu, memory, energy) out of RECORD, None where it is not recorded."""
    return _KINDS[name].read(record)


def _compared(name: str, original: Record, reproduction: Record, run: Of, platforms: str) -> Value:
    """Return the ratio of one kind of cost, or why there is none."""
    before, after = cost_of(original, name), cost_of(reproduction, name)
    if before is None or after is None:
        return Value(measure=name, level="cost", run=run, variant=VARIANT, undefined=_why(name, original, reproduction))
    shared = tuple(part for part in before.parts if part in after.parts)
    if not shared:
        sides = f"the original has {_named(before)}, the reproduction {_named(after)}"
        return Value(measure=name, level="cost", run=run, variant=VARIANT, undefined=f"other parts recorded: {sides}")
    kind = _KINDS[name]
    amounts = before.over(shared), after.over(shared)
    note = f"original {kind.written(amounts[0])}, reproduction {kind.written(amounts[1])}"
    note += _parts_note(before, after, shared)
    return Value(
        measure=name,
        level="cost",
        run=run,
        variant=VARIANT,
        value=amounts[1] / amounts[0],
        note=f"{note}; {platforms}",
    )


def _why(name: str, original: Record, reproduction: Record) -> str:
    """Return why a cost cannot be compared: a side does not record it, or in words that are no amount."""
    silent: list[str] = []
    said: list[str] = []
    for who, record in (("the original", original), ("the reproduction", reproduction)):
        if cost_of(record, name) is None:
            unread = _unread(record, _KINDS[name])
            said += [f"recorded by {who} as {unread}, which is no {_KINDS[name].what}"] if unread else []
            silent += [] if unread else [who]
    missing = "either" if len(silent) > 1 else "".join(silent)
    return "; ".join([f"not recorded by {missing}"] * bool(silent) + said)


def _unread(record: Record, kind: _Kind) -> str:
    """Return what RECORD states in the fields of KIND and what no amount can be read from, quoted; 0 is none."""
    stated = (text for field in kind.fields if is_stated(record.get(field)) for text in texts(record.get(field)))
    return listed([f"'{shown(text, _LONGEST)}'" for text in stated if kind.amount(text) is None], most=2)


def _parts_note(before: Cost, after: Cost, shared: tuple[str, ...]) -> str:
    """Return which parts the amounts are made of, where there are parts."""
    if shared == ("",):
        return ""
    left_out = sorted({*before.parts, *after.parts} - set(shared))
    return f" ({' and '.join(shared)}" + (f"; {' and '.join(left_out)} on one side only" if left_out else "") + ")"


def _named(cost: Cost) -> str:
    """Return the names of the parts of COST."""
    return " and ".join(cost.parts)


def _wall(record: Record) -> Cost | None:
    """Return the time that passed."""
    return _whole(_time(record.get(_WALL)))


def _cpu(record: Record) -> Cost | None:
    """Return the processor time, the command's own and that of the system for it; one without the other misleads."""
    spent = [_time(record.get(field)) for field in _CPU]
    return None if spent[0] is None or spent[1] is None else _whole(spent[0] + spent[1])


def _memory(record: Record) -> Cost | None:
    """Return the largest memory of a process; of a tracker's series, which has kilobytes, the largest value."""
    peak = _amount(record.get(_PEAK), _MEMORY, 1.0)
    if peak is None:
        peak = _amount(record.get(_TRACKED_PEAK), _MEMORY, _MEMORY["kb"])
    return _whole(peak)


def _energy(record: Record) -> Cost | None:
    """Return the energy of each part of the machine that was measured."""
    joules = {part: _amount(record.get(_USED.format(part)), _ENERGY, 1.0) for part in _PARTS}
    measured = {part: amount for part, amount in joules.items() if amount}
    return Cost(measured) if measured else None


def _whole(amount: float | None) -> Cost | None:
    """Return AMOUNT as a cost without parts; nothing costs nothing, so 0 means that it was not measured."""
    return Cost({"": amount}) if amount else None


def _time(value: Any) -> float | None:
    """Return VALUE, a time with a unit or as a clock shows it, in milliseconds; None for anything else.

    >>> _time("1.5 s"), _time("00:01:30"), _time("1:30.5"), _time("1-00:00:00"), _time("1:75")
    (1500.0, 90000.0, 90500.0, 86400000.0, None)
    """
    shown_by_clock = _CLOCK.fullmatch(value.strip()) if isinstance(value, str) else None
    if shown_by_clock is None:
        return _amount(value, _TIME, 1.0)
    parts = [float(part or 0) for part in shown_by_clock.groups()]
    if max(parts[2:]) >= _SIXTY:
        return None
    return sum(part * size for part, size in zip(parts, _CLOCK_UNITS, strict=True))


def _amount(value: Any, units: Mapping[str, float], bare: float) -> float | None:
    """Return VALUE, a text with one of UNITS or a number of BARE ones, as a number; None for anything else."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _sane(value, bare)
    found = _AMOUNT.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None:
        return None
    unit = found[4]
    size = units.get(unit, units.get(unit.lower())) if unit else bare
    return size and _sane(float(f"{found[1].replace(',', '')}{found[2] or ''}{found[3] or ''}"), size)


def _sane(number: float, size: float) -> float | None:
    """Return NUMBER times SIZE, None if nobody can have measured that."""
    if number == 0:
        return 0.0
    return number * size if _LEAST <= number <= _MOST else None


def _platform(record: Record) -> str:
    """Return the machine of RECORD in a few words."""
    facts = [_first(record.get("platform.hardware.cpu.model"))]
    cores = _first(record.get("platform.hardware.cpu.number of cores"))
    facts.append(f"{cores} core{'s' * (cores != '1')}" if cores else "")
    facts.append(_first(record.get("platform.hardware.ram")))
    return ", ".join(filter(None, facts)) or "a machine that is not stated"


def _first(value: Any) -> str:
    """Return what VALUE says, for a message."""
    return listed([shown(text) for text in texts(value)], most=1)


_TIMES = ((1.0, "ms"), (1e3, "s"), (6e4, "min"), (3.6e6, "h"))
_KINDS: dict[str, _Kind] = {
    "wall": _Kind("time", (_WALL,), _time, _wall, _TIMES),
    "cpu": _Kind("time", _CPU, _time, _cpu, _TIMES),
    "memory": _Kind(
        "amount of memory",
        (_PEAK, _TRACKED_PEAK),
        partial(_amount, units=_MEMORY, bare=1.0),
        _memory,
        ((1.0, "MB"), (1e3, "GB"), (1e6, "TB")),
    ),
    "energy": _Kind(
        "amount of energy",
        tuple(_USED.format(part) for part in _PARTS),
        partial(_amount, units=_ENERGY, bare=1.0),
        _energy,
        ((1.0, "J"), (1e3, "kJ"), (1e6, "MJ")),
    ),
}
