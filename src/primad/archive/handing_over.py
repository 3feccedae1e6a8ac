"""How are runs of an archive handed to what writes them in formats of others?

handed_over   the runs that a query finds as one thing, with their judgments and topics

The files lie in a folder as ``primad archive export`` writes it, for as long as the thing is used: so a thing of many
runs takes no memory, and a crate has the same files in the same places.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.archive.exporting import export
from primad.errors import PairingError
from primad.exchange.gathering import gather, short_name
from primad.watching import Watch

if TYPE_CHECKING:
    from primad.exchange.thing import Thing
    from primad.store.folder import DataFolder


@contextmanager
def handed_over(folder: DataFolder, runs: Any, query: str, watch: Watch) -> Iterator[Thing]:
    """Give RUNS, which the text QUERY has found in FOLDER, as one thing.

    However many there are, it is the answer to a query: what can be done with it does not change as runs are added.
    """
    addresses = list(runs.order_by("pk").values_list("address", flat=True))
    if not addresses:
        raise PairingError(f"no run is found by '{query}'" if query else "the archive has no runs")
    with tempfile.TemporaryDirectory(prefix="primad-archive-") as place:
        target = Path(place) / (short_name(query) if query else "archive")
        export(folder, runs, target, watch)
        yield replace(
            gather(target),
            kind="query",
            title=f"Runs found by {query}" if query else "All runs of an archive",
            identifier=addresses[0] if len(addresses) == 1 else "",
            facts={"query": query, "addresses": addresses},
        )
