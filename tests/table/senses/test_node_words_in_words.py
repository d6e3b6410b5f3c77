"""What cube and igloo nodes say of themselves: a line of `polartable listen`, and a sentence in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from firmware_bridge import packets as p
from firmware_bridge.node_words import RELOAD, NodeTold, NodeWords
from firmware_bridge.reading import why_gone
from firmware_bridge.samples import LinkCount, NodeSaid
from sensors.ear.sources.igloo_port import DAMAGED, OTHER_PORT, OURS_AT_115200, UNREADABLE, WAKE
from sensors.ear.sources.igloo_words import DAMAGED_MEND, IglooWords
from sensors.ear.verdicts.lost_sound import TWO_BOARDS
from table.commands.listen_words import in_words
from table.desk.said import spoken
from table.page.sentences import sentences

LOGS = ("IMU does not answer: [Errno 19] ENODEV", "begins anew: OSError(5,)", "something else")


def everything(kind: str, node: int) -> Iterator[NodeTold]:
    """All that is told of a node, but what is no fault."""
    words, stamp = NodeWords(), p.Stamp(node, 0, 0)

    def hello(uid: str, version: int = 1) -> p.Hello:
        level = (1.0, 0.0, 0.0, 0.0)
        return p.Hello(stamp, kind, uid * 8, (0, 1, 0), 4000, 200, 0, 16, True, level, "", version)

    said: list[tuple[str, p.PolarPacket]] = [
        *(("one", hello(uid)) for uid in ("aa", "bb", "aa")),
        *((port, hello("cc")) for port in ("one", "two", "one")),
        ("one", hello("aa", 2)),
        ("one", p.Status(stamp, 3300, 20.0, 5, 0, False, True)),
        *(("one", p.Log(stamp, 3, text)) for text in LOGS),
        ("one", p.Log(stamp, 2, "stays awake: no pin of this board could wake it")),
    ]
    for t, (port, packet) in enumerate(said):
        yield from words.heard(NodeSaid(port, node, float(t), packet))


@pytest.mark.parametrize(
    ("kind", "node", "source"),
    [("igloo", 17, "igloos of red"), ("igloo", 17, "igloos of table"), ("dongle", 0, "igloos of red"),
     ("cube", 2, "cubes on /dev/ttyACM0")],
)  # fmt: skip
def test_it_is_said_in_every_language(kind: str, node: int, source: str) -> None:
    told = [one.sentence for one in everything(kind, node)]
    assert len(told) == 8
    english = [
        text for language in ("de", "fr", "it") for one in told
        if not sentences(language).known(text := spoken(f"{source}: {one}"))
    ]  # fmt: skip
    assert english == []


@pytest.mark.parametrize("language", ["de", "fr", "it"])
def test_why_a_count_or_a_port_is_not_heard_by_it_is_said_in_every_language(language: str) -> None:
    foreign = "igloo 18 speaks version 2 of the wire, and we read version 1"
    nothing = f"igloos of red: nothing was heard of any igloo at /dev/ttyACM0 ({foreign}) – {RELOAD}"
    for text in (TWO_BOARDS, nothing):
        assert sentences(language).known(spoken(text))


@pytest.mark.parametrize("language", ["de", "fr", "it"])
def test_that_a_line_damages_much_is_said_in_every_language(language: str) -> None:
    [told] = IglooWords().counted([LinkCount("/dev/ttyACM0", frames=80, bad=20)])
    assert sentences(language).known(spoken(f"igloos of red: {told.sentence}"))


@pytest.mark.parametrize("language", ["de", "fr", "it"])
@pytest.mark.parametrize(("came", "mend"), [
    (UNREADABLE, f"{OURS_AT_115200}, {OTHER_PORT}"), (DAMAGED, DAMAGED_MEND),
    ("0 whole frames came, none of an igloo", f"{WAKE['igloo']}, {OTHER_PORT}"),
])  # fmt: skip
def test_that_no_igloo_is_heard_at_a_port_is_said_in_every_language(
    language: str, came: str, mend: str
) -> None:
    for who in ("any igloo", "igloo 18"):
        text = f"igloos of red: nothing was heard of {who} at /dev/ttyACM0 ({came}) – {mend}"
        assert sentences(language).known(spoken(text))


@pytest.mark.parametrize("language", ["de", "fr", "it"])
@pytest.mark.parametrize(
    "source",
    [
        "igloos of red",
        "igloos of table",
        "microphone of blue",
        "microphone of table",
        "sensor of the counting seat",
    ],
)
def test_that_a_source_is_away_and_back_is_said_in_every_language(source: str, language: str) -> None:
    """By the referee, and at the top of the page."""
    say, mend = sentences(language), "look at its plug; see: polartable devices"
    pulled = why_gone(OSError(5, "Input/output error"))
    gone = [f"{what}/dev/ttyACM0 is away ({pulled})" for what in ("", "igloo at ", "seat at ")]
    told = [f"{source}: it is back"]
    for why in (*gone, "nothing for 1.5 seconds"):
        told += [f"{source}: {why} – {mend}", f"{source} ({why}) – {mend}"]
    for text in told:
        said = say(spoken(text))
        assert not {"back", "away", "plug", "at", "red", "of"} & set(re.findall(r"\w+", said)), said


@pytest.mark.parametrize(("mend", "line"), [("charge it", "port#17: low – charge it"), ("", "port#17: low")])
def test_it_is_a_line_of_listen(mend: str, line: str) -> None:
    event = {"event": "node", "source": "port#17", "level": "warning", "why": "low", "mend": mend}
    assert in_words(event, True) == line
