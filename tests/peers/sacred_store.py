"""What does Sacred keep of runs?  A program for the environment of trackers (see Makefile).

    sacred_store.py FOLDER    carry out runs that are observed in FOLDER, and print as JSON what they handed to Sacred

Three runs of one experiment with another seed each, and one that fails.  Nothing is sent anywhere.
"""

from __future__ import annotations

import json
import math
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

SEEDS = (1, 2, 3)
RANKING = "1 Q0 d1 1 2.5 bm25\n1 Q0 d2 2 1.5 bm25\n"


def main() -> None:
    """Carry out the runs, and print what each of them logged in the last line."""
    folder = Path(sys.argv[1])
    logged = [carried_out(folder, seed) for seed in SEEDS]
    try:
        carried_out(folder, 0)
    except ZeroDivisionError:
        logged.append({"failed": True})
    json.dump(logged, sys.stdout)


def carried_out(folder: Path, seed: int) -> dict[str, Any]:
    """Carry out the run with this SEED, and return what it logged; the one with seed 0 fails."""
    sacred = import_module("sacred")
    sacred.SETTINGS.CAPTURE_MODE = "sys"
    experiment = sacred.Experiment("ranking", save_git_info=False)
    experiment.observers.append(import_module("sacred.observers").FileStorageObserver(folder))
    experiment.add_config(
        {"retrieval": [{"name": "bm25", "k1": 0.9}], "epochs": 3, "threshold": math.inf, "topics": {301, 302}}
    )
    experiment.add_package_dependency("numpy", "2.4.6")
    ranking = folder.parent / "bm25.run"
    ranking.write_text(RANKING)
    steps = [0.2 + seed / 1000, 0.3 + seed / 1000]

    def ranked(_run: Any) -> float:
        sys.stdout.write(f"{1 / seed}\n")
        for step, value in enumerate(steps):
            _run.log_scalar("map", value, step)
        _run.log_scalar("loss", math.nan, 0)
        _run.info["terms"] = [1, 2]
        _run.add_artifact(str(ranking))
        _run.open_resource(str(ranking)).close()
        return steps[-1] / 2

    experiment.main(ranked)
    run = experiment.run(config_updates={"seed": seed}, options={"--comment": "Do seeds matter?", "--loglevel": 50})
    return {
        "id": str(run._id),
        "map": repr(steps[-1]),
        "result": repr(run.result),
        "began": run.start_time.isoformat(),
        "ended": run.stop_time.isoformat(),
        "host": run.host_info,
    }


if __name__ == "__main__":
    main()
