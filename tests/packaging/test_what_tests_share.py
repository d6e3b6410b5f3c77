"""What tests share stands beside them, without `test_` in its name: no file of tests imports anything from another."""

from __future__ import annotations

import re
from pathlib import Path

from tests.parts import ROOT

# also in a program that a test writes and starts
TAKEN = re.compile(r"^[ \t]*(?:from[ \t]+(\S+)[ \t]+)?import[ \t]+(\([^)]*\)|.+)", re.MULTILINE)
OF_TESTS = re.compile(r"\btest_\w+")


def from_tests(program: Path) -> list[str]:
    """The files of tests that a program imports, or imports something from."""
    return OF_TESTS.findall(" ".join(map(" ".join, TAKEN.findall(program.read_text(encoding="utf-8")))))


def test_nothing_is_taken_from_a_file_of_tests() -> None:
    programs = [file for folder in ("tests", "benchmarks") for file in (ROOT / folder).rglob("*.py")]
    found = {str(program.relative_to(ROOT)): from_tests(program) for program in programs}
    assert {program: files for program, files in found.items() if files} == {}


def test_what_is_taken_from_one_is_noticed(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import tests.test_corpus\nfrom tests.parts import ROOT\nfrom tests.rules.test_core import one, two\n"
        "from tests.rules import (\n    telling,\n    test_perft,\n)\n\n\ndef late():\n    from . import test_records\n"
    )
    assert from_tests(program) == ["test_corpus", "test_core", "test_perft", "test_records"]
