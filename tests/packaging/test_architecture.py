"""docs/architecture.md says of each room which others it imports: what the code does, no more and no less."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator

import pytest

from tests.parts import ROOT

HOUSES = "sensors.ear", "calibration", "table"
NAME = re.compile(r"`(\w+)(?:/|\.py)?`")


def told(house: str) -> dict[str, set[str] | None]:
    """What the house's table says that each room imports; None: whatever it likes."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    heading = f"| `{house.replace('.', '/')}/` | for | imports |\n|---|---|---|\n"
    rows = page.split(heading)[1].split("\n\n")[0].splitlines()
    said: dict[str, set[str] | None] = {}
    for row in rows:
        room, _, imported = (cell.strip() for cell in row.strip("|").split("|"))
        said[NAME.findall(room)[0]] = None if imported == "all" else set(NAME.findall(imported))
    return said


def done(house: str) -> dict[str, set[str]]:
    """What each room's files really import of the others."""
    folder = ROOT.joinpath(*house.split("."))
    found: dict[str, set[str]] = defaultdict(set)
    for file in folder.rglob("*.py"):
        room = file.relative_to(folder).with_suffix("").parts[0]
        for name in imported(ast.parse(file.read_text(encoding="utf-8"))):
            if name.startswith(f"{house}."):
                found[room].add(name.removeprefix(f"{house}.").split(".")[0])
    return found


def imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("house", HOUSES)
def test_the_page_says_what_each_room_imports(house: str) -> None:
    said, real = told(house), done(house)
    rooms = {
        file.name for file in ROOT.joinpath(*house.split(".")).iterdir() if (file / "__init__.py").is_file()
    }
    assert rooms <= said.keys(), "a room without a row"
    for room, may in said.items():
        if may is not None:
            assert real[room] & said.keys() - {room} == may, room
