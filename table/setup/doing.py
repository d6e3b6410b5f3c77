"""Executes the steps, undoes them, or only describes them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from firmware_bridge.host.durable import write_whole
from table.setup.acts import SetupFailed, guarded, swap, take_away
from table.setup.plan import GROUPS, WHOLE, Left, Link, Run, Step, Write


class Say(Protocol):
    """Called before each step: what is done, to what, and in a dry run the text that would be written."""

    def __call__(self, step: str, what: str, text: str = "") -> None: ...


class Doer:
    """`root`: everything happens below it (None: on this machine). `dry`: steps are only described."""

    def __init__(self, root: Path | None, dry: bool, say: Say) -> None:
        self._root, self._dry, self._say = root, dry, say

    def groups(self) -> tuple[str, ...]:
        """Those of our groups that exist on this system."""
        try:
            there = {line.split(":")[0] for line in self.at(Path("/etc/group")).read_text().splitlines()}
        except OSError:
            there = set()
        return tuple(group for group in GROUPS if group in there)

    def at(self, path: Path) -> Path:
        """The real place of a path in the plan: below the root."""
        return path if self._root is None else self._root / path.relative_to("/")

    def do(self, steps: Sequence[Step]) -> None:
        """All steps in order; each is idempotent. Raises `SetupFailed` at the first that fails."""
        for step in steps:
            match step:
                case Write():
                    self._write(step)
                case Link():
                    self._link(step)
                case Run():
                    self._run(step.do, step.root)

    def undo(self, steps: Sequence[Step]) -> list[SetupFailed]:
        """Undo all steps, the last one first; a failure is reported, and the rest goes on.

        What a failed step depends on stays, so that another undo can try that step again.
        """
        failed: list[SetupFailed] = []
        needed: set[Path] = set()
        for step in reversed(steps):
            try:
                if not isinstance(step, Run):
                    self._remove(step, step.path in needed)
                elif all(self._there(path) for path in step.back_if):
                    self._run(step.back, step.root, step.gone)
            except SetupFailed as error:
                failed.append(error)
                if isinstance(step, Run):
                    needed.update(step.back_if)
        return failed

    def _there(self, path: Path) -> bool:
        place = self.at(path)
        return guarded(lambda: place.exists() or place.is_symlink(), place)

    def _write(self, step: Write) -> None:
        path = self.at(step.path)
        if step.keep and self._there(step.path):
            self._say("keep", str(path))
            return
        self._say("write", str(path), step.text if self._dry else "")
        if not self._dry:
            guarded(lambda: write_whole(path, step.text.encode(), 0o644), path)

    def _link(self, step: Link) -> None:
        path = self.at(step.path)
        now = guarded(lambda: step.path.parent / path.readlink() if path.is_symlink() else None, path)
        if now not in (None, step.to) and self._there(now / WHOLE):
            # the one on the user's path is mostly the earlier version, and must not replace the newer one
            other = "another: --upgrade WHEEL"
            own = f"its own unit and rules: sudo {step.path}/bin/polartable setup"
            self._say("keep", f"{path} -> {now} (an upgrade put it there; {other}; {own})")
            return
        self._say("link", f"{path} -> {step.to}")
        if not self._dry:
            guarded(lambda: swap(path, step.to), path)

    def _remove(self, step: Write | Link | Left, needed: bool) -> None:
        path = self.at(step.path)
        if not self._there(step.path):
            return
        if needed:
            self._say("keep", f"{path} (for the step that failed)")
            return
        if isinstance(step, Write) and step.keep:
            now = guarded(lambda: path.read_text(errors="replace"), path)
            if now != step.text:
                self._say("keep", f"{path} (somebody changed it)")
                return
        self._say("remove", str(path))
        if not self._dry:
            guarded(lambda: take_away(path, isinstance(step, Left)), path)

    def _run(self, command: tuple[str, ...], root: str, fine: int = 0) -> None:
        if not command or (self._root is not None and not root):
            return
        if self._root is not None:
            command = (command[0], root, str(self._root), *command[1:])
        self._say("run", " ".join(command))
        if self._dry:
            return
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise SetupFailed(f"{' '.join(command)}: {error}", "is this a machine with systemd?") from error
        if done.returncode not in (0, fine):
            said = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1]
            raise SetupFailed(f"{' '.join(command)}: {said}", "mend that and run setup again, or --undo")


def hidden(environment: Path, python: Path) -> str | None:
    """This package's folder, if the service could not see it there (ProtectHome, PrivateTmp); None: it can."""
    places = [environment.resolve(), python.resolve()]
    shut = [Path(p) for p in ("/home", "/root", "/run/user", "/tmp", "/var/tmp")]
    return next((str(p) for p in places if any(p.is_relative_to(s) for s in shut)), None)


def is_root() -> bool:
    return os.geteuid() == 0
