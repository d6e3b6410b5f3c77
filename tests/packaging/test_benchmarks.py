"""Benchmarks run seldom, and mostly by hand: what they take from the product has to be there nevertheless."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parents[2]
OURS = ("benchmarks", "calibration", "firmware_bridge", "hw_mock", "rules", "sensors", "table", "tests")


def taken(program: Path) -> Iterator[tuple[str, str]]:
    """Each name that a program takes from a module, with the module; "": the module itself. What it takes of a module
    that it has by name (`module.name`) is such a name, too."""
    tree = ast.parse(program.read_text())
    modules: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield node.module, alias.name
                if is_module(f"{node.module}.{alias.name}"):
                    modules[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            yield modules[node.value.id], node.attr


def is_module(name: str) -> bool:
    path = HERE.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or path.is_dir()


def has(module: str, name: str) -> bool:
    """Without running a benchmark, whose libraries may not be here."""
    if is_module(f"{module}.{name}" if name else module):
        return True
    source = HERE.joinpath(*module.split("."))
    if not name or (module.startswith("benchmarks") and source.is_dir()):
        return False
    if not module.startswith("benchmarks"):
        return hasattr(importlib.import_module(module), name)
    tree = ast.parse(source.with_suffix(".py").read_text())
    return name in {named for node in tree.body for named in named_by(node)}


def named_by(node: ast.stmt) -> Iterator[str]:
    """What a statement at the top of a module names."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name for alias in node.names)
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        yield from (n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


@pytest.mark.parametrize("program", sorted((HERE / "benchmarks").rglob("*.py")), ids=lambda path: path.stem)
def test_what_a_benchmark_takes_is_there(program: Path) -> None:
    ours = [(module, name) for module, name in taken(program) if module.split(".")[0] in OURS]
    assert [(module, name) for module, name in ours if not has(module, name)] == []


def test_what_is_not_there_is_noticed(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import sensors.ear.nowhere\nfrom benchmarks.worlds import nothing\nfrom sensors.ear.shakes import imagined\n"
        "from benchmarks.felt_motion import known, upright\nimagined.floors, imagined.ceilings\n"
    )
    assert [(module, name) for module, name in taken(program) if not has(module, name)] == [
        ("sensors.ear.nowhere", ""),
        ("benchmarks.worlds", "nothing"),
        ("benchmarks.felt_motion", "known"),
        ("sensors.ear.shakes.imagined", "ceilings"),
    ]
