"""A virtual sound card: a private PulseAudio server with a null sink, whose monitor is the input device.

PortAudio gets what is played into the sink, in real time, as from a microphone.

    with VirtualSound(tmp_path) as card:
        listener = subprocess.Popen([..., "listen", "default", "--json"], env=card.environment)
        card.play("shake.wav")
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from types import TracebackType

from firmware_bridge.clock import SystemClock

ASOUNDRC = """
pcm.!default {{ type pulse }}
ctl.!default {{ type pulse }}
pcm.igloo_mic {{
    type pulse
    device {sink}.monitor
    hint {{ show on description "Igloo microphone" }}
}}
"""
SINK = "table"
RATE = 48000  # Hz
PATIENCE_S = 15.0  # timeout for a server that starts or ends on a busy machine


class VirtualSound:
    """A PulseAudio server of our own; with `environment` a program hears it as its default input.

    Raises RuntimeError if pulseaudio does not start, FileNotFoundError if it is not installed, and
    subprocess.TimeoutExpired if it accepts connections but answers none.
    """

    def __init__(self, folder: Path, rate: int = RATE) -> None:
        self.folder = folder
        self.rate = rate
        # a socket's path is limited to some hundred characters, and a test's folder is often longer
        self._home = folder / "pulse"
        self._home.mkdir(parents=True, exist_ok=True)
        (self._home / ".asoundrc").write_text(ASOUNDRC.format(sink=SINK))
        socket = self._home / "s"
        self.environment = {
            **os.environ,
            "HOME": str(self._home),
            "XDG_RUNTIME_DIR": str(self._home),
            "XDG_CONFIG_HOME": str(self._home),
            "PULSE_SERVER": f"unix:{socket}",
            "PULSE_SOURCE": f"{SINK}.monitor",
            "PULSE_SINK": SINK,
            "JACK_NO_START_SERVER": "1",
        }
        self._socket = socket
        self._server: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Returns when the server accepts connections; a server that never does is not left running."""
        try:
            self._start()
        except BaseException:  # after a failed __enter__, `with` calls no __exit__
            self.stop()
            raise

    def _start(self) -> None:
        self._server = subprocess.Popen(
            [
                "pulseaudio", "-n", "--daemonize=no", "--system=false", "--exit-idle-time=-1", "--use-pid-file=no",
                "--disable-shm=yes", "--realtime=no", "--log-target=stderr", "--log-level=error",
                "-L", f"module-null-sink sink_name={SINK} rate={self.rate} channels=1",
                "-L", f"module-native-protocol-unix socket={self._socket} auth-anonymous=1",
            ],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        clock = SystemClock()
        while clock.now() < PATIENCE_S:
            if self._server.poll() is not None:
                raise RuntimeError(f"pulseaudio ended with {self._server.returncode}")
            if self._pactl("info"):
                return
        raise RuntimeError("pulseaudio did not start")

    def _pactl(self, *words: str) -> bool:
        done = subprocess.run(
            ["pactl", *words], env=self.environment, capture_output=True, timeout=PATIENCE_S
        )
        return done.returncode == 0

    def play(self, file: Path) -> None:
        """Play a sound file into the sink, in real time; returns when it has been played."""
        subprocess.run(
            ["paplay", f"--device={SINK}", str(file)], env=self.environment, check=True, timeout=120
        )

    def unplug(self) -> None:
        """Remove the device while programs listen to it."""
        self.stop()

    def stop(self) -> None:
        """May be called twice; a server that does not end is killed."""
        server, self._server = self._server, None
        if server is not None:
            server.terminate()
            try:
                server.wait(timeout=PATIENCE_S)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
        self._socket.unlink(missing_ok=True)

    def __enter__(self) -> VirtualSound:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.stop()
