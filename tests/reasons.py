"""Every sentence that ear and seat give as a reason, as their code says it, with what it is of."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module

from sensors.why import Reason, Why
from tests.parts import ROOT

SAYING = ("sensors", "calibration", "table")
# numbers that are no beads: of hertz, of degrees, in the names of sets, of g, of kilohertz
OTHER_NUMBERS = (Why.OTHER_SEAT, Why.LEANS, Why.WHICH_SET, Why.COARSE, Why.NARROW)
PUT_IN = "7"  # stands for whatever a sentence is given: a count, for all that its words tell


def reasons() -> list[Reason]:
    """Of each `Reason(…)` in the product's code its sentences: those that it chooses between, and with `PUT_IN` in the
    place of what is put in, but for sentences and pieces of them that the module knows by a name."""
    return [
        Reason(Why[_member(call)], sentence)
        for room in SAYING
        for file in sorted((ROOT / room).rglob("*.py"))
        if "Reason(" in (source := file.read_text(encoding="utf-8"))
        for call in _calls(ast.parse(source))
        for sentence in _sentences(call.args[1], ".".join(file.relative_to(ROOT).with_suffix("").parts))
    ]


def said_as(why: Why) -> list[Reason]:
    """Those of one member."""
    return [reason for reason in reasons() if reason.why is why]


def _calls(tree: ast.Module) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "Reason":
            yield node


def _member(call: ast.Call) -> str:
    """The member is written where its sentence is, so that whoever rewords the one sees the other."""
    why, _ = call.args
    assert isinstance(why, ast.Attribute), ast.unparse(call)
    assert ast.unparse(why.value) == "Why", ast.unparse(call)
    return why.attr


def _sentences(node: ast.expr, module: str) -> list[str]:
    if isinstance(node, ast.IfExp):
        return _sentences(node.body, module) + _sentences(node.orelse, module)
    if isinstance(node, ast.JoinedStr):
        return ["".join(_piece(part, module) for part in node.values)]
    assert isinstance(node, ast.Constant), (
        f"{module}: a sentence is written where it is said, not {ast.unparse(node)}"
    )
    return [str(node.value)]


def _piece(node: ast.expr, module: str) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    assert isinstance(node, ast.FormattedValue)
    known = vars(import_module(module))
    name = node.value.id if isinstance(node.value, ast.Name) else ""
    return str(known[name]) if isinstance(known.get(name), str) else PUT_IN
