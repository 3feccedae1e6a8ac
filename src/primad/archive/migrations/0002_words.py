"""Free text is found by an index of its words: FTS5 in SQLite, kept up to date by triggers; GIN in PostgreSQL."""

from typing import Any, ClassVar

from django.db import migrations

# A removed word needs the text it stood in, so the triggers tell the index what the row held before.
SQLITE = (
    "CREATE VIRTUAL TABLE archive_words USING fts5(words, content='archive_run', content_rowid='id')",
    """CREATE TRIGGER archive_words_added AFTER INSERT ON archive_run BEGIN
        INSERT INTO archive_words(rowid, words) VALUES (new.id, new.words);
    END""",
    """CREATE TRIGGER archive_words_removed AFTER DELETE ON archive_run BEGIN
        INSERT INTO archive_words(archive_words, rowid, words) VALUES ('delete', old.id, old.words);
    END""",
    """CREATE TRIGGER archive_words_changed AFTER UPDATE OF words ON archive_run BEGIN
        INSERT INTO archive_words(archive_words, rowid, words) VALUES ('delete', old.id, old.words);
        INSERT INTO archive_words(rowid, words) VALUES (new.id, new.words);
    END""",
)
POSTGRESQL = ("CREATE INDEX archive_words ON archive_run USING GIN (to_tsvector('simple', words))",)


def index_words(_apps: Any, editor: Any) -> None:
    """Make the index of words that the database has."""
    for statement in SQLITE if editor.connection.vendor == "sqlite" else POSTGRESQL:
        editor.execute(statement)


class Migration(migrations.Migration):
    """The index of words."""

    dependencies: ClassVar = [("archive", "0001_tables")]
    operations: ClassVar = [migrations.RunPython(index_words, migrations.RunPython.noop)]
