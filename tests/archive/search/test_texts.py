"""Are texts kept once, whoever has them?"""

from pathlib import Path
from typing import Any

from primad.archive.archive import Archive
from tests.archive.described import write_run

ABSTRACT = "Relevance feedback across collections."


def add(archive: Archive, folder: Path, tag: str, abstract: str, version: str = "1.0") -> None:
    """Add a run whose publication has an ABSTRACT."""
    fields: Any = {"research_goal__publication__abstract": abstract, "run-version": version}
    list(archive.add(write_run(folder, f"{tag}{version}.run", tag, **fields)))


def test_a_text_that_runs_share_is_kept_once(archive: Archive, tmp_path: Path) -> None:
    from primad.archive.models import Text

    add(archive, tmp_path, "bm25", ABSTRACT)
    add(archive, tmp_path, "rm3", f"  {ABSTRACT.upper()} ")

    assert sorted(Text.objects.values_list("words", flat=True)) == [
        "bm25",
        "relevance feedback across collections",
        "rm3",
    ]
    assert archive.search('"relevance feedback"').total == 2


def test_a_new_version_is_found_by_its_own_text_only(archive: Archive, tmp_path: Path) -> None:
    add(archive, tmp_path, "bm25", ABSTRACT)
    add(archive, tmp_path, "bm25", "Query expansion.", version="2.0")

    assert archive.search("feedback").total == 0
    assert archive.search("expansion bm25").total == 1
