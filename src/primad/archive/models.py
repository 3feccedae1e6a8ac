"""What is stored of runs?

    Collection, CollectionName   a test collection, and every name that records call it by
    Qrels                        the judgments of a collection, versioned by their content
    Ranking                      what runs have retrieved; two runs may have the same
    Run                          a run under its permanent address, with the fields that are searched
    Version                      the files of a run, and its record; the newest is the current one
    Field, Fact                  every value that the current record of a run states
    Text, RunText                the words of what it says in sentences; runs of one publication share them
    TopicScores                  a Parquet file of scores by topic
    Score                        the score of a ranking by a measure

Files are kept by their content (primad.store.blobs); the database knows their digests only.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from django.db import models

DIGEST = 64
NAME = 200


class Collection(models.Model):
    """A test collection: by which profile its runs are checked, and by which judgments they are scored now."""

    name: str = models.CharField(max_length=NAME, unique=True)
    ir_datasets: str = models.CharField(max_length=NAME, blank=True, default="")
    profile: str = models.CharField(max_length=NAME, blank=True, default="")  # built-in, or the digest of its file
    topics: str = models.CharField(max_length=DIGEST, blank=True, default="")  # the digest of the topics' file
    qrels: Qrels | None = models.ForeignKey("Qrels", null=True, on_delete=models.PROTECT, related_name="+")

    def __str__(self) -> str:
        """Return the name."""
        return self.name


class CollectionName(models.Model):
    """A name of a collection, folded as primad.archive.search.facts folds it."""

    folded: str = models.CharField(max_length=NAME, unique=True)
    collection: Collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="names")

    def __str__(self) -> str:
        """Return the name."""
        return self.folded


class Qrels(models.Model):
    """Judgments: the DIGEST of their file, and the CONTENT digest, which order and spacing of lines do not change."""

    collection: Collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="all_qrels")
    digest: str = models.CharField(max_length=DIGEST)
    content: str = models.CharField(max_length=DIGEST)
    name: str = models.CharField(max_length=NAME)
    topics: int = models.IntegerField()
    judgments: int = models.IntegerField()
    added_at: datetime = models.DateTimeField(auto_now_add=True)

    class Meta:
        """The same judgments are there once."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["collection", "content"], name="same_qrels_once")]

    def __str__(self) -> str:
        """Return how a person tells these judgments from others."""
        return f"{self.name} ({self.content[:12]})"


class Ranking(models.Model):
    """A ranking by the digest of its lines, with its number of topics and the most documents of one."""

    digest: str = models.CharField(max_length=DIGEST, unique=True)
    topics: int = models.IntegerField()
    depth: int = models.IntegerField()
    lines: int = models.IntegerField()

    def __str__(self) -> str:
        """Return the digest, shortened."""
        return self.digest[:12]


class Run(models.Model):
    """A run: its permanent address, and what its current version says, as far as that is searched or shown.

    ADDRESS is made from the first version's file.  METHOD are the stages of retrieval in a row.  A run that was removed
    has REMOVED_AT.
    """

    address: str = models.CharField(max_length=DIGEST, unique=True)
    collection: Collection = models.ForeignKey(
        Collection, on_delete=models.PROTECT, related_name="runs", db_index=False
    )
    ranking: Ranking = models.ForeignKey(Ranking, on_delete=models.PROTECT, related_name="runs", db_index=False)
    number: int = models.IntegerField(default=1)  # of the current version
    added_at: datetime = models.DateTimeField(auto_now_add=True)
    removed_at: datetime | None = models.DateTimeField(null=True)
    tag: str = models.CharField(max_length=NAME)
    team: str = models.CharField(max_length=NAME)
    actor: str = models.CharField(max_length=NAME)
    role: str = models.CharField(max_length=NAME)
    method: str = models.CharField(max_length=NAME)
    venue: str = models.CharField(max_length=NAME)
    year: int | None = models.IntegerField(null=True)
    schema_version: str = models.CharField(max_length=NAME)

    class Meta:
        """What counts runs needs no more than an index, so each ends with the run; few runs are ever removed."""

        indexes: ClassVar = [
            models.Index(fields=["tag"], name="run_by_tag"),
            models.Index(fields=["added_at", "id"], name="run_by_time"),
            models.Index(fields=["year", "id"], name="run_by_year"),
            models.Index(fields=["collection", "id"], name="run_by_collection"),
            models.Index(fields=["ranking", "collection", "id"], name="run_by_ranking"),
            models.Index(fields=["id"], name="run_removed", condition=models.Q(removed_at__isnull=False)),
        ]

    def __str__(self) -> str:
        """Return how a message calls the run."""
        return f"{self.tag} ({self.address[:12]})"


