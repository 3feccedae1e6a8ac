"""What do commands print as JSON?  The forms of their documents, from which the schemas are made.

    documents    the forms of this package, by the name of their schema
    Form         a form: which commands print it, its type, and what stands beside the fields of that type

A form whose fields are those of a dataclass is that dataclass.  Where an output is put together by hand, it is written
down here once, as a type; tests hold what commands really print against it.  Archive and track add their own.
"""

from __future__ import annotations

from primad.reports.documentation.outputs import assessments, precision, runs, systems
from primad.reports.documentation.outputs.form import Form

documents: dict[str, Form] = runs.FORMS | assessments.FORMS | precision.FORMS | systems.FORMS

__all__ = ["Form", "documents"]
