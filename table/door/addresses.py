"""Names and addresses: which are this machine's, and which requests come from our own page.

Requests whose Host or Origin is not ours are refused (`table.door.guard`), WebSockets included: a page on the Internet
must not be able to talk to a table on the local network (DNS rebinding).
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit


def allowed_host(host: str, names: Iterable[str], here: str | None = None) -> bool:
    """Whether a Host header names this machine (with any port): by one of its names, or by the address `here`.

    `here` is the address on which the request came in; we need not have known it before. That is safe: a page on the
    Internet that resolves its own name to it still sends that name. Names are case-insensitive.
    """
    try:
        name = urlsplit(f"//{host}").hostname if host else None
    except ValueError:
        return False
    if name is None:
        return False
    address = address_in(name)
    return name in {known.lower() for known in names} or (address is not None and address == address_in(here))


def loopback(host: str) -> bool:
    """Whether that is a loopback address, so that only this machine itself can connect."""
    address = address_in(host)
    return host == "localhost" or (address is not None and address.is_loopback)


def address_in(text: str | None) -> IPv4Address | IPv6Address | None:
    """Parse an address in any spelling: IPv4 mapped into IPv6, with a zone id."""
    try:
        address = ip_address((text or "").partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def network_of(text: str) -> str:
    """The network of an address: for IPv6 the /64, in which a device may have any number of addresses (RFC 4291, RFC
    8981); for IPv4 the address itself."""
    address = address_in(text)
    return str(IPv6Network((address, 64), strict=False)) if isinstance(address, IPv6Address) else text


def allowed_origin(origin: str | None, host: str) -> bool:
    """Whether a request comes from our own page, or from no page at all (a program)."""
    if origin is None:
        return True
    try:
        return origin not in ("null", "") and urlsplit(origin).netloc == host
    except ValueError:
        return False
