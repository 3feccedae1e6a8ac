"""All commands on a track, in the order in which help lists them."""

from __future__ import annotations

import typer

from primad.cli._commands import Commands
from primad.cli.remote.naming import Served
from primad.cli.track import (
    assessing,
    assigning,
    attempting,
    enlisting,
    judging,
    making,
    replaying,
    reporting,
    setting_up,
    sheets,
    submitting,
    telling,
)

app = typer.Typer(cls=Commands, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)

app.command(cls=Served, short_help="Make a new track.", epilog=making.INIT_EXAMPLE)(making.init)
app.command("import", cls=Served, short_help="Make a track from a folder of YAML.", epilog=making.IMPORT_EXAMPLE)(
    making.import_folder
)
app.command(cls=Served, short_help="Write the track to a folder of YAML.", epilog=making.EXPORT_EXAMPLE)(making.export)
app.command(cls=Served, short_help="Print how far it is, and who has to do what.", epilog=telling.EXAMPLE)(telling.show)
app.command(cls=Served, short_help="Change title, dates, rules or the sheet.", epilog=setting_up.CHANGE_EXAMPLE)(
    setting_up.change
)
app.command(cls=Served, short_help="Move on to another phase.", epilog=setting_up.PHASE_EXAMPLE)(setting_up.phase)
app.command(cls=Served, short_help="Make or change a task.", epilog=setting_up.TASK_EXAMPLE)(setting_up.task)
app.command("data-set", cls=Served, short_help="Make or change a data set.", epilog=setting_up.DATA_SET_EXAMPLE)(
    setting_up.data_set
)
app.command(cls=Served, short_help="Register a team.", epilog=enlisting.TEAM_EXAMPLE)(enlisting.team)
app.command(cls=Served, short_help="Enlist an analyst.", epilog=enlisting.ANALYST_EXAMPLE)(enlisting.analyst)
app.command(cls=Served, short_help="Write down a machine of an analyst.", epilog=enlisting.MACHINE_EXAMPLE)(
    enlisting.machine
)
app.command(cls=Served, short_help="Submit an output, or a system.", epilog=submitting.SUBMIT_EXAMPLE)(
    submitting.submit
)
app.command(short_help="Say what analysts will miss in a system.", epilog=submitting.PREFLIGHT_EXAMPLE)(
    submitting.preflight
)
app.command(cls=Served, short_help="Decide whether a submission is eligible.", epilog=submitting.DECIDE_EXAMPLE)(
    submitting.decide
)
app.command(cls=Served, short_help="Take a submission out of the track.", epilog=submitting.WITHDRAW_EXAMPLE)(
    submitting.withdraw
)
app.command(cls=Served, short_help="Say who runs what.", epilog=assigning.EXAMPLE)(assigning.assign)
app.add_typer(
    attempting.app,
    name="attempt",
    help=attempting.HELP,
    short_help="Write down what an analyst does, and how long.",
    epilog=attempting.EXAMPLE,
)
app.command(cls=Served, short_help="Run a system again in a sandbox.", epilog=replaying.EXAMPLE)(replaying.replay)
app.command(cls=Served, short_help="Fill in what an analyst says of a system.", epilog=sheets.EXAMPLE)(sheets.sheet)
app.command(cls=Served, short_help="Put an output beside the submitted one.", epilog=judging.VERDICT_EXAMPLE)(
    judging.verdict
)
app.command(cls=Served, short_help="Decide how repeatable a system is.", epilog=judging.LEVEL_EXAMPLE)(judging.level)
app.command(cls=Served, short_help="Say by all measures how well runs were reproduced.", epilog=assessing.EXAMPLE)(
    assessing.assess
)
app.command(cls=Served, short_help="Print or write what the track has found.", epilog=reporting.EXAMPLE)(
    reporting.report
)
