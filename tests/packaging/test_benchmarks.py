"""Benchmarks run seldom, and mostly by hand: what they take from the product has to be there nevertheless."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parents[2]
OURS = ("calibration", "firmware_bridge", "hw_mock", "rules", "sensors", "table", "tests")


def taken(program: Path) -> Iterator[tuple[str, str]]:
    """Each name that a program takes from a module of ours, with the module."""
    for node in ast.walk(ast.parse(program.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((node.module, alias.name) for alias in node.names)


def named_in(program: Path) -> set[str]:
    tree = ast.parse(program.read_text())
    named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    defined = {
        n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }
    return named | defined


@pytest.mark.parametrize("program", sorted((HERE / "benchmarks").glob("*.py")), ids=lambda path: path.stem)
def test_what_a_benchmark_takes_is_there(program: Path) -> None:
    for module, name in taken(program):
        package, _, rest = module.partition(".")
        if package == "benchmarks" and rest:
            assert name in named_in(HERE / "benchmarks" / f"{rest}.py"), f"{module} has no {name}"
        elif package in OURS:
            whole = importlib.import_module(module)
            if not hasattr(whole, name):
                importlib.import_module(f"{module}.{name}")
