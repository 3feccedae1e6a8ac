"""Are documents valid CWL?  A program for the environment of cwltool, the reference runner.

    cwl_documents.py URI...    print, for each document, or tool of one (URI#ID), "valid" or what is wrong, as JSON

Loading the schema takes seconds, so one process checks all of them.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module


def fault_of(document: str) -> str:
    """Return what cwltool finds wrong with DOCUMENT, "valid" if that is nothing."""
    load_tool, errors = import_module("cwltool.load_tool"), import_module("schema_salad.exceptions")
    context = import_module("cwltool.context").LoadingContext({"do_validate": True, "strict": True})
    context.construct_tool_object = import_module("cwltool.workflow").default_make_tool
    try:
        load_tool.load_tool(document, context)
    except errors.SchemaSaladException as error:
        return str(error)
    return "valid"


if __name__ == "__main__":
    json.dump([fault_of(document) for document in sys.argv[1:]], sys.stdout)
