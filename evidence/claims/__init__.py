"""What is claimed?  A module for each subject; the page has them in this order."""

from __future__ import annotations

from evidence.claims import (
    archives,
    comparison,
    conformance,
    documentation,
    exchange,
    intervals,
    metadata,
    packaging,
    published,
    rights,
    robustness,
    scale,
    sites,
    speed,
    tracks,
)

SUBJECTS = {
    "Agreement with other tools": conformance.CLAIMS,
    "Published tables": published.CLAIMS,
    "Statements about other tools": comparison.CLAIMS,
    "Speed": speed.CLAIMS,
    "Archives": archives.CLAIMS,
    "What ten million runs would take": scale.CLAIMS,
    "Sites": sites.CLAIMS,
    "How sure intervals are": intervals.CLAIMS,
    "Faults, limits and hostile input": robustness.CLAIMS,
    "Who may do what": rights.CLAIMS,
    "Metadata, comparisons and re-running": metadata.CLAIMS,
    "Replication tracks": tracks.CLAIMS,
    "Formats of others": exchange.CLAIMS,
    "Documentation": documentation.CLAIMS,
    "The package and its tests": packaging.CLAIMS,
}
