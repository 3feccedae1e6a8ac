"""Records: what a run says about itself, captured, read in every dialect, merged, checked and written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.lazily import fetched

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

__getattr__, __dir__ = fetched(
    __name__,
    {
        "annotation": ["Annotation", "annotate"],
        "checking.files": ["check_file"],
        "checking.findings": ["Checked", "Finding"],
        "profile": ["Profile", "load_profile"],
        "reading": ["read_metadata", "read_record"],
        "record": ["Record"],
        "recording.of_command": ["record_command"],
        "recording.of_python": ["Recording"],
        "schema": ["Schema", "load_schema"],
    },
)
