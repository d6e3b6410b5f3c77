"""`polartable calibrate igloos`: record sweeps, fit a profile, test it honestly, report."""

from __future__ import annotations

import datetime
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path
from typing import Annotated, Any

import typer

from calibration import recordings as store
from calibration.confounding import look
from calibration.errors import NothingToTest
from calibration.evaluate import Tested, answer, evaluate_left_out, evaluate_profile
from calibration.fit import fit_profile
from calibration.folds import Unit
from calibration.honesty import flattering
from calibration.prior import automatic
from calibration.recordings import Recording
from calibration.scores import summary
from calibration.seat_taps import is_tap
from calibration.takes import Row, fronts_of, hear, rows
from firmware_bridge.errors import PolartableError, UsageError
from sensors.ear import profile as profiles
from sensors.ear.errors import FitError
from sensors.ear.frontend import FrontEnd
from sensors.ear.profile import Profile
from sensors.evidence import Heard
from sensors.gesture import profile as gestures
from sensors.gesture.profile import is_gesture_profile
from table.commands import calibrate_taps

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Record sweeps, fit a profile, test it honestly, report.",
    epilog="Example: polartable calibrate igloos evaluate recordings --leave-out session --json",
)

LENGTHS_S = (0.5, 1.0, 2.0, 3.0)

