"""The first tables."""

import django.db.models.deletion
from django.db import migrations, models

import primad.track.wellformed


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Track",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.CharField(max_length=60, unique=True, validators=[primad.track.wellformed.check_slug])),
                ("title", models.CharField(max_length=200)),
                ("about", models.TextField(blank=True, default="")),
                ("source", models.TextField(blank=True, default="")),
                (
                    "phase",
                    models.CharField(
                        choices=[
                            ("set-up", "set-up"),
                            ("results", "results"),
                            ("systems", "systems"),
                            ("assignment", "assignment"),
                            ("replication", "replication"),
                            ("adjudication", "adjudication"),
                            ("published", "published"),
                        ],
                        default="set-up",
                        max_length=20,
                    ),
                ),
                ("dates", models.JSONField(default=dict)),
                ("budget", models.IntegerField(default=480)),
                ("blind", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Files",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ],
        ),
        migrations.CreateModel(
            name="Analyst",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.CharField(max_length=60, validators=[primad.track.wellformed.check_slug])),
                ("title", models.CharField(max_length=200)),
                (
                    "role",
                    models.CharField(
                        blank=True, choices=[("", ""), ("user", "user"), ("developer", "developer")], max_length=20
                    ),
                ),
                ("background", models.TextField(blank=True, default="")),
                ("conflicts", models.JSONField(default=dict)),
                (
                    "track",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="analysts", to="track.track"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("track", "slug"), name="analyst_slug_once")],
            },
        ),
        migrations.CreateModel(
            name="SheetTemplate",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.IntegerField()),
                ("content", models.JSONField(default=dict)),
                (
                    "track",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="templates", to="track.track"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("track", "version"), name="template_version_once")],
            },
        ),
        migrations.CreateModel(
            name="Team",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.CharField(max_length=60, validators=[primad.track.wellformed.check_slug])),
                ("title", models.CharField(max_length=200)),
                ("contact", models.CharField(blank=True, default="", max_length=200)),
                ("note", models.TextField(blank=True, default="")),
                (
                    "track",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="teams", to="track.track"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("track", "slug"), name="team_slug_once")],
            },
        ),
        migrations.CreateModel(
            name="Published",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("table", models.CharField(max_length=20)),
                ("name", models.CharField(max_length=200)),
                ("content", models.JSONField(default=dict)),
                (
                    "track",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="published", to="track.track"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Task",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.CharField(max_length=60, validators=[primad.track.wellformed.check_slug])),
                ("title", models.CharField(max_length=200)),
                ("about", models.TextField(blank=True, default="")),
                (
                    "kind",
                    models.CharField(
                        choices=[("replicate", "replicate"), ("reproduce", "reproduce"), ("measure", "measure")],
                        default="replicate",
                        max_length=20,
                    ),
                ),
                ("scorer", models.CharField(max_length=20)),
                ("settings", models.JSONField(default=dict)),
                ("primary", models.CharField(blank=True, default="", max_length=200)),
                ("profile", models.CharField(blank=True, default="", max_length=200)),
                ("limits", models.JSONField(default=dict)),
                ("network_to_install", models.BooleanField(default=False)),
                ("original", models.JSONField(default=dict)),
                (
                    "original_files",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="track.files"
                    ),
                ),
                (
                    "track",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tasks", to="track.track"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("track", "slug"), name="task_slug_once")],
            },
        ),
        migrations.CreateModel(
            name="File",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("path", models.CharField(max_length=1000, validators=[primad.track.wellformed.check_path])),
                ("digest", models.CharField(max_length=64)),
                ("size", models.BigIntegerField()),
                (
                    "files",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="files", to="track.files"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("files", "path"), name="file_path_once")],
            },
        ),
        migrations.CreateModel(
            name="Machine",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.CharField(max_length=60, validators=[primad.track.wellformed.check_slug])),
                ("facts", models.JSONField(default=dict)),
                ("record", models.JSONField(default=dict)),
                (
                    "analyst",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="machines", to="track.analyst"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("analyst", "slug"), name="machine_slug_once")],
            },
        ),
        migrations.CreateModel(
            name="Submission",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.CharField(max_length=60, validators=[primad.track.wellformed.check_slug])),
                ("title", models.CharField(blank=True, default="", max_length=200)),
                ("about", models.TextField(blank=True, default="")),
                ("submitted_at", models.DateTimeField()),
                ("eligible", models.BooleanField(null=True)),
                ("reason", models.TextField(blank=True, default="")),
                ("withdrawn_at", models.DateTimeField(null=True)),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="submissions", to="track.task"
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="submissions", to="track.team"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("team", "slug"), name="submission_slug_once")],
            },
        ),
        migrations.CreateModel(
            name="DataSet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.CharField(max_length=60, validators=[primad.track.wellformed.check_slug])),
                ("about", models.TextField(blank=True, default="")),
                ("public", models.BooleanField(default=False)),
                (
                    "gold",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="track.files"
                    ),
                ),
                (
                    "inputs",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="track.files"
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="data_sets", to="track.task"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("task", "slug"), name="data_set_slug_once")],
            },
        ),
        migrations.CreateModel(
            name="Sheet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("answers", models.JSONField(default=dict)),
                ("locked_at", models.DateTimeField(null=True)),
                (
                    "analyst",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="sheets", to="track.analyst"
                    ),
                ),
                (
                    "template",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="sheets", to="track.sheettemplate"
                    ),
                ),
                (
                    "submission",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="sheets", to="track.submission"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("analyst", "submission"), name="sheet_once")],
            },
        ),
        migrations.CreateModel(
            name="Assignment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("by_hand", models.BooleanField(default=False)),
                ("note", models.TextField(blank=True, default="")),
                (
                    "analyst",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="assignments", to="track.analyst"
                    ),
                ),
                (
                    "machine",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="track.machine"
                    ),
                ),
                (
                    "submission",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="assignments", to="track.submission"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("analyst", "submission"), name="assigned_once")],
            },
        ),
        migrations.CreateModel(
            name="System",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.IntegerField(default=1)),
                (
                    "kind",
                    models.CharField(
                        blank=True,
                        choices=[("", ""), ("bundle", "bundle"), ("remote", "remote")],
                        default="bundle",
                        max_length=20,
                    ),
                ),
                ("manifest", models.JSONField(default=dict)),
                ("operating_system", models.CharField(blank=True, default="", max_length=200)),
                ("language", models.CharField(blank=True, default="", max_length=200)),
                ("instructions", models.TextField(blank=True, default="")),
                ("secret", models.TextField(blank=True, default="")),
                ("submitted_at", models.DateTimeField()),
                (
                    "bundle",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="track.files"
                    ),
                ),
                (
                    "submission",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="systems", to="track.submission"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("submission", "version"), name="system_version_once")],
            },
        ),
        migrations.CreateModel(
            name="Output",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "configuration",
                    models.CharField(default="default", max_length=60, validators=[primad.track.wellformed.check_slug]),
                ),
                ("values", models.JSONField(default=dict)),
                ("scored", models.JSONField(default=dict)),
                ("conditions", models.JSONField(default=dict)),
                ("record", models.JSONField(default=dict)),
                (
                    "data_set",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="outputs",
                        to="track.dataset",
                    ),
                ),
                (
                    "files",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="track.files"
                    ),
                ),
                (
                    "submission",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="outputs", to="track.submission"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Attempt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.IntegerField()),
                (
                    "configuration",
                    models.CharField(default="default", max_length=60, validators=[primad.track.wellformed.check_slug]),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "open"),
                            ("running", "running"),
                            ("stopped", "stopped"),
                            ("succeeded", "succeeded"),
                            ("failed", "failed"),
                            ("abandoned", "abandoned"),
                        ],
                        default="open",
                        max_length=20,
                    ),
                ),
                ("stage", models.CharField(blank=True, default="", max_length=20)),
                ("reason", models.TextField(blank=True, default="")),
                ("note", models.TextField(blank=True, default="")),
                ("opened_at", models.DateTimeField()),
                ("closed_at", models.DateTimeField(null=True)),
                ("run_seconds", models.FloatField(null=True)),
                ("replay", models.JSONField(default=dict)),
                ("scored", models.JSONField(default=dict)),
                ("record", models.JSONField(default=dict)),
                ("level", models.IntegerField(null=True)),
                ("level_note", models.TextField(blank=True, default="")),
                ("holder", models.CharField(blank=True, default="", max_length=200)),
                ("beat_at", models.DateTimeField(null=True)),
                (
                    "analyst",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="attempts", to="track.analyst"
                    ),
                ),
                (
                    "repeats",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="repeated_by",
                        to="track.attempt",
                    ),
                ),
                (
                    "data_set",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="attempts",
                        to="track.dataset",
                    ),
                ),
                (
                    "output",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="track.files"
                    ),
                ),
                (
                    "transcript",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="track.files"
                    ),
                ),
                (
                    "machine",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="attempts",
                        to="track.machine",
                    ),
                ),
                (
                    "submission",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="attempts", to="track.submission"
                    ),
                ),
                (
                    "system",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="attempts",
                        to="track.system",
                    ),
                ),
                (
                    "track",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="attempts", to="track.track"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("track", "number"), name="attempt_number_once")],
            },
        ),
        migrations.CreateModel(
            name="Question",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("asked_at", models.DateTimeField()),
                ("text", models.TextField()),
                ("answered_at", models.DateTimeField(null=True)),
                ("answer", models.TextField(blank=True, default="")),
                (
                    "attempt",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="questions", to="track.attempt"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Span",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("stage", models.CharField(blank=True, default="", max_length=20)),
                ("started_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
                ("note", models.TextField(blank=True, default="")),
                ("corrected", models.JSONField(default=dict)),
                (
                    "attempt",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="spans", to="track.attempt"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Verdict",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("agreement", models.CharField(max_length=40)),
                ("points", models.IntegerField()),
                ("primary", models.CharField(max_length=200)),
                ("submitted", models.FloatField(null=True)),
                ("replicated", models.FloatField(null=True)),
                ("content", models.JSONField(default=dict)),
                ("made_at", models.DateTimeField()),
                (
                    "attempt",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="verdict", to="track.attempt"
                    ),
                ),
            ],
        ),
    ]
