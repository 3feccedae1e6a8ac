"""Do the rooms of src/primad keep to their places?

The source is read, not imported: an import counts wherever it stands, in a function and under
TYPE_CHECKING too.  Only the tests of the public API import primad.
"""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from inspect import getdoc
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, TypeGuard

import pytest

import primad

pytestmark = pytest.mark.xdist_group("architecture")  # which reads all of the source once

SOURCE = Path(__file__).resolve().parents[1] / "src"

API = "primad"  # the public API is a room too: src/primad/__init__.py
LAYERS = (  # imports point down only, and rooms on one line do not import each other
    ("cli",),
    ("web",),
    ("experiments",),
    (API,),
    ("archive", "track"),
    ("accounts",),
    ("store",),
    ("rerun",),
    ("reports", "exchange"),
    ("reproducibility", "replay"),
    ("metadata", "evaluation", "qra"),
    ("trec", "compute", "safe_paths", "safe_yaml"),
    ("errors", "lazily", "watching"),
)
DEPTH = {room: depth for depth, layer in enumerate(LAYERS) for room in layer}
USING_ONLY_THE_API = {"experiments"}
PRINTING_AND_EXITING = {"cli"}


class Module(NamedTuple):
    name: str
    package: str  # what a relative import starts from
    tree: ast.Module


def room_of(name: str) -> str:
    """Return "trec" for primad.trec.files, and "primad" for primad itself."""
    return name.split(".")[1] if "." in name else name


def parse(files: Mapping[str, str]) -> dict[str, Module]:
    """Return the modules of a tree by name; files are source texts by path, such as primad/errors.py."""
    modules = {}
    for path, text in files.items():
        *folders, stem = path.removesuffix(".py").split("/")
        package = ".".join(folders)
        name = package if stem == "__init__" else f"{package}.{stem}"
        modules[name] = Module(name, package, tree_of(path, text))
    return modules


@cache
def tree_of(path: str, text: str) -> ast.Module:
    """Return what the TEXT at PATH says; several tests look at all of the source."""
    return ast.parse(text, path)


def public_names(modules: Mapping[str, Module]) -> set[str]:
    """Return what primad/__init__.py lists in __all__."""
    for node in modules[API].tree.body if API in modules else ():
        match node:
            case (
                ast.Assign(targets=[ast.Name(id="__all__")], value=ast.expr() as names)
                | ast.AnnAssign(target=ast.Name(id="__all__"), value=ast.expr() as names)
            ):
                return set(ast.literal_eval(names))
    return set()


