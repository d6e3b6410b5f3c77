"""A node's own attitude estimate: integrated rates, the bias learned at rest. The host uses it to bridge gaps."""

import math

REST_DPS = 4.0  # a sample that differs from the bias by more is movement
REST_G = 0.05
REST_S = 0.3
BIAS_TAU_S = 2.0


class Attitude:
    """`q` (w, x, y, z): from sensor axes to the axes at the start; `resting`; `still_s`: for how long it has rested."""

    def __init__(self):
        self.q = (1.0, 0.0, 0.0, 0.0)
        self.bias = [0.0, 0.0, 0.0]
        self.still_s = 0.0
        self.resting = False
        self._known = False
        self._last = None

    def update(self, sample, dt):
        """Take (gx, gy, gz, ax, ay, az) in °/s and g."""
        b = self.bias
        x, y, z = sample[0] - b[0], sample[1] - b[1], sample[2] - b[2]
        limit = REST_DPS if self._known else 8.0
        last = self._last or sample
        change = abs(sample[3] - last[3]) + abs(sample[4] - last[4]) + abs(sample[5] - last[5])
        self._last = sample
        if max(abs(x), abs(y), abs(z)) < limit and change < REST_G:
            self.still_s += dt
            if self.still_s > REST_S:
                k = dt / (BIAS_TAU_S if self._known else 0.1)
                b[0] += k * x
                b[1] += k * y
                b[2] += k * z
                if self.still_s > 2 * REST_S:
                    self._known = True
        else:
            self.still_s = 0.0
        self.resting = self.still_s > REST_S
        half = math.pi / 360 * dt
        self._turn(x * half, y * half, z * half)

    def _turn(self, x, y, z):
        """Turn by the rotation vector 2·(x, y, z) in radians, in the sensor's axes."""
        a = math.sqrt(x * x + y * y + z * z)
        s = math.sin(a) / a if a > 1e-7 else 1.0
        c = math.cos(a)
        x, y, z = x * s, y * s, z * s
        w0, x0, y0, z0 = self.q
        w = w0 * c - x0 * x - y0 * y - z0 * z
        i = w0 * x + x0 * c + y0 * z - z0 * y
        j = w0 * y - x0 * z + y0 * c + z0 * x
        k = w0 * z + x0 * y - y0 * x + z0 * c
        n = 1.0 / math.sqrt(w * w + i * i + j * j + k * k)
        self.q = (w * n, i * n, j * n, k * n)
