"""Is a site ready for the world?

    problems     what is to be done, as sentences; none where all is well
    key_is_set   whether there is a key that sessions and secrets are kept with

Nothing is made or changed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from primad.errors import PrimadError
from primad.store import database
from primad.store.folder import find_folder
from primad.web.running.permissions import exposure
from primad.web.settings import LOOPBACK, Site


def key_is_set() -> bool:
    """Tell whether there is a key already."""
    from primad.track.secrets import key_file

    return bool(os.environ.get("PRIMAD_SECRET_KEY")) or key_file().exists()


def problems(site: Site) -> list[str]:
    """Return what is to be done before SITE, which Django was told of, is ready for the world."""
    return [*_hosts(site), *_folder(site), *_mail(site), *_deployment()]


def _hosts(site: Site) -> Iterator[str]:
    """Yield what is wrong with how SITE is reached."""
    if set(site.hosts) <= set(LOOPBACK):
        yield "PRIMAD_HOSTS is not set: set it to the name of the site, such as PRIMAD_HOSTS=runs.example.org"
    if not site.https:
        yield (
            "PRIMAD_HTTPS is not set: let a proxy speak https (deploy/nginx.conf shows how), and set PRIMAD_HTTPS=1, "
            "so that cookies and passwords are not sent in the clear"
        )


def _folder(site: Site) -> Iterator[str]:
    """Yield what is wrong with the data folder of SITE and its database."""
    try:
        folder = find_folder(site.folder)
    except PrimadError as error:
        yield f"{error}; or start the site once: primad serve --data {site.folder}"
        return
    if not os.access(folder.path, os.R_OK | os.W_OK | os.X_OK):
        yield f"{folder.path}: whoever runs the site may not write here; change its owner"
        return
    if exposed := exposure(folder.path):
        yield exposed
    if folder.is_sqlite and not folder.sqlite.is_file():
        yield f"{folder.sqlite}: no such file; restore it from a backup"
        return
    try:
        database.use(folder, check=False)  # which would bring its tables up to date
        with database.explained(folder):
            yield from _tables()
    except PrimadError as error:
        yield str(error)


def _tables() -> Iterator[str]:
    """Yield whether tables are missing."""
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if missing:
        yield f"the database misses {len(missing)} changes of its tables: start the site once, which makes them"


def _mail(site: Site) -> Iterator[str]:
    """Yield whether the mail server of SITE does not answer."""
    from smtplib import SMTPException

    from django.core.mail import get_connection

    if not site.mail:
        return
    try:
        connection = get_connection()
        connection.open()
        connection.close()
    except (OSError, SMTPException) as error:
        yield f"the mail server of PRIMAD_MAIL takes no mail ({type(error).__name__}): check its address and password"


def _deployment() -> Iterator[str]:
    """Yield what Django finds wrong, but for what is meant; what follows from a site without https is said already."""
    from django.conf import settings
    from django.core import checks

    said = () if settings.PRIMAD.https else ("security.W004", "security.W008", "security.W012", "security.W016")
    for found in checks.run_checks(include_deployment_checks=True):
        if found.id not in said and not found.is_silenced():
            yield f"{found.id}: {found.msg}" + (f" ({found.hint})" if found.hint else "")
