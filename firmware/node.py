"""What all nodes share: frame numbers, hello, status, answers to the host, sleep."""

import polar_wire as wire

HELLO_US = 2_000_000
STATUS_US = 10_000_000
LOW_MV = 3400
VERSION = (0, 1, 0)


def after(now_us, then_us):
    """Microseconds from `then` to `now` on a 30-bit clock, which wraps like MicroPython's ticks_us."""
    return ((now_us - then_us + 0x20000000) & 0x3FFFFFFF) - 0x20000000


class Node:
    """`board` has us(), uid (8 bytes), battery_mv() (0: no battery), temperature_c(), light(r, g, b), sleep(),
    sleeps (whether it should, when nobody moves it) and can_sleep (whether something would wake it). `send(bytes)`
    returns whether the bytes were taken."""

    kind = wire.CUBE
    rate_hz = 200
    gyro_range = 2000
    accel_range = 16

    def __init__(self, number, board, send, name=""):
        self.number = number
        self.board = board
        self.name = name
        self.dropped = 0
        self.sleep_after_s = 600
        self._send = send
        self._seq = 0
        self._reader = wire.Reader()
        self._now = self._last = board.us()
        self._total = 0  # microseconds since the start, not wrapping
        self._zero = 0  # the value of `_total` at which the time in frames is zero
        self._hello_at = self._status_at = 0
        self._light_off = None
        self._quiet_since = 0

    def us(self):
        """The 32-bit time for a frame; it continues when the board's own clock wraps."""
        now = self.board.us()
        self._total += max(0, after(now, self._last))
        self._last = now
        return (self._total - self._zero) & 0xFFFFFFFF

    def say(self, kind, payload=b"", us=None):
        """Send one frame. Never waits: a frame that cannot be sent is counted as dropped."""
        self._seq = (self._seq + 1) & 0xFFFF
        if not self._send(wire.frame(kind, self.number, self._seq, self.us() if us is None else us, payload)):
            self.dropped += 1

    def regular(self, resting, pose):
        """Send hello and status when due, switch lights off, sleep after nobody has moved it for long."""
        self.us()
        if self._total >= self._hello_at:
            self.hello(resting, pose)
        if self._total >= self._status_at:
            self._status_at = self._total + STATUS_US
            mv = self.board.battery_mv()
            up = self._total // 1_000_000
            low = 0 < mv < LOW_MV
            self.say(wire.STATUS, wire.status(mv, self.board.temperature_c(), up, self.dropped, False, low))
        if self._light_off is not None and self._total >= self._light_off:
            self._light_off = None
            self.board.light(0, 0, 0)
        if not resting or not self.board.sleeps:
            self._quiet_since = self._total
        elif self.sleep_after_s and self._total - self._quiet_since > self.sleep_after_s * 1_000_000:
            self._quiet_since = self._total
            if self.board.can_sleep:
                self.say(wire.LOG, wire.log(1, "asleep until moved"))
                self.board.sleep()
                self._hello_at = 0
            else:
                self.say(wire.LOG, wire.log(2, "stays awake: no pin of this board could wake it"))

    def hello(self, resting, pose):
        self._hello_at = self._total + HELLO_US
        self.say(
            wire.HELLO,
            wire.hello(
                self.kind, self.board.uid, VERSION, self.board.battery_mv(), self.rate_hz, self.gyro_range,
                self.accel_range, resting, pose, self.name,
            ),
        )

    def hear(self, data):
        """Take bytes from the host."""
        for kind, node, _seq, _us, payload in self._reader.feed(data):
            if node in (self.number, wire.BROADCAST):
                self.told(kind, payload)

    def told(self, kind, payload):
        if kind == wire.HELLO_REQUEST and not payload:
            self._hello_at = 0
        elif kind == wire.LIGHT and len(payload) == 5:
            red, green, blue, ms = wire.light(payload)
            self.board.light(red, green, blue)
            self._light_off = self._total + ms * 1000 if ms else None
        elif kind == wire.IDENTIFY and len(payload) == 1:
            self.board.light(255, 255, 255)
            self._light_off = self._total + payload[0] * 1_000_000
        elif kind == wire.CONFIGURE and len(payload) == 6:
            self.configure(wire.configure(payload))

    def configure(self, wanted):
        self.sleep_after_s = wanted[5]
