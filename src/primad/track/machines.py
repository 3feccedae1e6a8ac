"""What does a table say of a machine?

facts_of   operating system, memory, cache and processor, from the component ``platform`` of a record
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FACTS = ("operating_system", "memory", "cache", "processor")


def facts_of(platform: Mapping[str, Any]) -> dict[str, str]:
    """Return what a table shows of the machine that PLATFORM describes; what is not known is left out.

    >>> facts_of({"hardware": {"ram": "16 GB", "cpu": {"model": "Intel i5"}}})
    {'memory': '16 GB', 'processor': 'Intel i5'}
    """
    hardware = _tree(platform, "hardware")
    processor = _tree(hardware, "cpu")
    system = _tree(platform, "operating system")
    named = system.get("distribution") or system.get("kernel") or system.get("name")
    found = {
        "operating_system": named,
        "memory": hardware.get("ram"),
        "cache": processor.get("cache"),
        "processor": processor.get("model"),
    }
    return {name: str(value) for name, value in found.items() if value}


def _tree(tree: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return the mapping at KEY, empty where there is none."""
    found = tree.get(key)
    return found if isinstance(found, Mapping) else {}