def imports(module: Module, modules: Mapping[str, Module]) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each module of primad that is imported."""
    public = public_names(modules)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names if alias.name.split(".")[0] == API)
        elif isinstance(node, ast.ImportFrom):
            origin = origin_of(node, module)
            if origin.split(".")[0] != API:
                continue
            for alias in node.names:
                name = f"{origin}.{alias.name}"
                is_room = origin == API and alias.name in DEPTH.keys() - public
                is_module = name in modules and not (origin == API and alias.name in public)
                yield node.lineno, name if is_room or is_module else origin


def origin_of(node: ast.ImportFrom, module: Module) -> str:
    """Return the full name after "from"."""
    if not node.level:
        return node.module or ""
    folders = module.package.split(".")
    return ".".join([*folders[: len(folders) - node.level + 1], *filter(None, [node.module])])


def misplaced_imports(files: Mapping[str, str]) -> list[str]:
    """Return a line for each import that does not point down, and for each module in no known room."""
    modules = parse(files)
    found = []
    for module in modules.values():
        room = room_of(module.name)
        if room not in DEPTH:
            found.append(f"{module.name}: room '{room}' is unknown; give it a place in LAYERS")
            continue
        for line, target in imports(module, modules):
            fault = fault_of(room, room_of(target))
            if fault:
                found.append(f"{module.name}:{line} imports {target}: {fault}")
    return found


def fault_of(room: str, other: str) -> str | None:
    """Return what is wrong when one room imports another, if anything."""
    if other == room:
        return None
    if other not in DEPTH:
        return f"room '{other}' is unknown; give it a place in LAYERS"
    if room in USING_ONLY_THE_API and other != API:
        return f"{room} may import only {API}"
    if DEPTH[other] == DEPTH[room]:
        return f"{room} stands beside {other}"
    if DEPTH[other] < DEPTH[room]:
        return f"{room} stands below {other}"
    return None


def import_cycle(files: Mapping[str, str]) -> list[str]:
    """Return the modules of one import cycle, the first one again at the end; empty when there is none."""
    modules = parse(files)
    graph = {
        name: [target for _, target in imports(module, modules) if target in modules]
        for name, module in modules.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


def prints_and_exits(files: Mapping[str, str]) -> list[str]:
    """Return a line for each print and each exit in library code."""
    return [
        f"{module.name}:{node.lineno} {verb}"
        for module in parse(files).values()
        if room_of(module.name) not in PRINTING_AND_EXITING
        for node in ast.walk(module.tree)
        if isinstance(node, ast.stmt | ast.expr) and (verb := verb_of(node))
    ]


def verb_of(node: ast.stmt | ast.expr) -> str | None:
    """Return "prints" or "exits" for what only the command line may do."""
    match node:
        case ast.Call(func=ast.Name(id="print")):
            return "prints"
        case ast.Attribute(value=ast.Name(id="sys"), attr="exit"):
            return "exits"
        case ast.Raise(exc=ast.Name(id="SystemExit") | ast.Call(func=ast.Name(id="SystemExit"))):
            return "exits"
        case ast.ImportFrom(module="sys", names=names) if "exit" in {alias.name for alias in names}:
            return "exits"
        case _:
            return None


@pytest.fixture(scope="module")
def source_files() -> dict[str, str]:
    paths = sorted((SOURCE / API).rglob("*.py"))
    return {path.relative_to(SOURCE).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def test_the_source_is_found(source_files: dict[str, str]) -> None:
    assert {"primad/__init__.py", "primad/errors.py"} <= source_files.keys()


def test_imports_point_down_only(source_files: dict[str, str]) -> None:
    assert misplaced_imports(source_files) == []


def test_no_module_is_in_an_import_cycle(source_files: dict[str, str]) -> None:
    assert import_cycle(source_files) == []


def test_library_code_neither_prints_nor_exits(source_files: dict[str, str]) -> None:
    assert prints_and_exits(source_files) == []


def test_the_public_names_are_sorted() -> None:
    assert primad.__all__ == sorted(primad.__all__)


def test_no_public_name_is_listed_twice() -> None:
    assert [name for name, count in Counter(primad.__all__).items() if count > 1] == []


def test_every_public_name_resolves() -> None:
    assert [name for name in primad.__all__ if not hasattr(primad, name)] == []


def test_every_public_name_is_what_a_type_checker_takes_it_for() -> None:
    (block,) = (node for node in ast.parse((SOURCE / "primad" / "__init__.py").read_text()).body if is_for_types(node))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    meant = {one.asname or one.name: (node.module or "", one.name) for node in imports for one in node.names}

    others = {
        name: (module, own)
        for name, (module, own) in meant.items()
        if getattr(import_module(module), own) is not getattr(primad, name)
    }
    assert sorted(meant) == primad.__all__
    assert others == {"qra": ("primad.qra.assess", "assess")}  # a package that can be called like this function
    assert callable(primad.qra)


def is_for_types(node: ast.stmt) -> TypeGuard[ast.If]:
    """Tell whether NODE is what only a type checker reads."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def test_every_public_name_says_in_a_sentence_what_it_is() -> None:
    told = {name: getdoc(getattr(primad, name)) or "" for name in primad.__all__}

    # A dataclass without a docstring gets one that repeats its fields.
    silent = [name for name, text in told.items() if not text or text.startswith(f"{name}(")]
    assert silent == []
    assert [name for name, text in told.items() if not text.split("\n\n")[0].endswith((".", "?"))] == []


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        pytest.param(
            "primad/trec/files.py",
            "import os\nfrom primad.cli import main",
            ["primad.trec.files:2 imports primad.cli: trec stands below cli"],
            id="upwards",
        ),
        pytest.param(
            "primad/qra/groups.py",
            "import primad.evaluation.measures",
            ["primad.qra.groups:1 imports primad.evaluation.measures: qra stands beside evaluation"],
            id="sideways",
        ),
        pytest.param(
            "primad/errors.py",
            "def f():\n    from . import compute",
            ["primad.errors:2 imports primad.compute: errors stands below compute"],
            id="relative and inside a function",
        ),
        pytest.param(
            "primad/trec/deep/files.py",
            "if TYPE_CHECKING:\n    from ...store import Store",
            ["primad.trec.deep.files:2 imports primad.store: trec stands below store"],
            id="relative over two folders and for type checking only",
        ),
        pytest.param(
            "primad/trec/__init__.py",
            "from ..web import views",
            ["primad.trec:1 imports primad.web: trec stands below web"],
            id="relative in a package",
        ),
        pytest.param(
            "primad/store/files.py",
            "from primad import assess",
            ["primad.store.files:1 imports primad: store stands below primad"],
            id="the public API from inside",
        ),
        pytest.param(
            "primad/experiments/core17.py",
            "import primad\nfrom primad.trec import read_run\nfrom primad import assess, trec",
            [
                "primad.experiments.core17:2 imports primad.trec: experiments may import only primad",
                "primad.experiments.core17:3 imports primad.trec: experiments may import only primad",
            ],
            id="an experiment past the public API",
        ),
        pytest.param(
            "primad/utils/text.py",
            "import os",
            ["primad.utils.text: room 'utils' is unknown; give it a place in LAYERS"],
            id="a module in an unknown room",
        ),
        pytest.param(
            "primad/cli/main.py",
            "from primad.utils import text",
            ["primad.cli.main:1 imports primad.utils: room 'utils' is unknown; give it a place in LAYERS"],
            id="an import from an unknown room",
        ),
    ],
)
def test_a_misplaced_import_is_reported(path: str, text: str, expected: list[str]) -> None:
    assert misplaced_imports({path: text}) == expected


