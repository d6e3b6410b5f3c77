"""An ESP32-class board: clock, battery, light, sleep, and the radio (ESP-NOW). Only this file knows the hardware."""

import esp32
import machine
import neopixel
import network
import time

import espnow

# INT1 of the IMU. It is low at power-up, so this must not be a strapping pin; pins 0 … 5 can wake an ESP32-C3
WAKE_PIN = 4
LIGHT_PIN = 8
BATTERY_PIN = 3
CHANNEL = 1
EVERYBODY = b"\xff" * 6
RADIO_BYTES = 8192  # ESP-NOW's default buffer holds two full frames; each igloo that is picked up sends three at once

clock_us = time.ticks_us


class Board:
    """`imu` wakes the board; without one, on a cable, it never sleeps. `battery`: BATTERY_PIN has a voltage divider."""

    def __init__(self, imu=None, battery=True):
        self.uid = b"\x00\x00" + machine.unique_id()[-6:]
        self._imu = imu
        self._wake = waker()
        self.sleeps = imu is not None
        self.can_sleep = self.sleeps and self._wake is not None
        self._light = neopixel.NeoPixel(machine.Pin(LIGHT_PIN), 1)
        self._battery = machine.ADC(machine.Pin(BATTERY_PIN), atten=machine.ADC.ATTN_11DB) if battery else None

    def us(self):
        return clock_us()

    def battery_mv(self):
        return self._battery.read_uv() // 500 if self._battery else 0  # through a divider of two equal resistors

    def temperature_c(self):
        return esp32.mcu_temperature() if hasattr(esp32, "mcu_temperature") else 0.0

    def light(self, red, green, blue):
        self._light[0] = (red, green, blue)
        self._light.write()

    def sleep(self):
        """Deep sleep until the cube is moved; the board then starts anew and says hello. Only where `can_sleep`."""
        self.light(0, 0, 0)
        self._imu.wake_on_motion(time.sleep_ms)
        self._wake(machine.Pin(WAKE_PIN, machine.Pin.IN))
        machine.deepsleep()


def waker():
    """The call that lets a high pin wake this chip from deep sleep; None if there is none: it would sleep for ever.

    ESP32-C3 and C6 need `wake_on_gpio`, which MicroPython up to 1.26 does not offer. Some of these builds have
    `wake_on_ext0` on these chips, and it does nothing (micropython #16839). Every chip with EXT0 also has the ULP.
    """
    if hasattr(esp32, "wake_on_gpio"):
        return lambda pin: esp32.wake_on_gpio((pin,), esp32.WAKEUP_ANY_HIGH)
    if hasattr(esp32, "wake_on_ext0") and hasattr(esp32, "ULP"):
        return lambda pin: esp32.wake_on_ext0(pin, esp32.WAKEUP_ANY_HIGH)
    return None


class Radio:
    """ESP-NOW broadcasts on one channel; frames name their nodes, and only their CRC tells whether they are intact."""

    def __init__(self):
        sta = network.WLAN(network.STA_IF)
        sta.active(True)
        sta.config(channel=CHANNEL)
        self._now = espnow.ESPNow()
        self._now.config(rxbuf=RADIO_BYTES)  # before active(), which allocates it
        self._now.active(True)
        self._now.add_peer(EVERYBODY)

    def transmit(self, data):
        """True if the radio accepted it; never waits."""
        try:
            return self._now.send(EVERYBODY, data, False)
        except OSError:
            return False

    def receive(self):
        _mac, data = self._now.recv(0)
        return data
