"""The output of `calibrate igloos evaluate`: lines for programs (docs/contracts.md 3), sentences for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from calibration.recordings.named import unnamed
from calibration.recordings.whole_sets import as_a_set
from calibration.scores import nothing_to_count, summary
from calibration.testing.evaluate import Tested
from calibration.testing.gather import refusal, refused
from calibration.testing.outside import sure_of_none_of_its_counts, sure_outside
from calibration.words import by_what, many, of_how_many, of_those_sure
from sensors.evidence import Heard
from table.commands.igloo_tested import Evaluated
from table.commands.igloo_warnings import nothing_told, without_any_count


def say_evaluated(done: Evaluated, as_json: bool) -> None:
    """Print one evaluation. Raises a PolartableError with the reason if there is no result."""
    results = done.results
    for result in results if as_json else ():
        print(json.dumps(evaluated_line(result), ensure_ascii=False), flush=True)
    told = [r.told() for r in results if r.counted]
    why_none = None if told else nothing_told(results)
    if why_none is not None and not results:
        raise why_none
    sessions = {r.row.recording.occasion for r in results}
    figures = summary(told) if told else nothing_to_count(len(sessions))
    by_kind = done.of_each_kind()
    refused_for = done.flattering if as_json else [f"no figures: {why}" for why in done.flattering]
    beside = [sentence for sentence in done.confounded if sentence not in done.flattering]
    for sentence in [*refused_for, *beside, *done.said]:
        print(f"polartable: {sentence}", file=sys.stderr)
    doubt = refusal(results)
    if as_json:
        more: dict[str, Any] = {
            "flattering": " ".join(done.flattering) or None,
            "confounded": done.confounded,
            "refused": refused(results),
            "unheard": done.unheard,
        }
        more |= {"of_each_sensor": by_kind} if by_kind else {}
        sure, outside = sure_outside(results)
        more |= {"outside": {"n": outside, "sure": sure}} if outside else {}
        print(json.dumps({"summary": figures | more}, ensure_ascii=False))
    elif told and not done.flattering:
        what = results[0].row.recording.gesture or "shake"
        missing = unnamed(r.row.recording for r in results)
        for line in (*in_words(figures, what, len(by_kind), missing), *of_each_sensor(by_kind, missing)):
            print(line)
        if of_others := sure_of_none_of_its_counts(results):
            print(of_others)
    elif why_none is None and not told:
        print(without_any_count(results))
    if done.unheard and not as_json:
        are = "is" if done.unheard == 1 else "are"
        print(f"{many(done.unheard, 'recording')} could not be heard or tested, and {are} in no figure")
    if doubt is not None:  # beside the figures, where people read it
        print(doubt if not as_json else f"polartable: {doubt}", file=sys.stderr if as_json else sys.stdout)
    if why_none is not None:
        raise why_none


def evaluated_line(result: Tested) -> dict[str, Any]:
    """docs/contracts.md 3: the line of section 4 with `file`, `true_beads`, `best` and `in_set`."""
    said = result.heard
    line = Heard.to_json(said)
    return line | {
        "file": result.row.recording.file,
        "true_beads": result.row.recording.beads,
        "best": result.best if result.probabilities else None,
        "in_set": result.in_set,
        "in_pair": result.in_pair,
        "in_shakes": result.in_shakes,
    }


def in_words(
    figures: dict[str, Any], what: str = "shake", kinds: int = 2, missing: Collection[str] = ()
) -> Iterator[str]:
    """The summary for people; every figure has its interval and what that is based on.

    `what` is counted, by so many `kinds` of sensors if some are joined. `missing`: what no recording names, session or
    player.
    """
    different = figures.get("different_shakes", figures["n"])
    shakes = many(different, what) if different < figures["n"] else ""
    recordings = many(figures["n"], "recording")
    if "session" in missing:
        name = "names" if figures["n"] == 1 else "name"
        yield f"{recordings}{f' of {shakes}' if shakes else ''}, which {name} no session"
    else:
        yield f"{recordings} of {f'{shakes} in ' if shakes else ''}{many(figures['sessions'], 'session')}"
    yield (
        f"one {what}: {figures['exact']:.2f} exact ({between(figures, 'exact', missing)}), "
        f"{figures['within_one']:.2f} within one, mean error {figures['mae']:.2f}"
    )
    if figures.get("exact_in_shakes") is not None:
        least, most = figures["shakes"]
        yield (
            f"{least if least == most else f'{least}–{most}'} {what}s of one igloo added up: "
            f"{figures['exact_in_shakes']:.2f} exact ({between(figures, 'exact_in_shakes', missing)}), "
            f"{figures['within_one_in_shakes']:.2f} within one"
        )
    if figures["exact_in_sets"] is not None:
        yield (
            f"{as_a_set(figures, what)}: {figures['exact_in_sets']:.2f} exact "
            f"({between(figures, 'exact_in_sets', missing)}), {figures['within_one_in_sets']:.2f} within one"
        )
    if figures.get("exact_in_pairs") is not None:
        yield (
            f"{'two' if kinds < 3 else 'all'} sensors of one {what} together: {figures['exact_in_pairs']:.2f} exact "
            f"({between(figures, 'exact_in_pairs', missing)}), {figures['within_one_in_pairs']:.2f} within one"
        )
    right = of_those_sure(figures)
    yield (
        f"sure of {figures['sure_share']:.2f}"
        + (f", right then {figures['sure_right']:.2f} ({right})" if right else "")
        + f"; calibration error {figures['ece']:.3f}"
    )


def of_each_sensor(figures: Mapping[str, dict[str, Any]], missing: Collection[str] = ()) -> Iterator[str]:
    """The figures of each kind of sensor for single shakes, if there are several."""
    for kind, of_one in figures.items():
        yield (
            f"one shake, {kind}: {of_one['exact']:.2f} exact ({between(of_one, 'exact', missing)}), "
            f"{of_one['within_one']:.2f} within one"
        )


def between(figures: dict[str, Any], name: str, missing: Collection[str] = ()) -> str:
    """The interval of a figure; none for a single session, set or person left out."""
    if (alone := of_how_many(figures, missing)) is not None:
        return f"{alone}, which says nothing of another" if alone.startswith("of one ") else alone
    low, high = figures["interval"][name]
    return f"{low:.2f}–{high:.2f} by {by_what(figures)}"
