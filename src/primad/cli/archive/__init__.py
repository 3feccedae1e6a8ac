"""primad archive: runs that are kept, found again and compared; one file per group of commands."""

from __future__ import annotations

from typing import ClassVar

from primad.cli._commands import Commands, Line, new_app

HELP = """Keep runs, find baselines and reproductions among them, and evaluate all of them.

Each command acts on the archive that --archive or PRIMAD_ARCHIVE names, else on the one in the working folder; with
--server or PRIMAD_SERVER on that of a site.
"""
EXAMPLE = """\b
Examples:
  primad archive init
  primad archive collection core17 --qrels core17.qrels
  primad archive add runs/
  primad archive search 'team:h2oloo method:bm25 map>=0.2'
  primad archive search --baseline-for my-bm25
"""


class ArchiveCommands(Commands):
    """The commands on an archive, in the order in which help lists them."""

    lines: ClassVar = {
        "init": Line("primad.cli.archive.making", "Make a new archive."),
        "collection": Line("primad.cli.archive.making", "Say what a collection is judged by, or list them."),
        "add": Line("primad.cli.archive.adding", "Keep runs."),
        "search": Line("primad.cli.archive.searching", "Find runs, baselines, reproductions."),
        "show": Line("primad.cli.archive.telling", "Print what is known of a run."),
        "evaluate": Line("primad.cli.archive.evaluating", "Score runs by their judgments."),
        "assess": Line("primad.cli.archive.assessing", "Say how well a run was reproduced by others."),
        "qra": Line("primad.cli.archive.assessing", "Say how precise scores are."),
        "overview": Line("primad.cli.archive.telling", "Count runs by team and method."),
        "progress": Line("primad.cli.archive.telling", "Show scores over the years."),
        "verify": Line("primad.cli.archive.keeping", "Look whether anything is damaged."),
        "backup": Line("primad.cli.archive.keeping", "Write the archive to one file."),
        "restore": Line("primad.cli.archive.keeping", "Make an archive from a backup."),
        "remove": Line("primad.cli.archive.keeping", "Take a run out of sight."),
        "export": Line("primad.cli.archive.keeping", "Write runs to a folder."),
    }


app = new_app("archive", ArchiveCommands, help=HELP, epilog=EXAMPLE)
