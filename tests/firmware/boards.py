# Runs inside MicroPython: a whole main_*.py on a stub of an ESP32 whose modules have the names that a test gives.
import json
import sys
from binascii import hexlify, unhexlify

from chip import Chip

STEP_US = 10_000  # between two looks at the clock
PERIOD_US = 4808
AT_REST = (0.5, -0.3, 0.2, 0.0, 0.0, 1.0)
SKIP_US = 400_000_000  # of which nobody wants to see each second


class Stub:
    """A module, or a part of one."""

    def __init__(self, **names):
        for name, what in names.items():
            setattr(self, name, what)


class Ended(BaseException):
    """The program came to where no board returns from, or its time is over."""


class Esp:
    def __init__(self, asked):
        self.asked = asked
        self.now = self.fed = 0
        self.skips = asked.get("skips", 0)
        self.done = []  # what it did, in order
        self.air = []
        self.usb = []
        self.cable = asked["main"] in ("main_cube_usb.py", "main_seat.py")  # what is said comes by it
        self.unread = b""
        self.heard = unhexlify(asked.get("heard", ""))
        self.chip = Chip(asked.get("who", 0x6C), 1e6 / PERIOD_US)
        self.breaks_at = asked.get("breaks_at_s", 1e9) * 1e6

    def end(self, *what):
        self.done.append(list(what))
        raise Ended()

    def ticks_us(self):
        self.now += STEP_US
        if self.skips and self.now > 4_000_000:
            self.skips -= 1
            self.now += SKIP_US
            self.fed = self.now
        if self.now > self.asked["seconds"] * 1e6:
            self.end("over")
        while self.fed + PERIOD_US <= self.now:
            self.fed += PERIOD_US
            self.chip.feel(AT_REST)
        return self.now & 0x3FFFFFFF

    def rest(self, ms):
        """Its chip lies still, and no time passes; whether INT1 was high meanwhile."""
        high = False
        for _ in range(ms * 1000 // PERIOD_US):
            self.chip.feel(AT_REST)
            high |= self.chip.int1
        return high

    def sleep_ms(self, ms):
        self.done.append(["sleep_ms", ms])
        self.rest(ms)

    def told(self):
        """What somebody says comes once, after a second."""
        data = b""
        if self.now > 1_000_000:
            data, self.heard = self.heard, b""
        return data or None

    def recv(self, timeout):
        if self.now > self.breaks_at:
            raise ValueError("ESPNow.recv(): buffer error")
        return None, None if self.cable else self.told()

    def read(self, size):
        self.unread, data = self.unread[size:], self.unread[:size]
        return data

    def poll(self, timeout):
        if self.cable and not self.unread:
            self.unread = self.told() or b""
        return self.unread

    def write(self, data):
        self.usb.append(data)
        return len(data)

    def send(self, mac, data, sync):
        assert len(data) <= 250
        assert not sync
        self.air.append(data)
        return True

    def modules(self):
        def note(name):
            return lambda *given, **named: self.done.append([name] + list(given) + ([named] if named else []))

        class Pin:
            IN, OUT = 0, 1

            def __init__(self, number, mode=None):
                self.number = number

            def __repr__(self):
                return "pin " + str(self.number)

        class Adc:
            ATTN_11DB = 3

            def __init__(self, pin, atten=None):
                pass

            def read_uv(self):
                return 1_950_000

        class NeoPixel:
            def __init__(self, pin, count):
                pass

            def __setitem__(self, at, colour):
                pass

            def write(self):
                pass

        class EspNow(Stub):
            def __init__(this):
                this.send, this.recv, this.config = self.send, self.recv, note("espnow.config")
                this.active, this.add_peer = note("espnow.active"), lambda mac: None

        def wake(name):
            return lambda pin, level: self.done.append([name, repr(pin), level])

        esp32 = Stub(WAKEUP_ANY_HIGH=True)
        for name in self.asked["esp32"]:
            setattr(esp32, name, wake(name) if name.startswith("wake") else lambda: 21.5)
        wlan = Stub(active=lambda on: None, config=lambda **named: None)
        poller = Stub(register=lambda stream, mask: None, poll=self.poll)
        return {
            "machine": Stub(
                Pin=Pin,
                ADC=Adc,
                I2C=lambda *given, **named: self.chip,
                unique_id=lambda: b"abcdef",
                deepsleep=lambda *given: self.end("deepsleep"),
                reset=lambda: self.end("reset"),
            ),
            "esp32": esp32,
            "neopixel": Stub(NeoPixel=NeoPixel),
            "network": Stub(WLAN=lambda interface: wlan, STA_IF=0),
            "espnow": Stub(ESPNow=EspNow),
            "time": Stub(ticks_us=self.ticks_us, sleep_ms=self.sleep_ms),
            "select": Stub(poll=lambda: poller, POLLIN=1),
            "micropython": Stub(kbd_intr=note("kbd_intr")),
            "sys": Stub(
                stdin=Stub(buffer=Stub(read=self.read)),
                stdout=Stub(buffer=Stub(write=self.write)),
            ),
        }


def step(line):
    board = Esp(json.loads(line))
    real = dict(sys.modules)
    for name, module in board.modules().items():
        sys.modules[name] = module
    try:
        with open("/" + board.asked["main"]) as file:  # noqa: PTH123
            exec(file.read(), {"__name__": "__main__"})
        board.done.append(["returned"])
    except Ended:
        pass
    except Exception as error:
        board.done.append(["died", repr(error)])
    finally:
        for name in list(sys.modules):
            if name not in real:
                del sys.modules[name]
        for name, module in real.items():
            sys.modules[name] = module
    said = {"air": b"".join(board.air), "usb": b"".join(board.usb)}
    told = {name: hexlify(data).decode() for name, data in said.items()}
    told["done"] = board.done
    told["int1 routed"] = bool(board.chip.regs[0x5E] & 0x20)
    told["wakes itself"] = board.rest(1000)
    return json.dumps(told)
