"""What does MLflow keep of runs, and how does it read it?  A program for the environment of trackers (see Makefile).

    mlflow_store.py FOLDER    log runs to a store of files in FOLDER, and print as JSON what MLflow reads there

Three experiments: five runs with another seed each that nobody named, one run with all that can be logged, one run that
failed and one that was deleted.  Nothing is sent anywhere.
"""

from __future__ import annotations

import json
import math
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

MAPS = (0.2497, 0.2503, 0.2488, 0.2511, 0.2501)
RANKING = "1 Q0 d1 1 2.5 dense\n1 Q0 d2 2 1.5 dense\n"
TAGS = {
    "mlflow.note.content": "Does a dense ranker help?",
    "mlflow.source.git.commit": "c1f7a9d0b2e34455667788990011223344556677",
    "mlflow.source.git.repoURL": "https://jane:secret-word@example.org/dense.git",
    "mlflow.source.git.branch": "main",
    "mlflow.user": "jane",
    "team": "h2oloo",
}


def main() -> None:
    """Log the runs, and print what MLflow knows of each."""
    folder = Path(sys.argv[1])
    os.environ |= {"MLFLOW_DISABLE_TELEMETRY": "true", "DO_NOT_TRACK": "true", "MLFLOW_ALLOW_FILE_STORE": "true"}
    client = import_module("mlflow.tracking").MlflowClient(tracking_uri=folder.as_uri())
    repeated = [log_seed(client, number, value) for number, value in enumerate(MAPS, start=1)]
    failed = client.create_run(experiment(client, "others"), run_name="broken").info.run_id
    client.log_metric(failed, "map", 0.1)
    client.set_terminated(failed, "FAILED")
    deleted = client.create_run(experiment(client, "others"), run_name="gone").info.run_id
    client.delete_run(deleted)
    json.dump([known(client, run) for run in (*repeated, log_all(client, folder), failed)], sys.stdout)


def experiment(client: Any, name: str) -> str:
    """Return the identifier of the experiment NAME."""
    found = client.get_experiment_by_name(name)
    return str(found.experiment_id if found else client.create_experiment(name))


def log_seed(client: Any, seed: int, value: float) -> str:
    """Log one of the runs that only differ in their SEED."""
    run = str(client.create_run(experiment(client, "tuning")).info.run_id)
    for name, text in {"wmodel": "BM25", "k1": 0.9, "b": 0.4, "seed": seed}.items():
        client.log_param(run, name, text)
    client.log_metric(run, "map", value)
    client.set_terminated(run)
    return run


def log_all(client: Any, folder: Path) -> str:
    """Log a run with steps, numbers that are none, tags, a dataset and artifacts."""
    run = str(client.create_run(experiment(client, "dense"), run_name="dense retrieval", tags=TAGS).info.run_id)
    entities = import_module("mlflow.entities")
    for step, value in ((0, 0.5), (2, 0.31), (1, 0.4)):
        client.log_metric(run, "eval/ndcg", value, step=step)
    client.log_metric(run, "loss", math.nan)
    client.log_metric(run, "perplexity", math.inf)
    client.log_metric(run, "tiny", 1.5e-07)
    client.log_param(run, "encoder/layers", 12)
    dataset = entities.Dataset("robust04", "8a1b", "http", '{"url": "https://example.org/robust04.gz"}')
    client.log_inputs(run, [entities.DatasetInput(dataset, [entities.InputTag("mlflow.data.context", "testing")])])
    for name, text in {"dense.run": RANKING, "notes.txt": "nothing to rank\n"}.items():
        (folder.parent / name).write_text(text)
        client.log_artifact(run, str(folder.parent / name), "rankings")
    client.set_terminated(run)
    return run


def known(client: Any, identifier: str) -> dict[str, Any]:
    """Return what MLflow reads of a run; what is no finite number as a word."""
    run = client.get_run(identifier)
    return {
        "id": run.info.run_id,
        "name": run.info.run_name,
        "began": run.info.start_time,
        "ended": run.info.end_time,
        "status": run.info.status,
        "params": run.data.params,
        "tags": run.data.tags,
        "metrics": {name: repr(value) for name, value in run.data.metrics.items()},
        "datasets": [one.dataset.name for one in run.inputs.dataset_inputs],
    }


if __name__ == "__main__":
    main()
