"""Doing the steps, taking them back, or only telling them."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from firmware_bridge.durable import sync_directory, write_whole
from firmware_bridge.errors import PolartableError
from table.setup.plan import GROUPS, Link, Run, Step, Write

Say = Callable[[str], None]


class SetupFailed(PolartableError):
    """A step of the set-up could not be done."""

    number = 104


class Doer:
    """`root`: everything happens below it (None: on this machine); `dry`: nothing happens, it is only told."""

    def __init__(self, root: Path | None, dry: bool, say: Say) -> None:
        self._root, self._dry, self._say = root, dry, say

    def groups(self) -> tuple[str, ...]:
        """Those of our groups that this system has."""
        try:
            there = {line.split(":")[0] for line in self._at(Path("/etc/group")).read_text().splitlines()}
        except OSError:
            there = set()
        return tuple(group for group in GROUPS if group in there)

    def do(self, steps: Sequence[Step]) -> None:
        """All steps in order; each can be done twice. Raises `SetupFailed` at the first that cannot be done."""
        for step in steps:
            match step:
                case Write():
                    self._write(step)
                case Link():
                    self._link(step)
                case Run():
                    self._run(step.do, step.root)

    def undo(self, steps: Sequence[Step]) -> list[SetupFailed]:
        """All steps back, the last one first; what cannot be taken back is told, and the rest goes on."""
        failed: list[SetupFailed] = []
        for step in reversed(steps):
            try:
                match step:
                    case Write() | Link():
                        self._remove(step)
                    case Run() if step.back_if is None or self._at(step.back_if).exists():
                        self._run(step.back, step.root)
            except SetupFailed as error:
                failed.append(error)
        return failed

    def _at(self, path: Path) -> Path:
        return path if self._root is None else self._root / path.relative_to("/")

    def _write(self, step: Write) -> None:
        path = self._at(step.path)
        if step.keep and path.exists():
            self._say(f"keep    {path}")
            return
        self._say(f"write   {path}")
        if self._dry:
            self._say("".join(f"        | {line}\n" for line in step.text.splitlines()).rstrip("\n"))
        else:
            self._guarded(lambda: write_whole(path, step.text.encode(), 0o644), path)

    def _link(self, step: Link) -> None:
        path = self._at(step.path)
        self._say(f"link    {path} -> {step.to}")
        if not self._dry:
            self._guarded(lambda: swap(path, step.to), path)

    def _remove(self, step: Write | Link) -> None:
        path = self._at(step.path)
        if not (path.exists() or path.is_symlink()):
            return
        if isinstance(step, Write) and step.keep and path.read_text(errors="replace") != step.text:
            self._say(f"keep    {path} (somebody changed it)")
            return
        self._say(f"remove  {path}")
        if not self._dry:
            self._guarded(path.unlink, path)
            if path.parent.name == "polartable":
                with contextlib.suppress(OSError):  # somebody has put something there, or an upgrade has
                    path.parent.rmdir()

    def _guarded(self, act: Callable[[], object], path: Path) -> None:
        try:
            act()
        except OSError as error:
            raise SetupFailed(
                f"{path}: {error.strerror}", "run it with sudo; then once more, or --undo"
            ) from error

    def _run(self, command: tuple[str, ...], root: str) -> None:
        if not command or (self._root is not None and not root):
            return
        if self._root is not None:
            command = (command[0], root, str(self._root), *command[1:])
        self._say(f"run     {' '.join(command)}")
        if self._dry:
            return
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise SetupFailed(f"{' '.join(command)}: {error}", "is this a machine with systemd?") from error
        if done.returncode:
            said = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1]
            raise SetupFailed(f"{' '.join(command)}: {said}", "mend that and run setup again, or --undo")


def swap(link: Path, to: Path) -> None:
    """Point `link` to `to` in one rename: at every moment it points to the old place or to the new one."""
    link.parent.mkdir(parents=True, exist_ok=True)
    fresh = link.with_name(f".{link.name}.new")
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(to)
    fresh.replace(link)
    sync_directory(link.parent)


def hidden(environment: Path, python: Path) -> str | None:
    """Where this package lies, if the service could not see it there (ProtectHome, PrivateTmp); None: it could."""
    places = [environment.resolve(), python.resolve()]
    shut = [Path(p) for p in ("/home", "/root", "/run/user", "/tmp", "/var/tmp")]
    return next((str(p) for p in places if any(p.is_relative_to(s) for s in shut)), None)


def is_root() -> bool:
    return os.geteuid() == 0
