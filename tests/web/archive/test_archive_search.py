"""Does the search page find runs, narrow a search by links, and say where a query is wrong?"""

from urllib.parse import parse_qs, urlsplit

import pytest

from primad.store.actors import acting
from primad.web.archive import reading
from tests.web.archive.pages import Parsed, shown
from tests.web.small_site import SmallSite


def rows_of(text: str) -> list[str]:
    """Return the tags of the runs in the table, in their order."""
    return [str(one["aria-label"]).removeprefix("Choose ") for one in Parsed(text).all("input") if "aria-label" in one]


def queries_of(text: str) -> list[str]:
    """Return what the links of the page ask for."""
    return [parse_qs(urlsplit(link).query).get("q", [""])[0] for link in Parsed(text).links() if link.startswith("?")]


def test_all_runs_are_there_the_newest_first_with_scores_and_a_chart(shelf: SmallSite) -> None:
    text = shown(shelf.client().get("/archive/"))

    assert rows_of(text) == ["third", "second", "first"]
    assert "3 runs found." in text
    assert '<td class="number">0.6429</td>' in text
    assert "Runs found by year" in text


def test_runs_are_ordered_by_a_measure(shelf: SmallSite) -> None:
    client = shelf.client()

    by_score = rows_of(shown(client.get("/archive/?sort=map")))
    turned = rows_of(shown(client.get("/archive/?sort=-map")))

    assert by_score[0] == turned[-1] == "third"


def test_a_facet_adds_a_term_and_takes_it_away_again(shelf: SmallSite) -> None:
    client = shelf.client()

    free = shown(client.get("/archive/?q=team:alpha"))
    narrowed = shown(client.get("/archive/?q=team:alpha+year:2019"))

    assert "team:alpha year:2019" in queries_of(free)
    assert rows_of(narrowed) == ["second"]
    assert "team:alpha" in queries_of(narrowed)
    assert "year:2019" in queries_of(narrowed)


def test_a_search_has_pages_and_an_address(shelf: SmallSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "PAGE", 2)
    client = shelf.client()

    first = shown(client.get("/archive/?q=team:alpha"))
    second = shown(client.get("/archive/?q=team:alpha&page=2"))
    beyond = shown(client.get("/archive/?q=team:alpha&page=99"))

    assert rows_of(first) == ["third", "second"]
    assert "3 runs found, 1 to 2 shown." in first
    assert "?q=team%3Aalpha&page=2" in Parsed(first).links()
    assert rows_of(second) == rows_of(beyond) == ["first"]


def test_a_query_that_cannot_be_understood_is_shown_with_the_place(shelf: SmallSite) -> None:
    client = shelf.client()
    wrong = "/archive/?q=bm25+tema:alpha"

    answer = client.get(wrong)
    live = client.get(wrong, headers={"HX-Request": "true"})

    assert answer.status_code == 422
    assert live.status_code == 200
    for text in (shown(answer), shown(live)):
        assert "did you mean &#39;team&#39;?" in text
        assert "bm25 <mark>t</mark>ema:alpha" in text
        assert 'value="bm25 tema:alpha"' in text


@pytest.mark.parametrize("query", ["q=%00", "sort=nothing", "measure=nothing", "q=%22", "q=" + "a+OR+" * 300, "page=x"])
def test_no_search_is_too_odd_for_an_answer(shelf: SmallSite, query: str) -> None:
    assert shelf.client().get(f"/archive/?{query}").status_code in (200, 422)


def test_htmx_gets_the_results_without_the_frame(shelf: SmallSite) -> None:
    text = shown(shelf.client().get("/archive/?q=third", headers={"HX-Request": "true"}))

    assert "<html" not in text
    assert rows_of(text) == ["third"]


def test_an_empty_archive_says_what_to_do_next(shelf: SmallSite) -> None:
    archive = shelf.archive()
    with acting(shelf.actor("administrator")):
        for tag in ("first", "second", "third"):
            archive.remove(tag)

    to_visitor, to_user = (shown(shelf.client(role).get("/archive/")) for role in ("visitor", "user"))

    assert "The archive has no runs yet." in to_visitor
    assert "/sign-in/?next=/archive/upload/" in Parsed(to_visitor).links()
    assert "/archive/upload/" in Parsed(to_user).links()


def test_a_search_that_finds_nothing_says_so(shelf: SmallSite) -> None:
    assert "No run matches this search." in shown(shelf.client().get("/archive/?q=nothing"))


def test_runs_without_scores_can_be_scored_by_users(shelf: SmallSite) -> None:
    to_visitor, to_user = (shown(shelf.client(role).get("/archive/?measure=bpref")) for role in ("visitor", "user"))

    assert "3 of 3 runs have no score by bpref" in to_visitor
    assert "primad archive" not in to_visitor
    assert "Score these runs by bpref" not in to_visitor
    assert "Score these runs by bpref" in to_user


def test_scores_are_asked_for_as_a_job(shelf: SmallSite) -> None:
    from primad.store import jobs

    answer = shelf.client("user").post("/archive/evaluate/", {"q": "team:alpha", "measure": "bpref, P_5"})

    with acting(shelf.actor("user")):
        (asked,) = jobs.mine()
    assert (answer.status_code, answer["Location"]) == (303, f"/jobs/{asked.key}/")
    assert (asked.kind, asked.title) == ("archive.evaluate", "Scores of 3 runs by bpref, P_5")


def test_the_scores_of_one_run_are_asked_for_in_the_singular_by_measures_with_commas(shelf: SmallSite) -> None:
    from primad.store import jobs

    shelf.client("user").post("/archive/evaluate/", {"q": "tag:first", "measure": "P_5, RBP(p=0.8,rel=1)"})

    with acting(shelf.actor("user")):
        (asked,) = jobs.mine()
    assert asked.title == "Scores of 1 run by P_5, RBP(p=0.8,rel=1)"


def test_no_scores_are_asked_for_by_a_measure_that_does_not_exist(shelf: SmallSite) -> None:
    answer = shelf.client("user").post("/archive/evaluate/", {"measure": "mapp"})

    assert answer.status_code == 422
    assert "unknown measure &#39;mapp&#39;; did you mean &#39;map&#39;?" in shown(answer)
