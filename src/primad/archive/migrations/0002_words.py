"""What each database is told in its own words: how it finds words in texts, and how it compares values.

Words are indexed by FTS5 in SQLite, kept up to date by triggers, and by GIN in PostgreSQL.
"""

from typing import Any

from django.db import migrations

# A removed word needs the text it stood in, so the triggers tell the index what the row held before.
SQLITE = (
    "CREATE VIRTUAL TABLE archive_words USING fts5(words, content='archive_text', content_rowid='id')",
    """CREATE TRIGGER archive_words_added AFTER INSERT ON archive_text BEGIN
        INSERT INTO archive_words(rowid, words) VALUES (new.id, new.words);
    END""",
    """CREATE TRIGGER archive_words_removed AFTER DELETE ON archive_text BEGIN
        INSERT INTO archive_words(archive_words, rowid, words) VALUES ('delete', old.id, old.words);
    END""",
    """CREATE TRIGGER archive_words_changed AFTER UPDATE OF words ON archive_text BEGIN
        INSERT INTO archive_words(archive_words, rowid, words) VALUES ('delete', old.id, old.words);
        INSERT INTO archive_words(rowid, words) VALUES (new.id, new.words);
    END""",
    "INSERT INTO archive_words(archive_words) VALUES ('rebuild')",
)
POSTGRESQL = (
    # The places of words, by which phrases are found, are not in the index, so they are kept beside the text.
    "ALTER TABLE archive_text ADD COLUMN places tsvector GENERATED ALWAYS AS (to_tsvector('simple', words)) STORED",
    "CREATE INDEX archive_words ON archive_text USING GIN (places)",
    # Compared letter by letter, as SQLite does, so that an index finds what begins alike.
    'ALTER TABLE archive_fact ALTER COLUMN value TYPE varchar(200) COLLATE "C"',
    'ALTER TABLE archive_run ALTER COLUMN address TYPE varchar(64) COLLATE "C"',
    # Which values are frequent depends on the field.
    "CREATE STATISTICS fact_values (mcv, dependencies) ON field_id, value FROM archive_fact",
)


def tell(_apps: Any, editor: Any) -> None:
    """Tell the database what it understands."""
    for statement in SQLITE if editor.connection.vendor == "sqlite" else POSTGRESQL:
        editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("archive", "0001_tables")]
    operations = [migrations.RunPython(tell, migrations.RunPython.noop)]
