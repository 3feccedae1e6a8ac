"""Does the page of a run show what is known of it, and can the run be had, cited, removed and brought back?"""

import math
from pathlib import Path
from statistics import mean, stdev

import pytest

from primad.store.actors import acting
from primad.trec.ranking import split_header
from primad.web.archive.reading import topic_scores
from tests.web.archive.pages import Parsed, address_of, sent, shown, upload
from tests.web.small_site import SmallSite, run_text


def test_the_page_of_a_run_shows_record_scores_standing_and_history(shelf: SmallSite) -> None:
    address = address_of(shelf, "third")

    text = shown(shelf.client().get(f"/archive/runs/{address}/"))

    assert "<h1>third</h1>" in text
    assert "<dt>venue, year</dt><dd>2020</dd>" in text
    assert "Number 1 of 3 on small by map (0.6429)" in text
    assert "11 of 41 fields that matter are stated (26 %), of the essential ones 5 of 11." in text
    assert "6 essential fields are not stated" in text
    assert f"http://testserver/archive/runs/{address}/" in text
    assert "UTC</time>" in text
    assert "map, topic by topic" in text


def test_the_interval_of_a_score_is_that_of_a_mean_over_topics(shelf: SmallSite) -> None:
    address = address_of(shelf, "third")
    scores = list(topic_scores(shelf.archive(), address, "map").values())
    reach = 2.7764451 * stdev(scores) / math.sqrt(5)  # the quantile of t with four degrees of freedom

    text = shown(shelf.client().get(f"/archive/runs/{address}/"))

    assert len(scores) == 5
    assert f'<td class="number">{mean(scores) - reach:.4f} to {mean(scores) + reach:.4f}</td>' in text


def test_another_measure_is_drawn_when_it_is_asked_for(shelf: SmallSite) -> None:
    address = address_of(shelf, "third")

    text = shown(shelf.client().get(f"/archive/runs/{address}/?measure=P_10"))

    assert "P_10, topic by topic" in text
    assert "map, topic by topic" not in text


def test_who_did_something_is_told_to_users_only(shelf: SmallSite) -> None:
    upload(shelf.client("user"), "add", sent(new__run=run_text("new", 5)))
    path = f"/archive/runs/{address_of(shelf, 'new')}/"

    to_visitor, to_user = (shown(shelf.client(role).get(path)) for role in ("visitor", "member"))

    assert "user@example.org" not in to_visitor
    assert "user@example.org" in to_user


def test_a_tag_and_the_beginning_of_an_address_lead_to_the_permanent_page(shelf: SmallSite) -> None:
    address = address_of(shelf, "first")
    client = shelf.client()

    assert client.get("/archive/runs/first/")["Location"] == f"/archive/runs/{address}/"
    assert client.get(f"/archive/runs/{address[:12]}/")["Location"] == f"/archive/runs/{address}/"
    assert client.get("/archive/runs/nothing/").status_code == 404


def test_a_run_is_downloaded_as_it_came_and_without_its_header(shelf: SmallSite) -> None:
    address = address_of(shelf, "first")
    client = shelf.client()

    whole = client.get(f"/archive/runs/{address}/file/")
    bare = client.get(f"/archive/runs/{address}/ranking/")

    assert whole.content.decode() == run_text("first", year="2018")
    assert bare.content == split_header(whole.content)[1]
    assert whole["Content-Disposition"] == 'attachment; filename="first.run"'
    assert whole["X-Content-Type-Options"] == "nosniff"


def test_metadata_that_lay_beside_a_run_are_its_header_when_it_is_downloaded(shelf: SmallSite) -> None:
    header, ranking = split_header(run_text("beside", 5).encode())
    side = b"\n".join(line.removeprefix(b"# ") for line in header.splitlines()[1:-1]) + b"\n"
    upload(shelf.client("user"), "add", sent(a__run=ranking, a__yml=side))
    path = f"/archive/runs/{address_of(shelf, 'beside')}/"

    whole = shelf.client().get(f"{path}file/").content

    assert whole.startswith(b"# ir_metadata.start\n")
    assert b"#   team: alpha\n" in whole
    assert split_header(whole)[1] == shelf.client().get(f"{path}ranking/").content == ranking


def test_the_record_is_downloaded_as_yaml(shelf: SmallSite) -> None:
    answer = shelf.client().get(f"/archive/runs/{address_of(shelf, 'first')}/record/")

    assert b"actor:\n  team: alpha\n  role: experimenter\n" in answer.content


