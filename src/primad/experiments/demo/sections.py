"""What does each section of the demonstration show?  One function each, in the order of the page.

    collections      documents, topics and judgments to work on
    runs             the runs of all teams, recorded, annotated, checked, kept as a dataset
    reproduction     reproductions found by metadata, what changed, and how close they are
    sweep            effectiveness along the interpolation weight
    generalisation   the effect on other collections, and how much vocabulary they share
    toolkit          the same keyword search by PyTerrier and PISA
    precision        how far apart the scores are over teams and collections
    published        the same for published results of language processing

A section computes nothing of its own: it asks the study or the public API, and says what came out.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from primad import Link, Picture, Section, Table, assess, example_measurements, qra, write_report
from primad.experiments.ccrf import outcomes
from primad.experiments.ccrf.collection import Collection, parts
from primad.experiments.ccrf.dataset import HEAD, Dataset
from primad.experiments.ccrf.generator import NAMES, Shape, generate
from primad.experiments.ccrf.pisa import toolkit_work
from primad.experiments.ccrf.plan import WEIGHT, WEIGHTS, plan
from primad.experiments.ccrf.transfer import conjecture, draw, transfers
from primad.experiments.demo.state import Shown, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from primad import Assessment, QuantifiedAssessment, Reproduction, Value

# The last collection shares the least vocabulary with the others.
OVERLAP = {"news93": 0.6, "news99": 0.5, "wire05": 0.5, "posts17": 0.25}
SHAPE = Shape(documents=2000)  # enough for all to be seen, and few enough for a minute
_PARTS = 4
_QUICK = 3  # collections
_QUICK_WEIGHTS = (0.1, 0.3, 0.5, 0.7, 0.9)
_QRELS = "dataset/qrels/*.qrels"


def collections(state: State) -> Shown:
    """Make collections that share topics, or split the one that was asked for."""
    state.collections = _collections(state)
    documents = sum(len(one.documents) for one in state.collections)
    topics = len(state.collections[0].topics)
    line = f"{len(state.collections)} collections with {documents:,} documents and the same {topics} topics"
    rows = [(one.name, f"{len(one.documents):,}", f"{len(one.judged):,}", one.description) for one in state.collections]
    table = Table(head=("Collection", "Documents", "Judged", "What it is"), rows=rows)
    text = [f"There are {line}."]
    return Shown(Section(title="Collections", text=text, tables=[table]), f"Made {line}.")


def _collections(state: State) -> Sequence[Collection]:
    """Return the collections to work on, three of them in a quick demonstration."""
    asked = state.asked
    if asked.collection is None:
        names = NAMES[:_QUICK] if asked.quick else NAMES
        return list(generate(asked.seed, names, shape=SHAPE, overlap=OVERLAP).values())
    return parts(_read(asked.collection), _QUICK if asked.quick else _PARTS)


def _read(name: str) -> Collection:
    """Return the collection in the folder NAME, or the one that ir_datasets calls so."""
    if Path(name).exists():
        from primad.experiments.ccrf.trec_folder import read_collection

        return read_collection(name)
    from primad.experiments.ccrf.ir_datasets_source import from_ir_datasets

    return from_ir_datasets(name)


def runs(state: State) -> Shown:
    """Carry out the study, and keep its runs."""
    state.made = dataset = Dataset(state.folder / "dataset", state.collections, state.asked.command)
    weights = _QUICK_WEIGHTS if state.asked.quick else WEIGHTS
    work = plan(state.collections, seed=state.asked.seed, weights=weights)
    for _ in state.watch(dataset.add_all(work, state.spread), len(work)):
        pass
    dataset.close()
    bad = [one for one in dataset.kept if one.problems]
    stated = sorted(one.complete for one in dataset.kept)
    line = (
        f"{len(dataset.kept)} runs by {len({one.team.name for one in dataset.kept})} teams, each annotated with its "
        f"metadata; a check finds problems in {len(bad)} of them, and they state {stated[0]} to {stated[-1]} % of the "
        f"fields that matter."
    )
    table = Table(head=HEAD, rows=dataset.overview(), caption="The runs, in the form of the paper's Table 1.")
    links = [
        Link(path="dataset/overview.csv", text="overview"),
        Link(path="dataset/README.md", text="about the dataset"),
    ]
    section = Section(title="Runs", text=[line], tables=[table], links=links, command="primad check dataset/runs")
    return Shown(section, line)


def reproduction(state: State) -> Shown:
    """Find reproductions of the original by their metadata, say what changed, and how close they are."""
    dataset = state.dataset
    found = outcomes.reproduced(dataset)
    _reported(state, found, "reproduction")
    head, rows = outcomes.table_2(found)
    line = f"{len(found)} reproductions are found by their metadata: {'; '.join(map(_kept, found))}."
    letters = "Upper case letters name what changed: Platform, Research goal, Implementation, Method, Actor, Data."
    text = [line, letters, *outcomes.reasons(found)]
    table = Table(head=head, rows=rows, caption="Closeness in AP, in the form of the paper's Table 2.")
    command = (
        f"primad assess --original {' '.join(dataset.original(outcomes.ORIGINAL))} --in dataset/runs/{dataset.target} "
        f"--qrels dataset/qrels/{dataset.target}.qrels -m map"
    )
    return Shown(_section("Reproduction", "reproduction", text, command, tables=[table]), line)


def _kept(one: Reproduction) -> str:
    """Return what changed in a reproduction, and how much of the effect it kept."""
    effect = one.find("er", of=outcomes.MEASURE, run="both")
    if effect is None or effect.value is None:
        return f"{one.name} ({one.type}) has no effect ratio"
    return f"{one.name} ({one.type}) kept {effect.value:.0%} of the improvement"


def sweep(state: State) -> Shown:
    """Look along the weight of the classifier, and at the weight that was stated beforehand."""
    found = outcomes.swept(state.dataset)
    _reported(state, found, "sweep")
    fixed = outcomes.improvements(state.dataset)
    least = min(fixed, key=lambda one: one.gain)
    clear = sum(one.is_significant for one in fixed)
    line = (
        f"Interpolated with weight {WEIGHT:g}, stated beforehand, feedback gains {least.gain:.3f} or more in AP over "
        f"BM25 on {len(fixed)} pairs of collections ({clear} significant, paired t-test, Holm); along the sweep "
        f"{outcomes.best_of_sweep(found)}."
    )
    rows = [(one.pair, f"{one.keywords:.4f}", f"{one.score:.4f}", f"{one.gain:+.4f}", f"{one.p:.2g}") for one in fixed]
    head = ("Sources → target", "BM25", f"weight {WEIGHT:g}", "gain", "p (Holm)")
    table = Table(head=head, rows=rows, caption="AP at the weight that was stated before anything was tried.")
    picture = Picture(
        path="sweep/sweep-map.svg",
        caption="AP, and RMSE against the lowest weight, along the interpolation weight (the paper's Figure 10).",
        description="Lines, one for each pair of source and target collections, over the weights of the classifier.",
    )
    folders = " ".join(sorted({path.parent.relative_to(state.folder).as_posix() for path in state.dataset.sweep}))
    command = f"primad assess --in {folders} --qrels {_QRELS} -m map"
    return Shown(_section("Parameter sweep", "sweep", [line], command, tables=[table], pictures=[picture]), line)


def generalisation(state: State) -> Shown:
    """Look at the effect on other collections, and at the vocabulary that they share with the sources."""
    dataset = state.dataset
    pictures = []
    for name, prefix in (("generalisation", outcomes.ORIGINAL), ("generalisation-later", outcomes.LATER)):
        _reported(state, outcomes.generalised(dataset, prefix), name)
        pictures.append(_effects(name, prefix))
    pairs = transfers(dataset)
    draw(pairs, state.folder / "dataset")
    said = [str(one) for one in conjecture(pairs)]
    head = ("Sources → target", "Method", "terms known", "Jaccard", "AP", "gain over BM25")
    rows = [
        (one.pair, one.method, f"{one.known:.1%}", f"{one.jaccard:.3f}", f"{one.score:.4f}", f"{one.gain:+.4f}")
        for one in pairs
    ]
    caption = "Vocabulary of judged documents that sources and target share, and what feedback gains."
    conjectured = Picture(
        path="dataset/vocabulary.svg",
        caption="Gain over BM25 by the share of the target's terms that the sources know: a conjecture of the paper.",
        description="Points, one for each pair of collections and method.",
    )
    text = [
        "Effect ratio and delta relative improvement need no common documents, so they exist on any collection.",
        *said,
        "Pairs share collections, so they are not independent: the correlation describes them and tests nothing.",
    ]
    original = " ".join(dataset.original(outcomes.ORIGINAL))
    command = f"primad assess --original {original} --in dataset/runs --qrels {_QRELS} -m map"
    table = Table(head=head, rows=rows, caption=caption)
    section = _section(
        "Generalisation", "generalisation", text, command, tables=[table], pictures=[*pictures, conjectured]
    )
    return Shown(section, said[0])


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
        f"BM25 by PyTerrier and PISA instead of bm25s ({one.type}): AP {_shown(theirs)} instead of {_shown(ours)}, "
        f"rank-biased overlap {_shown(order)}."
    )
    command = f"primad show {kept.path.relative_to(state.folder).as_posix()}"
    return Shown(_section("Another toolkit", "toolkit", [line], command), line)


def _shown(value: Value | None) -> str:
    """Return a value with four decimals."""
    return "unknown" if value is None or value.value is None else f"{value.value:.4f}"


def precision(state: State) -> Shown:
    """Say how far apart the scores of what was reproduced are, over teams and collections."""
    found = outcomes.precise(state.dataset)
    _reported(state, found, "precision")
    line = f"Over teams and collections, {_widest(found)}."
    text = [line, *(one.sentence for one in found)]
    picture = Picture(
        path="precision/values.svg",
        caption="The measured values of each original and its reproductions.",
        description="Values along a line for each original.",
    )
    command = (
        f"primad qra --runs dataset/runs/{state.dataset.target} --qrels dataset/qrels/{state.dataset.target}.qrels"
    )
    return Shown(_section("Precision", "precision", text, f"{command} -m map", pictures=[picture]), line)


def published(state: State) -> Shown:
    """Say the same about published results of language processing, which ship with primad."""
    found = qra(example_measurements("belz2022"), causes=True)
    _reported(state, found, "published")
    line = f"Of the results that Belz et al. (2022) published, {_widest(found)}."
    return Shown(_section("Published results", "published", [line], "primad qra --example belz2022 --causes"), line)


def _widest(found: QuantifiedAssessment) -> str:
    """Return between which bounds CV* lies, and where."""
    known = [(one.cv, f"{one.group.object} ({one.group.measurand})") for one in found if one.cv is not None]
    (low, best), (high, worst) = min(known), max(known)
    return f"{len(known)} groups have a CV* from {low:.1f} % ({best}) to {high:.1f} % ({worst})"


def _reported(state: State, found: Assessment | QuantifiedAssessment, name: str) -> None:
    """Write the report NAME; pictures are kept in one form, for writing three takes three times as long."""
    write_report(found, state.folder / name, pictures=["svg"])


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
