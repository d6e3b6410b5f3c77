"""The settings of a table: one TOML file, validated whole. An unknown key is an error that names the nearest valid one.

Environment variables `POLARTABLE_…` override the file (`POLARTABLE_SERVE__PORT=8081`). A path in the file is relative
to the file's folder, one in the environment to the working directory.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from table.fleet.settings import Fleet
from table.places import data_directory
from table.settings.environment import environment_faults
from table.settings.faults import SettingsError, faults
from table.settings.file import parse, read_text
from table.settings.kinds import File, GpioPin, Whole, pins_apart, wires_apart
from table.settings.paths import WRITTEN, from_there
from table.settings.seats import ButtonSeat, EarSeat, of_nobody

__all__ = ["Settings", "SettingsError"]

MOST_CUBES = 4
NO_MOCK = "name an input device or a serial port; a table with simulated igloos is `polartable demo`"


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Serve(_Section):
    """Where the page is."""

    host: str = Field(
        default="127.0.0.1",
        min_length=1,
        description="address to listen on; the loopback address unless you mean the network",
    )
    port: Whole = Field(default=8080, ge=0, le=65535, description="port of the page; 0: any free one")
    browser: bool = Field(default=False, description="open the page in this machine's browser")


class Game(_Section):
    """What is played when no game is open in the journal."""

    name: Literal["igloo-pop", "ice-cult", "igloo-igloo", "igloo"] = Field(
        default="ice-cult", description="which game"
    )
    players: tuple[str, ...] = Field(default=("yellow", "red"), description="the seats, clockwise")
    options: dict[str, Any] = Field(
        default_factory=dict,
        description="the game's options, as `referee` lists them; here `mode` is physical unless you say digital",
    )

    @model_validator(mode="after")
    def _can_be_begun(self) -> Self:
        """Report a game that nobody could begin as a fault of the settings, before the evening."""
        from rules.core.refusal import PositionError
        from table.games import GAMES

        try:
            GAMES[self.name].new(self.players, 1, self.options)
        except PositionError as error:
            raise ValueError(f"that game cannot be begun: {error}") from error
        return self


class Ear(_Section):
    """Microphones or accelerometers, a seat each."""

    sources: dict[EarSeat, str] = Field(
        default_factory=dict, description="seat → input device, or serial port of igloo nodes"
    )
    profile: File | None = Field(
        default=None,
        description="profile of your own igloos, or `contact`, which ships, for microphones on shells; "
        "none: the one that ships",
    )
    shell_profile: File | None = Field(
        default=None,
        description="profile of the igloos' own accelerometers on a serial port, where microphones have another",
    )

    @field_validator("sources")
    @classmethod
    def _real(cls, sources: dict[EarSeat, str]) -> dict[EarSeat, str]:
        if "mock" in sources.values():
            raise ValueError(NO_MOCK)
        return sources


class Cubes(_Section):
    """The four cubes."""

    ports: tuple[str, ...] = Field(default=(), description="serial ports or pySerial URLs of the cubes")
    protocol: Literal["auto", "polar", "bno08x-rvc", "witmotion"] = Field(
        default="auto", description="what they speak"
    )

    @field_validator("ports")
    @classmethod
    def _of_four_cubes(cls, ports: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(ports)) < len(ports):
            raise ValueError("name each port once")
        if len(ports) > MOST_CUBES:
            raise ValueError("name the ports of the four cubes alone, or that of their dongle")
        if "" in ports:
            raise ValueError("name the port, or leave it out")
        if "mock" in ports:
            raise ValueError("name serial ports; a table with simulated cubes is `polartable demo`")
        return ports


class Lights(_Section):
    """A light and a buzzer that say without a screen what the referee says (docs/table.md)."""

    light: GpioPin | None = Field(default=None, description="pin of an LED, as gpiozero names it")
    buzzer: GpioPin | None = Field(default=None, description="pin of a passive piezo")


class Taps(_Section):
    """The counting seat (docs/gesture.md): igloos are counted by tapping."""

    source: str | None = Field(
        default=None, description="input device of the seat's disc, or serial port of its node"
    )
    profile: File | None = Field(default=None, description="profile of the seat, made by calibrate")

    @field_validator("source")
    @classmethod
    def _real(cls, source: str | None) -> str | None:
        if source == "mock":
            raise ValueError(NO_MOCK)
        return source

    @model_validator(mode="after")
    def _can_count(self) -> Self:
        if self.source is not None and self.profile is None:
            raise ValueError("a seat has a profile of its own: name it under `profile` (docs/gesture.md)")
        return self


class Speech(_Section):
    """The referee's voice."""

    language: Literal["en", "de", "fr", "it"] | None = Field(
        default=None, description="language in which the referee speaks aloud; none: it is silent"
    )
    program: str = Field(
        default="espeak-ng", description="what speaks: it is called with -v LANGUAGE --stdin"
    )


