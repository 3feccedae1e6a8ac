"""The last section of the demonstration: what becomes of the runs once a study is over?

archive   all runs in an archive, and baselines found in it
"""

from __future__ import annotations

from primad import Archive, Section, Table
from primad.experiments.ccrf import outcomes
from primad.experiments.demo.state import Shown, State
from primad.experiments.demo.words import chance

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
    kept.close()
    best = found.baselines[0]
    line = (
        f"An archive keeps all {added} runs with their scores; asked for baselines of {advanced}, it lists the "
        f"strongest of {found.total} other runs on the same collection first: {best.run.tag}, with an AP of "
        f"{best.score:.4f}."
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
    return Shown(Section(title="Archive", text=[line], tables=[table], command=command), line)
