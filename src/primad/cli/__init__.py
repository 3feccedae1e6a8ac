"""How people reach primad from a terminal: one file per command, a folder for commands on an archive or a track."""

from __future__ import annotations

import gc
import io
import os
import sys
from functools import cache
from typing import Annotated, Any

import typer
from typer.main import get_command

from primad.cli import (
    annotate,
    archive,
    assess,
    check,
    compare,
    completion,
    demo,
    doctor,
    evaluate,
    export,
    import_,
    login,
    pack,
    qra,
    rerun,
    schema,
    score,
    serve,
    show,
    strip,
    template,
    track,
    worker,
)
from primad.cli import exec as exec_command
from primad.cli._commands import Commands
from primad.cli._output import say
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

app = typer.Typer(
    name="primad",
    cls=Commands,
    epilog=EXAMPLE,
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["--help", "-h"]},
    # Plain help starts in a third of the time that coloured boxes take.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command(short_help="Say how effective runs are.", epilog=evaluate.EXAMPLE)(evaluate.evaluate)
app.command(short_help="Give a run its metadata.", epilog=annotate.EXAMPLE)(annotate.annotate)
app.command("show", short_help="Print what a run says about itself.", epilog=show.EXAMPLE)(show.show_record)
app.command(short_help="Print the ranking of a run alone.", epilog=strip.EXAMPLE)(strip.strip)
app.command(short_help="Print a skeleton of metadata to fill in.", epilog=template.EXAMPLE)(template.template)
app.command(short_help="Print the fields that metadata may have.", epilog=schema.EXAMPLE)(schema.schema)
app.command(short_help="Say what is wrong with runs and their metadata.", epilog=check.EXAMPLE)(check.check)
app.command(short_help="Say what changed between runs, in six letters.", epilog=compare.EXAMPLE)(compare.compare)
app.command(
    cls=assess.AssessCommand,
    short_help="Say how well an experiment was reproduced.",
    epilog=assess.EXAMPLE,
)(assess.assess)
app.command(
    cls=qra.QraCommand,
    short_help="Say how precise measured values are, and why they vary.",
    epilog=qra.EXAMPLE,
)(qra.qra)
app.command(short_help="Say how good an output is, and whether another is the same.", epilog=score.EXAMPLE)(score.score)
app.command(
    "exec",
    cls=exec_command.ExecCommand,
    short_help="Run a command, record it, annotate the runs it wrote.",
    epilog=exec_command.EXAMPLE,
    context_settings={"allow_interspersed_args": False},
)(exec_command.execute)
app.command(short_help="Turn a recording into a bundle that others can run.", epilog=pack.EXAMPLE)(pack.pack)
app.command(short_help="Re-create an annotated run, and judge the result.", epilog=rerun.EXAMPLE)(rerun.rerun)
app.add_typer(
    archive.app,
    name="archive",
    help=archive.HELP,
    short_help="Keep runs, find baselines, evaluate all of them.",
    epilog=archive.EXAMPLE,
)
app.add_typer(
    track.app,
    name="track",
    help=track.HELP,
    short_help="Have systems run again by others, and compare the results.",
    epilog=track.EXAMPLE,
)
app.command(short_help="Write something in a format that other tools read.", epilog=export.EXAMPLE)(export.export)
app.command("import", short_help="Take over what another tool wrote.", epilog=import_.EXAMPLE)(import_.import_command)
app.command(short_help="Show the archive and its tracks in a browser.", epilog=serve.EXAMPLE)(serve.serve)
app.command(short_help="Do the long work that people asked the site for.", epilog=worker.EXAMPLE)(worker.worker)
app.command(short_help="Keep a token for a site.", epilog=login.LOGIN_EXAMPLE)(login.login)
app.command(short_help="Keep it no longer.", epilog=login.LOGOUT_EXAMPLE)(login.logout)
app.command(short_help="Show what primad does, on data it makes itself.", epilog=demo.EXAMPLE)(demo.demo)
app.command(short_help="Say what is installed here, and whether it works.", epilog=doctor.EXAMPLE)(doctor.doctor)
app.command(short_help="Let a shell complete what is typed.", epilog=completion.EXAMPLE)(completion.completion)


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
    """Return the command line, which takes as long to make as the rest of a short command takes."""
    return get_command(app)


def main() -> None:
    """Run the command line: an error of ours is one message and its exit code, never a traceback."""
    # Matrices here are so small that threads for them wait for each other most of the time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # A command builds much and drops little: looking for garbage as often as usual takes a fifth of the time.
    gc.set_threshold(100_000, 50, 50)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Identifiers are bytes: what came in as bytes that are no text goes out as the same bytes.
            stream.reconfigure(errors="surrogateescape")
    completion.prepare()
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
