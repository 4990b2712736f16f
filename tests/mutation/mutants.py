"""Makes mutants: a function of a module with one thing changed, such as ``<`` for ``<=`` or a line left out.

What is changed lies in functions and methods; sentences are left alone, since texts may change in any release.
"""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType
from typing import Any, Final

Variants = Iterator[ast.AST]
Function = ast.FunctionDef | ast.AsyncFunctionDef
Part = ast.AST | None

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
    """Leave a statement out that changes something elsewhere; without an own name the next line would fail."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    is_call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    if is_call or isinstance(node, ast.AugAssign) or any(not isinstance(to, ast.Name) for to in targets):
        yield ast.Pass()


def _variants(node: Part) -> Variants:
    match node:
        case ast.Constant():
            yield from _of_constant(node)
        case ast.If() | ast.IfExp():
            yield from _of_test(node)
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.Name(id=name) if name in _OTHER_NAME:
            yield ast.Name(_OTHER_NAME[name], node.ctx)
        case ast.stmt() if type(node) not in _OTHER:
            yield from _of_statement(node)
        case _ if type(node) in _OTHER:
            yield _OTHER[type(node)]()


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
    _swap: Callable[[bool], None] = field(repr=False)

    def code(self) -> CodeType | None:
        """Return the function's code with the change; None if Python does not take it."""
        self._swap(True)
        try:
            whole = compile(ast.fix_missing_locations(self._module), self.path, "exec")
        except SyntaxError:
            return None
        finally:
            self._swap(False)
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
    return isinstance(node, ast.Raise) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


_FOR_READERS: Final = {"annotation", "returns", "decorator_list", "type_comment"}


def _sites(node: ast.AST, statement: ast.stmt) -> Iterator[tuple[ast.AST, str, int | None, ast.stmt]]:
    """Yield where something can be changed: holder, field, index in a list, the statement that it is in."""
    for name, value in ast.iter_fields(node):
        if name in _FOR_READERS:
            continue
        for index, part in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(part, ast.AST) or _is_told(part):
                continue
            inner = part if isinstance(part, ast.stmt) else statement
            yield node, name, index, inner
            yield from _sites(part, inner)


def _put(holder: ast.AST, name: str, index: int | None, part: Part) -> None:
    if index is None:
        setattr(holder, name, part)
    else:
        getattr(holder, name)[index] = part


def _swapper(site: tuple[ast.AST, str, int | None, ast.stmt], old: Part, new: Part) -> Callable[[bool], None]:
    return lambda is_new: _put(*site[:3], new if is_new else old)


def _head(statement: Part) -> str:
    return ast.unparse(statement).splitlines()[0] if statement is not None else ""


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
        holder, where, index, statement = site
        old: Any = getattr(holder, where) if index is None else getattr(holder, where)[index]
        for new in _variants(old):
            swap = _swapper(site, old, ast.copy_location(new, old) if hasattr(old, "lineno") else new)
            before = _head(statement)
            swap(True)
            after = _head(new if old is statement else statement)
            swap(False)
            yield Mutant(path, name, _first_line(function), statement.lineno, before, after, tree, swap)


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Yield all mutants of a module, in the order of its lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for name, function in _functions(tree):
        yield from _mutants_of(path, tree, name, function)
