"""What does each section of the demonstration show?  One function each, in the order of the page.

    collections      documents, topics and judgments to work on
    runs             the runs of all teams, recorded, annotated, checked, kept as a dataset
    reproduction     reproductions found by metadata, what changed, and how close they are
    sweep            effectiveness along the interpolation weight
    generalisation   the effect on other collections, and how much vocabulary they share
    toolkit          the keyword search by PyTerrier and PISA
    precision        how far apart the scores of an original and its reproductions are
    published        the same for published results of language processing

A section computes nothing of its own: it asks the study or the public API, and says what came out.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from primad import (
    Link,
    Picture,
    Section,
    Table,
    assess,
    example_measurements,
    qra,
    write_report,
)
from primad.experiments.ccrf import outcomes
from primad.experiments.ccrf.collection import Collection, CollectionError, parts
from primad.experiments.ccrf.dataset import HEAD, Dataset
from primad.experiments.ccrf.generator import NAMES, Shape, generate
from primad.experiments.ccrf.pisa import OTHER_TOOLKIT, toolkit_work
from primad.experiments.ccrf.plan import (
    KEYWORDS,
    ORIGINAL_LATER,
    PAIRING,
    TRANSFERRING,
    TUNING,
    WEIGHT,
    WEIGHTS,
    plan,
)
from primad.experiments.ccrf.transfer import Transfer, conjecture, draw, shared, transfers
from primad.experiments.demo.state import Shown, State
from primad.experiments.demo.words import bounded, chance, extent, share, shown, widest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from primad import Assessment, QuantifiedAssessment

# The last collection shares the least vocabulary with the others.
OVERLAP = {"news93": 0.6, "news99": 0.5, "wire05": 0.5, "posts17": 0.25}
SHAPE = Shape(documents=2000)  # enough for all to be seen, and few enough for a minute
_PARTS = 4
_QUICK = 3  # collections
_QUICK_WEIGHTS = (0.1, 0.3, 0.5, 0.7, 0.9)
_FEWEST_TOPICS = 3
_MOST_TEXT = 50_000_000
_MOST_REMARKS = 3
_QRELS = "dataset/qrels/*.qrels"
_PSEUDO = "pseudo-labels"  # the report on the original authors' later method
_NO_PART_OF_A_WORD = re.compile(r"[^\w.-]+")


def collections(state: State) -> Shown:
    """Make collections that share topics, or split the one that was asked for."""
    state.collections = found = _collections(state)
    for one in found:
        _refuse_unsuited(one)
    documents = sum(len(one.documents) for one in found)
    made = f"Split {_called(state.asked.collection)} in" if state.asked.collection else "Made"
    kind = "" if state.asked.collection else "synthetic "
    line = (
        f"{made} {len(found)} {kind}collections that share {len(found[0].topics)} topics; together they have "
        f"{documents:,} documents."
    )
    rows = [(one.name, f"{len(one.documents):,}", f"{len(one.judged):,}", one.description) for one in found]
    table = Table(head=("Collection", "Documents", "Judged", "What it is"), rows=rows)
    return Shown(Section(title="Collections", text=[line], tables=[table]), line)


def _collections(state: State) -> Sequence[Collection]:
    """Return the collections to work on, three of them in a quick demonstration."""
    asked = state.asked
    if asked.collection is None:
        names = NAMES[:_QUICK] if asked.quick else NAMES
        return list(generate(asked.seed, names, shape=SHAPE, overlap=OVERLAP).values())
    whole = _read(asked.collection)
    return parts(replace(whole, name=_called(whole.name)), _QUICK if asked.quick else _PARTS)


def _refuse_unsuited(collection: Collection) -> None:
    """Refuse a COLLECTION, or a part of one, on which the study would come to nothing."""
    topics = sum(bool(collection.relevant(topic)) for topic in collection.topics)
    if topics < _FEWEST_TOPICS:
        raise CollectionError(
            f"{collection.name}: expected relevant documents for at least {_FEWEST_TOPICS} topics, found "
            f"them for {topics} among {len(collection.documents)} documents; choose a collection with more judgments"
        )


def _read(source: Path | str) -> Collection:
    """Return the collection in the folder SOURCE, or the one that ir_datasets calls so."""
    if isinstance(source, Path):
        from primad.experiments.ccrf.trec_folder import read_collection

        return read_collection(source)
    from primad.experiments.ccrf.ir_datasets_source import from_ir_datasets

    try:
        return from_ir_datasets(source)
    except CollectionError as error:
        raise CollectionError(f"there is no folder '{source}', and {error}") from error


def _called(source: Path | str) -> str:
    """Return the name of a collection as one word, which tags of runs, names of files and commands can have in them.

    >>> _called("beir/scifact"), _called("my collection (1)"), _called("..")
    ('beir-scifact', 'my-collection-1', 'collection')
    """
    name = source.resolve().name if isinstance(source, Path) else source
    return _NO_PART_OF_A_WORD.sub("-", name).strip("-.") or "collection"


def runs(state: State) -> Shown:
    """Carry out the study, and keep its runs."""
    state.made = dataset = Dataset(state.folder / "dataset", state.collections, state.asked.command)
    weights = _QUICK_WEIGHTS if state.asked.quick else WEIGHTS
    work = plan(state.collections, seed=state.asked.seed, weights=weights, whole=not state.asked.quick)
    # Each process gets the texts with each piece of work.
    small = sum(len(text) for one in state.collections for text in one.documents.values()) < _MOST_TEXT
    making = dataset.add_all(work, state.spread if small else map)
    for _ in state.watch(making, sum(one.runs for one in work), "runs", dataset.count_runs):
        pass
    dataset.close()
    bad = [one for one in dataset.kept if one.problems]
    stated = sorted(one.complete for one in dataset.kept)
    teams = {one.team.name for one in dataset.kept}
    line = (
        f"{len(teams)} teams, all played by one program, made {len(dataset.kept)} runs, each with its metadata in the "
        f"file; a check finds errors in {len(bad) or 'none'} of them, and they state {extent(stated, '{:.0f}')} % of "
        f"the fields that are essential or recommended."
    )
    table = Table(head=HEAD, rows=dataset.overview(), caption="The runs, in the form of the paper's Table 1.")
    links = [
        Link(path="dataset/overview.csv", text="overview"),
        Link(path="dataset/README.md", text="about the dataset"),
    ]
    remarks = dict.fromkeys(f"{one.tag}: {remark}." for one in dataset.kept for remark in one.remarks)
    first = [*remarks][:_MOST_REMARKS]
    more = [f"{len(remarks) - len(first)} further remarks are of the same kind."] * (len(remarks) > len(first))
    section = Section(
        title="Runs", text=[line, *first, *more], tables=[table], links=links, command="primad check dataset/runs"
    )
    return Shown(section, line)


def reproduction(state: State) -> Shown:
    """Find reproductions of the original by their metadata, say what changed, and how close they are."""
    dataset = state.dataset
    found = outcomes.reproduced(dataset)
    _reported(state, found, "reproduction")
    head, rows = outcomes.table_2(found, dataset.target)
    before, after = (found.original.find("arp", of=outcomes.MEASURE, run=run) for run in ("baseline", "advanced"))
    line = (
        f"With two collections to learn from instead of one, the mean average precision (AP) of the original goes from "
        f"{shown(before)} to {shown(after)}; {len(found)} reproductions of this improvement were found by their "
        f"metadata: {', '.join(f'{outcomes.called(one, dataset.target)} ({one.type})' for one in found)}."
    )
    letters = (
        "Upper case letters say what changed: Platform, Research goal, Implementation, Method, Actor or Data; that the "
        "actor changed is played. A reranked keyword search can find only documents that share a word with the topic, "
        "a classifier that ranks the whole collection finds others, too."
    )
    text = [line, letters, *outcomes.reasons(found, dataset.target)]
    caption = (
        "Closeness in AP, as in the paper's Table 2: the effect ratio is the share of the improvement that came back, "
        "Δ relative improvement the difference of both improvements relative to their baselines; rank-biased overlap "
        "is 1 for the same order of documents, root mean square error 0 for the same topic scores. = is equivalent, ≠ "
        "different, ? inconclusive."
    )
    table = Table(head=head, rows=rows, caption=caption)
    command = (
        f"primad assess --original {' '.join(dataset.original(outcomes.ORIGINAL))} --in dataset/runs/{dataset.target} "
        f"--qrels dataset/qrels/{dataset.target}.qrels -m map"
    )
    section = _section("Reproduction", "reproduction", text, command, tables=[table])
    return Shown(section, line, _came_back(found, dataset.target))


def _came_back(found: Assessment, home: str) -> str:
    """Return how many reproductions brought the improvement back, and how much of it each has kept."""
    kept: dict[str, list[str]] = {"equivalent": [], "different": [], "": []}
    for one in found:
        said = f"{outcomes.called(one, home)} kept {share(one.find('er', of=outcomes.MEASURE, run='both'))}"
        answer = outcomes.answer(one)
        kept[answer if answer in kept else ""].append(said)
    back, lost, unsure = kept.values()
    parts = [
        f"{len(back) or 'None'} of {len(found)} reproductions of a retrieval experiment brought its improvement back"
        + f": {', '.join(back)}" * bool(back),
        f"{len(lost)} did not: {', '.join(lost)}" * bool(lost),
        f"{len(unsure)} cannot be told: {', '.join(unsure)}" * bool(unsure),
    ]
    return "; ".join(filter(None, parts)) + " (of the improvement in AP, with 95 % intervals)."


def sweep(state: State) -> Shown:
    """Look along the weight of the classifier, and at the weight that the sweep did not choose."""
    found = outcomes.swept(state.dataset)
    _reported(state, found, "sweep")
    fixed = outcomes.improvements(state.dataset)
    clear = sum(one.is_significant for one in fixed)
    line = (
        f"Mixed with a keyword search (BM25) at a weight of {WEIGHT:g}, feedback differs from it by "
        f"{extent([one.gain for one in fixed], '{:+.3f}')} in AP on {len(fixed)} pairs of collections ({clear} "
        f"significantly); of all weights that were tried, {outcomes.best_of_sweep(found)}."
    )
    rows = [(one.pair, f"{one.keywords:.4f}", f"{one.score:.4f}", f"{one.gain:+.4f}", chance(one.p)) for one in fixed]
    head = ("Sources → target", "BM25", f"weight {WEIGHT:g}", "gain", "p (Holm)")
    table = Table(
        head=head,
        rows=rows,
        caption="AP at a weight that was fixed before; p by a paired t-test, corrected after Holm.",
    )
    picture = Picture(
        path="sweep/sweep-map.svg",
        caption="AP, and RMSE against the lowest weight, along the weight of feedback (the paper's Figure 10).",
        description="Lines, one for each pair of source and target collections, over the weights of the classifier.",
    )
    folders = " ".join(sorted({path.parent.relative_to(state.folder).as_posix() for path in state.dataset.sweep}))
    command = f"primad assess --in {folders} --qrels {_QRELS} -m map"
    pictures = _drawn(state, picture)
    return Shown(_section("Parameter sweep", "sweep", [line], command, tables=[table], pictures=pictures), line)


def generalisation(state: State) -> Shown:
    """Look at the effect on other collections, and at the vocabulary that they share with the sources."""
    dataset = state.dataset
    found = outcomes.generalised(dataset)
    _reported(state, found, "generalisation")
    effects = [_effects("generalisation", outcomes.ORIGINAL)]
    if dataset.original(outcomes.LATER):
        _reported(state, outcomes.generalised(dataset, outcomes.LATER), _PSEUDO)
        effects.append(_effects(_PSEUDO, outcomes.LATER))
    pairs = transfers(dataset)
    draw(pairs, state.folder / "dataset")
    line = _elsewhere(found)
    text = [
        line,
        "Effect ratio and delta relative improvement need no common documents, so they exist on any collection.",
        _conjectured(state, pairs),
        "Pairs of collections are not independent of each other: a correlation describes them and tests nothing.",
    ]
    conjectured = Picture(
        path="dataset/vocabulary.svg",
        caption="Gain over BM25 by the vocabulary that source and target share, for one source and one target each.",
        description="Points, one for each pair of a source and a target collection.",
    )
    original = " ".join(dataset.original(outcomes.ORIGINAL))
    command = f"primad assess --original {original} --in dataset/runs --qrels {_QRELS} -m map"
    tables = [_effects_and_vocabulary(dataset, found), _gains(pairs)]
    pictures = _drawn(state, *effects, conjectured)
    section = _section("Other collections", "generalisation", text, command, tables=tables, pictures=pictures)
    if dataset.original(outcomes.LATER):
        later = Link(path=f"{_PSEUDO}/report.html", text="the same for the method that learns from pseudo-labels")
        section = replace(section, links=[*section.links, later])
    return Shown(section, line)


def _conjectured(state: State, pairs: Sequence[Transfer]) -> str:
    """Return what the vocabulary that collections share has to do with the gain, and what that is worth."""
    if state.asked.collection:
        return "The collections are parts of one, which share vocabulary alike: nothing can be said about vocabulary."
    return (
        f"{conjecture(pairs)} How much vocabulary synthetic collections share was set when they were made: this shows "
        f"how the conjecture of the paper can be measured, not that it holds."
    )


def _effects_and_vocabulary(dataset: Dataset, found: Assessment) -> Table:
    """Return the effect of each reproduction beside the vocabulary that its sources and its target share."""
    rows = []
    for one in found:
        if "advanced" not in one.runs:
            continue
        overlaps = [shared(dataset, one.runs[role].tag).jaccard for role in ("baseline", "advanced")]
        effects = [one.find(name, of=outcomes.MEASURE, run="both") for name in ("er", "dri")]
        rows.append(
            (
                outcomes.called(one, dataset.target),
                one.type,
                *(f"{overlap:.3f}" for overlap in overlaps),
                *map(bounded, effects),
            )
        )
    head = ("Reproduction", "type", "shared, one source", "shared, two sources", "effect ratio", "DRI")
    caption = "Overall effects, and the vocabulary of judged documents that sources and target share (Jaccard)."
    return Table(head=head, rows=rows, caption=caption)


def _gains(pairs: Sequence[Transfer]) -> Table:
    """Return what feedback gains from each source for each target."""
    rows = [
        (one.pair, f"{one.shared.jaccard:.3f}", f"{one.shared.known:.1%}", f"{one.score:.4f}", f"{one.gain:+.4f}")
        for one in pairs
    ]
    head = ("Source → target", "shared (Jaccard)", "target's terms known", "AP", "gain over BM25")
    return Table(head=head, rows=rows, caption=f"Feedback from one source, interpolated with weight {WEIGHT:g}.")


def _elsewhere(found: Assessment) -> str:
    """Return how much of the effect came back on other collections, which the type of a reproduction says."""
    effects = [one.find("er", of=outcomes.MEASURE, run="both") for one in found if "D" in one.type]
    known = [one.value for one in effects if one is not None and one.value is not None]
    if not known:
        return "No reproduction on another collection has an effect ratio."
    return (
        f"On other collections {len(known)} reproductions kept {extent([100 * one for one in known], '{:.0f}')} % of "
        f"the improvement."
    )


def _effects(name: str, prefix: str) -> Picture:
    """Return the picture of overall effects in the report NAME."""
    return Picture(
        path=f"{name}/effects.svg",
        caption=f"Overall effects against the runs {prefix}* (the paper's Figure 11); the ideal is marked.",
        description="Points, one for each reproduction: effect ratio to the right, delta relative improvement upwards.",
    )


def toolkit(state: State) -> Shown:
    """Do the keyword search of the target collection by another toolkit, recorded from its pipeline."""
    dataset = state.dataset
    target = next(one for one in dataset.collections if one.name == dataset.target)
    (kept,) = dataset.add(toolkit_work(target))
    dataset.close()
    (keywords,) = dataset.runs_of("bm25.", target=target.name)
    found = assess(keywords, {"PISA": kept.path}, dataset.qrels(target.name), measures=[outcomes.MEASURE])
    _reported(state, found, "toolkit")
    (one,) = found
    ours, theirs = (side.find("arp", of=outcomes.MEASURE) for side in (found.original, one))
    order = one.find("rbo_ext")
    line = (
        f"BM25 by other software with its own stemmer, PyTerrier with PISA instead of bm25s ({one.type}), has an AP of "
        f"{shown(theirs)} instead of {shown(ours)} and a rank-biased overlap of {shown(order)} with it."
    )
    command = f"primad show {kept.path.relative_to(state.folder).as_posix()}"
    return Shown(_section("Another toolkit", "toolkit", [line], command), line)


def precision(state: State) -> Shown:
    """Say how far apart the scores of each original and its reproductions on the same collection are."""
    dataset = state.dataset
    found = outcomes.precise(dataset)
    _reported(state, found, "precision")
    line = (
        f"Between the teams, the AP of {len(found)} original runs varies by "
        f"{widest({one.group.object: one.cv for one in found})}: this is CV*, the coefficient of variation, corrected "
        f"for few values."
    )
    picture = Picture(
        path="precision/values.svg",
        caption="The measured values of each original and its reproductions.",
        description="Values along a line for each original.",
    )
    others = (KEYWORDS, TUNING, PAIRING, OTHER_TOOLKIT, TRANSFERRING, ORIGINAL_LATER)
    folders = sorted(
        {one.path.parent for one in dataset.kept if one.target == dataset.target and one.team not in others}
    )
    runs = " ".join(path.relative_to(state.folder).as_posix() for path in folders)
    command = f"primad qra --runs {runs} --qrels dataset/qrels/{dataset.target}.qrels -m map"
    pictures, tables = _drawn(state, picture), [_precisions(found)]
    return Shown(_section("Precision", "precision", [line], command, tables=tables, pictures=pictures), line)


def _precisions(found: QuantifiedAssessment) -> Table:
    """Return how precise the score of each original is."""
    rows = [
        (one.group.object, str(one.precision.n), f"{one.precision.mean:.4f}", *_spread_of(one.cv, one.precision.cv_ci))
        for one in found
    ]
    head = ("Original run", "values", "mean AP", "CV* in %", "95 % interval")
    return Table(head=head, rows=rows, caption="The score of each original run with those of its reproductions.")


def _spread_of(cv: float | None, bounds: tuple[float, float | None] | None) -> tuple[str, str]:
    """Return a CV* and its interval as cells; equal values have no interval, and few may have no upper bound."""
    if cv is None or bounds is None:
        return "-" if cv is None else f"{cv:.3f}", "-"
    low, high = bounds
    return f"{cv:.3f}", f"[{low:.3f}, {'∞' if high is None else f'{high:.3f}'}]"


def published(state: State) -> Shown:
    """Say the same about published results of language processing, which ship with primad."""
    found = qra(example_measurements("belz2022"), causes=True)
    _reported(state, found, "published")
    precisions = {f"{one.group.measurand} of {one.group.object}": one.cv for one in found}
    line = (
        f"The {len(found)} published results of language processing in Belz et al. (2022) vary by {widest(precisions)} "
        f"(CV*) over their reproductions."
    )
    return Shown(_section("Published results", "published", [line], "primad qra --example belz2022 --causes"), line)


def _reported(state: State, found: Assessment | QuantifiedAssessment, name: str) -> None:
    """Write the report NAME; pictures are kept in one form, for writing three takes three times as long."""
    write_report(found, state.folder / name, pictures=["svg"])


def _drawn(state: State, *pictures: Picture) -> list[Picture]:
    """Return the PICTURES that there are: a report draws none of values that are undefined."""
    return [one for one in pictures if (state.folder / one.path).exists()]


def _section(
    title: str,
    report: str,
    text: Sequence[str],
    command: str,
    *,
    tables: Sequence[Table] = (),
    pictures: Sequence[Picture] = (),
) -> Section:
    """Return a section that leads to its REPORT."""
    links = [Link(path=f"{report}/report.html", text="the whole report")]
    return Section(title=title, text=text, tables=tables, pictures=pictures, links=links, command=command)
