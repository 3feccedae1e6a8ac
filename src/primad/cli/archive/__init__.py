"""primad archive: runs that are kept, found again and compared; one file per group of commands."""

from __future__ import annotations

import typer

from primad.cli._commands import Commands
from primad.cli.archive import adding, assessing, evaluating, keeping, making, searching, telling
from primad.cli.archive._queries import QueryCommand
from primad.cli.remote.naming import Served, Unserved

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

app = typer.Typer(cls=Commands, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)

app.command(cls=Unserved, short_help="Make a new archive.", epilog=making.INIT_EXAMPLE)(making.init)
app.command(
    cls=Served, short_help="Say what a collection is judged by, or list them.", epilog=making.COLLECTION_EXAMPLE
)(making.collection)
app.command(cls=Served, short_help="Keep runs.", epilog=adding.EXAMPLE)(adding.add)
app.command(cls=QueryCommand, short_help="Find runs, baselines, reproductions.", epilog=searching.EXAMPLE)(
    searching.search
)
app.command(cls=Served, short_help="Print what is known of a run.", epilog=telling.SHOW_EXAMPLE)(telling.show)
app.command(cls=QueryCommand, short_help="Score runs by their judgments.", epilog=evaluating.EXAMPLE)(
    evaluating.evaluate
)
app.command(cls=Served, short_help="Say how well a run was reproduced by others.", epilog=assessing.ASSESS_EXAMPLE)(
    assessing.assess
)
app.command(cls=QueryCommand, short_help="Say how precise scores are.", epilog=assessing.QRA_EXAMPLE)(assessing.qra)
app.command(cls=QueryCommand, short_help="Count runs by team and method.", epilog=telling.OVERVIEW_EXAMPLE)(
    telling.overview
)
app.command(cls=Served, short_help="Show scores over the years.", epilog=telling.PROGRESS_EXAMPLE)(telling.progress)
app.command(cls=Unserved, short_help="Look whether anything is damaged.", epilog=keeping.VERIFY_EXAMPLE)(keeping.verify)
app.command(cls=Unserved, short_help="Write the archive to one file.", epilog=keeping.BACKUP_EXAMPLE)(keeping.backup)
app.command(cls=Unserved, short_help="Make an archive from a backup.", epilog=keeping.RESTORE_EXAMPLE)(keeping.restore)
app.command(cls=Served, short_help="Take a run out of sight.", epilog=keeping.REMOVE_EXAMPLE)(keeping.remove)
app.command(cls=QueryCommand, short_help="Write runs to a folder.", epilog=keeping.EXPORT_EXAMPLE)(keeping.export)
