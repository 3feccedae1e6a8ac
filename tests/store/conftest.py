"""A data folder with jobs for each test, once in SQLite and once in a real PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from primad.store import database
from primad.store.folder import DataFolder


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def site_folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DataFolder]:
    """Return a data folder with all tables of a site."""
    from primad.web.running.serving import prepare
    from primad.web.settings import Site

    site = Site(folder=str(tmp_path_factory.mktemp("site") / "data"))
    if request.param == "sqlite":
        yield prepare(site)
        database.close()
        return
    yield prepare(site, request.getfixturevalue("postgresql").database())
    database.close()


@pytest.fixture
def job_folder(site_folder: DataFolder) -> Iterator[DataFolder]:
    """Return the data folder, without a job."""
    from django_tasks_db.models import DBTaskResult

    from primad.store.models import Event, Job, Result, ResultFile

    database.use(site_folder)
    for model in (Job, Event, DBTaskResult, ResultFile, Result):
        model.objects.all().delete()
    yield site_folder
    database.close()


@pytest.fixture
def file(tmp_path: Path) -> str:
    """Return the name of a file for lines about what was done."""
    return str(tmp_path / "lines.txt")
