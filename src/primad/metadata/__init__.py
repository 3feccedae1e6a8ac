"""Records: what a run says about itself, captured, read in every dialect, merged, checked and written."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from primad.metadata.annotation import Annotation, annotate
    from primad.metadata.checking.files import check_file
    from primad.metadata.checking.findings import Checked, Finding
    from primad.metadata.profile import Profile, load_profile
    from primad.metadata.reading import read_metadata, read_record
    from primad.metadata.record import Record
    from primad.metadata.recording.of_command import record_command
    from primad.metadata.recording.of_python import Recording
    from primad.metadata.schema import Schema, load_schema

_MODULES = {
    "Annotation": "annotation",
    "Checked": "checking.findings",
    "Finding": "checking.findings",
    "Profile": "profile",
    "Record": "record",
    "Recording": "recording.of_python",
    "Schema": "schema",
    "annotate": "annotation",
    "check_file": "checking.files",
    "load_profile": "profile",
    "load_schema": "schema",
    "read_metadata": "reading",
    "read_record": "reading",
    "record_command": "recording.of_command",
}

__all__ = [
    "Annotation",
    "Checked",
    "Finding",
    "Profile",
    "Record",
    "Recording",
    "Schema",
    "annotate",
    "check_file",
    "load_profile",
    "load_schema",
    "read_metadata",
    "read_record",
    "record_command",
]


def __getattr__(name: str) -> Any:
    """Fetch a public name when it is first used: `primad exec` must not wait for what it does not need."""
    if name not in _MODULES:
        raise AttributeError(f"module 'primad.metadata' has no attribute '{name}'")
    return getattr(import_module(f"primad.metadata.{_MODULES[name]}"), name)
