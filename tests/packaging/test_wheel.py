"""What is shipped: a wheel with the six packages and nothing else, under names that nobody we depend on uses."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.parts import ROOT, needs

PACKAGES = {"firmware_bridge", "rules", "sensors", "calibration", "hw_mock", "table"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return zipfile.ZipFile(next(out.glob("*.whl")))


def test_the_wheel_holds_the_packages_and_neither_tests_benchmarks_nor_firmware(
    wheel: zipfile.ZipFile,
) -> None:
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == PACKAGES


def test_every_package_is_typed_and_brings_its_data(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    assert {f"{package}/py.typed" for package in PACKAGES} <= names
    data = {
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix not in {".pyc", ".nbi", ".nbc"}
    }
    assert data <= names


def test_the_wheel_names_its_command_and_licence(wheel: zipfile.ZipFile) -> None:
    entry = next(name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    assert "polartable = table.cli:main" in wheel.read(entry).decode()
    assert any(name.endswith("licenses/LICENSE") for name in wheel.namelist())


def test_no_dependency_owns_the_names_of_our_packages() -> None:
    owners = packages_distributions()
    for package in sorted(PACKAGES):
        assert set(owners.get(package, ["polartable"])) == {"polartable"}, package


def test_the_locks_carry_hashes_and_name_no_index() -> None:
    for lock in sorted((ROOT / "requirements").glob("*.txt")):
        text = lock.read_text()
        assert "://" not in text, lock.name
        assert "--index-url" not in text, lock.name
        pinned = [line for line in text.splitlines() if "==" in line and not line.startswith((" ", "#"))]
        assert pinned, lock.name
        assert text.count("--hash=sha256:") >= len(pinned), lock.name


@needs("git")
def test_no_path_of_a_machine_is_in_the_repo() -> None:
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in files.splitlines():
        path = ROOT / name
        if path.suffix in {".py", ".md", ".toml", ".txt", ".sh", ".yml", ""} and path.is_file():
            text = path.read_text(errors="replace")
            for bad in ("/" + "work/", "/" + "root/", "/" + "home/"):
                assert bad not in text, f"{name} names {bad}"


def test_the_readme_says_what_the_makefile_does() -> None:
    readme = Path(ROOT / "README.md").read_text()
    makefile = Path(ROOT / "Makefile").read_text()
    for target in ("demo", "test"):
        assert f"make {target}" in readme
        assert f"\n{target}:" in makefile
