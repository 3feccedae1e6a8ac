"""Which commands are there, and how does one end?  By its answer, by an error of ours, never by a traceback."""

from __future__ import annotations

import gc
import io
import os
import sys
from functools import cache
from typing import Annotated, Any, ClassVar

import typer
from typer.main import get_command

from primad.cli._commands import Commands, Line, new_app
from primad.cli._encoding import AS_IT_FITS
from primad.cli._output import say
from primad.cli.completion import prepare
from primad.errors import PrimadError

EXAMPLE = """\b
Examples:
  primad evaluate core17.qrels bm25.run
  primad assess --original bm25.run rm3.run --reproduction my.bm25.run my.rm3.run --qrels core17.qrels
  primad evaluate --help
\b
Exit codes:
  0  done
  1  the answer is no, or something that was given is wrong; standard error says what
  2  wrong usage
"""


class Program(Commands):
    """All commands, in the order in which help lists them."""

    lines: ClassVar = {
        "evaluate": Line("primad.cli.evaluate", "Say how effective runs are."),
        "annotate": Line("primad.cli.annotate", "Give a run its metadata."),
        "show": Line("primad.cli.show", "Print what a run says about itself."),
        "strip": Line("primad.cli.strip", "Print the ranking of a run alone."),
        "template": Line("primad.cli.template", "Print a skeleton of metadata to fill in."),
        "schema": Line("primad.cli.schema", "Print the fields that metadata may have."),
        "check": Line("primad.cli.check", "Say what is wrong with runs and their metadata."),
        "compare": Line("primad.cli.compare", "Say what changed between runs, in six letters."),
        "assess": Line("primad.cli.assess", "Say how well an experiment was reproduced."),
        "qra": Line("primad.cli.qra", "Say how precise measured values are, and why they vary."),
        "score": Line("primad.cli.score", "Say how good an output is, and whether another is the same."),
        "exec": Line("primad.cli.exec", "Run a command, record it, annotate the runs it wrote."),
        "pack": Line("primad.cli.pack", "Turn a recording into a bundle that others can run."),
        "rerun": Line("primad.cli.rerun", "Re-create an annotated run, and judge the result."),
        "export": Line("primad.cli.export", "Write something in a format that other tools read."),
        "import": Line("primad.cli.import_", "Take over what another tool wrote."),
        "serve": Line("primad.cli.serve", "Show the archive and its tracks in a browser."),
        "worker": Line("primad.cli.worker", "Do the long work that people asked the site for."),
        "login": Line("primad.cli.login", "Keep a token for a site."),
        "logout": Line("primad.cli.login", "Keep it no longer."),
        "demo": Line("primad.cli.demo", "Show what primad does, on data it makes itself."),
        "doctor": Line("primad.cli.doctor", "Say what is installed here, and whether it works."),
        "completion": Line("primad.cli.completion", "Let a shell complete what is typed."),
        "archive": Line("primad.cli.archive", "Keep runs, find baselines, evaluate all of them."),
        "track": Line("primad.cli.track", "Have systems run again by others, and compare the results."),
    }


app = new_app("primad", Program, epilog=EXAMPLE, context_settings={"help_option_names": ["--help", "-h"]})


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"primad {version('primad')}")
        raise typer.Exit


@app.callback()
def primad(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None:
    """Say how well an IR or NLP experiment was reproduced, and keep what is needed to do it again."""


@cache
def command() -> Any:
    """Return the command line, made once."""
    return get_command(app)


def run() -> None:
    """Run the command line: an error of ours is one message and its exit code, never a traceback."""
    # Matrices here are so small that threads for them wait for each other most of the time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # A command builds much and drops little: looking for garbage as often as usual takes a fifth of the time.
    gc.set_threshold(100_000, 50, 50)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=AS_IT_FITS)
    prepare()
    try:
        command()(prog_name="primad")
    except PrimadError as error:
        say(error)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        _discard_output()  # whoever reads it has seen enough


def _discard_output() -> None:
    """Keep Python from trying, and complaining, once more at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
