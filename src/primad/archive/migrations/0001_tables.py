"""The first tables."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Collection",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=200, unique=True)),
                ("ir_datasets", models.CharField(blank=True, default="", max_length=200)),
                ("profile", models.CharField(blank=True, default="", max_length=200)),
                ("topics", models.CharField(blank=True, default="", max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name="Field",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=200, unique=True)),
            ],
        ),
        migrations.CreateModel(
            name="Ranking",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("topics", models.IntegerField()),
                ("depth", models.IntegerField()),
                ("lines", models.IntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="Text",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("words", models.TextField()),
            ],
        ),
        migrations.CreateModel(
            name="TopicScores",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("added_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="CollectionName",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("folded", models.CharField(max_length=200, unique=True)),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="names", to="archive.collection"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Qrels",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64)),
                ("content", models.CharField(max_length=64)),
                ("name", models.CharField(max_length=200)),
                ("topics", models.IntegerField()),
                ("judgments", models.IntegerField()),
                ("added_at", models.DateTimeField(auto_now_add=True)),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="all_qrels", to="archive.collection"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("collection", "content"), name="same_qrels_once")],
            },
        ),
        migrations.CreateModel(
            name="Run",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("address", models.CharField(max_length=64, unique=True)),
                ("number", models.IntegerField(default=1)),
                ("added_at", models.DateTimeField(auto_now_add=True)),
                ("removed_at", models.DateTimeField(null=True)),
                ("tag", models.CharField(max_length=200)),
                ("team", models.CharField(max_length=200)),
                ("actor", models.CharField(max_length=200)),
                ("role", models.CharField(max_length=200)),
                ("method", models.CharField(max_length=200)),
                ("venue", models.CharField(max_length=200)),
                ("year", models.IntegerField(null=True)),
                ("schema_version", models.CharField(max_length=200)),
                (
                    "collection",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="runs",
                        to="archive.collection",
                    ),
                ),
                (
                    "ranking",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="runs",
                        to="archive.ranking",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["tag"], name="run_by_tag"),
                    models.Index(fields=["added_at", "id"], name="run_by_time"),
                    models.Index(fields=["year", "id"], name="run_by_year"),
                    models.Index(fields=["collection", "id"], name="run_by_collection"),
                    models.Index(fields=["ranking", "collection", "id"], name="run_by_ranking"),
                    models.Index(condition=models.Q(("removed_at__isnull", False)), fields=["id"], name="run_removed"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Score",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("measure", models.CharField(max_length=200)),
                ("code", models.CharField(max_length=64)),
                ("value", models.FloatField()),
                ("standard_error", models.FloatField(null=True)),
                ("items", models.IntegerField()),
                (
                    "qrels",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="scores",
                        to="archive.qrels",
                    ),
                ),
                (
                    "ranking",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="scores",
                        to="archive.ranking",
                    ),
                ),
                (
                    "topics",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="scores",
                        to="archive.topicscores",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["measure", "qrels", "value", "ranking"], name="score_by_value")],
                "constraints": [
                    models.UniqueConstraint(fields=("ranking", "qrels", "measure"), name="one_score_of_a_measure")
                ],
            },
        ),
        migrations.CreateModel(
            name="Fact",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("value", models.CharField(max_length=200)),
                ("shown", models.CharField(max_length=200)),
                ("number", models.FloatField(null=True)),
                (
                    "field",
                    models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to="archive.field"),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="facts", to="archive.run"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["field", "value", "run"], name="fact_by_value"),
                    models.Index(fields=["field", "run", "value"], name="fact_of_run"),
                    models.Index(
                        condition=models.Q(("number__isnull", False)),
                        fields=["field", "number", "run"],
                        name="fact_by_number",
                    ),
                ],
            },
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
            options={
                "indexes": [models.Index(fields=["text", "run"], name="run_by_text")],
            },
        ),
        migrations.CreateModel(
            name="Version",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.IntegerField()),
                ("identity", models.CharField(max_length=64, unique=True)),
                ("file", models.CharField(max_length=64)),
                ("side", models.CharField(blank=True, default="", max_length=64)),
                ("name", models.CharField(max_length=200)),
                ("size", models.BigIntegerField()),
                ("run_version", models.CharField(max_length=200)),
                ("record", models.JSONField()),
                ("added_at", models.DateTimeField(auto_now_add=True)),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="versions", to="archive.run"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("run", "number"), name="versions_are_numbered")],
            },
        ),
        migrations.AddField(
            model_name="collection",
            name="qrels",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="archive.qrels"
            ),
        ),
    ]
