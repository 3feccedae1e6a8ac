"""What do all tests share?  The real data, databases, hypothesis' settings, threads, and the rule about skipped tests.

A test that is skipped tests nothing, so where the environment says CI=true each reason for a skip must
be listed in allowed_skips.txt, or the run fails.  Only absent shared data are excused without a line, and
only where they are truly absent.
"""

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from primad.archive.archive import Archive
from primad.store import database
from primad.web.settings import Site, configure
from tests.archive.servers import PostgreSQL

IN_CI = os.environ.get("CI") == "true"
ALLOWED_SKIPS = Path(__file__).with_name("allowed_skips.txt")
SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SHARED_DATA_ABSENT = "shared data not found beside the checkout"

# Several processes test at once: threads for small matrices would wait for each other most of the time.  What is tested
# with other numbers of threads says so.  This stands before numpy is imported, here and in processes that tests start.
os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")

# A machine may be slow or busy, and on a new one hypothesis first makes its tables of characters: that is no failure.
settings.register_profile("here", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("here"), derandomize=True)
settings.load_profile("ci" if IN_CI else "here")

# Models can be imported from here on.  A site has all that an archive needs, and more.
with pytest.MonkeyPatch.context() as patch:
    patch.setenv("PRIMAD_SECRET_KEY", "A" * 43 + "=")  # nothing is left in the folder of whoever runs the tests
    configure(Site(hosts=("testserver", "127.0.0.1", "localhost")))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder ../shared/data beside the checkout; without it the test is skipped."""
    if not SHARED_DATA.is_dir():
        pytest.skip(SHARED_DATA_ABSENT)
    return SHARED_DATA


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """Return a PostgreSQL server that lives as long as the tests of this process."""
    with PostgreSQL() as server:
        yield server


@pytest.fixture(scope="session")
def sqlite_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a SQLite file with all tables: copying it is faster than making them again."""
    archive = Archive.init(tmp_path_factory.mktemp("tables"))
    database.close()
    return archive.folder.sqlite


class SkipRule:
    """Collects the reasons of all skips, and fails a run in CI for those not allowed.

    Under xdist each worker collects its own and hands them to the controller when it ends.
    """

    def __init__(self, allowed: set[str]) -> None:
        self.allowed = allowed
        self.reasons: set[str] = set()

    def unexcused(self) -> list[str]:
        """Return the reasons seen that are not allowed."""
        return sorted(self.reasons - self.allowed)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a skipped test; an expected failure is reported as skipped too, but is none."""
        if not hasattr(report, "wasxfail"):
            self._note(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a module skipped as a whole."""
        self._note(report)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """Take over what an xdist worker saw."""
        self.reasons.update(getattr(node, "workeroutput", {}).get("skips", ()))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand the reasons to the controller, or judge them."""
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["skips"] = sorted(self.reasons)
        elif self.unexcused() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """List what was not allowed."""
        if self.unexcused():
            terminalreporter.section("skipped for a reason not in tests/allowed_skips.txt", red=True)
            for reason in self.unexcused():
                terminalreporter.line(reason)

    def _note(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if report.skipped and isinstance(report.longrepr, tuple):
            self.reasons.add(report.longrepr[2].removeprefix("Skipped: "))


def allowed_skips() -> set[str]:
    """Return the reasons listed in the file, and that of absent shared data where it is true."""
    lines = ALLOWED_SKIPS.read_text(encoding="utf-8").splitlines()
    listed = {line.strip() for line in lines if line.strip() and not line.startswith("#")}
    return listed if SHARED_DATA.is_dir() else listed | {SHARED_DATA_ABSENT}


def pytest_collection_finish() -> None:
    """Look for garbage among what tests make only: the tests themselves are many, and stay to the end."""
    gc.collect()
    gc.freeze()


def pytest_configure(config: pytest.Config) -> None:
    """Apply the rule about skipped tests where it counts, and let interrupts reach what tests start.

    A script that runs us in the background makes us ignore interrupts, and a process ignores what its parent ignores.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if IN_CI:
        config.pluginmanager.register(SkipRule(allowed_skips()), "skip-rule")
