"""Searches are answered from indexes alone, as far as runs are counted."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

POSTGRESQL = (
    # Texts are compared letter by letter, as SQLite does, so that the index finds what begins alike.
    'ALTER TABLE archive_fact ALTER COLUMN value TYPE varchar(200) COLLATE "C"',
    # Which values are frequent depends on the field.
    "CREATE STATISTICS fact_values (mcv, dependencies) ON field_id, value FROM archive_fact",
)


def tune(_apps: Any, editor: Any) -> None:
    """Tell PostgreSQL what SQLite does by itself, or cannot be told."""
    if editor.connection.vendor == "postgresql":
        for statement in POSTGRESQL:
            editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("archive", "0003_texts")]

    operations = [
        migrations.RemoveField(model_name="run", name="words"),
        migrations.RemoveIndex(model_name="run", name="run_by_collection_team"),
        migrations.RemoveIndex(model_name="run", name="run_by_team"),
        migrations.RemoveIndex(model_name="run", name="run_by_time"),
        migrations.AlterField(
            model_name="run",
            name="collection",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="runs",
                to="archive.collection",
            ),
        ),
        migrations.AlterField(
            model_name="run",
            name="ranking",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="runs", to="archive.ranking"
            ),
        ),
        migrations.AlterField(
            model_name="score",
            name="ranking",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="scores",
                to="archive.ranking",
            ),
        ),
        migrations.AddIndex(model_name="run", index=models.Index(fields=["added_at", "id"], name="run_by_time")),
        migrations.AddIndex(model_name="run", index=models.Index(fields=["year", "id"], name="run_by_year")),
        migrations.AddIndex(
            model_name="run", index=models.Index(fields=["collection", "id"], name="run_by_collection")
        ),
        migrations.AddIndex(
            model_name="run", index=models.Index(fields=["ranking", "collection", "id"], name="run_by_ranking")
        ),
        migrations.AddIndex(
            model_name="run",
            index=models.Index(condition=models.Q(("removed_at__isnull", False)), fields=["id"], name="run_removed"),
        ),
        migrations.AddIndex(
            model_name="fact", index=models.Index(fields=["field", "run", "value"], name="fact_of_run")
        ),
        migrations.RunPython(tune, migrations.RunPython.noop),
    ]
