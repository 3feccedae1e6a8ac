"""Reports of tracks to render: one with something in every table, one with nothing, and one full of traps.

full       two systems, three attempts
namesakes  two systems of two teams, both called Baseline
empty      a track that has only begun
hostile    names that would be markup, commands or formulas somewhere
"""

from dataclasses import replace
from datetime import UTC, datetime

from primad.reports.track.facts import (
    AttemptRow,
    Cell,
    Comment,
    Funnel,
    MachineRow,
    Moment,
    PrecisionRow,
    QuestionRow,
    Recommendation,
    Score,
    StageTime,
    SystemRow,
    TimeRow,
    TrackReport,
    VerdictRow,
)

AT = datetime(2026, 5, 4, 12, 30, tzinfo=UTC)
TRAP = "<script>alert(1)</script>\x1b[2J \\input{x} =1+1 |*_`\u202e"


def empty() -> TrackReport:
    """Return the report of a track that has only begun."""
    return TrackReport("codes", "Coding 2026", "", "", "set-up", AT)


def full() -> TrackReport:
    """Return a report with something in every table."""
    return TrackReport(
        slug="codes",
        title="Coding 2026",
        about="Two systems that give codes to short texts.",
        source="nobody yet",
        phase="adjudication",
        made_at=AT,
        funnel=(Funnel("teams", 3), Funnel("systems", 2, "one team had no time")),
        systems=(
            SystemRow(
                "red/words", "Words", "red", "coding", "Linux", "python", "1.2", eligible=True, reason="complete"
            ),
            SystemRow("blue/grams", "Grams", "blue", "coding", "", "", "", "remote", None),
        ),
        machines=(
            MachineRow("Ann", "user", "laptop", {"operating_system": "Debian 12", "memory": "16 GB", "cache": "3 MB"}),
            MachineRow("Dev", "developer", "old", {"processor": "Intel i5", "graphics": "none"}),
            MachineRow("Dev", "developer", "new", {}),
        ),
        times=(
            TimeRow("Words", "user", 12.0, 4.25, 2, 1, "Means over analysts.", submission="red/words"),
            TimeRow("Words", "developer", 0.04, None, 1, 0, "Means over analysts.", submission="red/words"),
        ),
        stages=(
            StageTime("Words", "install", 6.5, 2, submission="red/words"),
            StageTime("Words", "", 5.5, 1, submission="red/words"),
        ),
        questions=(
            _question("Configuration", "Q1", "Needs easy to see?", "*", Score(0.5, 2), printed=0.33),
            _question("Configuration", "Q2", "Missing parts easy to add?", "+", Score(0.8, 2)),
            _question("Overall", "Q10", "Use it elsewhere?", "*", Score(None, 0)),
        ),
        attempts=(
            _attempt(1, "Ann", "succeeded", level=4, words="it gives results consistent with those submitted"),
            _attempt(2, "Dev", "failed", stage="install", reason="gcc is missing", level=1, words="its authors say so"),
            replace(_attempt(3, "Ann", "succeeded"), rung="bubblewrap", repeats=1, run=0.5),
        ),
        verdicts=(_verdict(1, 4, 0.0, "identical bytes"), _verdict(3, 2, -0.02, ".01 or more apart")),
        precision=(
            PrecisionRow(
                "red/words", "Words", "default", "test", "f1", 3, 0.79, 1.66, 0.8, 9.5, ("machine",), "Close."
            ),
        ),
        comments=(
            Comment("red/words", "Words", "Q1", "Ann", "user", "Which gcc?\nWhich version?"),
            Comment("red/words", "Words", "Q1", "Dev", "developer", "No list of packages."),
            Comment("red/words", "Words", "Q9", "Ann", "user", "Add an example."),
        ),
        recommendations=(Recommendation("Words", "List what is needed.", "Q1 has 33%", "red/words"),),
        cells=(
            Cell("red/words", "Words", "test", "f1", 0.8, 0.78, 2),
            Cell("red/words", "Words", "extra", "f1", None, 0.7, 1),
            Cell("blue/grams", "Grams", "test", "f1", 0.6, None, 0),
        ),
        moments=(Moment("red/words", "Words", "test", 1, AT, "f1", 0.8),),
        notes=("One sheet is not locked yet.",),
    )


