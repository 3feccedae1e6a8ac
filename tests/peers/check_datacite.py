"""What does DataCite's schema say of a file?  A program for the environment of datacite (see Makefile).

    check_datacite.py FILE    print, for each document of the JSON list in FILE, its errors and its XML

Formats of dates and addresses are checked too, where the package knows how.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any


def checked(document: dict[str, Any]) -> dict[str, Any]:
    """Return what the schema finds wrong with DOCUMENT, and what it is as XML."""
    schema = import_module("datacite.schema45")
    errors = [f"{error.json_path}: {error.message}"[:500] for error in schema.validator.iter_errors(document)]
    return {"errors": errors, "xml": "" if errors else schema.tostring(document)}


def main() -> None:
    """Print what was asked for."""
    json.dump([checked(document) for document in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))], sys.stdout)


if __name__ == "__main__":
    main()
