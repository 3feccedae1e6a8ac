"""Where should work run?

Place   in some processes here, on a Dask cluster, or in jobs of Slurm
Slurm   how many jobs of Slurm, and what each asks for
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from primad.errors import UsageError

_ADDRESS = re.compile(r"(tcp|tls|ws|wss)://(\[[0-9a-fA-F:.]+\]|[^\s:/@\[\]]+):[0-9]{1,5}")


@dataclass(frozen=True, kw_only=True)
class Slurm:
    """How many JOBS are handed to Slurm, and what each asks for; every core is a worker with a share of MEMORY.

    QUEUE and ACCOUNT are those of the site, INTERFACE the network that nodes speak over, such as ib0; where they are
    empty, the site decides.
    """

    jobs: int = 1
    cores: int = 1
    memory: str = "4GB"
    walltime: str = "01:00:00"
    queue: str = ""
    account: str = ""
    interface: str = ""

    def __post_init__(self) -> None:
        """Refuse what no job can ask for."""
        for name in ("jobs", "cores"):
            if getattr(self, name) < 1:
                raise UsageError(f"expected at least 1 of {name} for Slurm, found {getattr(self, name)}")
        for name in ("memory", "walltime", "queue", "account", "interface"):
            if re.search(r"[^\w.:,+-]", getattr(self, name)):  # it becomes a line of a script
                raise UsageError(f"expected a plain word as {name} for Slurm, found {getattr(self, name)!r:.60}")

    @classmethod
    def of(cls, stated: Mapping[str, str]) -> Slurm:
        """Return the settings that are STATED by name, as a command line has them.

        >>> Slurm.of({"jobs": "10", "memory": "8GB"}).jobs
        10
        """
        known = [one.name for one in fields(cls)]
        for name in stated:
            if name not in known:
                raise UsageError(f"expected one of the settings {', '.join(known)} of Slurm, found '{name:.60}'")
        numbers = {name: stated[name] for name in ("jobs", "cores") if name in stated}
        for name, text in numbers.items():
            if not text.isdecimal():
                raise UsageError(f"expected a whole number of {name} for Slurm, found '{text:.60}'")
        given: dict[str, Any] = {**stated, **{name: int(text) for name, text in numbers.items()}}
        return cls(**given)


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where work runs: in JOBS processes here, on the Dask cluster with the address CLUSTER, or in jobs of SLURM.

    Where nothing is said, whoever has the work decides how many processes it is worth.
    """

    jobs: int | None = None
    cluster: str = ""
    slurm: Slurm | None = None

    def __post_init__(self) -> None:
        """Refuse two places at once, and what is none."""
        if sum([self.jobs is not None, bool(self.cluster), self.slurm is not None]) > 1:
            raise UsageError("expected one place to work: a number of jobs, a cluster, or Slurm; found several")
        if self.jobs is not None and self.jobs < 1:
            raise UsageError(f"expected at least 1 job, found {self.jobs}")
        if self.cluster and not _ADDRESS.fullmatch(self.cluster):
            shown = re.sub(r"//.*@", "//...@", self.cluster)  # there may be a password
            raise UsageError(f"expected an address such as tcp://host:8786, found '{shown:.80}'")

    @property
    def is_here(self) -> bool:
        """Tell whether work stays on this machine."""
        return not self.cluster and self.slurm is None
