"""Are runs compared side by side, and assessments asked for?"""

import re

from primad.reproducibility.comparison import compare_records
from primad.store import jobs
from primad.store.actors import acting
from primad.store.models import Job
from primad.web.archive.reading import record_of
from primad.web.archive.side_by_side import Cell, compared
from tests.web.archive.pages import Parsed, address_of, sent, shown, upload
from tests.web.small_site import SmallSite, run_text


def test_runs_are_compared_with_an_original_by_type_and_field(shelf: SmallSite) -> None:
    upload(shelf.client("user"), "add", sent(other__run=run_text("other", 5, team="beta", year="2018")))

    text = shown(shelf.client().get("/archive/compare/?original=first&run=second&run=other"))

    assert '<span class="letters">?Rimad</span></td><td>re-use, as far as known</td>' in text
    assert '<span class="letters">?rimAd</span>' in text
    assert (
        '<code>research goal.venue.year</code></th><td class="value">2018</td><td class="value changed">'
        '<span class="state bad">changed</span> 2019</td><td class="value same"><span class="quiet-text">same</span>'
    ) in text
    assert "Can be computed" in text


def test_what_only_one_run_states_is_told_and_is_no_change(shelf: SmallSite) -> None:
    silent = run_text("silent", 5, year="2018").replace("#   team: alpha\n", "#   name: Ada\n")
    upload(shelf.client("user"), "add", sent(silent__run=silent))

    text = shown(shelf.client().get("/archive/compare/?original=first&run=silent"))

    assert '<code>actor.team</code></th><td class="value">alpha</td><td class="value not-stated">' in text
    assert 'Ada <span class="state">only here</span>' in text


# One has another step in front, another states no second step; packages and parameters differ or are not stated.
_STEPS = {
    "original": ("bm25 k1=0.9 b=0.4", "rm3 terms=10", "pyterrier==1 torch==2 numpy==1"),
    "longer": ("dph c=1", "bm25 k1=1.2", "rm3 terms=10 docs=5", "pyterrier==2 torch numpy==1"),
    "shorter": ("bm25 k1=0.9 b=0.3", "pyterrier==1 torch==3 scipy==1"),
    "alike": ("BM25 k1=0.9 b=0.4", "rm3 terms=10", "pyterrier==1 torch==2 numpy==1"),
}


def _stepped(tag: str, turn: int) -> str:
    """Return the run called TAG with its steps and packages."""
    *steps, packages = (text.split() for text in _STEPS[tag])
    lines = ["# platform:", "#   software:", "#     libraries:", "#       python:"]
    lines += [f"#         - {package}" for package in packages]
    lines += ["#     retrieval toolkit:", f"#       - {packages[0]}", "# method:", "#   retrieval:"]
    for name, *parameters in steps:
        lines += [f"#     - name: {name}", *(f"#       {one.replace('=', ': ')}" for one in parameters)]
    return re.sub(r"# method:.*org.bm25", "\n".join(lines), run_text(tag, turn), flags=re.DOTALL)


def test_side_by_side_says_of_every_run_what_a_comparison_of_both_alone_says(shelf: SmallSite) -> None:
    files = {f"{tag}__run": _stepped(tag, 4 + place) for place, tag in enumerate(_STEPS)}
    upload(shelf.client("user"), "add", sent(**files))
    archive = shelf.archive()
    others = [tag for tag in _STEPS if tag != "original"]

    found = compared(archive, "original", others)

    original = record_of(archive.show("original"))
    for place, tag in enumerate(others):
        alone = compare_records(original, record_of(archive.show(tag)))
        cells = [(line.field, line.cells[place].state) for side in found.sides for line in side.lines]
        unsure = set(alone.only_original) & set(alone.only_other)
        assert {name for name, state in cells if state == "changed"} == {
            one.field for fields in alone.changed.values() for one in fields
        }
        assert {name for name, state in cells if state == "not stated"} >= set(alone.only_original) - unsure
        assert {name for name, state in cells if state == "only here"} == set(alone.only_other) - unsure


def test_what_a_run_does_not_have_in_common_with_the_original_is_never_called_the_same(shelf: SmallSite) -> None:
    files = {f"{tag}__run": _stepped(tag, 4 + place) for place, tag in enumerate(_STEPS)}
    upload(shelf.client("user"), "add", sent(**files))

    found = compared(shelf.archive(), "original", ["longer", "shorter", "alike"])
    lines = {(line.field, line.original): line.cells for side in found.sides for line in side.lines}

    assert lines["method.retrieval[0].k1", "0.9"] == (Cell("1.2", "changed"), Cell("0.9", "same"), Cell("0.9", "same"))
    assert lines["method.retrieval[2].docs", "not stated"][0] == Cell("5", "only here")
    assert [one.state for one in lines["method.retrieval[2].docs", "not stated"][1:]] == ["not compared"] * 2
    assert lines["platform.software.libraries.torch", "torch==2"][0] == Cell("not stated", "not stated")
    assert [one.state for one in lines["platform.software.libraries.scipy", "not stated"]] == [
        "not compared",
        "only here",
        "not compared",
    ]
    text = shown(shelf.client().get("/archive/compare/?original=original&run=longer&run=shorter"))
    assert '<span class="state">not compared</span>' in text


