"""What does a reader of BibTeX find in a file?  A program for the environment of pybtex (see Makefile).

    check_bibtex.py FILE    print, for each text of the JSON list in FILE, its entries and how a style formats them

Warnings of the parser are errors.  TeX is decoded: what is printed is what a reader of the references sees.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any


def checked(text: str) -> dict[str, Any]:
    """Return the entries of TEXT, and the list of references that the style 'plain' makes of it."""
    import_module("pybtex.errors").set_strict_mode(True)
    data = import_module("pybtex.database").parse_string(text, "bibtex")
    style = import_module("pybtex.style.formatting.plain").Style()
    backend = import_module("pybtex.backends.plaintext").Backend()
    references = [entry.text.render(backend) for entry in style.format_bibliography(data)]
    return {"entries": [entry_of(one) for one in data.entries.values()], "references": references}


def entry_of(entry: Any) -> dict[str, Any]:
    """Return key, type, people and fields of ENTRY, as TeX shows them."""
    decode = import_module("pybtex.richtext").Text.from_latex
    fields = {name: str(decode(value)) for name, value in entry.fields.items()}
    people = [
        {
            part: [str(decode(name)) for name in getattr(person, f"{part}_names")]
            for part in ("first", "middle", "prelast", "last", "lineage")
        }
        for person in entry.persons.get("author", [])
    ]
    return {"key": entry.key, "type": entry.type, "people": people, "fields": fields}


def main() -> None:
    """Print what was asked for."""
    json.dump([checked(text) for text in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))], sys.stdout)


if __name__ == "__main__":
    main()
