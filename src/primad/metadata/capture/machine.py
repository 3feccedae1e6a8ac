"""On what machine, and under which operating system, does this process run?

    hardware           the processor and the memory, as platform.hardware has them
    operating_system   kernel and distribution, as platform."operating system" has them

What cannot be told is left out.  Graphics cards are a matter of ``graphics``.
"""

from __future__ import annotations

import os
import platform
import re
from typing import Any

from primad.metadata.capture._ask import ask, decoded, read_text

_PATIENCE = 5.0
_SMALL = 1 << 16
_OS_RELEASE = ("/etc/os-release", "/usr/lib/os-release")
_OS_RELEASE_LINE = re.compile(r"""^\s*(?P<key>[A-Z][A-Z0-9_]*)\s*=\s*(?P<quote>["']?)(?P<value>.*?)(?P=quote)\s*$""")


def hardware() -> dict[str, Any]:
    """Return {"cpu": {...}, "ram": "33.6 GB"} with what is known of this machine."""
    told = _cpu_of_darwin() if platform.system() == "Darwin" else _cpu_of_linux()
    cpu = {
        "model": told.get("model"),
        "architecture": platform.machine(),
        "operation mode": _operation_mode(platform.machine()),
        "number of cores": told.get("number of cores") or os.cpu_count(),
    }
    memory = _memory()
    facts = {"cpu": _known(cpu), "ram": f"{memory / 1e9:.1f} GB" if memory else None}
    return _known(facts)


def operating_system() -> dict[str, Any]:
    """Return {"kernel": "Linux 5.4.0-90-generic", "distribution": "Ubuntu 18.04.5 LTS"}, the latter if it is known."""
    system = platform.system()
    return _known({"kernel": f"{system} {platform.release()}".strip(), "distribution": _distribution(system)})


def cpu_of(cpuinfo: str) -> dict[str, Any]:
    r"""Return the model and the number of physical cores that the text of /proc/cpuinfo tells.

    >>> cpu_of("processor: 0\nmodel name: Xeon\nphysical id: 0\ncore id: 0\n")
    {'model': 'Xeon', 'number of cores': 1}
    """
    model = None
    cores = set()
    for block in cpuinfo.split("\n\n"):
        entries = dict(_entry(line) for line in block.splitlines())
        model = model or entries.get("model name")
        if "core id" in entries:  # each of its threads lists a core again
            cores.add((entries.get("physical id"), entries["core id"]))
    return _known({"model": model, "number of cores": len(cores)})


def pretty_name(os_release: str) -> str | None:
    r"""Return what the distribution calls itself in the text of its os-release file.

    >>> pretty_name('NAME="Debian GNU/Linux"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"')
    'Debian GNU/Linux 12 (bookworm)'
    """
    found = (_OS_RELEASE_LINE.match(line) for line in os_release.splitlines())
    entries = {line["key"]: re.sub(r"\\(.)", r"\1", line["value"]).strip() for line in found if line}
    return entries.get("PRETTY_NAME") or " ".join(filter(None, map(entries.get, ("NAME", "VERSION")))) or None


def _known(facts: dict[str, Any]) -> dict[str, Any]:
    """Return those of the FACTS that could be told."""
    return {key: value for key, value in facts.items() if value}


def _entry(line: str) -> tuple[str, str]:
    """Return name and value of a LINE such as 'cpu cores : 2'."""
    name, _, value = line.partition(":")
    return name.strip(), value.strip()


def _cpu_of_linux() -> dict[str, Any]:
    """Return model and cores; the kernel does not name the model on ARM, but lscpu can."""
    facts = cpu_of(read_text("/proc/cpuinfo"))
    if "model" not in facts:
        said = decoded(ask(["lscpu"], seconds=_PATIENCE, environment=os.environ | {"LC_ALL": "C"}))
        model = dict(_entry(line) for line in said.splitlines()).get("Model name", "")
        facts["model"] = model.strip("-")  # a dash stands for an unknown model
    return facts


def _cpu_of_darwin() -> dict[str, Any]:
    """Return model and cores as macOS tells them."""
    said = decoded(ask(["sysctl", "machdep.cpu.brand_string", "hw.physicalcpu"], seconds=_PATIENCE))
    entries = dict(_entry(line) for line in said.splitlines())
    cores = entries.get("hw.physicalcpu", "")
    model = entries.get("machdep.cpu.brand_string")
    return {"model": model, "number of cores": int(cores) if cores.isdecimal() else None}


def _operation_mode(architecture: str) -> str | None:
    """Return how wide the addresses of an ARCHITECTURE are, as lscpu writes it."""
    if "64" in architecture or architecture == "s390x":
        return "64-bit"
    return "32-bit" if re.fullmatch(r"i[3-6]86|x86|arm(?:v[5-8]\w*)?", architecture) else None


def _memory() -> int:
    """Return the bytes of memory in the machine; 0 if they cannot be told."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (OSError, ValueError):
        return 0


def _distribution(system: str) -> str | None:
    """Return the name of the distribution of the SYSTEM, with its version."""
    if system == "Darwin":
        return f"macOS {platform.mac_ver()[0]}".strip()
    return next(filter(None, (pretty_name(read_text(path, _SMALL)) for path in _OS_RELEASE)), None)
