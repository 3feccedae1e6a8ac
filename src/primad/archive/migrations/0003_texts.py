"""Runs share their texts: a text is kept once, and so is what an index knows of its words."""

import hashlib
from typing import Any

import django.db.models.deletion
from django.db import migrations, models

# A removed word needs the text it stood in, so the triggers tell the index what the row held before.
SQLITE = (
    "DROP TRIGGER archive_words_added",
    "DROP TRIGGER archive_words_removed",
    "DROP TRIGGER archive_words_changed",
    "DROP TABLE archive_words",
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
)
# The places of words in a text, by which phrases are found, are not in the index, so they are kept beside the text.
POSTGRESQL = (
    "DROP INDEX archive_words",
    "ALTER TABLE archive_text ADD COLUMN places tsvector GENERATED ALWAYS AS (to_tsvector('simple', words)) STORED",
    "CREATE INDEX archive_words ON archive_text USING GIN (places)",
)
# What stood between two texts of a run.
BETWEEN = " 0x0 "


def index_words(_apps: Any, editor: Any) -> None:
    """Make the index of words that the database has."""
    for statement in SQLITE if editor.connection.vendor == "sqlite" else POSTGRESQL:
        editor.execute(statement)


def move_texts(apps: Any, _editor: Any) -> None:
    """Keep the texts of all runs where they are shared."""
    run, text, run_text = (apps.get_model("archive", name) for name in ("Run", "Text", "RunText"))
    for number, words in run.objects.values_list("id", "words").iterator(chunk_size=1000):
        for one in dict.fromkeys(filter(None, words.split(BETWEEN))):
            kept, _ = text.objects.get_or_create(
                digest=hashlib.sha256(one.encode()).hexdigest(), defaults={"words": one}
            )
            run_text.objects.create(run_id=number, text=kept)


class Migration(migrations.Migration):
    dependencies = [("archive", "0002_words")]

    operations = [
        migrations.CreateModel(
            name="Text",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("words", models.TextField()),
            ],
        ),
        migrations.CreateModel(
            name="RunText",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="texts", to="archive.run"
                    ),
                ),
                (
                    "text",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="runs",
                        to="archive.text",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="runtext",
            index=models.Index(fields=["text", "run"], name="run_by_text"),
        ),
        migrations.RunPython(index_words, migrations.RunPython.noop),
        migrations.RunPython(move_texts, migrations.RunPython.noop),
    ]
