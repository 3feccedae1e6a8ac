"""Which conditions of measurement does a datasheet or a checklist state?

read_conditions    the conditions in a human evaluation datasheet (JSON) or a filled reproducibility checklist (YAML)

They hold for all measurements that the file is handed over with.
"""

from __future__ import annotations

import re

from primad.errors import FileError, FormatError
from primad.qra.reading.checklist import answers_of, is_checklist
from primad.qra.reading.foreign import LARGEST_TREE, json_of, read_text
from primad.qra.reading.heds import conditions_of, is_heds
from primad.safe_yaml import Node, read_yaml
from primad.trec.files import Source, name_of

# YAML has mappings in braces, too, but rarely with keys in quotes.
_JSON = re.compile(r'\s*\{\s*"')
_HINT = "expected a human evaluation datasheet (keys 'heds-…') or a reproducibility checklist (key 'checklist')"


def read_conditions(source: Source, criterion: str | None = None, *, name: str | None = None) -> dict[str, str]:
    """Return the conditions that SOURCE, which messages call NAME, states; of CRITERION if a datasheet has several."""
    name = name or name_of(source)
    text = read_text(source, name)
    if _JSON.match(text):
        tree = json_of(text, name)
        if is_heds(tree):
            return conditions_of(tree, name, criterion)
    root = _yaml(text, name)
    if not is_checklist(root):
        raise FileError(name, "states no conditions that can be imported", _HINT)
    return answers_of(root, name)


def _yaml(text: str, name: str) -> Node:
    """Return TEXT as YAML, or say that it is neither of what is expected."""
    try:
        return read_yaml(text, name, limit=LARGEST_TREE)
    except FormatError as error:
        raise FormatError(name, error.problems, error.total, _HINT) from None
