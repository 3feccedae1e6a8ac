"""Are reproductions found among the runs of an archive and assessed as files are, and are scores measurements?"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import primad
from primad.archive.archive import Archive
from primad.errors import PairingError, UnknownMeasure, UsageError
from primad.evaluation import Rules
from primad.qra.material import Material
from tests.archive.described import ranking, record, write, write_qrels, write_run

REPRODUCER = {"actor__role": "reproducer", "actor__team": "anserini", "actor__name": "Grace"}


def naming(tag: str, **fields: Any) -> dict[str, Any]:
    """Return FIELDS with those of a run that names TAG in its baseline field."""
    return {"research_goal__evaluation__baseline": [tag], **fields}


def add(archive: Archive, *paths: Path) -> list[str]:
    """Add runs, all of which must be kept, and return their addresses."""
    found = list(archive.add(paths))
    assert [one for one in found if one.status == "refused"] == []
    return [one.address for one in found if one.status != "refused"]


def experiment(archive: Archive, folder: Path) -> None:
    """Add an original of two runs and a reproduction of both, beside runs that have nothing to do with them."""
    archive.set_collection("Core17", qrels=[write_qrels(folder)])
    add(
        archive,
        write_run(folder, "bm25.run", "bm25", 2),
        write_run(folder, "rm3.run", "rm3", 0, **naming("bm25")),
        write_run(folder, "re-bm25.run", "re-bm25", 3, **naming("bm25", **REPRODUCER)),
        write_run(folder, "re-rm3.run", "re-rm3", 1, **naming("rm3", **REPRODUCER)),
        write_run(folder, "other.run", "other", 1, actor__team="elsewhere"),
        write_run(folder, "later.run", "later", 1, **naming("other", actor__team="elsewhere")),
    )


# Assessing -------------------------------------------------------------------------------------------------------


def test_an_original_of_two_runs_is_assessed_as_its_files_are(archive: Archive, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    experiment(archive, folder)

    found = archive.assess(["bm25", "rm3"], measures=["map"])

    expected = primad.assess_found(["bm25", "rm3"], folder, folder / "core17.qrels", measures=["map"])
    assert [one.name for one in found] == [one.name for one in expected] == ["anserini"]
    assert found["anserini"].values == expected["anserini"].values
    assert found["anserini"].answers == expected["anserini"].answers
    assert found["anserini"].why == expected["anserini"].why
    assert found.original.values == expected.original.values


def test_the_partner_of_the_original_is_found(archive: Archive, tmp_path: Path) -> None:
    experiment(archive, tmp_path)

    found = archive.assess(["bm25"], measures=["map"])

    tags = {role: facts.tag for role, facts in found.original.runs.items()}
    assert tags == {"baseline": "bm25", "advanced": "rm3"}
    assert {role: facts.tag for role, facts in found["anserini"].runs.items()} == {
        "baseline": "re-bm25",
        "advanced": "re-rm3",
    }
    assert found["anserini"].find("er", of="map", run="both") is not None


def test_runs_and_judgments_have_the_names_of_the_archive(archive: Archive, tmp_path: Path) -> None:
    experiment(archive, tmp_path)

    found = archive.assess(["bm25"], measures=["map"])

    assert found.original.runs["baseline"].path == archive.run("bm25").address
    assert found["anserini"].runs["advanced"].path == archive.run("re-rm3").address
    assert found.original.qrels == found["anserini"].qrels == "core17.qrels"
    assert "primad-" not in str(found.to_dict())


def test_a_partner_that_only_names_the_reproduced_baseline_is_found(archive: Archive, tmp_path: Path) -> None:
    archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])
    follower = {"actor__team": "anserini", "actor__name": "Grace"}
    add(
        archive,
        write_run(tmp_path, "bm25.run", "bm25", 2),
        write_run(tmp_path, "rm3.run", "rm3", 0, **naming("bm25")),
        write_run(tmp_path, "re-bm25.run", "re-bm25", 3, **naming("bm25", **REPRODUCER)),
        write_run(tmp_path, "mine.run", "mine", 1, **naming("re-bm25", **follower)),
    )

    found = archive.assess(["bm25", "rm3"], measures=["map"])

    assert found["anserini"].runs["advanced"].tag == "mine"


def test_a_reproduction_that_kept_the_tag_is_found(archive: Archive, tmp_path: Path) -> None:
    archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])
    first, second = add(
        archive,
        write_run(tmp_path, "bm25.run", "bm25", 2),
        write_run(tmp_path, "again.run", "bm25", 3, **naming("bm25", **REPRODUCER)),
    )

    found = archive.assess([first], measures=["map"])

    assert found["anserini"].runs["baseline"].path == second
    assert [remark for remark in found.remarks if "the tag" in remark] == []


def test_another_run_with_the_tag_of_the_original_is_remarked(archive: Archive, tmp_path: Path) -> None:
    archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])
    first, second, _ = add(
        archive,
        write_run(tmp_path, "bm25.run", "bm25", 2),
        write_run(tmp_path, "theirs.run", "bm25", 1, actor__team="elsewhere"),
        write_run(tmp_path, "re.run", "re", 3, **naming("bm25", **REPRODUCER)),
    )

    found = archive.assess([first], measures=["map"])

    assert [one.name for one in found] == ["anserini"]
    assert [remark for remark in found.remarks if "the tag" in remark] == [
        f"the tag 'bm25' is also that of {second[:12]} on Core17: those who name it may mean another",
    ]


def test_a_reproduction_on_another_collection_has_its_own_judgments(archive: Archive, tmp_path: Path) -> None:
    archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])
    other = tmp_path / "robust.qrels"
    other.write_text("601 0 x1 1\n601 0 x2 0\n602 0 x3 1\n602 0 x4 1\n603 0 x5 1\n")
    archive.set_collection("Robust04", qrels=[other])
    lines = "".join(f"60{topic} Q0 x{number} 1 {9 - number}.5 re\n" for topic, number in ((1, 1), (2, 3), (3, 5)))
    described = record("re", **naming("bm25", **REPRODUCER, data__test_collection__name="Robust04"))
    add(archive, write_run(tmp_path, "bm25.run", "bm25", 2), write(tmp_path, "re.run", described, lines))

    found = archive.assess(["bm25"], measures=["map"])

    assert (found.original.qrels, found["anserini"].qrels) == ("core17.qrels", "robust.qrels")
    score = found["anserini"].find("arp", of="map")
    assert score is not None
    assert score.value == pytest.approx(2.5 / 3)  # of the second topic only one of two is found


def test_a_reproduction_of_a_namesake_on_its_own_collection_is_left_out(archive: Archive, tmp_path: Path) -> None:
    elsewhere = {"data__test_collection__name": "Core18"}
    for name in ("Core17", "Core18"):
        archive.set_collection(name, qrels=[write_qrels(tmp_path)])
    first, namesake, here, there = add(
        archive,
        write_run(tmp_path, "a.run", "bm25", 2),
        write_run(tmp_path, "z.run", "bm25", 1, actor__team="zeta", **elsewhere),
        write_run(tmp_path, "here.run", "here", 3, **naming("bm25", **REPRODUCER)),
        write_run(tmp_path, "there.run", "there", 3, **naming("bm25", **REPRODUCER, **elsewhere)),
    )

    found = [
        [one.runs["baseline"].path for one in archive.assess([run], measures=["map"])] for run in (first, namesake)
    ]

    assert found == [[here], [there]]


def test_two_collections_with_the_same_judgments_are_told_apart(archive: Archive, tmp_path: Path) -> None:
    for name in ("Core17", "Core18"):
        archive.set_collection(name, qrels=[write_qrels(tmp_path, f"{name}.qrels")])
    there = naming("bm25", **REPRODUCER, data__test_collection__name="Core18")
    add(archive, write_run(tmp_path, "bm25.run", "bm25", 2), write_run(tmp_path, "re.run", "re", 3, **there))

    found = archive.assess(["bm25"], measures=["map"])

    assert (found.original.qrels, found["anserini"].qrels) == ("Core17.qrels", "Core18.qrels")
    assert found["anserini"].problem == ""


def test_a_reproduction_without_judgments_of_its_own_is_left_out_and_told(archive: Archive, tmp_path: Path) -> None:
    archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])
    there = naming("bm25", **REPRODUCER, data__test_collection__name="Core18")
    add(
        archive,
        write_run(tmp_path, "bm25.run", "bm25", 2),
        write_run(tmp_path, "re.run", "re", 3, **naming("bm25", **REPRODUCER)),
        write_run(tmp_path, "there.run", "there", 1, **there),
    )

    found = archive.assess(["bm25"], measures=["map"])

    assert [one.runs["baseline"].tag for one in found] == ["re"]
    hint = "give them with: primad archive collection Core18 --qrels FILE"
    assert f"there is left out: the collection Core18 has no judgments; {hint}" in found.remarks


def test_an_identical_ranking_of_another_actor_is_a_reproduction(archive: Archive, tmp_path: Path) -> None:
    archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])
    first, same, _ = add(
        archive,
        write_run(tmp_path, "bm25.run", "bm25", 2),
        write_run(tmp_path, "same.run", "same", 2, actor__name="Grace", actor__team="anserini"),
        write_run(tmp_path, "mine.run", "mine", 2),
    )

    (found,) = archive.assess([first], measures=["map"])

    assert found.runs["baseline"].path == same
    assert found.why == (
        "same is of another actor; it does not say that it reproduces bm25, but its ranking is identical"
    )
    rmse = found.find("rmse", of="map")
    assert rmse is not None
    assert rmse.value == 0


def test_an_identical_ranking_that_is_not_assessed_is_told(archive: Archive, tmp_path: Path) -> None:
    experiment(archive, tmp_path)
    advanced, other = add(
        archive,
        write_run(tmp_path, "same-rm3.run", "same-rm3", 0, actor__name="Grace", actor__team="anserini"),
        write_run(tmp_path, "same-bm25.run", "same-bm25", 2, **naming("other", **REPRODUCER)),
    )

    found = archive.assess(["bm25", "rm3"], measures=["map"])

    said = "is not assessed: it does not say that it reproduces"
    assert [remark for remark in found.remarks if said in remark] == [
        f"same-bm25 ({other[:12]}) {said} bm25, but its ranking is identical",
        f"same-rm3 ({advanced[:12]}) {said} rm3, but its ranking is identical",
    ]
    assert [one.name for one in found] == ["anserini"]


def test_metadata_beside_a_run_count(archive: Archive, tmp_path: Path) -> None:
    archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])
    beside = write(tmp_path, "re.run", None, ranking("re", 3))
    (tmp_path / "re.run.yml").write_text(record("re", **naming("bm25", **REPRODUCER)).to_yaml())
    add(archive, write_run(tmp_path, "bm25.run", "bm25", 2), beside)

    found = archive.assess(["bm25"], measures=["map"])

    assert found["anserini"].runs["baseline"].tag == "re"
    assert found["anserini"].type != "??????"


def test_a_removed_reproduction_is_left_out(archive: Archive, tmp_path: Path) -> None:
    experiment(archive, tmp_path)
    archive.remove("re-rm3")

    found = archive.assess(["bm25", "rm3"], measures=["map"])

    assert {role: facts.tag for role, facts in found["anserini"].runs.items()} == {"baseline": "re-bm25"}


def test_a_run_that_nobody_reproduced_is_an_error(archive: Archive, tmp_path: Path) -> None:
    experiment(archive, tmp_path)

    with pytest.raises(PairingError, match="expected runs that say that they reproduce later"):
        archive.assess(["later"], measures=["map"])


def test_a_collection_without_judgments_is_an_error(archive: Archive, tmp_path: Path) -> None:
    add(archive, write_run(tmp_path, "a.run", "a"), write_run(tmp_path, "b.run", "b", **naming("a", **REPRODUCER)))

    with pytest.raises(UsageError) as caught:
        archive.assess(["a"], measures=["map"])

    expected = "the collection Core17 has no judgments; give them with: primad archive collection Core17 --qrels FILE"
    assert str(caught.value) == expected


def test_where_records_cannot_tell_the_advice_is_that_of_an_archive(archive: Archive, tmp_path: Path) -> None:
    experiment(archive, tmp_path)
    add(archive, write_run(tmp_path, "their-rm3.run", "rm3", 1, **naming("bm25", actor__team="elsewhere")))

    with pytest.raises(PairingError) as caught:
        archive.assess(["bm25"], measures=["map"])

    assert "name baseline and advanced run by their addresses: primad archive assess BASELINE ADVANCED" in str(
        caught.value
    )
    advanced = next(address for address in caught.value.candidates if archive.run(address).team == "h2oloo")
    assert [one.name for one in archive.assess(["bm25", advanced], measures=["map"])] == ["anserini"]


def test_an_error_about_a_run_names_it_by_its_address(sqlite_archive: Archive, tmp_path: Path) -> None:
    sqlite_archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])
    first, _ = add(
        sqlite_archive,
        write(tmp_path, "a.run", record("a"), "9 Q0 d1 1 1 a\n"),
        write_run(tmp_path, "b.run", "b", **naming("a", **REPRODUCER)),
    )

    with pytest.raises(primad.PrimadError, match=first):
        sqlite_archive.assess([first], measures=["map"])


def test_a_wrong_setting_is_refused_before_any_run_is_brought(sqlite_archive: Archive, tmp_path: Path) -> None:
    experiment(sqlite_archive, tmp_path)

    with pytest.raises(UsageError, match="expected one of the settings"):
        sqlite_archive.assess(["bm25"], mesures=["map"])


# Measurements ----------------------------------------------------------------------------------------------------


def values(material: Material, measurand: str = "map") -> dict[str, list[tuple[str, float]]]:
    """Return role and value of each measurement of MEASURAND, by object."""
    found: dict[str, list[tuple[str, float]]] = {}
    for one in material.measurements:
        if one.measurand == measurand:
            found.setdefault(one.object, []).append((one.role, round(float(one.value), 4)))
    return {name: sorted(members) for name, members in found.items()}


def test_scores_of_runs_that_reproduce_one_are_measurements_of_it(archive: Archive, tmp_path: Path) -> None:
    experiment(archive, tmp_path)
    archive.evaluate(measures=["map"])

    material = archive.measurements("-team:elsewhere", ["map"])

    assert values(material) == {
        "bm25": [("original", 0.6944), ("reproduction", 0.5278)],
        "rm3": [("original", 1.0), ("reproduction", 0.8611)],
    }


def comparable(material: Material) -> list[tuple[Any, ...]]:
    """Return what the measurements of MATERIAL say, apart from where they come from."""
    found = [
        (one.object, one.measurand, one.value, one.role, one.source, one.standard_error, one.items, one.scale,
         one.direction, sorted(one.conditions.items()))
        for one in material.measurements
    ]  # fmt: skip
    return sorted(found, key=str)


def test_measurements_are_those_of_the_files(archive: Archive, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    experiment(archive, folder)
    measures = ["map", "P_10", "num_rel_ret"]
    archive.evaluate(measures=measures)

    material = archive.measurements("", measures)

    expected = primad.measurements_of_runs([folder], folder / "core17.qrels", measures, rules=Rules(complete=True))
    assert comparable(material) == comparable(expected)


def test_a_judged_topic_that_a_run_lacks_counts_as_0_in_its_measurement(archive: Archive, tmp_path: Path) -> None:
    qrels = write_qrels(tmp_path)
    archive.set_collection("Core17", qrels=[qrels])
    file = write(tmp_path / "runs", "short.run", record("short"), "302 Q0 d4 1 9.5 short\n")
    add(archive, file)
    archive.evaluate(measures=["map"])

    material = archive.measurements("", ["map"])

    (one,) = material.measurements
    assert float(one.value) == pytest.approx(1 / 3)
    assert one.items == 3
    assert one.conditions["measurement.implementation"].endswith("complete True")
    assert comparable(material) == comparable(
        primad.measurements_of_runs([file], qrels, ["map"], rules=Rules(complete=True))
    )


def test_a_field_tells_the_object_if_asked_for(archive: Archive, tmp_path: Path) -> None:
    experiment(archive, tmp_path)
    archive.evaluate(measures=["map"])

    material = archive.measurements("-role:reproducer", ["map"], object_field="tag")

    assert set(values(material)) == {"bm25", "rm3", "other", "later"}


def test_measurements_can_be_assessed(archive: Archive, tmp_path: Path) -> None:
    experiment(archive, tmp_path)
    archive.evaluate(measures=["map"])

    found = primad.qra(archive.measurements("", ["map"]))

    assert found.says_something


def test_each_collection_has_its_own_objects(archive: Archive, tmp_path: Path) -> None:
    archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])
    archive.set_collection("Core18", qrels=[write_qrels(tmp_path)])
    add(
        archive,
        write_run(tmp_path, "a.run", "a", 1),
        write_run(tmp_path, "b.run", "b", 2, data__test_collection__name="Core18"),
    )
    archive.evaluate(measures=["map"])

    material = archive.measurements("", ["map"])

    assert values(material) == {"bm25 on Core17": [("", 0.8611)], "bm25 on Core18": [("", 0.6944)]}


def lacking(material: Material) -> Sequence[str]:
    """Return what is said about runs without scores."""
    return [remark for remark in material.remarks if " lack" in remark or " has no " in remark]


def test_runs_without_scores_are_told(archive: Archive, tmp_path: Path) -> None:
    archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])
    add(archive, write_run(tmp_path, "a.run", "a", 1))
    archive.evaluate(measures=["map"])
    (second,) = add(archive, write_run(tmp_path, "b.run", "b", 2))
    add(archive, write_run(tmp_path, "c.run", "c", 2, data__test_collection__name="Core18"))

    material = archive.measurements("", ["map"])

    assert values(material) == {"bm25 on Core17": [("", 0.8611)]}
    score, judgments = lacking(material)
    assert score == f"Core17: 1 of 2 runs lacks a score: b ({second[:12]}); compute it: primad archive evaluate"
    hint = "give them with: primad archive collection Core18 --qrels FILE"
    assert judgments == f"Core18 has no judgments, so its 1 run cannot have scores; {hint}"


def test_scores_of_other_code_are_none(archive: Archive, tmp_path: Path) -> None:
    experiment(archive, tmp_path)
    archive.evaluate(measures=["map"])
    with archive.speaking():
        from primad.archive.models import Score

        Score.objects.update(code="0" * 16)

    material = archive.measurements("", ["map"])

    assert material.measurements == ()
    assert lacking(material)[0].startswith("Core17: 6 of 6 runs lack a score: ")


def test_a_measure_without_a_true_zero_is_refused(sqlite_archive: Archive) -> None:
    with pytest.raises(primad.PrimadError, match="CV\\* needs a true zero"):
        sqlite_archive.measurements("", ["gm_map"])
    with pytest.raises(UnknownMeasure):
        sqlite_archive.measurements("", ["mapp"])
