"""A PyTerrier pipeline that notes what it does, so that its results can be written as an annotated run.

    Recorded   the pipeline, and ``write``

It is a transformer itself, and can stand wherever the pipeline can.  Imported only where PyTerrier is.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyterrier as pt

from primad.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from primad.metadata.annotation import Annotation
    from primad.metadata.record import Record, Tree


class Recorded(pt.Transformer):
    """A pipeline that notes what it does; made by ``record``."""

    def __init__(
        self,
        pipeline: pt.Transformer,
        tag: str,
        template: str | os.PathLike[str] | Record | None,
        values: Mapping[str, Any],
        described: Tree,
    ) -> None:
        """Take PIPELINE, which is not changed, and what is DESCRIBED of it already as fields of a record."""
        self._pipeline = pipeline
        self._tag = tag
        self._template = template
        self._values = dict(values)
        self._described = described
        self._noted: Tree = {}
        self._results: pd.DataFrame | None = None

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Return the results for INP as the pipeline gives them; those of the last call are the run."""
        from primad.metadata.recording.of_python import record

        self._results = None
        # What is noted stays here, and goes into a file only with the run.
        with tempfile.TemporaryDirectory() as folder:
            with record(output=folder) as recording:
                results = self._pipeline.transform(inp)
            self._noted = recording.tree
        self._results = results
        return results

    def transform_inputs(self) -> list[list[str]]:
        """Return the columns that the pipeline needs, so that PyTerrier need not try it out."""
        return pt.inspect.transformer_inputs(self._pipeline) or []

    def transform_outputs(self, input_columns: list[str]) -> list[str]:
        """Return the columns that the pipeline gives for INPUT_COLUMNS, so that PyTerrier need not try it out."""
        return pt.inspect.transformer_outputs(self._pipeline, input_columns)

    def write(self, path: str | os.PathLike[str]) -> Annotation:
        """Write the results of the last call to PATH as an annotated run, whole or not at all, and return it."""
        from primad.metadata.annotation import annotate
        from primad.metadata.record import merged

        tree = merged(self._described, self._noted)
        annotation = annotate(self._run_bytes(), template=self._template, values=self._values, recorded=tree)
        annotation.save(path)
        return annotation

    def _run_bytes(self) -> bytes:
        """Return the results of the last call as the lines of a run."""
        from primad.trec.run import Run, write_run

        if self._results is None:
            raise DataError("expected results to write, found none; call the recorded pipeline with topics first")
        with tempfile.TemporaryDirectory() as folder:
            plain = Path(folder, "plain.run")
            write_run(Run.from_frame(self._results, tag=self._tag), plain)
            return plain.read_bytes()