Folder = Annotated[Path, typer.Argument(help="A folder with recordings.jsonl beside its sound files.")]
Counts = Annotated[
    str | None,
    typer.Option(help="Counts to tell apart, such as 2-13 or 2,4,6 (default: those recorded of 2-13)."),
]
Sensor = Annotated[str | None, typer.Option(help="microphone or accelerometer, where a folder holds both.")]
Only = Annotated[
    list[str] | None,
    typer.Option(help="Only recordings that fit, such as place=shell or player=P0*; may be repeated."),
]
StartFrom = Annotated[
    str | None,
    typer.Option(
        help="A profile to start from, or `nothing` (default: the shipped one where sessions are few)."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line on standard output.")]
Jobs = Annotated[int, typer.Option(min=1, help="Processes that read sound at the same time.")]


class Complaints:
    """Bad input is told in one sentence each on standard error; the rest goes on, and the exit code remembers."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, error: PolartableError) -> None:
        self.count += 1
        print(f"polartable: {error}", file=sys.stderr)

    def leave(self) -> None:
        if self.count:
            raise typer.Exit(2)


def parse_counts(text: str | None) -> tuple[int, ...] | None:
    """`2-13`, `2,4,6` or both mixed. Raises UsageError."""
    if text is None:
        return None
    out: set[int] = set()
    try:
        for part in text.split(","):
            low, _, high = part.strip().partition("-")
            first, last = int(low), int(high or low)
            if not 1 <= first <= last <= store.MOST_BEADS:
                raise ValueError
            out |= set(range(first, last + 1))
    except ValueError as error:
        raise UsageError(f"{text!r} is no range of counts", "write it like 2-13 or 2,4,6") from error
    if len(out) < 2:
        raise UsageError(f"{text!r} leaves nothing to tell apart", "give at least two counts")
    return tuple(sorted(out))


@contextmanager
def progress(total: int, text: str) -> Iterator[Any]:
    """A bar on standard error where somebody sees it; a function to call once a step."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task(text, total=total)
        yield lambda: bar.advance(task)


def read_rows(
    folder: Path,
    complain: Complaints,
    sensor: str | None,
    jobs: int,
    fronts: Sequence[FrontEnd] | None = None,
    only: list[str] | None = None,
) -> list[list[Row]]:
    """Features of all usable recordings; the sound itself passes through as a stream."""
    if sensor not in (None, "microphone", "accelerometer"):
        raise UsageError(f"{sensor!r} is no sensor", "say microphone or accelerometer")

    def chosen(say: store.Complain) -> Iterator[Recording]:
        return (
            r
            for r in store.read(folder, say)
            if sensor in (None, r.sensor)
            and r.rejected is None
            and not is_tap(r)
            and all(matches(r, word) for word in only or ())
        )

    total = 0
    silent: list[PolartableError] = []
    for _ in chosen(silent.append):
        total += 1
    if fronts is None:
        fronts = fronts_of(chosen(silent.append))
    with progress(total, "listening") as step:
        return list(rows(chosen(complain), complain, fronts, jobs, step))


def seat_taps(
    folder: Path, complain: Complaints, sensor: str | None, only: list[str] | None
) -> list[Recording]:
    """The folder's recordings of the counting gesture, if that is all that was chosen of it; else none."""
    silent: list[PolartableError] = []
    if not any(is_tap(r) for r in store.read(folder, silent.append)):
        return []
    chosen = [
        r
        for r in store.read(folder, complain)
        if sensor in (None, r.sensor) and r.rejected is None and all(matches(r, word) for word in only or ())
    ]
    return chosen if all(is_tap(r) for r in chosen) else []


def starting_profile(name: str | None) -> Profile | None:
    """The profile that was asked for; None for `nothing`, and where it is left to us."""
    return None if name in (None, "nothing") else profiles.load(Path(str(name)))


def matches(recording: Recording, word: str) -> bool:
    """Does a recording fit `key=pattern`? Any key of its line, also those that are not ours. Raises UsageError."""
    key, equals, pattern = word.partition("=")
    if not equals:
        raise UsageError(f"{word!r} is no choice of recordings", "write it like place=shell or player=P0*")
    value = recording.to_json().get(key)
    return fnmatch("" if value is None else str(value), pattern)


@app.command(
    epilog="Example: polartable calibrate igloos record mine --source default --player anna --device table-1"
)
def record(
    folder: Annotated[
        Path, typer.Argument(help="Where to put the recordings; a folder that exists is added to.")
    ],
    source: Annotated[
        str, typer.Option(help="An input device (name, number or `default`), or mock.")
    ] = "default",
    profile: Annotated[
        str, typer.Option(help="What the sensor is: microphone, contact, or a profile's file.")
    ] = "microphone",
    counts: Counts = None,
    sweeps: Annotated[
        int, typer.Option(help="Sweeps to record; each holds every igloo once, in random order.")
    ] = 1,
    device: Annotated[str, typer.Option(help="A name for this set of igloos and its sensor.")] = "table",
    player: Annotated[str, typer.Option(help="Who shakes.")] = "maker",
    session: Annotated[
        str | None, typer.Option(help="A name for this occasion (default: today's date).")
    ] = None,
    seconds: Annotated[float, typer.Option(min=1.5, max=8.0, help="How long to shake each igloo.")] = 3.0,
    as_json: Json = False,
) -> None:
    """Record sweeps with a live coach: random order, gripped anew, any take thrown out and taken again, resumable."""
    from table.commands import calibrate_record as wizard
    from table.ear_sources import choose_profile

    kept = wizard.record(
        folder,
        source,
        choose_profile(profile, "microphone"),
        wizard.check(parse_counts(counts), sweeps),
        sweeps,
        device,
        player,
        session or datetime.date.today().isoformat(),
        seconds,
        as_json,
        wizard.ask_person,
    )
    print(f"{kept} takes kept in {folder}", file=sys.stderr)


@app.command(epilog="Example: polartable calibrate igloos fit recordings --out mine.profile --counts 2-13")
def fit(
    folder: Folder,
    out: Annotated[Path, typer.Option(help="The profile to write.")],
    counts: Counts = None,
    start_from: StartFrom = None,
    sensor: Sensor = None,
    only: Only = None,
    jobs: Jobs = 1,
    as_json: Json = False,
) -> None:
    """Fit a profile on a folder of recordings."""
    wanted = parse_counts(counts)
    complain = Complaints()
    if taps := seat_taps(folder, complain, sensor, only):
        calibrate_taps.fit(taps, out, wanted, as_json, complain)
        complain.leave()
        return
    start = starting_profile(start_from)
    heard = read_rows(folder, complain, sensor, jobs, [h.front for h in start.heads] if start else None, only)
    if start is None and start_from is None:
        start = automatic(heard)
    fitted = profiles.save(fit_profile(heard, wanted, start_from=start), out)
    if as_json:
        print(
            json.dumps(
                {
                    "profile": fitted.digest,
                    "file": str(out),
                    "accuracy": fitted.accuracy,
                    "fitted_on": fitted.fitted_on,
                }
            )
        )
    else:
        a = fitted.accuracy
        print(
            f"{out}: {fitted.fitted_on['takes']} takes of {fitted.fitted_on['sessions']} sessions, counts "
            f"{fitted.counts[0]}–{fitted.counts[-1]}; with every {a['left_out_by']} left out in turn: "
            f"{a['exact']:.2f} exact, {a['within_one']:.2f} within one"
        )
    complain.leave()


@app.command(
    epilog="Example: polartable calibrate igloos evaluate recordings --leave-out session --test-on 'sweep-*' --json"
)
def evaluate(
    folder: Folder,
    profile: Annotated[Path | None, typer.Option(help="Test this profile as it is.")] = None,
    leave_out: Annotated[
        str | None, typer.Option(help="session, device or player: fit on the others, test on it.")
    ] = None,
    test_on: Annotated[
        str | None, typer.Option(help="Only sessions so named are tested, such as 'sweep-*'.")
    ] = None,
    counts: Counts = None,
    start_from: StartFrom = None,
    sensor: Sensor = None,
    only: Only = None,
    jobs: Jobs = 1,
    as_json: Json = False,
) -> None:
    """Test a profile on a folder, or fit and test with whole sessions, devices or players left out."""
    if (profile is None) == (leave_out is None):
        raise UsageError(
            "say what is to be tested", "give either --profile FILE or --leave-out session|device|player"
        )
    if leave_out not in (None, "session", "device", "player"):
        raise UsageError(f"{leave_out!r} cannot be left out", "say session, device or player")
    complain = Complaints()
    if profile is not None and is_gesture_profile(profile):
        sensor = sensor or gestures.load(profile).sensor
    if taps := seat_taps(folder, complain, sensor, only):
        calibrate_taps.evaluate(
            taps, profile, leave_out, test_on, parse_counts(counts), as_json, complain, in_words  # type: ignore[arg-type]
        )  # fmt: skip
        complain.leave()
        return
    results: list[Tested] = []
    if profile is not None:
        known = profiles.load(profile)
        heard = read_rows(
            folder, complain, sensor or known.sensor, jobs, [h.front for h in known.heads], only
        )
        warning = flattering(known, heard)
        results = evaluate_profile(known, heard, complain)
        for result in results:
            _say(result, as_json)
    else:
        unit: Unit = leave_out  # type: ignore[assignment]
        warning = None
        start = starting_profile(start_from)
        heard = read_rows(
            folder, complain, sensor, jobs, [h.front for h in start.heads] if start else None, only
        )
        choose = automatic if start_from is None else lambda _: start
        folds = evaluate_left_out(heard, unit, test_on, parse_counts(counts), start_from=choose)
        for fold in folds:
            results += fold
        for result in results:
            _say(result, as_json)
    told = [r.told() for r in results if r.counted]
    if not told:
        raise UsageError(
            "no recording has a count that the profile knows", 'give "beads" in recordings.jsonl'
        )
    figures = summary(told)
    traps = [trap.sentence() for trap in look([of_one[0] for of_one in heard])]
    for sentence in [*([warning] if warning else []), *traps]:
        print(f"polartable: {sentence}", file=sys.stderr)
    if as_json:
        print(
            json.dumps(
                {"summary": figures | {"flattering": warning, "confounded": traps}}, ensure_ascii=False
            )
        )
    elif warning is None:
        for line in in_words(figures):
            print(line)
    complain.leave()


@app.command(
    epilog="Example: polartable calibrate igloos report recordings --profile mine.profile --out report.html"
)
def report(
    folder: Folder,
    profile: Annotated[Path, typer.Option(help="The profile to report on.")],
    out: Annotated[Path, typer.Option(help="The page to write.")],
    sensor: Sensor = None,
    only: Only = None,
    jobs: Jobs = 1,
    as_json: Json = False,
) -> None:
    """Write a page with pictures: how well, which igloos are confused, which takes are odd, what to do next."""
    from calibration.gather import by_length
    from calibration.report import render

    known = profiles.load(profile)
    complain = Complaints()
    fronts = [head.front for head in known.heads]
    heard = read_rows(folder, complain, sensor or known.sensor, jobs, fronts, only)
    if not heard:
        raise UsageError("no recording of the folder can be used", "see the sentences above")
    warnings: list[str] = []
    results: list[Tested] = []
    warning = flattering(known, heard)
    if warning is None:
        results = evaluate_profile(known, heard, complain)
    else:
        try:
            for fold in evaluate_left_out(heard, "session", None, known.counts, start_from=automatic):
                results += fold
            print(
                "polartable: every session was left out in turn, as the profile knows these takes",
                file=sys.stderr,
            )
        except (NothingToTest, FitError):
            results = evaluate_profile(known, heard, complain)
            warnings.append(f"No figures are shown: {warning}. One more session is enough.")

    def cut(seconds: float) -> list[Tested]:
        again = [[hear(r.recording, r.front, seconds) for r in of_one[:1]] for of_one in heard]
        return [answer(known, of_one) for of_one in again]

    lengths = by_length(LENGTHS_S, cut) if warning is None else {}
    page = render(results, known, look([of_one[0] for of_one in heard]), warnings, lengths)
    try:
        out.write_text(page, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{out} cannot be written ({error.strerror})", "choose another folder") from error
    print(
        json.dumps({"report": str(out), "recordings": len(results)})
        if as_json
        else f"{out}: {len(results)} recordings"
    )
    complain.leave()


def _say(result: Tested, as_json: bool) -> None:
    if as_json:
        print(json.dumps(evaluated_line(result), ensure_ascii=False), flush=True)


def evaluated_line(result: Tested) -> dict[str, Any]:
    """docs/contracts.md 3: the line of section 4 with `file`, `true_beads`, `best` and `in_set`."""
    said = result.heard
    line = Heard.to_json(said)
    return line | {
        "file": result.row.recording.file,
        "true_beads": result.row.recording.beads,
        "best": result.best if result.probabilities else None,
        "in_set": result.in_set,
    }


def in_words(figures: dict[str, Any]) -> Iterator[str]:
    """The summary for people, every figure with its interval by whole sessions."""
    low, high = figures["interval"]["exact"]
    yield f"{figures['n']} recordings of {figures['sessions']} sessions"
    yield (
        f"one shake: {figures['exact']:.2f} exact ({low:.2f}–{high:.2f} by whole sessions), "
        f"{figures['within_one']:.2f} within one, mean error {figures['mae']:.2f}"
    )
    if figures["exact_in_sets"] is not None:
        low, high = figures["interval"]["exact_in_sets"]
        yield (
            f"a whole set, one shake each: {figures['exact_in_sets']:.2f} exact ({low:.2f}–{high:.2f}), "
            f"{figures['within_one_in_sets']:.2f} within one"
        )
    sure = figures["sure_right"]
    yield (
        f"sure of {figures['sure_share']:.2f}"
        + (f", right then {sure:.2f}" if sure is not None else "")
        + f"; calibration error {figures['ece']:.3f}"
    )
