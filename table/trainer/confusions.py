"""The confusion matrix of a person's guesses, kept from one evening to the next."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from firmware_bridge.host.durable import write_whole

MOST_LEARNERS = 200
LONGEST_NAME = 24
_MOST_BEADS = 1000


@dataclass(slots=True)
class Confusions:
    """True count → guessed count → how often."""

    seen: dict[int, Counter[int]] = field(default_factory=dict)

    def add(self, beads: int, guess: int) -> None:
        self.seen.setdefault(beads, Counter())[guess] += 1

    def __iter__(self) -> Iterator[tuple[int, int, int]]:
        """True count, guess, how often."""
        for beads in sorted(self.seen):
            for guess in sorted(self.seen[beads]):
                yield beads, guess, self.seen[beads][guess]

    @property
    def total(self) -> int:
        return sum(n for _, _, n in self)

    def share(self, off: int) -> float | None:
        """The share of guesses that were at most `off` beads from the truth; None before the first guess."""
        total = self.total
        return sum(n for beads, guess, n in self if abs(beads - guess) <= off) / total if total else None

    def bias(self) -> float | None:
        """Beads guessed too many on average, negative: too few; None before the first guess."""
        total = self.total
        return sum(n * (guess - beads) for beads, guess, n in self) / total if total else None

    def pairs(self) -> list[tuple[int, int, int]]:
        """The pairs of counts that are confused, the most frequent first: lower, higher, how often."""
        both: Counter[tuple[int, int]] = Counter()
        for beads, guess, n in self:
            if beads != guess:
                both[min(beads, guess), max(beads, guess)] += n
        return [(a, b, n) for (a, b), n in sorted(both.items(), key=lambda item: (-item[1], item[0]))]

    def difficulty(self, beads: int) -> float:
        """How often this count is missed, 0…1; one half if nothing is known yet."""
        row = self.seen.get(beads, Counter())
        return (row.total() - row[beads] + 1) / (row.total() + 2)

    def to_json(self) -> dict[str, dict[str, int]]:
        return {str(beads): {str(g): n for g, n in row.items()} for beads, row in self.seen.items()}

    @classmethod
    def of(cls, value: Any) -> Confusions:
        """From JSON; invalid counts are left out."""
        out = cls()
        for beads, row in value.items() if isinstance(value, dict) else ():
            for guess, n in row.items() if isinstance(row, dict) else ():
                if _is_count(beads) and _is_count(guess) and isinstance(n, int) and n > 0:
                    out.seen.setdefault(int(beads), Counter())[int(guess)] = n
        return out


def _is_count(text: str) -> bool:
    return text.isdecimal() and len(text) < 5 and int(text) <= _MOST_BEADS


@dataclass(slots=True, weakref_slot=True)
class Learner:
    """One person's table, and the ear's for the same rattles."""

    name: str
    own: Confusions = field(default_factory=Confusions)
    ear: Confusions = field(default_factory=Confusions)

    @property
    def begun(self) -> bool:
        """Whether something was guessed, so that there is something to save."""
        return bool(self.own.seen or self.ear.seen)


class Learners:
    """Everybody who trains here. `file` None: nothing is saved.

    Pages with the same name share one learner; he stays in memory for as long as one of them is open. `unread`: where
    a file that could not be read was put, beside the new one.
    """

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._in_the_way = False
        self.unread: Path | None = None
        self._known = self._read()
        self._met = WeakValueDictionary(self._known)

    def learner(self, name: str) -> Learner:
        """The learner of that name (truncated to a sensible length); a new one for an unknown name."""
        name = " ".join(name.split())[:LONGEST_NAME]
        learner = self._met.get(name) or Learner(name)
        self._met[name] = learner
        self._place(learner)
        return learner

    def has(self, learner: Learner) -> bool:
        """Whether there is room to save his guesses; without room a person may still train."""
        return not learner.begun or self._known.get(learner.name) is learner

    def keep(self) -> bool:
        """Save everything; False if the disk does not take it."""
        for met in self._met.valuerefs():
            learner = met()
            if learner is not None and learner.begun:
                self._place(learner)
        if self._file is None:
            return True
        if self._in_the_way:
            return False
        begun = [learner for learner in tuple(self._known.values()) if learner.begun]
        value = {k.name: {"own": k.own.to_json(), "ear": k.ear.to_json()} for k in begun}
        try:
            write_whole(self._file, json.dumps(value, ensure_ascii=False).encode())
        except OSError:
            return False
        return True

    def forget(self, name: str) -> bool:
        """Reset that learner's table in place: another page may go on under the same name."""
        learner = self.learner(name)
        learner.own.seen.clear()
        learner.ear.seen.clear()
        return self.keep()

    def _place(self, learner: Learner) -> None:
        """If all places are taken, free those of people who never guessed."""
        if learner.name not in self._known and len(self._known) >= MOST_LEARNERS:
            for name in [name for name, known in self._known.items() if not known.begun]:
                del self._known[name]
        if len(self._known) < MOST_LEARNERS:
            self._known.setdefault(learner.name, learner)

    def _read(self) -> dict[str, Learner]:
        if self._file is None:
            return {}
        try:
            known = json.loads(self._file.read_text(encoding="utf-8"))
            if not isinstance(known, Mapping):
                raise ValueError("it is no JSON object")
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except (OSError, ValueError, RecursionError) as error:
            self._put_aside(self._file, str(getattr(error, "strerror", None) or error))
            return {}
        return {
            str(name): Learner(str(name), Confusions.of(kept.get("own")), Confusions.of(kept.get("ear")))
            for name, kept in known.items()
            if isinstance(kept, Mapping)
        }

    def _put_aside(self, file: Path, why: str) -> None:
        """A file that a power cut or an editor tore may still hold evenings of guesses: it is never written over."""
        beside = file.with_name(f"{file.stem}-unread{file.suffix}")
        for n in count(2):
            if not beside.exists():
                break
            beside = file.with_name(f"{file.stem}-unread-{n}{file.suffix}")
        log = logging.getLogger("polartable")
        try:
            self.unread = file.rename(beside)
        except OSError as error:
            self._in_the_way = True
            log.warning(
                "%s could not be read (%s): nothing is kept until it is moved away (%s)",
                file,
                why,
                error.strerror,
            )
            return
        log.warning(
            "%s could not be read (%s): it is kept as %s, and everybody's table begins anew",
            file,
            why,
            beside,
        )
