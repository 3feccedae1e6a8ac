"""Do commands on the archive of a site say what they say of a folder?  Against a real server and a real worker."""

import doctest
import json
import re
import shlex
import shutil
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from primad.store import database
from tests.archive.servers import PostgreSQL
from tests.cli.running import Outcome, primad
from tests.web.live import LiveSite, postgresql_twin, serving
from tests.web.people import fill
from tests.web.small_site import QRELS, made, run_text

pytestmark = [pytest.mark.xdist_group("live archive"), pytest.mark.slow]

GUIDE = (Path(__file__).parents[2] / "docs" / "guides" / "api.md").read_text()
REPRODUCTION = run_text("again", 0, team="beta", role="reproducer").replace(
    "# research goal:\n", "# research goal:\n#   evaluation:\n#     baseline:\n#       - first\n"
)
VALUES = "object,measurand,value,c:performed_by\nsystem,BLEU,1.0,a\nsystem,BLEU,1.1,b\nsystem,BLEU,1.2,c\n"


@dataclass
class Twin:
    """A site that answers, and a folder with the same data that nobody serves."""

    site: LiveSite
    folder: Path

    def here(self, *arguments: object) -> Outcome:
        """Return what a command says of the folder."""
        return primad(*arguments, "--archive", self.folder)

    def there(self, *arguments: object, role: str = "", stdin: bytes = b"") -> Outcome:
        """Return what a command says of the site, asked with a token of ROLE."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_CONFIG_HOME", str(self.site.home))
            patch.setenv("PRIMAD_TOKEN", self.site.token(role) if role else "")
            return primad(*arguments, "--server", self.site.address, stdin=stdin)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, int], Path]:
    """Return a data folder, the keys of its users, and a place for files; it is copied, and not changed."""
    place = tmp_path_factory.mktemp("live")
    folder = made(place)
    people = fill()
    (place / "again.run").write_text(REPRODUCTION)
    from primad.archive.archive import Archive

    list(Archive(folder).add([place / "again.run"]))
    database.close()
    return folder, people, place


@pytest.fixture(scope="module")
def twin(template: tuple[Path, dict[str, int], Path]) -> Iterator[Twin]:
    """Return a site and a folder with the same data; tests that change the site add runs of their own."""
    folder, people, place = template
    shutil.copytree(folder, place / "twin")
    shutil.copytree(folder, place / "served")
    with serving(place / "served", people, place / "home", worker=True) as site:
        yield Twin(site, place / "twin")
    database.close()


# Reading ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        "search --sort tag",
        "search --sort tag --facets team,year --format json",
        "search tag:first -m map -m P_10 --format csv",
        "search --baseline-for first",
        "search --baseline-for first --format json --limit 1",
        "search --reproductions-of first",
        "search nope:3",
        "search tag:nobody",
        "overview team:alpha",
        "overview --format json",
        "progress small",
        "progress small --format json -m P_10",
        "progress nowhere",
        "show nobody",
    ],
)
def test_a_question_to_a_site_is_answered_as_by_a_folder(twin: Twin, command: str) -> None:
    words = ["archive", *command.split()]

    assert twin.there(*words) == twin.here(*words)


def test_what_is_known_of_a_run_is_told_by_a_site_too_but_for_who_did_it(twin: Twin) -> None:
    here, there = (ask("archive", "show", "second", "--record", "--format", "json") for ask in (twin.here, twin.there))
    said, known = json.loads(there.out), json.loads(here.out)

    assert [one.pop("whom") for one in said["events"]] == ["(sign in to see)"]
    assert [one.pop("whom") for one in known["events"]] != ["(sign in to see)"]
    assert said == known


def test_a_figure_is_drawn_here_of_what_the_site_says(twin: Twin, tmp_path: Path) -> None:
    outcome = twin.there("archive", "progress", "small", "--figure", tmp_path / "progress.svg")

    assert outcome.code == 0
    assert (tmp_path / "progress.svg").read_text().lstrip().startswith("<?xml")


# Changing --------------------------------------------------------------------------------------------------------


def test_runs_are_sent_with_their_metadata_scored_and_ranked(twin: Twin, tmp_path: Path) -> None:
    header, _, ranking = run_text("beside", 5).partition("# ir_metadata.end\n")
    metadata = "\n".join(line.removeprefix("# ") for line in header.splitlines()[1:])
    for name, text in {"a.run": run_text("sent", 4), "b.run": ranking, "b.yml": metadata, "c.run": "1 2 3\n"}.items():
        (tmp_path / name).write_text(text)

    outcome = twin.there("archive", "add", tmp_path, role="user")
    again = twin.there("archive", "add", "-", role="user", stdin=run_text("sent", 4).encode())

    assert outcome.code == 1
    assert outcome.out.splitlines()[0] == "2 added, 1 refused"
    assert [line.split(" (")[0] for line in outcome.out.splitlines()[2:]] == ["beside", "sent"]
    assert outcome.err.startswith(f"primad: {tmp_path}/c.run: ")
    assert (again.code, again.out.splitlines()[0]) == (0, "1 known")


def test_a_visitor_is_told_to_sign_in_and_a_user_what_they_may_not(twin: Twin, tmp_path: Path) -> None:
    (tmp_path / "x.run").write_text(run_text("x", 6))
    visitor = twin.there("archive", "add", tmp_path / "x.run")
    user = twin.there("archive", "collection", "small", "--also", "other", role="user")

    first = "primad: sign in first: only users may add runs; ask an administrator"
    assert (visitor.code, visitor.err) == (1, f"{first}; sign in with: primad login {twin.site.address}\n")
    assert (user.code, user.err) == (1, "primad: only administrators may describe a collection; ask an administrator\n")


def test_an_administrator_describes_a_collection_from_here(twin: Twin, tmp_path: Path) -> None:
    (tmp_path / "new.qrels").write_text(QRELS)
    words = ["archive", "collection", "new", "--qrels", tmp_path / "new.qrels", "--also", "newer", "--format", "json"]

    outcome = twin.there(*words, role="administrator")
    wrong = twin.there("archive", "collection", "new", "--qrels", tmp_path / "none.qrels", role="administrator")

    assert outcome.code == 0
    assert '"newer"' in outcome.out
    assert (wrong.code, "none.qrels: cannot be read (No such file or directory)" in wrong.err) == (1, True)


def test_runs_are_scored_by_a_worker_of_the_site(twin: Twin) -> None:
    outcome = twin.there("archive", "evaluate", "tag:first", "tag:first", "-m", "recip_rank", role="user")
    again = twin.there("archive", "evaluate", "tag:first", "-m", "recip_rank", role="user")
    elsewhere = twin.there("archive", "evaluate", "--jobs", "2", role="user")

    assert outcome.out.startswith("1 run by recip_rank: 1 computed, 0 known before")
    assert again.out == "1 run by recip_rank: 0 computed, 1 known before\n"
    assert (elsewhere.code, "a site has workers of its own" in elsewhere.err) == (2, True)


def test_a_run_is_removed_on_the_site(twin: Twin, tmp_path: Path) -> None:
    (tmp_path / "gone.run").write_text(run_text("gone", 7))
    twin.there("archive", "add", tmp_path / "gone.run", "--no-evaluate", role="user")

    other = twin.there("archive", "remove", "gone", role="rival")
    own = twin.there("archive", "remove", "gone", "--because", "wrong topics", role="user")

    assert (other.code, "only whoever added the run" in other.err) == (1, True)
    assert (own.code, "is out of sight; adding its file again brings it back" in own.err) == (0, True)
    assert twin.there("archive", "search", "tag:gone").code == 1


# Assessing -------------------------------------------------------------------------------------------------------


def test_an_assessment_on_the_site_prints_what_one_here_does_and_its_report_is_fetched(
    twin: Twin, tmp_path: Path
) -> None:
    words = ["archive", "assess", "first", "-m", "map", "--rbo-p", "0.9"]

    there = twin.there(*words, "--report", tmp_path / "report", role="user")

    assert there.out == twin.here(*words).out
    assert there.err.startswith(f"primad: kept at {twin.site.address}/results/")
    assert {"report.html", "assessment.csv", "assessment.json"} <= {
        path.name for path in (tmp_path / "report").iterdir()
    }
    assert not list(tmp_path.glob("report/fragment*"))


def test_a_folder_with_other_files_is_no_place_for_a_report(twin: Twin, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")

    outcome = twin.there("archive", "assess", "first", "--report", tmp_path, role="user")

    assert (outcome.code, "holds files that are no report of primad" in outcome.err) == (1, True)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("form", ["table", "csv", "json", "latex"])
def test_precision_of_a_file_is_told_by_a_site_as_here(
    twin: Twin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.chdir(tmp_path)  # a site learns the name of a file, and not where it lies
    Path("values.csv").write_text(VALUES)
    words = ["qra", "values.csv", "--causes", "--variant", "qra3", "--format", form]

    assert twin.there(*words) == primad(*words)


def test_precision_of_runs_is_told_by_a_site_as_by_a_folder_and_kept(twin: Twin, tmp_path: Path) -> None:
    words = ["archive", "qra", "team:alpha", "-m", "map", "tag:first"]

    there = twin.there(*words, "--report", tmp_path / "report", role="user")

    assert there.out == twin.here(*words).out
    assert f"primad: report in {tmp_path / 'report'}" in there.err
    assert (tmp_path / "report" / "qra.csv").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(["qra", "--example", "belz2022"], "a site is sent one FILE", id="an example"),
        pytest.param(["qra", "{values}", "--save", "x.csv"], "--save keeps what is read here", id="save"),
        pytest.param(["archive", "search", "--archive", "."], "found both", id="a folder and a site"),
        pytest.param(["archive", "verify"], "works on a folder", id="verify"),
        pytest.param(["archive", "init", "new"], "works on a folder", id="init"),
        pytest.param(["archive", "backup", "x.tar"], "works on a folder", id="backup"),
        pytest.param(["archive", "restore", "x.tar"], "works on a folder", id="restore"),
        pytest.param(["archive", "export", "new"], "works on a folder", id="export"),
    ],
)
def test_what_cannot_be_done_on_a_site_is_refused(twin: Twin, tmp_path: Path, words: list[str], said: str) -> None:
    (tmp_path / "values.csv").write_text(VALUES)

    outcome = twin.there(*(word.format(values=tmp_path / "values.csv") for word in words))

    assert (outcome.code, said in outcome.err) == (2, True), outcome.err


# In processes of their own ---------------------------------------------------------------------------------------


def test_a_site_can_be_named_by_the_environment(twin: Twin) -> None:
    said = twin.site.primad("archive", "search", "tag:first", role="user")

    assert (said.code, said.err) == (0, "")
    assert "first" in said.out


def test_whoever_interrupts_a_command_calls_the_job_off(template: tuple[Path, dict[str, int], Path]) -> None:
    folder, people, place = template
    shutil.copytree(folder, place / "interrupted")
    with serving(place / "interrupted", people, place / "home2") as site:  # without a worker
        with site.started("archive", "evaluate", role="user") as process:
            assert process.stderr is not None
            first = process.stderr.readline().decode()
            process.send_signal(signal.SIGINT)
            rest = process.stderr.read().decode()
        headers = {"Authorization": f"Bearer {site.token('user')}"}
        jobs = httpx.get(f"{site.address}/api/v1/jobs", headers=headers, timeout=60).json()["items"]

    assert "no worker is running; whoever runs this site has to start one" in first
    assert rest == "primad: the job 'Scores of 4 runs' is called off: cancelled by user@example.org\n"
    assert (process.returncode, [one["state"] for one in jobs]) == (1, ["cancelled"])
    database.close()


def test_an_upload_survives_a_server_that_is_killed(
    template: tuple[Path, dict[str, int], Path], tmp_path: Path
) -> None:
    folder, people, place = template
    shutil.copytree(folder, place / "killed")
    for number in range(30):
        (tmp_path / f"{number}.run").write_text(run_text(f"run{number}", number))
    with serving(place / "killed", people, place / "home3") as site:
        port = int(site.address.rpartition(":")[2])
        token = site.token("user")
        site.server.send_signal(signal.SIGTERM)
        site.server.wait()
        with site.started("archive", "add", tmp_path, "--no-evaluate", role="user") as process:
            time.sleep(1.0)  # it asks a server that is not there
            with serving(place / "killed", people, place / "home4", port=port) as back:
                out, err = process.communicate(timeout=120)
                headers = {"Authorization": f"Bearer {token}"}
                total = httpx.get(f"{back.address}/api/v1/archive/runs", headers=headers, timeout=60).json()["total"]

    assert process.returncode == 0, err.decode()
    assert out.decode().splitlines()[0] == "30 added"
    assert total == 34
    database.close()


def test_a_site_on_postgresql_takes_runs_and_answers_as_one_on_sqlite(
    template: tuple[Path, dict[str, int], Path], twin: Twin, tmp_path: Path
) -> None:
    folder, people, place = template
    (tmp_path / "pg.run").write_text(run_text("pg", 4))
    with PostgreSQL() as server:
        data = postgresql_twin(folder, tmp_path / "data", server.database())
        with serving(data, people, place / "home5", worker=True) as site:
            other = Twin(site, twin.folder)
            searched = other.there("archive", "search", "--sort", "tag", "--format", "csv")
            added = other.there("archive", "add", tmp_path / "pg.run", role="user")
            assessed = other.there("archive", "assess", "first", "-m", "map", role="user")
        database.close()

    assert searched == twin.here("archive", "search", "--sort", "tag", "--format", "csv")
    assert added.out.splitlines()[0] == "1 added"
    assert assessed.out == twin.here("archive", "assess", "first", "-m", "map").out


# The guide -------------------------------------------------------------------------------------------------------


def test_every_command_in_the_guide_works(
    twin: Twin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.run").write_text(run_text("guided", 8))
    Path("values.csv").write_text(VALUES)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("PRIMAD_TOKEN", raising=False)
    token = twin.site.token("user").encode()
    lines = [line.removeprefix("$ primad ") for line in GUIDE.splitlines() if line.startswith("$ primad ")]

    for line in lines:
        with subtests.test(line):
            words = shlex.split(line.replace("https://runs.example.org", twin.site.address))

            assert primad(*words, stdin=token if words[0] == "login" else b"").code == 0
    assert len(lines) == 6


def test_the_examples_in_the_guide_say_what_a_site_says(twin: Twin) -> None:
    examples = doctest.DocTestParser().get_doctest(
        "\n".join(re.findall(r"```pycon\n(.*?)```", GUIDE, re.DOTALL)),
        {"SITE": twin.site.address, "TOKEN": twin.site.token("user")},
        "docs/guides/api.md",
        None,
        None,
    )
    said: list[str] = []

    found = doctest.DocTestRunner().run(examples, out=said.append, clear_globs=False)
    examples.globs["site"].close()

    assert "".join(said) == ""
    assert found.attempted > 20