def test_of_runs_without_an_original_the_first_is_it_and_another_can_become_it(shelf: SmallSite) -> None:
    first, second = address_of(shelf, "first"), address_of(shelf, "second")

    text = shown(shelf.client().get(f"/archive/compare/?run={first}&run={second}"))

    assert "<h1>first, and what changed</h1>" in text
    assert f"?original={second}&run={first}" in Parsed(text).links()


def test_a_run_that_does_not_exist_is_named_and_what_was_typed_stays(shelf: SmallSite) -> None:
    answer = shelf.client().get("/archive/compare/?original=first&run=nothing")

    assert answer.status_code == 422
    assert "no run has the address or tag &#39;nothing&#39;" in shown(answer)
    assert [one["value"] for one in Parsed(shown(answer)).all("input") if one.get("name") in ("original", "run")] == [
        "first",
        "nothing",
        "",
    ]


def test_too_many_runs_are_refused_and_so_is_the_original_alone(shelf: SmallSite) -> None:
    client = shelf.client()
    many = "+".join(f"run{number}" for number in range(21))

    assert "expected at most 20 runs beside the original, found 21" in shown(
        client.get(f"/archive/compare/?original=first&run={many}")
    )
    alone = client.get(f"/archive/compare/?original=first&run={address_of(shelf, 'first')}")
    assert "found the original only" in shown(alone)


def test_a_removed_run_is_not_compared_by_others(shelf: SmallSite) -> None:
    address = address_of(shelf, "second")
    with acting(shelf.actor("administrator")):
        shelf.archive().remove(address)

    answer = shelf.client().get(f"/archive/compare/?original=first&run={address}")

    assert answer.status_code == 422
    assert "2019" not in shown(answer)


# Assessing -------------------------------------------------------------------------------------------------------


def test_a_visitor_is_asked_to_sign_in_before_an_assessment(shelf: SmallSite) -> None:
    assert shelf.client().get("/archive/assess/?original=first")["Location"] == (
        "/sign-in/?next=%2Farchive%2Fassess%2F%3Foriginal%3Dfirst"
    )


def test_an_assessment_is_asked_for_as_a_job_with_addresses(shelf: SmallSite) -> None:
    first, second, third = (address_of(shelf, tag) for tag in ("first", "second", "third"))
    typed = {"original": "first", "run": ["second third"], "measure": ["map", "P_5 nDCG@20"]}

    answer = shelf.client("user").post("/archive/assess/", typed)

    with acting(shelf.actor("user")):
        (asked,) = jobs.mine()
    assert (answer.status_code, answer["Location"]) == (303, f"/jobs/{asked.key}/")
    assert Job.objects.get(key=asked.key).arguments["given"] == {
        "original": [first],
        "others": [[second], [third]],
        "measures": ["map", "P_5", "nDCG@20"],
    }


def test_baseline_and_advanced_runs_of_reproductions_belong_together(shelf: SmallSite) -> None:
    first, second, third = (address_of(shelf, tag) for tag in ("first", "second", "third"))
    client = shelf.client("user")

    client.post("/archive/assess/", {"original": "first", "advanced": "second", "run": "third", "partner": "second"})
    uneven = client.post("/archive/assess/", {"original": "first", "run": "third", "partner": "second first"})

    assert Job.objects.get().arguments["given"]["original"] == [first, second]
    assert Job.objects.get().arguments["given"]["others"] == [[third, second]]
    assert "expected an advanced run for each of 1 reproductions, in their order, found 2" in shown(uneven)


def test_reproductions_may_share_a_baseline_and_measures_may_have_commas_in_them(shelf: SmallSite) -> None:
    first, second, third = (address_of(shelf, tag) for tag in ("first", "second", "third"))
    upload(shelf.client("user"), "add", sent(fourth__run=run_text("fourth", 7)))
    fourth = address_of(shelf, "fourth")
    typed = {"original": "first", "advanced": "second", "run": "third third", "partner": "second, fourth"}

    shelf.client("user").post("/archive/assess/", typed | {"measure": "map RBP(p=0.8,rel=1), map"})

    given = Job.objects.get().arguments["given"]
    assert given["original"] == [first, second]
    assert given["others"] == [[third, second], [third, fourth]]
    assert given["measures"] == ["map", "RBP(p=0.8,rel=1)"]


def test_looking_for_reproductions_asks_for_no_job(shelf: SmallSite) -> None:
    text = shown(shelf.client("user").post("/archive/assess/", {"original": "first", "do": "look"}))

    assert "No run here says that it reproduces first." in text
    assert not Job.objects.exists()


def test_what_is_wrong_with_an_assessment_is_told_and_what_was_typed_stays(shelf: SmallSite) -> None:
    client = shelf.client("user")

    unknown = client.post("/archive/assess/", {"original": "first", "run": "second", "measure": "mapp"})
    nothing = client.post("/archive/assess/", {"original": ""})

    assert (unknown.status_code, nothing.status_code) == (422, 422)
    assert "did you mean &#39;map&#39;?" in shown(unknown)
    assert {"name": "original", "value": "first"}.items() <= _input(shown(unknown), "original").items()
    assert _input(shown(unknown), "run-others")["value"] == "second"
    assert not Job.objects.exists()


def _input(text: str, id_: str) -> dict[str, str | None]:
    """Return the attributes of the input with this ID."""
    return next(one for one in Parsed(text).all("input") if one.get("id") == id_)
