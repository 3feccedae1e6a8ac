"""What does cffconvert say of a CITATION.cff?  A program for the environment of cffconvert (see Makefile).

check_cff.py FILE    print, for each text of the JSON list in FILE, what is wrong with it and what it converts to
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

CONVERSIONS = ("apalike", "bibtex", "codemeta", "ris", "zenodo")


def checked(text: str) -> dict[str, Any]:
    """Return what is wrong with TEXT, empty if nothing is, what it says, and the conversions of it."""
    citation = import_module("cffconvert").Citation(text)
    try:
        citation.validate()
    except Exception as error:  # noqa: BLE001 - whatever it is, a test shows it
        return {"error": str(error)[:2_000]}
    conversions = {name: getattr(citation, f"as_{name}")() for name in CONVERSIONS}
    return {"error": "", "says": citation.cffobj, "conversions": conversions}


def main() -> None:
    """Print what was asked for."""
    json.dump([checked(text) for text in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))], sys.stdout)


if __name__ == "__main__":
    main()
