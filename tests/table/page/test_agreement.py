"""A yes is to what stood beside its button."""

from __future__ import annotations

from nicegui import Client, ui

from table.page.agreement import Agreement
from table.page.buttons import Buttons, Offer
from table.page.chairs import Chairs
from table.page.positions import Positions
from table.page.texts import Texts
from tests.table.rooms import room


async def test_a_yes_to_one_wish_is_none_to_the_next() -> None:
    """In the moment before the page is drawn anew another thing was asked, and was agreed to."""
    table, shown = room(), dict[str, Offer]()
    desk = table.new_game("ice-cult", ("yellow", "red"), {"mode": "digital"})
    assert desk.play("tilt n>S")
    table.take("ice-cult", "yellow", "yellow's browser")
    accord = table.accord("ice-cult")
    assert accord is not None
    with Client(ui.page("/agreement")):
        agreement = Agreement(
            table, "ice-cult", Texts("en"), Chairs(table, None, None, "", "host's"), Positions()
        )
        agreement.build_wishes()

        class Row(Buttons):
            def show(self, offers: object) -> None:
                shown.update({offer.words: offer for offer in offers})  # type: ignore[attr-defined]

        agreement._answers = Row()
        assert accord.propose("undo", "yellow")
        agreement.refresh(str.title)
        assert accord.proposal is not None
        assert accord.decline(accord.proposal.key, "yellow")
        assert accord.propose("abandon", "yellow")
        yes = shown[Texts("en")["accord.yes"]].do
        assert yes is not None
        yes()
        assert accord.proposal is not None
        assert accord.proposal.agreed == {"yellow"}
        assert desk.sitting.closed is None
        agreement.refresh(str.title)
        agree = shown[Texts("en")["accord.yes"]].do
        assert agree is not None
        agree()
        assert desk.sitting.over is not None or desk.sitting.closed is not None
