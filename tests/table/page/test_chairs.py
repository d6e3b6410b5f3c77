"""Who plays which seat from which browser, and how a seat that nobody sits at any more gets free."""

from __future__ import annotations

from firmware_bridge.clock import VirtualClock
from table.config import Settings
from table.door.access import Access
from table.journal.store import Journal
from table.page.chairs import Chairs
from table.page.tabs import Tabs
from table.room.table_room import TableRoom


class Evening:
    """A table on the network; its host looks at it from two browsers, and one guest has a phone."""

    def __init__(self) -> None:
        clock = VirtualClock()
        self.access = Access(clock, lan=True)
        self.room = TableRoom(Settings.read(None), clock, Journal(None), self.access)
        assert self.access.code is not None
        assert self.access.host_code is not None
        host = self.access.pair(self.access.host_code, "10.0.0.1")
        self.screen = Chairs(self.room, self.access, host, "10.0.0.1", "screen")
        self.laptop = Chairs(self.room, self.access, host, "10.0.0.2", "laptop")
        guest = self.access.pair(self.access.code, "10.0.0.3")
        self.phone = Chairs(self.room, self.access, guest, "10.0.0.3", "phone")
        self.game = self.room.desk.sitting.game.name


def test_the_host_frees_a_seat_that_another_page_of_the_host_plays() -> None:
    """The page is on a screen that nobody can reach any more, or that went dark."""
    evening = Evening()
    evening.screen.sit(evening.game, "red")
    assert evening.screen.occupied(evening.game) == []  # one's own seat is left, not freed
    assert evening.laptop.occupied(evening.game) == ["red"]
    evening.phone.free_seat(evening.game, "red")  # a guest is not asked
    assert evening.screen.seat(evening.game) == "red"
    evening.laptop.free_seat(evening.game, "red")
    assert evening.screen.seat(evening.game) is None
    assert "red" in evening.laptop.free(evening.game)
    assert evening.laptop.occupied(evening.game) == []


def test_the_host_frees_the_seat_of_a_phone() -> None:
    evening = Evening()
    evening.phone.sit(evening.game, "yellow")
    assert evening.screen.occupied(evening.game) == ["yellow"]
    evening.screen.free_seat(evening.game, "yellow")
    assert evening.phone.seat(evening.game) is None
    assert "yellow" in evening.screen.free(evening.game)
    assert [said.event for said in evening.room.desk.said][-2:] == ["seat-taken", "seat-freed"]


def test_a_seat_that_the_next_game_does_not_have_is_nobodys_at_the_hosts_page_and_at_a_phone() -> None:
    """Else that page would show no move of anybody, and each one that its host makes would be refused."""
    evening = Evening()
    evening.room.new_game("ice-cult", ["yellow", "red", "blue"], {})
    evening.screen.sit("ice-cult", "red")
    evening.laptop.sit("ice-cult", "blue")
    evening.phone.sit("ice-cult", "yellow")
    evening.room.new_game("ice-cult", ["blue", "green"], {})
    assert evening.screen.seat("ice-cult") is None
    assert evening.phone.seat("ice-cult") is None
    assert evening.laptop.seat("ice-cult") == "blue"
    evening.room.new_game("ice-cult", ["yellow", "red"], {})
    assert evening.laptop.free("ice-cult") == ["yellow", "red"]


def test_a_page_that_is_loaded_anew_goes_on_at_its_seat_and_the_old_one_frees_nothing() -> None:
    evening, tabs = Evening(), Tabs()
    tabs.show("a tab", evening.screen)
    evening.screen.sit(evening.game, "red")
    anew = Chairs(evening.room, None, None, "10.0.0.1", "the screen, in another language")
    assert anew.seat(evening.game) is None
    tabs.show("a tab", anew)
    assert anew.seat(evening.game) == "red"
    tabs.close(evening.screen)  # half a minute later
    assert anew.seat(evening.game) == "red"
    tabs.show("a tab", anew)  # its connection was lost for a moment
    assert anew.seat(evening.game) == "red"
    tabs.close(anew)
    assert "red" in evening.laptop.free(evening.game)


def test_another_tab_has_no_seat_and_takes_none_away() -> None:
    evening, tabs = Evening(), Tabs()
    tabs.show("a tab", evening.screen)
    tabs.show("another tab", evening.laptop)
    tabs.show(None, evening.laptop)  # cut off before its name was known
    evening.screen.sit(evening.game, "red")
    tabs.close(evening.laptop)
    tabs.show("another tab", evening.laptop)
    assert evening.laptop.seat(evening.game) is None
    assert evening.screen.seat(evening.game) == "red"


def test_a_guest_who_came_by_the_name_of_the_hosts_tab_sits_nowhere() -> None:
    evening, tabs = Evening(), Tabs()
    tabs.show("a tab", evening.screen)
    evening.screen.sit(evening.game, "red")
    tabs.show("a tab", evening.phone)
    assert evening.phone.seat(evening.game) is None
    assert evening.screen.seat(evening.game) == "red"
