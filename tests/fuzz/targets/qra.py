"""Measurements in every format, what is said about how they were made, and what is concluded from them."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import yaml

from primad.qra.assess import assess
from primad.qra.reading.checklist import checklist_template
from primad.qra.reading.imported import read_conditions
from primad.qra.reading.qra3 import read_qra3
from primad.qra.reading.read import read_measurements
from primad.qra.writing import as_csv, as_json_lines
from primad.qra.writing import as_yaml as written
from primad.reports.qra.text import render
from tests.fuzz.mutating import mutated
from tests.fuzz.target import in_bytes, packed, strict_json, target, unpacked
from tests.fuzz.trees import as_json, as_yaml, changed
from tests.qra.reading.test_heds import SHEET

TREE: dict[str, Any] = yaml.safe_load("""\
qra: 1
study: readability
task: simplification
measurands: {readability: {scale: [1, 5], direction: higher, evaluation: 'human, intrinsic', unit: points}}
objects: {rules: {system: r, attributes: {size: S}}}
conditions: {test_set: T}
measurements:
- {object: rules, measurand: readability, value: 3.42, standard_error: 0.11, items: 50,
  role: original, conditions: {performed_by: H, seed: 1}}
- {object: rules, measurand: readability, value: '3.510', items: 50,
  role: reproduction, conditions: {performed_by: H, seed: 2}}
- {object: rules, measurand: readability, value: 3.18, items: 50,
  role: reproduction, conditions: {performed_by: M, seed: 1}}
- {object: neural, measurand: readability, value: 4.06, items: 50, role: original, conditions: {performed_by: H}}
- {object: neural, measurand: readability, value: 4.11, items: 50, role: reproduction, conditions: {performed_by: M}}
labels:
- {measurand: readability, item: a, rater: r1, label: good}
- {measurand: readability, item: a, rater: r2, label: bad}
claims:
- {above: neural, below: rules, measurand: readability}
""")
MATERIAL = read_measurements(yaml.safe_dump(TREE).encode(), name="m.yaml")
TABLE = as_csv(MATERIAL.measurements).encode()
LINES = as_json_lines(MATERIAL.measurements).encode()
QRA3 = (
    b"Key,Study,Experiment,System,Criterion,Result\nk1,S,original,A,Clarity,4.5\nk2,S,reproduction 1,A,Clarity,4.25\n"
)
LABELS = b"measurand,item,rater,label\nclarity,a,r1,good\nclarity,a,r2,bad\nclarity,b,r1,good\n"
FILES = (
    ("m.yaml", yaml.safe_dump(TREE, sort_keys=False).encode()),
    ("m.json", json.dumps(TREE).encode()),
    ("m.csv", TABLE),
    ("m.tsv", TABLE.replace(b",", b"\t")),
    ("m.csv", TABLE.replace(b",", b";").replace(b".", b",")),
    ("m.jsonl", LINES),
    ("labels.csv", LABELS),
    ("q.csv", QRA3),
)
NAMES = ("m.yaml", "m.json", "m.csv", "m.tsv", "m.jsonl", "<stdin>", "m.csv.gz")
TEXTS = tuple(data for _, data in FILES)


def make_measured(chance: Random) -> bytes:
    """Return a file of measurements that is damaged or has odd values, behind its name."""
    name, data = chance.choice(FILES)
    if name in {"m.yaml", "m.json"} and chance.random() < 0.7:
        tree = changed(TREE, chance)
        data = as_yaml(tree, chance) if name == "m.yaml" else as_json(tree, chance)
    else:
        data = mutated(data, chance, TEXTS)
    if chance.random() < 0.1:
        name = chance.choice(NAMES)
    return name.encode() + b"\n" + data


@target("measurements", make_measured, weight=80)
def take_measured(data: bytes, _place: Path) -> Any:
    """Read measurements, and write them again."""
    name, _, content = data.partition(b"\n")
    material = read_measurements(content, name=name.decode())
    written(material).encode()
    return material


@target("qra", make_measured, weight=4)
def take_assessed(data: bytes, _place: Path) -> Any:
    """Say how precise measurements are, and why, and write it down."""
    name, _, content = data.partition(b"\n")
    material = read_measurements(content, name=name.decode())
    found = assess(material, causes=len(data) % 4 == 0, variant="qra3" if len(data) % 2 else "acl2022")
    for form in ("table", "csv"):
        render(found, form).encode()
    return strict_json(render(found, "json"))


@target(
    "qra3",
    lambda chance: packed(
        {
            "table": mutated(QRA3, chance),
            "config": as_json(changed({"scale_starts_at": {"Clarity": 1}}, chance), chance),
        }
    ),
    weight=20,
)
def take_qra3(data: bytes, place: Path) -> Any:
    """Read a table of QRA3 with its configuration."""
    given = unpacked(data)
    path = place / "c.json"
    path.write_bytes(in_bytes(given["config"]))
    return read_qra3(in_bytes(given["table"]), path, name="q.csv").measurements


def make_conditions(chance: Random) -> bytes:
    """Return a datasheet or a checklist with odd answers."""
    if chance.random() < 0.5:
        return as_json(changed(SHEET, chance), chance)
    return mutated(checklist_template().replace("answer:\n", "answer: yes\n", 3).encode(), chance)


@target("conditions", make_conditions, weight=15)
def take_conditions(data: bytes, _place: Path) -> Any:
    """Read the conditions that a datasheet or a checklist states."""
    return read_conditions(data, "Fluency" if len(data) % 2 else None, name="x")
