"""In the traps a name means one thing, in whichever of their modules it is read."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import calibration.traps

FOLDER = Path(calibration.traps.__path__[0])


def named(module: Path) -> Iterator[tuple[str, str]]:
    """What a module's top level defines or imports, each name with where it comes from."""
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name, module.stem
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                yield from ((name.id, module.stem) for name in ast.walk(target) if isinstance(name, ast.Name))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            where = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
            for alias in node.names:
                yield alias.asname or alias.name, f"{where}.{alias.name}".removeprefix("calibration.traps.")


def test_no_two_modules_of_the_folder_give_one_name_two_meanings() -> None:
    meanings: dict[str, set[str]] = defaultdict(set)
    for module in FOLDER.glob("*.py"):
        for name, where in named(module):
            meanings[name].add(where.removesuffix(f".{name}"))
    assert {name: sorted(of) for name, of in meanings.items() if len(of) > 1} == {}
