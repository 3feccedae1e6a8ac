"""What do this machine, its repository and the network say about files that were checked?

    with_this_place    findings with what this machine and repository contradict
    with_addresses     findings with the addresses that lead nowhere

Both are asked for explicitly: the one is about the reader's machine, the other goes out of the house.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from primad.errors import PrimadError
from primad.metadata.capture import capture
from primad.metadata.checking.findings import Checked, Finding
from primad.metadata.checking.here import contradictions
from primad.metadata.checking.online import addresses, unreachable
from primad.metadata.paths import written
from primad.metadata.reading import Metadata, read_metadata
from primad.safe_yaml import Node

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path as FilePath

    from primad.metadata.checking.files import Demands
    from primad.metadata.schema import Schema


def with_this_place(checked: Sequence[Checked], demands: Demands, folder: FilePath) -> list[Checked]:
    """Return CHECKED with each field that is otherwise on this machine and in the repository of FOLDER."""
    captured = capture(folder)
    return [
        _with(one, contradictions(metadata, captured, folder)) if metadata else one
        for one, metadata in _again(checked, demands)
    ]


def with_addresses(checked: Sequence[Checked], demands: Demands, *, inside: bool = False) -> list[Checked]:
    """Return CHECKED with each address that leads nowhere; INSIDE allows to ask addresses of this network."""
    each = list(_again(checked, demands))
    named = {id(one): list(addresses(metadata.record.tree)) for one, metadata in each if metadata}
    reasons = unreachable((address for found in named.values() for _, address in found), inside=inside)
    results = []
    for one, metadata in each:
        findings = [
            Finding(
                metadata.name,
                metadata.line_of(path),
                written(path),
                "warning",
                "online",
                f"{address} {reasons[address]}",
            )
            for path, address in named.get(id(one), ())
            if metadata and address in reasons
        ]
        results.append(_with(one, findings))
    return results


def _again(checked: Sequence[Checked], demands: Demands) -> list[tuple[Checked, Metadata | None]]:
    """Return each file with its metadata, which knows the lines of the fields."""
    schema = demands.load().schema
    pairs: list[tuple[Checked, Metadata | None]] = []
    for one in checked:
        try:
            pairs.append((one, _metadata_of(one, schema)))
        except PrimadError:  # it could be read a moment ago; what is wrong now is no finding of ours
            pairs.append((one, None))
    return pairs


def _metadata_of(one: Checked, schema: Schema) -> Metadata | None:
    """Return the metadata that ONE was checked with; standard input cannot be read again, so nothing has a line."""
    if one.record is None or one.metadata_file == "-":
        return Metadata(one.record, one.file, Node(None)) if one.record else None
    return read_metadata(one.metadata_file, schema)


def _with(one: Checked, findings: Sequence[Finding]) -> Checked:
    """Return ONE with more FINDINGS."""
    return replace(one, findings=(*one.findings, *findings))