def namesakes() -> TrackReport:
    """Return a report on two systems of two teams with one title, each with its own times, scores and results."""
    shared, reuse = "Baseline", {"red/base": Score(1.0, 1), "blue/base": Score(0.0, 2)}
    question = _question("Overall", "again", "Use it elsewhere?", "*", Score(1 / 3, 3))
    return replace(
        empty(),
        systems=tuple(SystemRow(f"{team}/base", shared, team, "coding", "", "") for team in ("red", "blue")),
        times=(
            TimeRow(shared, "user", 10.0, 1.0, 1, 1, "Means.", submission="red/base"),
            TimeRow(shared, "user", 90.0, 9.0, 2, 2, "Means.", submission="blue/base"),
        ),
        stages=(
            StageTime(shared, "run", 1.0, 1, submission="red/base"),
            StageTime(shared, "run", 9.0, 2, submission="blue/base"),
        ),
        questions=(replace(question, by_system=reuse, purpose="reuse"),),
        recommendations=(Recommendation(shared, "Say how.", "again has 0%", "blue/base"),),
        cells=(
            Cell("red/base", shared, "test", "f1", 0.8, 0.8, 1),
            Cell("blue/base", shared, "test", "f1", 0.6, 0.5, 2),
        ),
    )


def hostile() -> TrackReport:
    """Return a report in which people and files have names that are traps."""
    report = full()
    return replace(
        report,
        title=TRAP,
        about=TRAP,
        notes=(TRAP,),
        funnel=(Funnel(TRAP, 1, TRAP),),
        systems=(replace(report.systems[0], title=TRAP, operating_system=TRAP, reason=TRAP),),
        machines=(MachineRow(TRAP, "user", TRAP, {TRAP: TRAP, "memory": TRAP}),),
        times=(replace(report.times[0], system=TRAP, rule=TRAP),),
        questions=(
            replace(report.questions[0], short=TRAP, by_system={TRAP: Score(1.0, 1), "red/words": Score(1.0, 1)}),
        ),
        attempts=(replace(report.attempts[1], title=TRAP, analyst=TRAP, reason=TRAP),),
        verdicts=(replace(report.verdicts[1], title=TRAP, analyst=TRAP, sentence=TRAP),),
        comments=(Comment("red/words", TRAP, "Q1", TRAP, "user", TRAP),),
        recommendations=(Recommendation(TRAP, TRAP, TRAP, "red/words"),),
        cells=(Cell("red/words", TRAP, TRAP, TRAP, 0.1, 0.2, 1),),
    )


def _question(part: str, key: str, short: str, mark: str, score: Score, printed: float | None = None) -> QuestionRow:
    """Return a row with the same score for the only system."""
    by_system = {"red/words": score} if score.n else {}
    scale, rule = ("yes or no", "Share of yes.") if mark == "*" else ("5-point scale", "Mean over 5.")
    note = "From the paper." if printed is not None else ""
    return QuestionRow(part, key, short, f"{short} Why?", scale, mark, rule, score, by_system, printed, note)


def _attempt(
    number: int,
    analyst: str,
    state: str,
    *,
    stage: str = "",
    reason: str = "",
    level: int | None = None,
    words: str = "",
) -> AttemptRow:
    """Return an attempt at the system Words."""
    return AttemptRow(
        number=number,
        submission="red/words",
        title="Words",
        analyst=analyst,
        role="user" if analyst == "Ann" else "developer",
        machine="laptop" if analyst == "Ann" else "old",
        configuration="default",
        data_set="test",
        state=state,
        stage=stage,
        reason=reason,
        human=12.0,
        run=4.25 if state == "succeeded" else None,
        rung="",
        level=level,
        level_words=words,
        opened_at=AT,
    )


def _verdict(attempt: int, points: int, difference: float, agreement: str) -> VerdictRow:
    """Return a verdict on the system Words, with a test if there is a difference."""
    differs = difference != 0
    return VerdictRow(
        attempt=attempt,
        submission="red/words",
        title="Words",
        analyst="Ann",
        agreement=agreement,
        points=points,
        primary="f1",
        submitted=0.8,
        replicated=0.8 + difference,
        difference=difference,
        p=0.03 if differs else None,
        low=-0.035 if differs else None,
        high=-0.005 if differs else None,
        no_test="" if differs else "nothing differs.",
        same_items=90 if differs else 100,
        different_items=10 if differs else 0,
        type="Primad" if differs else "",
        sentence="The difference is more than chance." if differs else "The output is the same.",
    )
