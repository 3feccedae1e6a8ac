"""What does TIRA itself say about a folder, and tirex-tracker about a process?  A program for the environment of TIRA.

tira_folder.py check FORMAT FOLDER...    print, for each folder, what the checker of TIRA for FORMAT says, as JSON
tira_folder.py track FILE RUN            track the writing of a small RUN, with the tracker's metadata in FILE
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path

LINES = "".join(f"{topic} Q0 d{rank} {rank} {10 - rank} toy\n" for topic in (1, 2, 3) for rank in (1, 2))


def check(form: str, folders: list[str]) -> list[tuple[str, str]]:
    """Return whether each of FOLDERS is right (OK, WARN or ERROR), and what there is to say."""
    check_format = import_module("tira.check_format").check_format
    answers = (check_format(Path(folder), form) for folder in folders)
    return [(status.name, str(message)) for status, message in answers]


def track(file: Path, run: Path) -> None:
    """Write RUN under the eyes of the tracker, which exports to FILE."""
    with import_module("tirex_tracker").tracking(export_file_path=file, system_name="toy", poll_intervall_ms=10):
        run.write_text(LINES)


def main() -> None:
    """Do what the command line says."""
    match sys.argv[1:]:
        case ["check", form, *folders]:
            json.dump(check(form, folders), sys.stdout)
        case ["track", file, run]:
            track(Path(file), Path(run))


if __name__ == "__main__":
    main()
