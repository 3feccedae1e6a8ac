"""How is a worker started for the jobs of a site?

work_for     do the jobs of a site until told to stop
actor_for    who a user is by their key, unless they were kept out
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from primad.errors import NotAllowed
from primad.store.actors import VISITOR, Actor, expect
from primad.store.folder import find_folder
from primad.web.running.permissions import private
from primad.web.running.serving import prepare
from primad.web.settings import Site


def work_for(site: Site, *, once: bool = False, said: Callable[[str], None] = lambda _line: None) -> None:
    """Do the jobs of SITE until told to stop, with ONCE until there is none left; SAID is handed a line about each."""
    found = find_folder(site.folder or None)  # a worker makes no folder: there would be nothing to do
    folder = prepare(replace(site, folder=str(found.path)))
    from primad.store.jobs.worker import Worker

    expect(VISITOR)
    worker = Worker(folder, actor_for, said=said)
    with private(), worker.obeying_signals():  # before anybody hears that it is at work
        said(f"at work on the jobs of {folder.path}" + ("" if once else "; end it with Ctrl-C"))
        worker.serve(once=once)


def actor_for(user: int, scopes: frozenset[str]) -> Actor:
    """Return who the user with the key USER is, who came to do what SCOPES say."""
    from primad.accounts.models import User
    from primad.accounts.people import actor_of

    found = User.objects.filter(pk=user, is_active=True).first()
    if found is None:
        raise NotAllowed("whoever asked for it is kept out by now; ask an administrator")
    return actor_of(found, scopes)