def test_baselines_and_reproductions_have_pages_of_their_own_and_are_fetched_by_the_page(shelf: SmallSite) -> None:
    client = shelf.client()
    path = f"/archive/runs/{address_of(shelf, 'first')}/"

    page = Parsed(shown(client.get(path)))
    baselines = shown(client.get(f"{path}baselines/"))
    reproductions = shown(client.get(f"{path}reproductions/"))

    assert {one["hx-get"] for one in page.all("div") if "hx-get" in one} == {
        f"{path}baselines/",
        f"{path}reproductions/",
    }
    assert {f"{path}baselines/", f"{path}reproductions/"} <= set(page.links())
    assert "2 of 2 other runs with a score by map, the best first." in baselines
    assert '<td class="number">+0.2110</td>' in baselines
    assert "No run here reproduces it yet." in reproductions


def test_baselines_by_a_measure_without_scores_say_so(shelf: SmallSite) -> None:
    path = f"/archive/runs/{address_of(shelf, 'first')}/baselines/"

    text = shown(shelf.client().get(f"{path}?measure=bpref"))

    assert "No other run on this collection has a score by bpref." in text
    assert shelf.client().get(f"{path}?measure=nothing").status_code == 422


def test_a_reproduction_is_found_with_its_type(shelf: SmallSite) -> None:
    claim = "#   evaluation:\n#     baseline:\n#       - first\n# ir_metadata.end"
    text = run_text("again", 5, team="beta", role="reproducer").replace("# ir_metadata.end", claim)
    upload(shelf.client("user"), "add", sent(again__run=text))

    found = shown(shelf.client().get(f"/archive/runs/{address_of(shelf, 'first')}/reproductions/"))

    assert "1 reproduction." in found
    assert "it says that it reproduces first" in found
    assert '<span class="letters">?RimAd</span>' in found


def test_whoever_added_a_run_removes_it_and_brings_it_back_and_nobody_else_does(shelf: SmallSite) -> None:
    owner, other = shelf.client("user"), shelf.client("member")
    upload(owner, "add", sent(new__run=run_text("new", 5)))
    path = f"/archive/runs/{address_of(shelf, 'new')}/"

    refused = other.post(f"{path}remove/", {"reason": "envy"})
    removed = owner.post(f"{path}remove/", {"reason": "by mistake"})

    assert (refused.status_code, removed.status_code) == (403, 303)
    assert "Remove this run" not in shown(other.get(path))
    assert [client.get(path).status_code for client in (shelf.client(), other, owner)] == [410, 410, 200]
    assert "reason: by mistake" in shown(owner.get(path))
    assert other.post(f"{path}bring-back/").status_code == 403

    assert owner.post(f"{path}bring-back/").status_code == 303
    assert shelf.client().get(path).status_code == 200


@pytest.mark.parametrize("part", ["", "file/", "ranking/", "record/", "baselines/", "reproductions/"])
def test_nothing_of_a_removed_run_is_shown_to_others(shelf: SmallSite, part: str) -> None:
    address = address_of(shelf, "first")
    with acting(shelf.actor("administrator")):
        shelf.archive().remove(address)

    answer = shelf.client("user").get(f"/archive/runs/{address}/{part}")

    assert answer.status_code in (404, 410)
    assert "was removed" in shown(answer)
    assert "bm25" not in shown(answer)


def test_a_run_that_nobody_scored_says_what_to_do(shelf: SmallSite) -> None:
    upload(shelf.client("user"), "add", sent(new__run=run_text("new", 5)))
    path = f"/archive/runs/{address_of(shelf, 'new')}/"

    to_visitor, to_user = (shown(shelf.client(role).get(path)) for role in ("visitor", "user"))

    assert "This run has no scores yet." in to_visitor
    assert "Score this run" not in to_visitor
    assert "Score this run" in to_user


def test_a_run_on_a_collection_without_judgments_says_so(shelf: SmallSite) -> None:
    upload(shelf.client("user"), "add", sent(new__run=run_text("new", 5)), collection="unjudged")

    text = shown(shelf.client().get(f"/archive/runs/{address_of(shelf, 'new')}/"))

    assert "This run has no scores, because its collection has no judgments." in text


def test_real_runs_without_metadata_have_a_page(shelf: SmallSite, shared_data: Path) -> None:
    real = shared_data / "osirrc_core17"
    archive = shelf.archive()
    with acting(shelf.actor("administrator")):
        archive.set_collection("core17", qrels=[real / "qrels.core17.txt"])
        (kept,) = archive.add(
            [real / "runs" / "anserini__2019-06-18__bm25.run.gz"], collection="core17", without_metadata=True, jobs=1
        )
        archive.evaluate("collection:core17", ("map",))

    text = shown(shelf.client().get(f"/archive/runs/{kept.address}/"))  # type: ignore[union-attr]  # it is kept

    assert "This run says nothing about itself." in text
    assert '<td class="number">0.2087</td>' in text
    assert "Mean 0.2087 over 50 topics" in text
