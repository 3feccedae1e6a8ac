"""primad track: systems are submitted, run again and judged; one file per group of commands."""

from __future__ import annotations

from typing import ClassVar

from primad.cli._commands import Commands, Line, new_app

HELP = """Hold a replication track: teams submit systems, analysts run them again, results are compared.

Each command acts on the track in the folder that --archive or PRIMAD_ARCHIVE names, else in the working folder; with
--server or PRIMAD_SERVER on that of a site.  Where there are several, --track names one.  What is to be done next is
in: primad track show.
"""
EXAMPLE = """\b
Examples:
  primad track init my-track
  primad track task coding --scorer coding
  primad track submit alpha run1 output.tsv
  primad track replay alpha/run1 --analyst ann
  primad track report --out report/
"""


class TrackCommands(Commands):
    """The commands on a track, in the order in which help lists them."""

    lines: ClassVar = {
        "init": Line("primad.cli.track.making", "Make a new track."),
        "import": Line("primad.cli.track.making", "Make a track from a folder of YAML."),
        "export": Line("primad.cli.track.making", "Write the track to a folder of YAML."),
        "show": Line("primad.cli.track.telling", "Print how far it is, and who has to do what."),
        "change": Line("primad.cli.track.setting_up", "Change title, dates, rules or the sheet."),
        "phase": Line("primad.cli.track.setting_up", "Move on to another phase."),
        "task": Line("primad.cli.track.setting_up", "Make or change a task."),
        "data-set": Line("primad.cli.track.setting_up", "Make or change a data set."),
        "team": Line("primad.cli.track.enlisting", "Register a team."),
        "analyst": Line("primad.cli.track.enlisting", "Enlist an analyst."),
        "machine": Line("primad.cli.track.enlisting", "Write down a machine of an analyst."),
        "submit": Line("primad.cli.track.submitting", "Submit an output, or a system."),
        "preflight": Line("primad.cli.track.submitting", "Say what analysts will miss in a system."),
        "decide": Line("primad.cli.track.submitting", "Decide whether a submission is eligible."),
        "withdraw": Line("primad.cli.track.submitting", "Take a submission out of the track."),
        "assign": Line("primad.cli.track.assigning", "Say who runs what."),
        "replay": Line("primad.cli.track.replaying", "Run a system again in a sandbox."),
        "sheet": Line("primad.cli.track.sheets", "Fill in what an analyst says of a system."),
        "verdict": Line("primad.cli.track.judging", "Put an output beside the submitted one."),
        "level": Line("primad.cli.track.judging", "Decide how repeatable a system is."),
        "assess": Line("primad.cli.track.assessing", "Say by all measures how well runs were reproduced."),
        "report": Line("primad.cli.track.reporting", "Print or write what the track has found."),
        "attempt": Line("primad.cli.track.attempting", "Write down what an analyst does, and how long."),
    }


app = new_app("track", TrackCommands, help=HELP, epilog=EXAMPLE)
