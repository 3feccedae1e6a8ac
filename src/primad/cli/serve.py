"""primad serve: the archive and its tracks in a browser."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from primad.cli._commands import new_app
from primad.cli._output import say, show
from primad.errors import UsageError

if TYPE_CHECKING:
    from primad.web.settings import Site

EXAMPLE = """\b
Examples:
  primad serve
  primad serve --data lab --port 8080
  primad serve --check
"""

app = new_app()

_FOLDER = "primad-data"


@app.command(epilog=EXAMPLE)
def serve(
    host: Annotated[str, typer.Option(metavar="NAME", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, metavar="N", help="The port; 0 is any that is free.")] = 8000,
    data: Annotated[
        str | None,
        typer.Option(
            "--archive",
            "--data",
            metavar="DIR",
            help="The data folder, if not that of PRIMAD_ARCHIVE or the working folder; else ./primad-data is made.",
        ),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, metavar="N", help="Processes that answer.")] = 1,
    no_worker: Annotated[
        bool, typer.Option("--no-worker", help="Start no worker for long jobs; primad worker is one.")
    ] = False,
    check: Annotated[
        bool,
        typer.Option("--check", help="Say what is to be done before the world may come; exit with 1 if anything is."),
    ] = False,
    password_for: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Print a link by which this user sets a new password, and stop."),
    ] = None,
    enter_as: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Print a link, too, that signs this user in, once."),
    ] = None,
) -> None:
    """Show the archive and its tracks in a browser, until Ctrl-C.

    What is needed is made.  While nobody administers the site, a link is printed by which one person does, once.
    """
    from primad.store.folder import SETTINGS

    refuse_without_server()
    named = data or os.environ.get("PRIMAD_ARCHIVE")
    is_inside = not named and Path(SETTINGS).is_file()
    folder = str(Path(named or ("" if is_inside else _FOLDER)).absolute())
    if is_inside:
        say(f"the working folder is a data folder, and is what is shown: {folder}")
    if check:
        _check(folder)
    elif password_for is not None:
        _password_link(folder, password_for, f"http://{host}:{port}")
    else:
        _serve(folder, host, port, workers, with_worker=not no_worker, enter_as=enter_as)


def refuse_without_server() -> None:
    """Say what to install where the server is not."""
    from importlib.util import find_spec

    missing = [name for name in ("gunicorn", "whitenoise", "ninja", "django_htmx", "argon2") if not find_spec(name)]
    if missing:
        raise UsageError("the site needs more packages: pip install 'primad[server]'")


def _site(folder: str) -> Site:
    """Return the site in FOLDER as the environment says."""
    from primad.web.settings import site_here

    return site_here(folder=folder)


def _serve(folder: str, host: str, port: int, workers: int, *, with_worker: bool, enter_as: str | None) -> None:
    """Serve the site in FOLDER."""
    from primad.web.running import serving, tending
    from primad.web.running.permissions import exposure
    from primad.web.settings import is_here

    site = _site(folder)
    if not is_here(host) and not os.environ.get("PRIMAD_HOSTS"):
        raise UsageError(
            f"at {host} other machines reach the site: say by which names, as in PRIMAD_HOSTS=runs.example.org; "
            "docs/guides/server.md tells the rest"
        )
    listener = serving.listening(host, port)  # first: nothing is made if it cannot be
    is_new = not Path(folder).exists()
    made = serving.prepare(site, os.environ.get("PRIMAD_DATABASE", ""))
    secret = serving.first_link()
    entry = _entry_link(enter_as) if enter_as else ""
    if is_new:
        say(f"made the data folder {folder}")
    if not is_here(host) and not site.https:
        say(
            "passwords travel in the clear, and a few slow visitors keep others waiting: let a proxy speak https and "
            "take questions in before it hands them on, as deploy/nginx.conf does, and set PRIMAD_HTTPS=1"
        )
    if exposed := exposure(made.path):
        say(exposed)

    def ready(address: str) -> None:
        """Print where the site is, and the link of the first person."""
        root = f"https://{site.hosts[0]}" if site.https else address
        said = f"The site is at {root}/ and ends with Ctrl-C.\n"
        first = f"{root}/invitations/{secret}/" if secret else None
        hidden = serving.hide_link(folder, first)
        link = f"Become its administrator by this link, which works once, for a day:\n{first}\n"
        place = f"Become its administrator by the link in {hidden}, which works once, for a day.\n"
        look = f"Look at it as {enter_as} by this link, which works once, within the hour:\n{root}/enter/{entry}/\n"
        show(said + (look if entry else "") + ((place if hidden else link) if first else ""))

    tended = tending.job_worker(folder, say) if with_worker else None
    serving.serve(host, port, workers=workers, ready=ready, tended=tended, listener=listener)


def _entry_link(email: str) -> str:
    """Return the secret of a link that signs in the user with the address EMAIL."""
    from primad.accounts.entering import link_for
    from primad.accounts.people import user_called

    return link_for(user_called(email))


def _password_link(folder: str, email: str, root: str) -> None:
    """Print a link by which the user with the address EMAIL sets a new password."""
    from primad.web.settings import configure

    site = _site(folder)
    configure(site)
    from primad.accounts.people import user_called
    from primad.accounts.resetting import link_for
    from primad.archive.archive import Archive

    Archive(folder)
    _, secret = link_for(user_called(email))
    show(f"{f'https://{site.hosts[0]}' if site.https else root}/new-password/{secret}/\n")


def _check(folder: str) -> None:
    """Say what is to be done before the site in FOLDER is ready for the world."""
    from primad.web.running import checking
    from primad.web.settings import configure

    site, found = _site(folder), []
    if not checking.key_is_set():
        found.append(
            "PRIMAD_SECRET_KEY is not set, and there is no key yet: docs/guides/server.md tells how to make one"
        )
        os.environ["PRIMAD_SECRET_KEY"] = _throwaway_key()  # for this process: to check makes nothing
    configure(site)
    found += checking.problems(site)
    for sentence in found:
        show(f"- {sentence}\n")
    if found:
        say(f"{len(found)} thing{'s' * (len(found) > 1)} to do")
        sys.exit(1)
    show("The site is ready for the world.\n")


def _throwaway_key() -> str:
    """Return a key that nobody keeps."""
    import base64

    return base64.urlsafe_b64encode(os.urandom(32)).decode()