def test_imports_that_point_down_are_not_reported() -> None:
    files = {
        "primad/__init__.py": "from primad.rerun import rerun\n__all__ = ['rerun']",
        "primad/rerun.py": "from primad import errors\nfrom primad.trec.files import read",
        "primad/trec/__init__.py": "from primad.trec.files import read",
        "primad/trec/files.py": "from ..errors import PrimadError\nfrom primadonna import sing",
        "primad/errors.py": "import sys",
        "primad/experiments/demo.py": "from primad import rerun\nfrom primad.experiments import data",
        "primad/experiments/data.py": "import primad",
        "primad/cli/main.py": "from primad import rerun, errors\nfrom primad.experiments.demo import run",
    }

    assert misplaced_imports(files) == []
    assert import_cycle(files) == []


def test_an_import_cycle_is_reported() -> None:
    files = {
        "primad/qra/__init__.py": "from primad.qra.groups import Group",
        "primad/qra/groups.py": "from primad.qra import causes",
        "primad/qra/causes.py": "def f():\n    from primad.qra import Group",
    }

    cycle = import_cycle(files)

    assert cycle[0] == cycle[-1]
    assert set(pairwise(cycle)) == {
        ("primad.qra", "primad.qra.groups"),
        ("primad.qra.groups", "primad.qra.causes"),
        ("primad.qra.causes", "primad.qra"),
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("def f():\n    print(1)", ["primad.qra:2 prints"], id="print"),
        pytest.param("import sys\nsys.exit(1)", ["primad.qra:2 exits"], id="sys.exit"),
        pytest.param("from sys import exit, path", ["primad.qra:1 exits"], id="exit imported"),
        pytest.param("raise SystemExit", ["primad.qra:1 exits"], id="SystemExit"),
        pytest.param("raise SystemExit(2)", ["primad.qra:1 exits"], id="SystemExit with a code"),
        pytest.param("'''>>> print(1)'''\nimport sys\nsys.stdout.name", [], id="neither"),
    ],
)
def test_a_print_or_an_exit_is_reported_outside_the_command_line(text: str, expected: list[str]) -> None:
    files = {"primad/qra/__init__.py": text, "primad/cli/main.py": text}

    assert prints_and_exits(files) == expected