class Trainer(_Section):
    """The ear trainer."""

    recordings: File | None = Field(
        default=None, description="folder of your own recordings to train with; none: simulated igloos alone"
    )

    def file(self) -> Path:
        """The file with the trainees' tables."""
        return data_directory() / "trainer.json"


class Journal(_Section):
    """The book of games."""

    file: Annotated[File | None, WRITTEN] = Field(
        default=None, description="the journal's file; none: in the data directory of this user"
    )

    @field_validator("file")
    @classmethod
    def _no_folder(cls, file: Path | None) -> Path | None:
        try:
            folder = file is not None and file.is_dir()
        except OSError:  # no permission to look there: the settings may still be looked at
            folder = False
        if folder:
            raise ValueError("that is a folder: name a file in it")
        return file

    most_mb: Whole = Field(
        default=1024, ge=4, description="MiB for all books; a full one is put away, the oldest thrown out"
    )

    @property
    def most_bytes(self) -> int:
        return self.most_mb * 2**20

    @property
    def book(self) -> Path:
        """The file of the games' journal."""
        return self.file or data_directory() / "journal.sqlite"


class Settings(BaseSettings):
    """All settings. `Settings.read(file)` or, without a file, the defaults and the environment."""

    model_config = SettingsConfigDict(
        extra="forbid", frozen=True, env_prefix="POLARTABLE_", env_nested_delimiter="__"
    )

    serve: Serve = Serve()
    game: Game = Game()
    ear: Ear = Ear()
    cubes: Cubes = Cubes()
    journal: Journal = Journal()
    lights: Lights = Lights()
    trainer: Trainer = Trainer()
    speech: Speech = Speech()
    taps: Taps = Taps()
    fleet: Fleet = Fleet()
    buttons: dict[ButtonSeat, GpioPin] = Field(
        default_factory=dict, description="seat → pin, as gpiozero names it"
    )

    @model_validator(mode="after")
    def _pins_apart(self) -> Self:
        lights = [("lights.light", self.lights.light), ("lights.buzzer", self.lights.buzzer)]
        pins_apart([*lights, *((f"buttons.{seat}", pin) for seat, pin in self.buttons.items())])
        return self

    @model_validator(mode="after")
    def _wires_apart(self) -> Self:
        ear = ((f"ear.sources.{seat}", source) for seat, source in self.ear.sources.items())
        wires_apart(self.cubes.ports, ear, self.taps.source)
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return (env_settings, init_settings)  # the environment overrides the file

    @classmethod
    def read(cls, file: Path | None) -> Settings:
        """The settings in `file`. Raises `SettingsError` with one sentence for the first fault."""
        return cls.of_text("", None) if file is None else cls.read_with_text(file)[0]

    @classmethod
    def read_with_text(cls, file: Path) -> tuple[Settings, str]:
        """The settings in `file`, and its text."""
        text = read_text(file)
        return cls.of_text(text, file), text

    @classmethod
    def of_text(cls, text: str, file: Path | None) -> Settings:
        """The settings that `text` (of `file`) describes. Raises `SettingsError` for the first fault."""
        found = cls.faults_of(text, file)
        if found:
            raise found[0]
        return cls(**cls._meant(text, file))

    @classmethod
    def faults_of(cls, text: str, file: Path | None) -> list[SettingsError]:
        """All faults of `text`, in line order; empty if it is valid."""
        outside = environment_faults(cls)
        if outside:
            return outside
        try:
            cls(**cls._meant(text, file))
        except SettingsError as error:
            return [error]
        except ValidationError as error:
            return faults(error, cls, file, text)
        return []

    @classmethod
    def _meant(cls, text: str, file: Path | None) -> dict[str, Any]:
        return (
            {} if file is None else from_there(parse(text, file), cls, file.absolute().parent, data_directory)
        )

    def notes(self) -> list[str]:
        """Valid but suspicious settings: seats of Igloo Pop that nobody plays, if that is the settings' game."""
        if self.game.name != "igloo-pop":
            return []  # the game is begun at the page, with whoever is there
        players = self.game.players
        found = (
            of_nobody("[ear] sources", self.ear.sources, players),
            of_nobody("[buttons]", self.buttons, players),
        )
        return [note for note in found if note is not None]
