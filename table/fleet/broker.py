"""One connection to an MQTT 5 broker, on paho's own network thread: nothing here can block the table.

A connection is used once. When it breaks, its owner opens another and sends again what was not acknowledged.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any

from table.fleet import refusals
from table.fleet.address import Address, Message, Will
from table.fleet.errors import BrokerAway, BrokerStalls, FleetError
from table.fleet.opening import hang_up, reach

if TYPE_CHECKING:
    from paho.mqtt.client import Client

KEEPALIVE_S = 30  # after 1.5 times this without a sign of life the broker publishes our last will
MOST_IN_FLIGHT = 100


class Connection:
    """An open connection, made by `connect`. Call all methods from the event loop's thread."""

    def __init__(
        self, address: Address, loop: asyncio.AbstractEventLoop, hear: Callable[[Message], None]
    ) -> None:
        self.address = address
        self.lost: FleetError | None = None
        self.window = MOST_IN_FLIGHT
        self._loop, self._hear = loop, hear
        self._answers: dict[tuple[str, int], asyncio.Future[int]] = {}
        self._opened: asyncio.Future[None] = loop.create_future()
        self._gone = asyncio.Event()
        self._client: Client

    async def publish(self, topic: str, payload: bytes, retain: bool = False) -> None:
        """Send with QoS 1 and wait for the acknowledgement. Raises a `FleetError`."""
        await self.acknowledged(self.send(topic, payload, retain))

    def send(self, topic: str, payload: bytes, retain: bool = False) -> asyncio.Future[int]:
        """Send with QoS 1; the future is done when the broker has it. At most `window` messages at a time."""
        if self.lost is not None:
            raise self.lost
        return self._answer("published", self._client.publish(topic, payload, 1, retain).mid)

    async def acknowledged(self, *sent: asyncio.Future[int]) -> None:
        """Wait until the broker has everything that was sent. Raises a `FleetError` if it refuses."""
        refused = await self._refused(*sent)
        if refused is not None:
            raise refusals.not_taken(self.address, refused)

    async def subscribe(self, *topics: str) -> None:
        """Subscribe to these topics; retained messages come first. Raises a `FleetError`."""
        if self.lost is not None:
            raise self.lost
        _, mid = self._client.subscribe([(topic, _options()) for topic in topics])
        refused = await self._refused(self._answer("subscribed", mid or 0))
        if refused is not None:
            raise refusals.not_heard(self.address, refused)

    async def _refused(self, *sent: asyncio.Future[int]) -> int | None:
        try:
            async with asyncio.timeout(self.address.answer_s):
                codes = await asyncio.gather(*sent)
        except TimeoutError:
            raise self.stalls() from None
        return next((code for code in codes if code >= refusals.FROM), None)

    async def leave(self) -> None:
        """Say goodbye to the broker, so that it does not publish our last will."""
        self._client.disconnect()
        await self._gone.wait()

    async def close(self) -> None:
        """Drop the connection; the broker publishes our last will."""
        self._fail(BrokerAway(f"the connection to {self.address} was closed", "it is opened again by itself"))
        await asyncio.to_thread(_stop, self._client)

    # from paho's thread

    def _answer(self, what: str, mid: int) -> asyncio.Future[int]:
        # no race: paho's callback is scheduled on the loop, so it runs after this, however fast the broker is
        future = self._answers[what, mid] = self._loop.create_future()
        return future

    def _answered(self, what: str, mid: int, code: int) -> None:
        future = self._answers.pop((what, mid), None)
        if future is not None and not future.done():
            future.set_result(code)

    def _open(self, code: int, name: str, window: int | None) -> None:
        if self._opened.done():
            return
        if code >= refusals.FROM:
            self._opened.set_exception(refusals.not_let_in(self.address, code, name))
        else:
            self.window = min(self.window, window or MOST_IN_FLIGHT)
            self._opened.set_result(None)

    def _lose(self, name: str) -> None:
        self._gone.set()
        if self._opened.done():
            cause = f"the connection to the broker at {self.address} broke ({name.lower()})"
            self._fail(BrokerAway(cause, "events wait in the tables' journals and are sent when it is back"))
            return
        guess = (
            "the port of an MQTT broker?" if self.address.tls else "its port for TLS? then write mqtts://;"
        )
        self._fail(
            BrokerAway(
                f"the broker at {self.address} hung up before it let us in",
                f"is that {guess} it has to speak MQTT 5; events wait in the tables' journals",
            )
        )

    def _fail(self, why: FleetError) -> None:
        if self.lost is None:
            self.lost = why
        waiting: list[asyncio.Future[Any]] = [self._opened, *self._answers.values()]
        for future in waiting:
            if not future.done():
                future.set_exception(why)
                future.exception()  # marks the exception as retrieved: nobody may be waiting any more
        self._answers.clear()

    def stalls(self) -> BrokerStalls:
        return BrokerStalls(
            f"the broker at {self.address} has not answered for {self.address.answer_s:g} s",
            "restart it; events wait in the tables' journals and are sent when it answers",
        )


@contextlib.asynccontextmanager
async def connect(
    address: Address,
    identity: str,
    hear: Callable[[Message], None],
    lost: Callable[[], None],
    will: Will | None,
) -> AsyncIterator[Connection]:
    """A connection for as long as the block runs. Raises a `FleetError`; `lost` is called when it breaks."""
    from paho.mqtt.client import Client
    from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

    loop = asyncio.get_running_loop()
    connection = Connection(address, loop, hear)
    client = Client(
        CallbackAPIVersion.VERSION2,
        client_id=identity,
        protocol=MQTTProtocolVersion.MQTTv5,
        reconnect_on_failure=False,
    )
    connection._client = client
    client.max_inflight_messages_set(MOST_IN_FLIGHT)
    client.connect_timeout = address.answer_s
    if address.user is not None:
        client.username_pw_set(address.user, address.password)
    client.suppress_exceptions = True  # a message that paho cannot read must not end its thread
    if will is not None:
        client.will_set(will.topic, will.payload, 1, retain=True)

    def call(function: Callable[..., Any], *values: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(function, *values)

    def on_lost(name: str) -> None:
        connection._lose(name)
        lost()

    def window(properties: Any) -> int | None:
        return getattr(properties, "ReceiveMaximum", None)

    client.on_connect = lambda c, u, f, code, p: call(connection._open, code.value, str(code), window(p))
    client.on_disconnect = lambda c, u, f, code, p: call(on_lost, str(code))
    client.on_publish = lambda c, u, mid, code, p: call(connection._answered, "published", mid, code.value)
    client.on_subscribe = lambda c, u, mid, codes, p: call(
        connection._answered, "subscribed", mid, max(code.value for code in codes)
    )
    client.on_message = lambda c, u, m: call(hear, Message(m.topic, bytes(m.payload), bool(m.retain)))
    try:
        await _begin(client, connection)
        yield connection
    finally:
        await connection.close()


async def _begin(client: Client, connection: Connection) -> None:
    try:
        await reach(client, connection.address, KEEPALIVE_S)
    except TimeoutError:
        raise connection.stalls() from None
    client.loop_start()
    try:
        async with asyncio.timeout(connection.address.answer_s):
            await connection._opened
    except FleetError:  # some FleetErrors are a TimeoutError as well
        raise
    except TimeoutError:
        raise connection.stalls() from None


def _options() -> Any:
    from paho.mqtt.subscribeoptions import SubscribeOptions

    return SubscribeOptions(qos=1)


def _stop(client: Client) -> None:
    """End paho's thread. The socket is shut down first: otherwise its loop would wait for a broker that stalls."""
    hang_up(client)
    client.loop_stop()