class Version(models.Model):
    """The files of a run at one time: IDENTITY is made from them, FILE and SIDE are their digests.

    SIDE is that of the metadata file beside the run, empty if the run carries its metadata itself.
    """

    run: Run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="versions")
    number: int = models.IntegerField()
    identity: str = models.CharField(max_length=DIGEST, unique=True)
    file: str = models.CharField(max_length=DIGEST)
    side: str = models.CharField(max_length=DIGEST, blank=True, default="")
    name: str = models.CharField(max_length=NAME)  # of the file that was added
    size: int = models.BigIntegerField()  # of the file, in bytes
    run_version: str = models.CharField(max_length=NAME)
    record: dict[str, Any] = models.JSONField()
    added_at: datetime = models.DateTimeField(auto_now_add=True)

    class Meta:
        """Versions of a run are numbered."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["run", "number"], name="versions_are_numbered")]

    def __str__(self) -> str:
        """Return the version of the run."""
        return f"version {self.number} of {self.run}"


class Field(models.Model):
    """A field of records, such as method.retrieval.name; blanks in its name are underscores."""

    name: str = models.CharField(max_length=NAME, unique=True)

    def __str__(self) -> str:
        """Return the name."""
        return self.name


class Fact(models.Model):
    """A VALUE that the current record of a run states at a field, folded; NUMBER is the same where it is a number."""

    run: Run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="facts")
    field: Field = models.ForeignKey(Field, on_delete=models.PROTECT, db_index=False)
    value: str = models.CharField(max_length=NAME)
    shown: str = models.CharField(max_length=NAME)  # as the record writes it
    number: float | None = models.FloatField(null=True)

    class Meta:
        """Values are looked up by field; the index alone tells which runs state them, and what runs state there."""

        indexes: ClassVar = [
            models.Index(fields=["field", "value", "run"], name="fact_by_value"),
            models.Index(fields=["field", "run", "value"], name="fact_of_run"),
            models.Index(
                fields=["field", "number", "run"], name="fact_by_number", condition=models.Q(number__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        """Return the value."""
        return self.value


class Text(models.Model):
    """The WORDS of a text, folded, under the digest of them; an index of the database finds them."""

    digest: str = models.CharField(max_length=DIGEST, unique=True)
    words: str = models.TextField()

    def __str__(self) -> str:
        """Return how the text begins."""
        return self.words[:60]


class RunText(models.Model):
    """A text in which the current record of a run says something."""

    run: Run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="texts")
    text: Text = models.ForeignKey(Text, on_delete=models.PROTECT, related_name="runs", db_index=False)

    class Meta:
        """The index alone tells which runs have a text."""

        indexes: ClassVar = [models.Index(fields=["text", "run"], name="run_by_text")]

    def __str__(self) -> str:
        """Return how the text begins."""
        return str(self.text)


class TopicScores(models.Model):
    """A Parquet file of scores by topic, under the digest of its bytes."""

    digest: str = models.CharField(max_length=DIGEST, unique=True)
    added_at: datetime = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        """Return the digest, shortened."""
        return self.digest[:12]


class Score(models.Model):
    """The score of a ranking by a measure and judgments, and the CODE that computed it; newer code takes its place."""

    ranking: Ranking = models.ForeignKey(Ranking, on_delete=models.PROTECT, related_name="scores", db_index=False)
    qrels: Qrels = models.ForeignKey(Qrels, on_delete=models.PROTECT, related_name="scores", db_index=False)
    measure: str = models.CharField(max_length=NAME)
    code: str = models.CharField(max_length=DIGEST)
    value: float = models.FloatField()
    standard_error: float | None = models.FloatField(null=True)
    items: int = models.IntegerField()  # topics that were counted
    topics: TopicScores | None = models.ForeignKey(
        TopicScores, null=True, on_delete=models.PROTECT, related_name="scores", db_index=False
    )

    class Meta:
        """There is one score, and it is found by its size."""

        constraints: ClassVar = [
            models.UniqueConstraint(fields=["ranking", "qrels", "measure"], name="one_score_of_a_measure")
        ]
        indexes: ClassVar = [
            models.Index(fields=["measure", "qrels", "value", "ranking"], name="score_by_value"),
        ]

    def __str__(self) -> str:
        """Return the score as a table shows it."""
        return f"{self.measure} {self.value:.4f}"
