"""Oddities of a folder's recordings, one sentence each; None if there is nothing odd."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from calibration.recordings.folder import SHOWN, Recording
from calibration.recordings.folds import Unit, key_of
from calibration.recordings.named_as import fits
from calibration.recordings.taken import unread
from calibration.recordings.whole_sets import said_to_hold, sets_of
from calibration.takes.features import LONGEST_TAKE_S, Row
from calibration.traps.fingerprints import fingerprint
from calibration.words import beads_of, many, ranges
from sensors.ear.frames.frontend import MICROPHONES_WANT
from sensors.ear.profiles.profile import Profile

SHELL = "shell"


def counts_unseen(counts: Sequence[int] | None, recorded: Sequence[int]) -> str | None:
    """Counts were asked for that no take has."""
    missing = sorted(set(counts or ()) - set(recorded))
    if not missing:
        return None
    return (
        f"no take holds {beads_of(missing)}, so nothing was heard of {'it' if len(missing) == 1 else 'them'}: "
        "what would be said of such an igloo is a guess from the others; record it, or leave it out of --counts"
    )


def counts_between(told: Sequence[int]) -> str | None:
    """Counts lie between those that are distinguished, and will never be an answer."""
    missing = sorted(set(range(min(told), max(told) + 1)) - set(told)) if told else []
    if not missing:
        return None
    they = "it" if len(missing) == 1 else "they"
    return (
        f"no take holds {beads_of(missing)}, so {they} will never be said: record such an igloo, or ask for a "
        f"guess from the others with --counts {min(told)}-{max(told)}"
    )


def not_told_apart(
    recordings: Sequence[Recording], told: Sequence[int], profile: Profile | None
) -> str | None:
    """Some takes hold counts that are not among those `told` apart."""
    others = [r.beads for r in recordings if r.beads and r.beads not in told]
    if not others or not told:
        return None
    are = "is" if len(others) == 1 else "are"
    they = f"{many(len(others), 'recording')} of {beads_of(sorted(set(others)))} {are}"
    if profile is not None:
        return f"{they} not tested: the profile tells {ranges(told)} apart"
    span = f"{min(*told, *others)}-{max(*told, *others)}"
    return f"{they} learned from, but neither told apart nor tested: ask for them with --counts {span}"


def empty(recordings: Sequence[Recording]) -> str | None:
    """Some igloos are empty, and make no sound of beads."""
    n = sum(r.beads == 0 for r in recordings)
    if n == 0:
        return None
    return (
        f"{many(n, 'recording')} of 0 beads {'is' if n == 1 else 'are'} neither learned from nor tested: an empty "
        'igloo has nothing that could be counted; delete it from recordings.jsonl, or mend its "beads"'
    )


def listed_twice(recordings: Sequence[Recording]) -> str | None:
    """Several lines of the list name the same file: each counts like a separate take."""
    times = Counter(r.below for r in recordings)
    again = [file for file, n in times.items() if n > 1]
    if not again:
        return None
    who = again[0] if len(again) == 1 else f"{many(len(again), 'file')} ({again[0]} and others)"
    return (
        f"recordings.jsonl names {who} more than once, and each time counts as another take: the figures are not as "
        f"sure as {many(len(recordings), 'recording')} would make them; delete the lines that are one too many"
    )


def copied(rows: Sequence[Row], unit: Unit | None) -> str | None:
    """Files under other names hold the same recording: each counts like a separate take. Those under another `unit`
    that is left out flatter, and are told as that (`calibration.traps.there_again`)."""
    first: dict[tuple[str, str], Recording] = {}
    copies: list[tuple[Recording, Recording]] = []
    for row in rows:
        copy, of = row.recording, key_of(row.recording, unit) if unit else ""
        original = first.setdefault((of, fingerprint(row)), copy)
        if original.below != copy.below:
            copies.append((copy, original))
    if not copies:
        return None
    copy, original = copies[0]
    are = (
        "are copies of others under other names" if copies[1:] else "is a copy of another under another name"
    )
    return (
        f"{len(copies)} of {many(len(rows), 'recording')} {are} ({copy.file} of {original.file}"
        f"{' and others' if copies[1:] else ''}), and each counts as another take: the figures are not as sure as "
        f"{many(len(rows), 'recording')} would make them; delete their lines from recordings.jsonl"
    )


def without_a_count(recordings: Sequence[Recording]) -> str | None:
    """Some takes have a count, and some have none."""
    n = sum(r.beads is None for r in recordings)
    if n in (0, len(recordings)):
        return None
    return (
        f'{n} of {many(len(recordings), "recording")} {"has" if n == 1 else "have"} no "beads", and nothing is learned '
        'from or tested on what holds nobody knows how many; give "beads" in recordings.jsonl'
    )


def unnamed(recordings: Sequence[Recording], unit: Unit) -> str | None:
    """Some takes name their session, device or player, and some do not."""
    n = sum(not getattr(r, unit) for r in recordings)
    if n in (0, len(recordings)):
        return None
    return (
        f"{n} of {many(len(recordings), 'recording')} {'names' if n == 1 else 'name'} no {unit}, and "
        f"{'is' if n == 1 else 'are'} left out as if of one more: if it is one of those that are named, the figures "
        f'flatter; give "{unit}" in recordings.jsonl'
    )


def partly_named(recordings: Sequence[Recording], unit: Unit) -> str | None:
    """The same, if these are not what is left out."""
    n = sum(not getattr(r, unit) for r in recordings)
    if n in (0, len(recordings)):
        return None
    return (
        f"{n} of {many(len(recordings), 'recording')} {'names' if n == 1 else 'name'} no {unit}, and nobody knows "
        f'whether it is one of those that are named; give "{unit}" in recordings.jsonl'
    )


def times_unread(recordings: Sequence[Recording]) -> str | None:
    """Some times are invalid: takes of one sitting under several names are recognized by their times."""
    wrong = [r for r in recordings if unread(r)]
    if not wrong:
        return None
    return (
        f'{len(wrong)} of {many(len(recordings), "recording")} {"has" if len(wrong) == 1 else "have"} a "taken" that '
        f"cannot be read as a time ({str(wrong[0].taken)[:SHOWN]}), so nothing tells whether they were made minutes "
        "from others of the same igloo; write it like 2026-11-20T18:00:00Z in recordings.jsonl"
    )


def places_mixed(recordings: Sequence[Recording], profile: Profile | None) -> str | None:
    """Microphones on the shell and elsewhere, or nobody knows where, are mixed, or a profile was made for another
    place."""
    heard = [r for r in recordings if r.sensor == "microphone" and r.place is not None]
    shell = [r for r in heard if r.place == SHELL]
    others = sorted({r.place or "" for r in heard} - {SHELL})
    if shell and others:
        return (
            f"{many(len(shell), 'recording')} of a microphone on the shell and {len(heard) - len(shell)} of one "
            f"elsewhere are mixed, which sound unlike, and two of one shake are counted as two: choose with --only "
            f"place={SHELL} or --only place={others[0]}"
        )
    unsaid = sum(r.sensor == "microphone" and r.place is None for r in recordings)
    if shell and unsaid and profile is None:
        return (
            f"{many(len(shell), 'recording')} of a microphone on the shell and {unsaid} that "
            f'{"names" if unsaid == 1 else "name"} no "place" are mixed, and a fit of its own accord takes all for one '
            f'elsewhere: give each its "place" in recordings.jsonl, or choose with --only place={SHELL}'
        )
    if profile is None or profile.sensor != "microphone" or not heard or profile.fixed == bool(shell):
        return None
    where, kind = (f"elsewhere ({others[0]})", "microphone") if profile.fixed else ("on the shell", "contact")
    return (
        f"the profile is of a microphone {'on the shell' if profile.fixed else 'that is not on the shell'}, and these "
        f"recordings are of one {where}: take one of its kind (--profile {kind}), or fit one"
    )


def two_counts(recordings: Sequence[Recording]) -> str | None:
    """One igloo of a set is listed with two different counts."""
    held: dict[tuple[str, str, str], set[int]] = defaultdict(set)
    for r in recordings:
        if r.igloo and r.set and r.beads is not None:
            held[r.occasion, r.set, r.igloo].add(r.beads)
    wrong = [(key, counts) for key, counts in held.items() if len(counts) > 1]
    if not wrong:
        return None
    (_, name, igloo), counts = wrong[0]
    return (
        f"the igloo {igloo} is said to hold {beads_of(sorted(counts))} in one set ({name}"
        f"{' and others' if len(wrong) > 1 else ''}), and is joined as one: mend recordings.jsonl"
    )


def one_count_twice(recordings: Sequence[Recording], counts: Sequence[int]) -> str | None:
    """Two igloos of a set are listed with the same count."""
    wrong = [
        (recordings[next(iter(igloos.values()))[0]].set, beads, sorted(names))
        for igloos in sets_of(recordings, counts)
        if len(igloos) <= len(counts)  # a larger set is not joined
        for beads, names in said_to_hold(igloos, recordings).items()
        if len(names) > 1
    ]
    if not wrong:
        return None
    name, beads, igloos = wrong[0]
    mend = "mend recordings.jsonl"
    if any(r.file in igloos and not r.igloo for r in recordings):
        mend = 'if they are one igloo, give "igloo" in recordings.jsonl'
    return (
        f"{igloos[0]} and {igloos[1]} are both said to hold {many(beads, 'bead')} in one set ({name}"
        f"{' and others' if len(wrong) > 1 or len(igloos) > 2 else ''}), and a set is joined as if it held each count "
        f"once, so that one of them is told as another count: {mend}"
    )


def too_many_igloos(recordings: Sequence[Recording], counts: Sequence[int]) -> str | None:
    """A set has more igloos than there are counts, so it is not joined."""
    wrong = [igloos for igloos in sets_of(recordings, counts) if len(igloos) > len(counts)]
    if not wrong:
        return None
    members = [recordings[i] for mine in wrong[0].values() for i in mine]
    mend = "say in recordings.jsonl which igloos are of one set"
    if not all(r.igloo for r in members):
        mend = 'a recording without "igloo" is taken for an igloo of its own; give it in recordings.jsonl'
    which = f"{members[0].set}{f' and {len(wrong) - 1} more' if len(wrong) > 1 else ''}"
    return (
        f"{many(len(wrong[0]), 'igloo')} of one set ({which}) are too many for {many(len(counts), 'count')}, so it is "
        f"not joined: {mend}"
    )


def others_train(heard: Sequence[Sequence[Row]], unit: Unit, test_on: str) -> str | None:
    """A person who is tested in some sessions trains the fit in others."""
    if unit == "session":
        return None
    units: dict[bool, set[str]] = {True: set(), False: set()}
    for of_one in heard:
        recording = of_one[0].recording
        units[fits(recording.session, test_on)].add(key_of(recording, unit))
    both = sorted(units[True] & units[False])
    if not both:
        return None
    return (
        f"with --test-on the other sessions of a {unit} ({both[0]}{' and others' if len(both) > 1 else ''}) train the "
        f"fit that is tested, so no {unit} is left out whole: for that leave --test-on out"
    )


def too_slow(rates: Sequence[float]) -> str | None:
    """Microphones were recorded at too low a rate for the bands in which hits are clearest; `rates` in Hz."""
    slow = [rate for rate in rates if rate < MICROPHONES_WANT]
    if not slow:
        return None
    some = (
        f"{len(slow)} of {many(len(rates), 'recording')} of a microphone"
        if len(rates) > 1
        else "this recording"
    )
    return (
        f"{some} {'has' if len(slow) == 1 else 'have'} only {min(slow):g} Hz, without the highest bands, by which "
        "beads are told apart best: record at 44.1 or 48 kHz"
    )


def too_little(rows: Sequence[Row], kind: str) -> str | None:
    """Sensors give too little to count by.

    Steps are too `coarse`, sound is too `narrow`, or was `packed` with losses or to few `bits`.
    """
    lacking = [(row.recording.file, row.lacks) for row in rows if row.lacks and row.lacks.kind == kind]
    if not lacking:
        return None
    who, fault = lacking[0]
    some = f"{len(lacking)} of {many(len(rows), 'recording')} ({who} and others)" if len(lacking) > 1 else who
    return f"of {some}, {fault}"


def not_read_to_the_end(rows: Sequence[Row]) -> str | None:
    """Recordings are longer than the part that is used."""
    long = [row.recording.file for row in rows if row.longer]
    if not long:
        return None
    who = long[0] if len(long) == 1 else f"{many(len(long), 'recording')} ({long[0]} and others)"
    return (
        f"of {who} only the first {LONGEST_TAKE_S:g} s were heard: a recording is of one shake; cut longer ones, "
        "a file and a line each"
    )
