"""Which names and words do writing and reading a crate share?

A crate says what each of its files is for in ``additionalType``, in the words of ``thing.Role``, and what it is as a
whole in those of ``thing.Kind``.  Files that describe the crate for archives belong to no thing: they are made anew.

describes_crate    whether a file is metadata or preview of a crate, by its path
"""

from __future__ import annotations

METADATA = "ro-crate-metadata.json"
METADATA_OF_1_0 = "ro-crate-metadata.jsonld"
PREVIEW = "ro-crate-preview.html"
PREVIEW_FILES = "ro-crate-preview_files"

PROFILE = "https://w3id.org/ro/wfrun/process/0.5"
PROFILE_VERSION = "0.5"
CRATE_VERSION = "1.1"  # the newest that the profile is defined on

ROOT = "./"
NO_LICENCE = "#no-licence"

# What a file is that describes the crate, and by which formats such files are made.
DESCRIPTION = "description"
DESCRIPTIONS = {"datacite": "datacite.json", "cff": "CITATION.cff", "bibtex": "references.bib"}

COMPLETED = "http://schema.org/CompletedActionStatus"
FAILED = "http://schema.org/FailedActionStatus"

# Terms that RO-Crate 1.1 does not have.
TERMS = {
    "sha256": "http://schema.org/sha256",
    "resourceUsage": "https://w3id.org/ro/terms/workflow-run#resourceUsage",
}


def describes_crate(path: str) -> bool:
    """Tell whether the file at PATH in a crate describes it."""
    return path in (METADATA, METADATA_OF_1_0, PREVIEW) or path.startswith(f"{PREVIEW_FILES}/")
