"""How is a finished demonstration shown in a site?

    READER   who looks at it
    fill     give its archive a reader, and let the site itself assess what the demonstration found

It runs in a process of its own, which has done nothing else: a site that is started after much work with threads of
others could hang.
"""

from __future__ import annotations

from primad.web.settings import site_here

READER = "reader@example.org"
_ORIGINAL = "original-"  # how the tags of the runs begin that were reproduced
_MEASURE = "map"


def fill(folder: str) -> None:
    """Give the archive in FOLDER a reader for whom a study and its precision are kept, unless it has one."""
    from primad.web.running.serving import prepare
    from primad.web.running.work import work_for

    site = site_here(folder=folder)
    prepare(site)
    from primad.store.models import Job

    if not Job.objects.filter(owner=READER).exists():
        _ask(folder)
    work_for(site, once=True)


def _ask(folder: str) -> None:
    """Make the reader, and ask for what the archive in FOLDER can be asked for."""
    from datetime import UTC, datetime

    from django.contrib.auth.hashers import make_password

    from primad.accounts.models import User
    from primad.accounts.people import actor_of
    from primad.archive.archive import Archive
    from primad.store import jobs
    from primad.store.actors import acting

    made = {"name": "Reader", "password": make_password(None), "created_at": datetime.now(UTC)}
    reader, _ = User.objects.get_or_create(email=READER, defaults=made)
    hits = [one for one in Archive(folder).search("", limit=None).hits if one.tag.startswith(_ORIGINAL)]
    # The advanced run is trained on one more collection, which its tag names.
    original = [one.address for one in sorted(hits, key=lambda one: len(one.tag))]
    with acting(actor_of(reader)):
        if original:
            jobs.ask("archive.assess", "The reproductions of the study", original=original, measures=[_MEASURE])
            jobs.ask("qra", "How precise the scores of the study are", query="", measures=[_MEASURE])
