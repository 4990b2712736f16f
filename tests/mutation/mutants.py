"""Makes mutants: a function of a module with one thing changed, such as ``<`` for ``<=`` or a line left out.

What is changed lies in functions and methods; sentences are left alone, since texts may change in any
release.
"""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import CodeType
from typing import Final, NamedTuple

Variants = Iterator[ast.AST]
Function = ast.FunctionDef | ast.AsyncFunctionDef

_PAIRS: Final[list[tuple[type[ast.AST], type[ast.AST]]]] = [
    (ast.Lt, ast.LtE),
    (ast.Gt, ast.GtE),
    (ast.Eq, ast.NotEq),
    (ast.In, ast.NotIn),
    (ast.Is, ast.IsNot),
    (ast.And, ast.Or),
    (ast.Add, ast.Sub),
    (ast.Mult, ast.FloorDiv),
    (ast.BitAnd, ast.BitOr),
    (ast.LShift, ast.RShift),
    (ast.Break, ast.Continue),
]
_OTHER: Final = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])} | {ast.Mod: ast.Mult}
"""What stands for an operator, or leaves a loop, in its place."""
_OTHER_NAME: Final = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list"}


def _of_constant(node: ast.Constant) -> Variants:
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield ast.Constant(value + 1)
    elif isinstance(value, str) and " " not in value:
        yield ast.Constant(f"{value}x")


def _of_test(node: ast.If | ast.IfExp) -> Variants:
    for value in (True, False):
        other = type(node)(**{**dict(ast.iter_fields(node)), "test": ast.Constant(value)})
        yield ast.copy_location(other, node)


def _of_statement(node: ast.stmt) -> Variants:
    """Leave a statement out that changes something; one that names something is needed by the next line."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    is_call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    if is_call or isinstance(node, ast.AugAssign) or any(not isinstance(to, ast.Name) for to in targets):
        yield ast.Pass()


def _variants(node: ast.AST) -> Variants:
    if type(node) in _OTHER:
        yield _OTHER[type(node)]()
    elif isinstance(node, ast.Constant):
        yield from _of_constant(node)
    elif isinstance(node, ast.If | ast.IfExp):
        yield from _of_test(node)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.Name) and node.id in _OTHER_NAME:
        yield ast.Name(_OTHER_NAME[node.id], node.ctx)
    elif isinstance(node, ast.stmt):
        yield from _of_statement(node)


@dataclass(frozen=True)
class Mutant:
    """A function with one thing changed: where it stands, and how the statement reads before and after."""

    path: Path
    name: str
    first_line: int
    line: int
    before: str
    after: str
    _module: ast.Module = field(repr=False)
    _put_new: Callable[[], None] = field(repr=False)
    _put_old: Callable[[], None] = field(repr=False)

    def code(self) -> CodeType | None:
        """Return the function's code with the change; None if Python does not take it."""
        self._put_new()
        try:
            whole = compile(ast.fix_missing_locations(self._module), self.path, "exec")
        except SyntaxError:
            return None
        finally:
            self._put_old()
        return next(code for code in _codes(whole) if code.co_qualname == self.name)

    def __str__(self) -> str:
        return f"{self.path.name}:{self.line} {self.name}\n    - {self.before}\n    + {self.after}"


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _is_told(node: ast.AST) -> bool:
    """Return whether a node is for readers: a docstring, an annotation, what an error says."""
    return isinstance(node, ast.Raise) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )


_LEFT_ALONE: Final = {"annotation", "returns", "decorator_list", "defaults", "kw_defaults"}
"""What is for readers, or evaluated where the function is defined, which is no part of its code."""


class Site(NamedTuple):
    """A part of a function: what holds it, in which field, where in a list; and the statement around it."""

    part: ast.AST
    holder: ast.AST
    name: str
    place: int | None
    statement: ast.stmt


def _sites(node: ast.AST, statement: ast.stmt) -> Iterator[Site]:
    """Yield where something can be changed."""
    for name, value in ast.iter_fields(node):
        if name in _LEFT_ALONE:
            continue
        for index, part in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(part, ast.AST) or _is_told(part):
                continue
            inner = part if isinstance(part, ast.stmt) else statement
            yield Site(part, node, name, index, inner)
            yield from _sites(part, inner)


def _putter(site: Site, part: ast.AST) -> Callable[[], None]:
    """Return what puts a part at its site."""
    if site.place is None:
        return partial(setattr, site.holder, site.name, part)
    return partial(getattr(site.holder, site.name).__setitem__, site.place, part)


def _head(statement: ast.AST) -> str:
    return ast.unparse(statement).splitlines()[0]


def _functions(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    for node in tree.body:
        if isinstance(node, Function):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, Function):
                    yield f"{node.name}.{method.name}", method


def _first_line(function: Function) -> int:
    """Return the line at which a function's code begins, which is that of its first decorator."""
    return min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])


def _mutants_of(path: Path, tree: ast.Module, name: str, function: Function) -> Iterator[Mutant]:
    for site in _sites(function, function):
        for new in _variants(site.part):
            put_new, put_old = _putter(site, ast.copy_location(new, site.part)), _putter(site, site.part)
            before = _head(site.statement)
            put_new()
            after = _head(new if site.part is site.statement else site.statement)
            put_old()
            line = site.statement.lineno
            yield Mutant(path, name, _first_line(function), line, before, after, tree, put_new, put_old)


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Yield all mutants of a module, in the order of its lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for name, function in _functions(tree):
        yield from _mutants_of(path, tree, name, function)
