"""What becomes of the runs once a study is over?

archive   all runs in an archive, baselines found in it, and the original handed over from it to other tools
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from primad import Archive, Link, Section, Table, export, import_file
from primad.experiments.ccrf import outcomes
from primad.experiments.demo.state import Shown, State
from primad.experiments.demo.words import chance

CRATE = "research-object.zip"
_MOST_BASELINES = 5


def archive(state: State) -> Shown:
    """Put all runs into an archive, and ask it for baselines of a run."""
    dataset = state.dataset
    kept = Archive.init(state.folder / "archive")
    for one in dataset.collections:
        kept.set_collection(one.name, qrels=[dataset.qrels(one.name)])
    added = sum(one.status == "added" for one in kept.add(dataset.folder / "runs", jobs=1))
    kept.evaluate(measures=[outcomes.MEASURE])
    advanced = dataset.original(outcomes.ORIGINAL)[-1]
    found = kept.baselines_for(advanced, measure=outcomes.MEASURE, limit=_MOST_BASELINES)
    handed_over = _hand_over(kept, f"tag:{outcomes.ORIGINAL}*", state.folder / CRATE)
    kept.close()
    best = found.baselines[0]
    line = (
        f"An archive keeps all {added} runs of this page with their scores; the strongest of the {found.total} that "
        f"others can compare {advanced} with is {best.run.tag}, with an AP of {best.score:.4f}."
    )
    rows = [
        (
            one.run.address[:12],
            one.run.tag,
            one.run.team,
            f"{one.score:.4f}",
            "" if one.difference is None else f"{one.difference:+.4f}",
            "" if one.p_holm is None else chance(one.p_holm),
            one.type,
        )
        for one in found.baselines
    ]
    head = ("Address", "Tag", "Team", "AP", "difference", "p (Holm)", "type")
    caption = (
        f"The strongest runs on the collection, and their difference to {advanced}; p is that of a paired t-test, "
        f"corrected after Holm for the runs listed."
    )
    table = Table(head=head, rows=rows, caption=caption)
    command = f"primad archive search --archive archive --baseline-for {advanced}"
    links = [Link(path=CRATE, text="The original as a research object (RO-Crate), ready for a data archive")]
    return Shown(Section(title="Archive", text=[line, handed_over], tables=[table], links=links, command=command), line)


def _hand_over(archive: Archive, query: str, target: Path) -> str:
    """Write the runs that QUERY finds in ARCHIVE as a research object to TARGET, and say whether they come back."""
    with archive.handed_over(query) as thing, tempfile.TemporaryDirectory() as place:
        written = export(thing, "ro-crate", target)
        import_file(target, Path(place) / "back")
        same = sum((Path(place) / "back" / one.path).read_bytes() == one.read() for one in thing.runs)
        return (
            f"The {len(thing.runs)} runs of the original team went from the archive into a research object of "
            f"{len(written.files)} files: their judgments, who made them by which command with which software, and "
            f"files to cite them by. Taken over from there, {same} of them are the same byte for byte."
        )
