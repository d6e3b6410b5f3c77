"""Where the page is found: under every address of the machine, also one that it got after the start."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from firmware_bridge.clock import VirtualClock
from table.door.access import Access
from table.door.addresses import allowed_host, allowed_origin
from table.door.guard import Guard, Scope
from table.service import web_service
from table.service.web_service import AddressTaken, address_of, listen, names_of
from tests.table.pages import service
from tests.table.rooms import room


@pytest.mark.parametrize(
    "host", ["raspberrypi.local:8080", "RaspberryPi:8080", "RASPBERRYPI.local", "localhost"]
)
def test_a_name_is_the_same_in_large_and_small_letters(host: str) -> None:
    assert allowed_host(host, names_of("RaspberryPi"))


@pytest.mark.parametrize(
    ("host", "fine"),
    [
        ("127.0.0.1:8080", True),
        ("table.local", True),
        ("[::1]:9", True),
        ("evil.example", False),
        ("", False),
    ],
)
def test_names_we_answer_to(host: str, fine: bool) -> None:
    assert allowed_host(host, ("127.0.0.1", "::1", "table.local")) is fine


@pytest.mark.parametrize(
    ("origin", "fine"),
    [
        (None, True),
        ("http://table:8080", True),
        ("http://table:1", False),
        ("null", False),
        ("http://evil.example", False),
    ],
)
def test_only_our_own_page_may_act(origin: str | None, fine: bool) -> None:
    assert allowed_origin(origin, "table:8080") is fine


async def status(here: str | None, host: str) -> int:
    """What the door says to a request for `host` that came in on the address `here`."""
    said: list[int] = []

    async def app(scope: Scope, receive: object, send: object) -> None:
        said.append(200)

    async def send(message: dict[str, object]) -> None:
        if message["type"] == "http.response.start":
            said.append(int(str(message["status"])))

    headers = [(b"host", host.encode())]
    scope: Scope = {"type": "http", "method": "GET", "headers": headers}
    await Guard(app, names_of("table"))(scope | {"server": here and (here, 8080)}, None, send)  # type: ignore[arg-type]
    return said[0]


@pytest.mark.parametrize(
    ("here", "host", "said"),
    [
        ("192.168.7.5", "192.168.7.5:8080", 200),  # the network came up after the start
        ("10.0.0.9", "10.0.0.9", 200),  # a second address of the same interface
        ("::ffff:192.168.7.5", "192.168.7.5:8080", 200),
        ("fd00::7", "[FD00:0::7]:8080", 200),
        ("fe80::7%wlan0", "[fe80::7]:8080", 200),
        ("192.168.7.5", "192.168.7.6:8080", 403),
        ("192.168.7.5", "evil.example:8080", 403),
        ("evil.example", "evil.example", 403),  # an address, never a name
        (None, "192.168.7.5:8080", 403),
    ],
)
async def test_the_address_on_which_a_request_came_in_is_ours(here: str | None, host: str, said: int) -> None:
    assert await status(here, host) == said


def test_the_invitation_asks_for_the_address_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[str] = []
    monkeypatch.setattr(web_service, "outside", lambda: iter(found))
    table = room()
    table.access = Access(VirtualClock(), lan=True)
    with listen("0.0.0.0", 0) as sock:
        port = sock.getsockname()[1]
        table.where = lambda: address_of(sock)
        assert table.invitation() == f"http://127.0.0.1:{port}/pair#{table.access.code}"
        found.append("192.168.7.5")
        assert table.invitation() == f"http://192.168.7.5:{port}/pair#{table.access.code}"


def test_of_two_services_on_one_port_the_second_is_told_at_once() -> None:
    """Also while the first has not opened its page yet: that takes seconds."""
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(AddressTaken, match=f"port {port} .*{os.strerror(errno.EADDRINUSE)}"):
            listen("127.0.0.1", port)


@pytest.mark.parametrize("host", ["192.0.2.77", "no-such-machine.invalid"])
def test_an_address_that_is_not_ours_is_no_matter_of_ports(host: str) -> None:
    with pytest.raises(AddressTaken, match=r"cannot be had on .* – name an address of this machine"):
        listen(host, None)


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """What systemd holds: a socket for datagrams."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
        sock.bind(str(tmp_path / "notify"))
        sock.settimeout(150)
        yield sock


def test_a_table_on_another_loopback_address_answers_there_and_is_ready(
    manager: socket.socket, tmp_path: Path
) -> None:
    file = tmp_path / "table.toml"
    file.write_text('[serve]\nhost = "127.0.0.2"\nport = 0\n')
    environment = os.environ | {"NOTIFY_SOCKET": manager.getsockname(), "POLARTABLE_DATA": str(tmp_path)}
    with service("serve", "--config", str(file), environment=environment) as (_, ready):
        assert ready["address"].startswith("http://127.0.0.2:")
        assert "code" not in ready  # nobody but this machine can come in
        assert httpx.get(ready["address"] + "health", timeout=60).status_code == 200
        assert httpx.get(ready["address"] + "api/table", timeout=60).json()["role"] == "host"
        assert manager.recv(4096).decode().startswith("READY=1\n")
