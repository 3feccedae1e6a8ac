"""Are the four systems honest, and do their bundles say what their teams want them to say?"""

import shutil
import subprocess
import tarfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

from primad.evaluation.scorers import scorer
from primad.experiments.coding.noise import CAREFUL, HURRIED
from primad.experiments.coding.teams import MANIFEST, SYSTEMS, System, at_home, files_of, pack, repaired
from primad.experiments.coding.texts import DataSet, make
from primad.replay.manifest import manifest_in
from primad.replay.preflight import preflight_in
from primad.replay.unpacking import unpack

BY_SLUG = {system.slug: system for system in SYSTEMS}
TRAINING = make("train", 1, CAREFUL)
TEST = make("test", 1, CAREFUL)


def measured(slug: str, data_set: DataSet = TEST) -> dict[str, float]:
    """Return precision, recall and F1 of the system SLUG at home."""
    output = at_home(BY_SLUG[slug], files_of(BY_SLUG[slug], TRAINING), data_set)
    return dict(scorer("coding", {}).score({"codes.tsv": data_set.gold}, {"output.tsv": output}).measures)


def test_the_dictionary_is_precise_and_misses_what_it_has_no_words_for() -> None:
    found = measured("dictionary")

    assert found["precision"] > 0.98
    assert 0.7 < found["recall"] < 0.9


def test_the_nearest_neighbour_codes_every_text_and_most_of_them_rightly() -> None:
    found = measured("trigrams")

    assert 0.9 < found["f1"] < 0.97
    assert found["f1"] > measured("dictionary")["f1"]


@pytest.mark.parametrize("slug", ["dictionary", "folding"])
def test_who_looks_words_up_does_worse_on_texts_of_people_in_a_hurry(slug: str) -> None:
    assert measured(slug, make("letters", 1, HURRIED))["f1"] < measured(slug)["f1"] - 0.1


@pytest.mark.slow
@pytest.mark.parametrize(("slug", "is_same"), [("dictionary", True), ("trigrams", True), ("lots", False)])
def test_only_the_system_that_draws_lots_gives_another_output_each_time(slug: str, *, is_same: bool) -> None:
    files = files_of(BY_SLUG[slug], TRAINING)
    first, second = (at_home(BY_SLUG[slug], files, TEST) for _ in range(2))

    assert (first == second) is is_same
    assert len(first.splitlines()) > 400


def test_drawing_lots_costs_some_of_the_f1_but_far_from_all() -> None:
    assert 0.75 < measured("lots")["f1"] < 0.9


def test_folding_needs_a_program_that_only_its_team_has() -> None:
    folding = BY_SLUG["folding"]
    files = files_of(folding, TRAINING)

    assert shutil.which("medfold") is None
    assert "medfold" not in files
    with pytest.raises(subprocess.CalledProcessError) as failure:
        at_home(replace(folding, own=()), files, TEST)
    assert b"No such file or directory: 'medfold'" in failure.value.stderr
    assert measured("folding")["precision"] > 0.95


def test_no_system_knows_the_right_codes_of_the_texts_that_it_is_run_on() -> None:
    for system in SYSTEMS:
        everything = b"\n".join(files_of(system, TRAINING).values())
        documents = [line.split(b"\t")[0] for line in TEST.gold.splitlines()]
        assert [document for document in documents[10:] if document in everything] == []


# Bundles ---------------------------------------------------------------------------------------------------------


def opened(system: System, folder: Path) -> Path:
    """Unpack the bundle of SYSTEM into FOLDER."""
    return unpack(pack(files_of(system, TRAINING)), folder / system.slug).folder


def test_a_bundle_is_the_same_bytes_whenever_it_is_packed() -> None:
    files = {"b.txt": b"2", "a.txt": b"1"}

    packed = pack(files)

    assert packed == pack(dict(reversed(files.items())))
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        assert [(one.name, one.mtime, one.uid) for one in archive] == [("a.txt", 0, 0), ("b.txt", 0, 0)]


@pytest.mark.parametrize("slug", BY_SLUG)
def test_every_bundle_has_a_manifest_that_can_be_read_and_names_its_output(slug: str, tmp_path: Path) -> None:
    manifest = manifest_in(opened(BY_SLUG[slug], tmp_path))

    assert (manifest.name, manifest.output, list(manifest.configurations)) == (slug, ("output.tsv",), ["default"])


@pytest.mark.parametrize(
    ("slug", "questions"),
    [
        pytest.param("dictionary", [], id="good"),
        pytest.param("trigrams", ["Q1", "Q1", "Q6", "Q6", "Q6"], id="no versions, times and progress"),
        pytest.param("lots", ["Q1", "Q1", "Q1", "Q6", "Q6", "Q3", "Q3", "Q8"], id="hardly anything"),
        pytest.param("folding", ["Q1", "Q1", "Q6", "Q6", "Q6", "Q3"], id="no installation"),
    ],
)
def test_a_preflight_finds_what_was_left_out_on_purpose(slug: str, questions: list[str], tmp_path: Path) -> None:
    assert [one.question for one in preflight_in(opened(BY_SLUG[slug], tmp_path))] == questions


def test_the_repaired_manifest_names_the_place_where_the_index_is(tmp_path: Path) -> None:
    files = files_of(BY_SLUG["trigrams"], TRAINING)

    better = repaired(files)

    (tmp_path / MANIFEST).write_bytes(better[MANIFEST])
    assert manifest_in(tmp_path).configurations["default"].run == (BY_SLUG["trigrams"].commands[-1],)
    assert b"model/index.json" in files[MANIFEST]
    assert {name for name in files if files[name] != better[name]} == {MANIFEST}
