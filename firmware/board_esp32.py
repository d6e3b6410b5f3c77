"""An ESP32-class board: clock, battery, light, sleep, and the radio (ESP-NOW). Only this file knows the hardware."""

import esp32
import machine
import neopixel
import network
import time

import espnow

WAKE_PIN = 2  # INT1 of the IMU
LIGHT_PIN = 8
BATTERY_PIN = 3
CHANNEL = 1
EVERYBODY = b"\xff" * 6


class Board:
    def __init__(self, imu=None):
        self.uid = b"\x00\x00" + machine.unique_id()[-6:]
        self._imu = imu
        self._light = neopixel.NeoPixel(machine.Pin(LIGHT_PIN), 1)
        self._battery = machine.ADC(machine.Pin(BATTERY_PIN), atten=machine.ADC.ATTN_11DB)

    def us(self):
        return time.ticks_us()

    def battery_mv(self):
        return self._battery.read_uv() // 500  # through a divider of two equal resistors

    def temperature_c(self):
        return esp32.mcu_temperature() if hasattr(esp32, "mcu_temperature") else 0.0

    def light(self, red, green, blue):
        self._light[0] = (red, green, blue)
        self._light.write()

    def sleep(self):
        """Deep sleep until the cube is moved; the board then starts anew and says hello."""
        self.light(0, 0, 0)
        if self._imu is not None:
            self._imu.wake_on_motion()
            esp32.wake_on_ext0(machine.Pin(WAKE_PIN, machine.Pin.IN), esp32.WAKEUP_ANY_HIGH)
        machine.deepsleep()


class Radio:
    """ESP-NOW to everybody on one channel; the frames name their nodes, and their CRC is the only truth."""

    def __init__(self):
        sta = network.WLAN(network.STA_IF)
        sta.active(True)
        sta.config(channel=CHANNEL)
        self._now = espnow.ESPNow()
        self._now.active(True)
        self._now.add_peer(EVERYBODY)

    def transmit(self, data):
        """True where the radio took it; never waits."""
        try:
            return self._now.send(EVERYBODY, data, False)
        except OSError:
            return False

    def receive(self):
        _mac, data = self._now.recv(0)
        return data
