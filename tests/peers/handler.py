"""What does repro_eval's own handler make of a run file?  A program for the environment of repro_eval (see Makefile).

    handler.py read RUN                                    print the metadata that it reads, as JSON
    handler.py strip RUN...                                print the ranking that it reads from each run, as JSON
    handler.py write RUN METADATA OUT [--complete REPO]    write RUN below METADATA as OUT
    handler.py types REFERENCE DIR                         print the runs of DIR by their type, as JSON
    handler.py serve                                       do what each line says, a JSON list of such arguments, in a
                                                           process of its own; print its status and output as JSON

``--complete`` adds what the handler finds out by itself, of the platform and of the repository REPO.
"""

from __future__ import annotations

import io
import json
import os
import sys
import traceback
from argparse import ArgumentParser, Namespace
from contextlib import chdir, redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path
from typing import Any

PLACES = {
    "read": ["run"],
    "strip": ["runs"],
    "write": ["run", "metadata", "out"],
    "types": ["reference", "folder"],
}


def read(run: Path) -> Any:
    """Return the metadata of RUN."""
    return peer().MetadataHandler.read_metadata(str(run))


def strip(runs: list[Path]) -> list[Any]:
    """Return the ranking of each of RUNS: scores by topic and document."""
    return [peer().MetadataHandler.strip_metadata(str(run)) for run in runs]


def write(run: Path, metadata: Path, out: Path, repository: Path | None) -> None:
    """Write RUN below METADATA as OUT, completed from REPOSITORY if there is one."""
    handler = peer().MetadataHandler(str(run), str(metadata))
    # The handler takes the languages from the current folder, whichever repository it is given.
    with chdir(repository or Path.cwd()):
        handler.write_metadata(str(out), complete_metadata=repository is not None, repo_path=str(repository))


def types(reference: Path, folder: Path) -> Any:
    """Return the runs of FOLDER but REFERENCE by how they differ from it."""
    return peer().MetadataAnalyzer(str(reference)).analyze_directory(str(folder))


def peer() -> Any:
    """Return repro_eval's module, which only this program's own environment has."""
    return import_module("repro_eval.metadata")


def serve() -> None:
    """Do what each line of standard input says; the library, which takes a second to import, is imported once."""
    peer()
    for line in sys.stdin:
        if child := os.fork():
            os.waitpid(child, 0)
        else:
            print(json.dumps(outcome(json.loads(line))), flush=True)  # noqa: T201 - this is what was asked for
            os._exit(0)


def outcome(words: list[str]) -> dict[str, Any]:
    """Return what becomes of a command line of these WORDS: whether it is done, and what it prints."""
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        try:
            do(arguments(words))
        except Exception:  # noqa: BLE001 - as of a program by itself, everything is told that goes wrong
            traceback.print_exc()
            return {"is_done": False, "out": out.getvalue(), "err": err.getvalue()}
    return {"is_done": True, "out": out.getvalue(), "err": err.getvalue()}


def arguments(words: list[str]) -> Namespace:
    """Return what a command line of these WORDS asks for, each path from the root on."""
    parser = ArgumentParser(description="repro_eval's handler of metadata, as a command")
    commands = parser.add_subparsers(dest="command", required=True)
    for command, places in PLACES.items():
        of_command = commands.add_parser(command)
        for place in places:
            of_command.add_argument(place, type=absolute, nargs="+" if place == "runs" else None)
        if command == "write":
            of_command.add_argument("--complete", type=absolute, metavar="REPO")
    return parser.parse_args(words)


def absolute(path: str) -> Path:
    """Return PATH from the root on."""
    return Path(path).absolute()


def main() -> None:
    """Do what the command line says."""
    words = sys.argv[1:]
    if words == ["serve"]:
        serve()
    else:
        do(arguments(words))


def do(given: Namespace) -> None:
    """Do what is GIVEN."""
    match given.command:
        case "read":
            show(read(given.run))
        case "strip":
            show(strip(given.runs))
        case "write":
            write(given.run, given.metadata, given.out, given.complete)
        case "types":
            show(types(given.reference, given.folder))


def show(answer: Any) -> None:
    """Print ANSWER as JSON; a date that was meant as text must not look like the text it was made from."""
    json.dump(answer, sys.stdout, default=repr)


if __name__ == "__main__":
    main()
