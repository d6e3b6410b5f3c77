"""No program hangs on the words of a reason: it asks what the reason is of (`sensors.why`)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.parts import ROOT

PRODUCT = ("firmware_bridge", "sensors", "calibration", "hw_mock", "table", "benchmarks")
KINDS = {"calibration/testing/odd.py"}  # there `reason` is one of a few kinds, and no sentence
OF_WORDS = {"startswith", "endswith", "find", "index", "count", "removeprefix", "removesuffix", "partition"}
BY_WORDS = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)


def hanging(source: str) -> list[str]:
    """What compares a reason with a sentence, or looks into one."""
    return [ast.unparse(node) for node in ast.walk(ast.parse(source)) if _compares(node) or _looks_into(node)]


def _compares(node: ast.AST) -> bool:
    if not isinstance(node, ast.Compare) or not any(isinstance(op, BY_WORDS) for op in node.ops):
        return False
    return any(_is_reason(side) for side in (node.left, *node.comparators))


def _looks_into(node: ast.AST) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in OF_WORDS:
        return _is_reason(node.func.value)
    called = isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.")
    return called and any(_is_reason(given) for given in node.args)


def _is_reason(node: ast.expr) -> bool:
    return any(name == "reason" for name in _named(node))


def _named(node: ast.expr) -> Iterator[str]:
    """The attribute or the name that it is, also with something in its place where it is None."""
    if isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from _named(value)
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.Name):
        yield node.id


def test_nothing_hangs_on_the_words_of_a_reason() -> None:
    found = {
        name: said
        for folder in PRODUCT
        for file in (ROOT / folder).rglob("*.py")
        if (name := str(file.relative_to(ROOT))) not in KINDS
        if (said := hanging(file.read_text(encoding="utf-8")))
    }
    assert found == {}


@pytest.mark.parametrize(
    "line",
    [
        "heard.reason == TOO_SHORT",
        "said.reason not in (ONE, OTHER)",
        "KNOCK != reason",
        "'it could be ' in heard.reason",
        "(said.reason or '').startswith(COULD_BE)",
        "reason.endswith('tap once more')",
        "re.match('too ', said.reason)",
    ],
)
def test_what_hangs_on_them_is_noticed(line: str) -> None:
    assert hanging(f"if {line}:\n    pass\n") == [line]


def test_what_hangs_on_none_is_not() -> None:
    assert hanging("reason is None and heard.why is Why.KNOCK and out['reason'] == 1 and f'{reason}'") == []
