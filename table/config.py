"""The settings of a table: one TOML file, checked whole. An unknown key is an error with the nearest right one.

Environment variables `POLARTABLE_…` override the file (`POLARTABLE_SERVE__PORT=8081`).
"""

from __future__ import annotations

import difflib
import tomllib
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from firmware_bridge.errors import PolartableError


class SettingsError(PolartableError, ValueError):
    """A settings file that cannot be meant."""

    number = 102


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Serve(_Section):
    """Where the page is."""

    host: str = Field(
        default="127.0.0.1",
        description="address to listen on; the loopback address unless you mean the network",
    )
    port: int = Field(default=8080, ge=0, le=65535, description="port of the page; 0: any free one")
    browser: bool = Field(default=False, description="open the page in this machine's browser")


class Game(_Section):
    """What is played when no game is open in the journal."""

    name: Literal["igloo-pop", "ice-cult", "igloo-igloo", "igloo"] = Field(
        default="ice-cult", description="which game"
    )
    players: tuple[str, ...] = Field(default=("yellow", "red"), description="the seats, clockwise")
    options: dict[str, Any] = Field(
        default_factory=dict, description="the game's options, as `referee` lists them"
    )


class Ear(_Section):
    """Microphones or accelerometers, a seat each."""

    sources: dict[str, str] = Field(default_factory=dict, description="seat → input device")
    profile: Path | None = Field(
        default=None, description="profile of your own igloos; none: the one that ships"
    )


class Cubes(_Section):
    """The four cubes."""

    ports: tuple[str, ...] = Field(default=(), description="serial ports or pySerial URLs of the cubes")
    protocol: Literal["auto", "polar", "bno08x-rvc", "witmotion"] = Field(
        default="auto", description="what they speak"
    )


class Lights(_Section):
    """A light and a buzzer that say without a screen what the referee says (docs/table.md)."""

    light: int | str | None = Field(default=None, description="pin of an LED, as gpiozero names it")
    buzzer: int | str | None = Field(default=None, description="pin of a passive piezo")


class Journal(_Section):
    """The book of games."""

    file: Path | None = Field(
        default=None, description="the journal's file; none: in the data directory of this user"
    )


class Settings(BaseSettings):
    """All settings. `Settings.read(file)` or, without a file, the defaults and the environment."""

    model_config = SettingsConfigDict(
        extra="forbid", frozen=True, env_prefix="POLARTABLE_", env_nested_delimiter="__"
    )
    file: ClassVar[Path | None] = None

    serve: Serve = Serve()
    game: Game = Game()
    ear: Ear = Ear()
    cubes: Cubes = Cubes()
    journal: Journal = Journal()
    lights: Lights = Lights()
    buttons: dict[str, int | str] = Field(
        default_factory=dict, description="seat → pin, as gpiozero names it"
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        sources = (init_settings, env_settings)
        return (
            (*sources, TomlConfigSettingsSource(settings_cls, cls.file)) if cls.file is not None else sources
        )

    @classmethod
    def read(cls, file: Path | None) -> Settings:
        """The settings in `file`. Raises `SettingsError` with one sentence for the first thing that is wrong."""
        if file is not None:
            _readable(file)
        reader = type("Settings", (cls,), {"file": file, "__annotations__": {"file": ClassVar[Path | None]}})
        try:
            return cls.model_construct(**dict(reader()))
        except ValidationError as error:
            raise _sentence(error, file) from error


def _readable(file: Path) -> None:
    try:
        tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(
            f"{file} cannot be read ({error.strerror})", "give the file with --config FILE"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file} is no TOML: {error}", "mend that line") from error


def _sentence(error: ValidationError, file: Path | None) -> SettingsError:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    place = f" in {file}" if file is not None else ""
    if first["type"] == "extra_forbidden":
        known = _known(tuple(str(part) for part in first["loc"][:-1]))
        near = difflib.get_close_matches(str(first["loc"][-1]), known, 1, 0.5)
        mend = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
        return SettingsError(f"there is no setting {where!r}{place}", mend)
    return SettingsError(
        f"setting {where!r}{place} is {first['input']!r}", first["msg"][:1].lower() + first["msg"][1:]
    )


def _known(section: tuple[str, ...]) -> list[str]:
    model: type[BaseModel] = Settings
    for name in section:
        field = model.model_fields.get(name)
        annotation = field.annotation if field is not None else None
        if not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
            return []
        model = annotation
    return list(model.model_fields)


def data_directory() -> Path:
    """Where this user's journal and profiles lie (`POLARTABLE_DATA` overrides it)."""
    import os

    from platformdirs import user_data_path

    given = os.environ.get("POLARTABLE_DATA")
    return Path(given) if given else user_data_path("polartable", appauthor=False)
