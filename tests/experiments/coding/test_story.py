"""Is the track carried out as it is told: who gets which results, who asks, and what stays hidden?

The track is really carried out, once and on few texts, in the best sandbox that the machine has.
"""

from pathlib import Path

import pytest

from primad.errors import UsageError
from primad.experiments.coding.noise import CAREFUL
from primad.experiments.coding.story import BUNDLES, DATA, PLAYED, TRACK, Played
from primad.experiments.coding.teams import SYSTEMS
from primad.experiments.coding.texts import make
from primad.track.models import Question, Span, System
from primad.track.track import Track
from tests.experiments.coding.tracks import SEED, SIZE, small_track

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("coding-track")]


@pytest.fixture
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Return the track."""
    return small_track(tmp_path_factory)[1]


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that the track was carried out in."""
    return small_track(tmp_path_factory)[0]


def ended(played: Played, address: str, analyst: str) -> list[tuple[str, str]]:
    """Return how the attempts of ANALYST at a system ended, repetitions left out."""
    return [
        (one.state, one.stage)
        for one in played.track.report().attempts
        if (one.submission, one.analyst, one.repeats) == (address, analyst, None)
    ]


def test_a_user_gives_up_where_a_developer_tries_again_after_a_repair(played: Played) -> None:
    assert ended(played, "shingles/trigrams", "Uma (simulated)") == [("failed", "run")]
    assert ended(played, "shingles/trigrams", "Dev (simulated)") == [("failed", "run"), ("succeeded", "")]


@pytest.mark.parametrize("analyst", ["Uma (simulated)", "Dev (simulated)"])
def test_nobody_gets_over_the_prerequisite_that_is_not_there(played: Played, analyst: str) -> None:
    (failed,) = (
        one for one in played.track.report().attempts if (one.submission, one.analyst) == ("folders/folding", analyst)
    )

    assert (failed.state, failed.stage) == ("failed", "prerequisites")
    assert failed.reason == "medfold is missing; the system asks for >=2.1"


def test_what_is_seeded_comes_back_byte_for_byte_and_what_draws_lots_does_not(played: Played) -> None:
    found: dict[str, list[str]] = {}
    for one in played.track.report().verdicts:
        found.setdefault(one.submission, []).append(one.agreement)

    assert found["lexicon/dictionary"] == ["identical bytes"] * 2
    assert found["shingles/trigrams"] == ["identical bytes"]
    assert len(found["dice/lots"]) == 5
    assert "identical bytes" not in found["dice/lots"]
    assert "folders/folding" not in found


def test_only_the_actor_changed_unless_the_bundle_was_repaired(played: Played) -> None:
    types = {(one.submission, one.type) for one in played.track.report().verdicts}

    assert types == {("lexicon/dictionary", "primAd"), ("dice/lots", "primAd"), ("shingles/trigrams", "prImAd")}


def test_the_scores_of_the_system_that_draws_lots_scatter_over_six_measurements(played: Played) -> None:
    rows = {one.submission: one for one in played.track.report().precision if one.data_set == "test"}

    assert {address: row.n for address, row in rows.items()} == {
        "lexicon/dictionary": 3,
        "shingles/trigrams": 2,
        "dice/lots": 6,
    }
    assert (rows["lexicon/dictionary"].cv_star, rows["shingles/trigrams"].cv_star) == (0, 0)
    assert rows["dice/lots"].cv_star is not None
    assert rows["dice/lots"].cv_star > 0


def test_the_systems_that_run_are_run_on_other_texts_too(played: Played) -> None:
    scored = {one.submission: one.replicated for one in played.track.report().cells if one.data_set == "letters"}

    assert set(scored) == {"lexicon/dictionary", "shingles/trigrams", "dice/lots"}
    assert all(value is not None and 0 < value < 1 for value in scored.values())


def test_each_failure_of_the_developer_is_a_question_that_is_answered(played: Played) -> None:
    with played.track.speaking():
        asked = [(str(one.attempt.submission), one.answer) for one in Question.objects.order_by("id")]

    replies = {system.address: system.reply for system in SYSTEMS}
    assert asked == [(address, replies[address]) for address in ("shingles/trigrams", "folders/folding")]


def test_the_repaired_bundle_is_a_second_version_and_both_are_kept(played: Played, folder: Path) -> None:
    with played.track.speaking():
        versions = [(str(one.submission), one.version) for one in System.objects.order_by("id") if one.version > 1]

    assert versions == [("shingles/trigrams", 2)]
    assert sorted(path.name for path in (folder / BUNDLES).iterdir()) == [
        "dictionary-1.tar.gz",
        "folding-1.tar.gz",
        "lots-1.tar.gz",
        "trigrams-1.tar.gz",
        "trigrams-2.tar.gz",
    ]


def test_human_times_are_those_of_the_rules_and_lie_in_the_past(played: Played) -> None:
    times = {(one.system, one.role): one.human for one in played.track.report().times}

    assert times == {
        ("Dictionary", "user"): 35,
        ("Dictionary", "developer"): 18,
        ("Trigrams", "user"): 35 + 5 * 4,
        ("Trigrams", "developer"): 2 * (18 + 5 * 2) + 40,
        ("Drawing lots", "user"): 35 + 8 * 4,
        ("Drawing lots", "developer"): 18 + 8 * 2,
        ("Folding", "user"): 15 + 2 * 4 + 10,
        ("Folding", "developer"): 8 + 2 * 2 + 40,
    }
    with played.track.speaking():
        late = [one for one in Span.objects.select_related("attempt") if one.ended_at > one.attempt.closed_at]
    assert late == []


def test_every_sheet_is_locked_and_the_questions_of_the_paper_are_the_weakest(played: Played) -> None:
    report = played.track.report()
    shares = {one.key: one.score.share for one in report.questions}

    assert report.notes == ()
    assert {one.key: one.score.n for one in report.questions} == dict.fromkeys(
        ("Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "Q10"), 8
    ) | {"Q7": 5, "Q8": 5}
    assert min(share for share in shares.values() if share is not None) == shares["Q1"] == shares["Q6"] == 0.25
    # Of the two questions to authors, one came before the system ran.
    assert (shares["Q4"], shares["Q7"]) == (0.875, 1)


def test_the_report_says_that_people_and_times_are_played(played: Played) -> None:
    about = played.track.report().about

    assert about.startswith(PLAYED)
    assert "human times are simulated" in about
    assert "Simulated minutes: a user works for 15, 10 and 10 minutes" in about


def test_the_right_codes_of_the_test_lie_nowhere_but_in_the_track(folder: Path) -> None:
    assert sorted(path.name for path in (folder / DATA).rglob("codes.tsv")) == ["codes.tsv"]
    assert (folder / DATA / "train" / "codes.tsv").is_file()
    gold = make("test", SEED, CAREFUL, SIZE).gold
    assert [path for path in (folder / DATA).rglob("*") if path.is_file() and gold in path.read_bytes()] == []


def test_the_track_is_published_and_takes_no_further_attempt(played: Played, folder: Path) -> None:
    opened = Track(folder / TRACK)

    assert opened.row.phase == "published"
    with pytest.raises(UsageError, match="the track is in the phase published"):
        opened.start("uma", "lexicon/dictionary")
    assert played.track.row.slug == opened.row.slug == "icd10-coding"
