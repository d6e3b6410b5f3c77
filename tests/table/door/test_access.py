"""Who may do what: codes, tokens, seats, and names that this table does not answer to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware_bridge.clock import VirtualClock
from table.door.access import (
    MOST_TOKENS,
    SPECTATOR,
    TRIES,
    TRIES_IN_ALL,
    Access,
    SeatTaken,
    TooManyTries,
    Who,
    WrongCode,
)


def test_years_of_guests_and_strangers_do_not_fill_the_memory() -> None:
    """Whoever plays is remembered before whoever looks on; addresses are forgotten with their wrong codes."""
    clock = VirtualClock()
    access = Access(clock, lan=True)
    player = access.pair(access.code, "10.0.0.1")
    access.sit(player, "red")
    first = access.pair(access.code, "10.0.0.2")
    for guest in range(2 * MOST_TOKENS):
        clock.set(clock.now() + 61.0)
        last = access.pair(access.code, f"fd00:0:0:{guest:x}::1")
    assert (access.who(player, ""), access.who(first, "")) == (Who("player", "red"), None)
    assert access.who(last, "") == SPECTATOR
    assert len(access._known) <= MOST_TOKENS
    assert len(access._wrong) <= MOST_TOKENS + 1


def test_one_who_pairs_again_and_again_throws_out_nobody_but_himself(tmp_path: Path) -> None:
    """Who watches, who watches beside him under the same address, and whose phone sleeps since before the start."""
    clock, file = VirtualClock(), tmp_path / "tokens.json"
    before = Access(clock, lan=True, file=file)
    asleep = before.pair(before.code, "10.0.0.1")
    access = Access(clock, lan=True, file=file)
    quiet = access.pair(access.code, "10.0.0.2")
    beside = access.pair(access.code, "10.0.0.3")
    for _ in range(MOST_TOKENS + 100):
        clock.set(clock.now() + 0.1)
        assert access.who(beside, "10.0.0.3") == SPECTATOR  # a page asks all the time
        last = access.pair(access.code, "10.0.0.3")
    assert len(access._known) == MOST_TOKENS
    for token in (quiet, beside, last):
        assert access.who(token, "10.0.0.3") == SPECTATOR
    assert access.who(asleep, "10.0.0.1") == SPECTATOR
    assert len(access._seen) <= MOST_TOKENS


@pytest.mark.parametrize(
    ("address", "guest"),
    [
        (
            "2001:db8:1:2::{:x}",
            "2001:db8:1:3::1",
        ),  # a network of his own, and so many addresses in it as he likes
        ("fe80::{:x}%wlan0", "2001:db8:1:3::1"),
        ("2001:db8:1:2::1", "2001:db8:1:2::2"),  # a guest in the same network
        ("10.0.0.3", "10.0.0.2"),
        ("::ffff:10.0.0.3", "::ffff:10.0.0.2"),
        ("testclient", "another"),
    ],
)
def test_many_addresses_of_one_network_are_one_who_pairs_again_and_again(address: str, guest: str) -> None:
    clock = VirtualClock()
    access = Access(clock, lan=True)
    quiet = access.pair(access.code, guest)
    for n in range(1, MOST_TOKENS + 100):
        clock.set(clock.now() + 0.1)
        access.pair(access.code, address.format(n))
    assert len(access._known) == MOST_TOKENS
    assert access.who(quiet, guest) == SPECTATOR


def test_guests_with_an_ipv4_address_each_are_not_one() -> None:
    """Also where the socket is of IPv6, which has all of them in one network."""
    clock = VirtualClock()
    access = Access(clock, lan=True)
    quiet = [access.pair(access.code, f"::ffff:10.0.0.{n}") for n in range(3)]
    for n in range(MOST_TOKENS):
        clock.set(clock.now() + 0.1)
        access.pair(access.code, f"2001:db8:1:2::{n:x}" if n % 200 else "10.0.1.1")
    assert all(access.who(token, "10.0.0.9") == SPECTATOR for token in quiet)


def test_on_loopback_whoever_sits_at_the_machine_is_the_host() -> None:
    access = Access(VirtualClock(), lan=False)
    assert access.who(None, "127.0.0.1") == Who("host")
    assert access.who(None, "192.168.1.7") is None
    assert access.who("left of another evening", "127.0.0.1") == Who("host")  # a cookie shuts nobody out
    assert access.who("made up", "192.168.1.7") is None


def test_on_the_network_nobody_is_anybody_without_a_code() -> None:
    access = Access(VirtualClock(), lan=True)
    assert access.who(None, "127.0.0.1") is None
    guest = access.pair(access.code, "192.168.1.7")
    assert access.who(guest, "10.0.0.1") == Who("spectator")
    access.sit(guest, "red")
    assert access.who(guest, "10.0.0.1") == Who("player", "red")
    assert access.who(access.pair(access.host_code, "192.168.1.8"), "") == Who("host")


def test_a_seat_that_somebody_plays_is_given_back_before_another_one_takes_it() -> None:
    access = Access(VirtualClock(), lan=True)
    first, second = (access.pair(access.code, "a") for _ in range(2))
    access.sit(first, "red")
    with pytest.raises(SeatTaken):
        access.sit(second, "red")  # whoever sits there sees what nobody else may
    assert access.who(first, "a") == Who("player", "red")
    access.free("red")
    access.sit(second, "red")
    assert access.who(first, "a") == Who("spectator")
    assert access.who(second, "a") == Who("player", "red")
    assert access.taken() == {"red"}
    access.stand_up(second)
    assert access.taken() == set()


def test_codes_are_rationed_for_one_guesser_and_not_for_the_others() -> None:
    clock = VirtualClock()
    access = Access(clock, lan=True)
    wrong = "x" * 6
    for _ in range(TRIES):
        with pytest.raises(WrongCode):
            access.pair(wrong, "guesser")
    with pytest.raises(TooManyTries):
        access.pair(access.code, "guesser")  # even the right one, for a minute
    access.pair(access.code, "somebody else")
    clock.set(61.0)
    access.pair(access.code, "guesser")


def test_many_guessers_together_are_stopped_too() -> None:
    access, stopped = Access(VirtualClock(), lan=True), 0
    for n in range(200):
        try:
            access.pair("nonsense", f"10.0.0.{n}")
        except TooManyTries:
            stopped += 1
        except WrongCode:
            pass
    assert stopped == 200 - TRIES_IN_ALL


def test_who_is_told_to_wait_is_told_how_long() -> None:
    """“Wait a minute” was said for as much as an hour, in which no code let anybody in, nor the host."""
    clock = VirtualClock()
    access = Access(clock, lan=True)

    def refused(address: str) -> TooManyTries:
        with pytest.raises(TooManyTries) as error:
            access.pair(access.host_code, address)
        return error.value

    for n in range(TRIES_IN_ALL):
        clock.set(10.0 * n)
        with pytest.raises(WrongCode):
            access.pair("nonsense", f"10.0.0.{n // TRIES}")
    why = refused("10.0.1.1")
    assert (why.cause, why.wait_s) == ("too many wrong codes in this hour, from all together", 3010.0)
    assert why.mend == "wait 51 minutes, or start the table again: it shows new codes"
    clock.set(3600.0 - 30.0)
    assert refused("10.0.1.1").mend == "wait 1 minute, or start the table again: it shows new codes"
    clock.set(3600.0 + 1.0)
    access.pair(access.host_code, "10.0.1.1")


def test_who_alone_typed_many_wrong_codes_waits_a_minute() -> None:
    clock = VirtualClock()
    access = Access(clock, lan=True)
    for n in range(TRIES):
        clock.set(10.0 * n)
        with pytest.raises(WrongCode):
            access.pair("nonsense", "guesser")
    with pytest.raises(
        TooManyTries, match="wait a minute, then type the code from the host's screen"
    ) as error:
        access.pair(access.code, "guesser")
    assert error.value.wait_s == 20.0


def test_tokens_outlive_a_restart_and_lie_there_hashed_only(tmp_path: Path) -> None:
    file = tmp_path / "tokens.json"
    access = Access(VirtualClock(), lan=True, file=file)
    token = access.pair(access.code, "a")
    access.sit(token, "blue")
    assert token not in file.read_text()
    assert file.stat().st_mode & 0o077 == 0
    again = Access(VirtualClock(), lan=True, file=file)
    assert again.who(token, "b") == Who("player", "blue")


@pytest.mark.parametrize("content", ["", "{", "[]", '{"x": 1}', json.dumps({"x": {"role": "host"}})])
def test_a_damaged_token_file_lets_nobody_in_and_keeps_nobody_out(tmp_path: Path, content: str) -> None:
    file = tmp_path / "tokens.json"
    file.write_text(content)
    access = Access(VirtualClock(), lan=True, file=file)
    assert access.taken() == set()
    assert access.pair(access.code, "a")
