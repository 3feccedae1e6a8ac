"""Which small faults could a module have?  Its syntax tree with one node changed at a time.

    mutants    every change of a source text, in the order of the text
    Mutant     one of them: where it is, the statement before and after, and the code to run

Changed are comparisons, arithmetic, numbers, truth values, conditions, bounds of slices, returned values, and opposites
such as min and max; and raises, calls and steps that stand alone are left out.  Annotations, docstrings and texts are
left alone, and so are facts that a decorator states, which stand on pages, and what guards only against ourselves, such
as ``strict=`` of zip.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from types import CodeType
from typing import NamedTuple

_OPPOSITES: dict[type, type] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_OPERATORS: dict[type, type] = _OPPOSITES | {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.MatMult: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
_PAIRS = (("min", "max"), ("any", "all"), ("minimum", "maximum"), ("floor", "ceil"), ("argmin", "argmax"))
_NAMES = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
_KEYWORDS_LEFT_ALONE = {"strict", "repr"}
_FIELDS_LEFT_ALONE = {"annotation", "ctx", "decorator_list", "returns"}
_CONDITIONS = {"test", "ifs", "guard"}  # fields
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_WITH_BODY = ("body", "orelse", "finalbody", "handlers", "cases")


class Mutant(NamedTuple):
    """One change: in which FUNCTION (empty: outside of all), what the statement WAS and BECOMES, on which LINES."""

    function: str
    was: str
    becomes: str
    lines: range
    code: CodeType  # of the whole module
    is_inside: bool  # whether it is in the body of a function, which can be changed after the import


class _Place(NamedTuple):
    """Where a walk through the tree stands."""

    function: str = ""  # the outermost function and its class, as in Measure.score
    statement: ast.AST | None = None
    is_inside: bool = False


def mutants(source: str, path: str) -> Iterator[Mutant]:
    """Yield each change of SOURCE, which is at PATH; the text decides which there are and in which order."""
    tree = ast.parse(source, path)
    for holder, field, at, place in [*_walk(tree, _Place())]:
        node = getattr(holder, field) if at is None else getattr(holder, field)[at]
        for change in _changes(node, holder, field):
            was = _header(place.statement)
            ast.fix_missing_locations(ast.copy_location(change, node))
            _put(holder, field, at, change)
            becomes = _header(change if node is place.statement else place.statement)
            lines = range(node.lineno, node.end_lineno + 1)
            yield Mutant(place.function, was, becomes, lines, compile(tree, path, "exec"), place.is_inside)
            _put(holder, field, at, node)


def _put(holder: ast.AST, field: str, at: int | None, node: ast.AST) -> None:
    """Make NODE the FIELD of HOLDER, or what stands AT a place of that field."""
    if at is None:
        setattr(holder, field, node)
    else:
        getattr(holder, field)[at] = node


def _walk(node: ast.AST, place: _Place) -> Iterator[tuple[ast.AST, str, int | None, _Place]]:
    """Yield all below NODE: what holds it, in which field, at which place of that, and where in the module."""
    for field, held in ast.iter_fields(node):
        if field in _FIELDS_LEFT_ALONE:
            continue
        for at, child in enumerate(held) if isinstance(held, list) else [(None, held)]:
            if not isinstance(child, ast.AST) or _is_left_alone(child):
                continue
            there = _entered(child, place, is_body=isinstance(node, _FUNCTIONS) and field == "body")
            yield node, field, at, there
            yield from _walk(child, there)


def _entered(child: ast.AST, place: _Place, *, is_body: bool) -> _Place:
    """Return where CHILD is, if what holds it is at PLACE."""
    function, is_inside = place.function, place.is_inside or is_body
    if isinstance(child, (*_FUNCTIONS, ast.ClassDef)) and not is_inside:
        function = f"{function}.{child.name}".removeprefix(".")
    has_text = isinstance(child, ast.stmt | ast.match_case | ast.ExceptHandler)
    return _Place(function, child if has_text else place.statement, is_inside)


def _is_left_alone(node: ast.AST) -> bool:
    """Tell whether NODE is a docstring, or nothing that a value depends on."""
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Import() | ast.ImportFrom() | ast.If(test=ast.Name("TYPE_CHECKING")):
            return True
        case ast.keyword(arg=name):
            return name in _KEYWORDS_LEFT_ALONE
        case _:
            return False


def _header(statement: ast.AST | None) -> str:
    """Return the text of STATEMENT on one line, without the statements inside it."""
    bare = copy.copy(statement)
    for field in _WITH_BODY:
        if isinstance(getattr(bare, field, None), list):
            setattr(bare, field, [])
    return " ".join(ast.unparse(bare).split()) if bare else ""


def _changes(node: ast.AST, holder: ast.AST, field: str) -> Iterator[ast.AST]:
    """Yield what may stand in the place of NODE, which is the FIELD of HOLDER."""
    if isinstance(node, ast.stmt):
        yield from _other_statements(node)
    elif field == "func":
        yield from _opposite_calls(node)
    else:
        yield from _other_values(node)
        yield from _other_operations(node)
    if field in _CONDITIONS and not isinstance(holder, ast.While | ast.Assert) and not _is_opposed(node):
        yield ast.UnaryOp(ast.Not(), node)  # type: ignore[arg-type]


def _other_operations(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the comparisons, arithmetic and logic that may stand in the place of NODE."""
    match node:
        case ast.Compare(left, operators, others):
            for at, one in enumerate(operators):
                yield ast.Compare(left, [*operators[:at], _OPERATORS[type(one)](), *operators[at + 1 :]], others)
        case ast.BinOp(left, operator, right) if type(operator) in _OPERATORS:
            yield ast.BinOp(left, _OPERATORS[type(operator)](), right)
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(_OPERATORS[type(operator)](), values)
        case ast.UnaryOp(ast.Not() | ast.USub() | ast.Invert(), operand):
            yield operand
        case _:
            pass


def _other_values(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the constants and bounds that may stand in the place of NODE."""
    match node:
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value) | float(value)):
            yield ast.Constant(value + 1 if value + 1 != value else value * 2)
        case ast.Slice(lower, upper, step):
            if lower:
                yield ast.Slice(None, upper, step)
            if upper:
                yield ast.Slice(lower, None, step)
        case _:
            pass


def _opposite_calls(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the opposite of the function NODE, which is called."""
    match node:
        case ast.Name(name, context) if name in _NAMES:
            yield ast.Name(_NAMES[name], context)
        case ast.Attribute(value, name, context) if name in _NAMES:
            yield ast.Attribute(value, _NAMES[name], context)
        case _:
            pass


def _is_opposed(node: ast.AST) -> bool:
    """Tell whether the opposite of the condition NODE is among its other changes."""
    match node:
        case ast.UnaryOp(ast.Not()):
            return True
        case ast.Compare(ops=[operator]):
            return type(operator) in _OPPOSITES
        case _:
            return False


def _other_statements(node: ast.stmt) -> Iterator[ast.stmt]:
    """Yield the statements that may stand in the place of NODE."""
    match node:
        case ast.Return(value) if value and not (isinstance(value, ast.Constant) and value.value is None):
            yield ast.Return(ast.Constant(None))
        case ast.AugAssign(target, operator, value):
            if type(operator) in _OPERATORS:
                yield ast.AugAssign(target, _OPERATORS[type(operator)](), value)
            yield ast.Pass()
        case ast.Expr() | ast.Raise() | ast.Continue() | ast.Break():
            yield ast.Pass()
        case _:
            pass
