"""Are texts kept once, whoever has them, and found after an archive was brought up to date?"""

from pathlib import Path
from typing import Any

import pytest

from primad.archive.archive import Archive
from primad.store import database
from primad.store.folder import create_folder
from tests.archive.described import write_run
from tests.archive.servers import PostgreSQL

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


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_an_archive_of_the_first_version_is_brought_up_to_date_and_finds_its_texts(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    server: PostgreSQL | None = request.getfixturevalue("postgresql") if kind == "postgresql" else None
    folder = create_folder(tmp_path / "old", server.database() if server else "")
    database.use(folder, check=False)
    first = {"store": ["0001_tables"], "archive": ["0001_tables", "0002_words"]}
    apps = MigrationExecutor(connection).migrate([(app, names[-1]) for app, names in first.items()]).apps
    apps.get_model("store", "Identity").objects.create(pk=1, value=folder.identity, migrations=first)
    model = {name: apps.get_model("archive", name) for name in ("Collection", "CollectionName", "Ranking", "Run")}
    collection = model["Collection"].objects.create(name="Core17")
    model["CollectionName"].objects.create(folded="core17", collection_id=collection.pk)
    for number, words in enumerate(["a 0x0 relevance feedback", "b 0x0 relevance feedback", "c"]):
        ranking = model["Ranking"].objects.create(digest=f"{number}", topics=1, depth=1, lines=1)
        model["Run"].objects.create(
            address=f"{number:064x}",
            collection_id=collection.pk,
            ranking_id=ranking.pk,
            tag=words[0],
            words=words,
            year=2000,
        )
    folder.write_settings()

    archive = Archive(folder)

    assert [hit.tag for hit in archive.search('"relevance feedback"', sort="tag").hits] == ["a", "b"]
    assert archive.search("c").total == 1
    assert archive.search("year:2000").total == 3
    add(archive, tmp_path, "bm25", ABSTRACT)
    assert archive.search('"relevance feedback"').total == 3
    database.close()
