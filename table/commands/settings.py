"""`polartable settings`: shows what is set and where, checks a file, and changes settings safely."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import BaseModel

from firmware_bridge.errors import PolartableError, UsageError
from firmware_bridge.host.durable import NO_ROOM
from firmware_bridge.host.shown import shown
from table.commands.options import Json
from table.config import Settings
from table.places import default_file
from table.settings.faults import SettingsError, annotation_of, named_by
from table.settings.file import parse, read_text
from table.settings.pairs import read_pairs, with_others

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="The settings of the table.",
    epilog="Example: polartable settings show",
)

Config = Annotated[
    Path | None, typer.Option(help="Settings (TOML); default: POLARTABLE_CONFIG, or what `setup` installed.")
]


@app.command(epilog="Example: polartable settings show --config table.toml")
def show(config: Config = None, as_json: Json = False) -> None:
    """Every setting: its value, where it comes from, what it is for."""
    file = config or default_file()
    settings = Settings.read(file)
    in_file = {} if file is None else parse(read_text(file), file)
    if not as_json:
        print(f"# {shown(file or 'no file: the defaults, and the environment')}")
    for keys, value, meaning in _leaves(settings):
        name = ".".join(keys)
        origin = "environment" if named_by(keys) else "file" if _has(in_file, keys) else "default"
        if as_json:
            line = {"setting": name, "value": value, "from": origin, "meaning": meaning}
            print(json.dumps(line, ensure_ascii=False))
        else:
            print(f"{name} = {json.dumps(value, ensure_ascii=False)}  # {origin}: {meaning}")


@app.command(epilog="Example: polartable settings check table.toml")
def check(
    file: Annotated[Path | None, typer.Argument(help="The file; default: as for `show`.")] = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Whether a file can be meant: every fault with its line; exit 1 where there is one."""
    if file and config and file != config:
        raise UsageError(f"two files are named, {file} and {config}", "name one")
    file = _file(file or config)
    found = _faults(file)
    for fault in found:
        line = {"number": fault.number, "text": fault.cause, "mend": fault.mend}
        print(json.dumps(line, ensure_ascii=False) if as_json else f"polartable: {fault}")
    if not found:
        line = {"file": str(file), "usable": True}
        print(json.dumps(line, ensure_ascii=False) if as_json else f"{shown(file)} can be used")
    raise typer.Exit(1 if found else 0)


@app.command("set", epilog="Example: polartable settings set serve.port 8081")
def set_(
    pairs: Annotated[
        list[str],
        typer.Argument(
            metavar="SETTING VALUE",
            help="The dotted name, as `show` gives it, and a TOML value; bare words are text: 8081, true, "
            '["a", "b"]; null takes it out. What needs one another is set in one go.',
        ),
    ],
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Change one setting, or several at once: comments stay, nonsense changes nothing, the file is never half
    written."""
    import tomlkit

    from table.settings.secret import masked, write

    wanted = read_pairs(pairs, Settings.model_fields)
    file = _file(config)
    if not file.parent.is_dir():
        raise UsageError(f"there is no folder {file.parent}", "make it, or mend the name")
    text = read_text(file) if file.exists() else ""
    parse(text, file)  # do not touch a file that is no valid TOML
    document = tomlkit.parse(text)
    for setting, value in wanted.items():
        if value is None:
            _take_out(document, setting, file)
        else:
            _put(document, setting, value)
    new = tomlkit.dumps(document)
    try:
        means = Settings.of_text(new, file)
    except SettingsError as fault:
        raise with_others(fault, wanted) from fault
    try:
        closed = write(file, new, Settings, parse(new, file))
    except OSError as error:
        mend = (
            "make room on its disk" if error.errno in NO_ROOM else "run it as the file's owner, or with sudo"
        )
        raise SettingsError(f"{file} cannot be written ({error.strerror})", mend) from error
    if closed:
        print(
            f"polartable: {shown(file)} holds a password: only its owner and its group may read it now",
            file=sys.stderr,
        )
    for setting, value in wanted.items():
        keys = tuple(setting.split("."))
        if value is None:
            value = _in_force(means, keys)
        line = {"setting": setting, "value": masked(value, annotation_of(Settings, keys)), "file": str(file)}
        if (above := named_by(keys)) is not None:
            line["above"] = above
        elif (path := _path(means, keys)) is not None:
            line["path"] = str(path)
        print(json.dumps(line, ensure_ascii=False) if as_json else _told(line))


def _put(document: Any, setting: str, value: Any) -> None:
    import tomlkit

    *sections, key = setting.split(".")
    for name in sections:
        document = document.setdefault(name, tomlkit.table())
        if not isinstance(document, dict):
            raise UsageError(f"{name!r} in {setting!r} is no section", "see: polartable settings show")
    document[key] = value


def _take_out(document: Any, setting: str, file: Path) -> None:
    keys = tuple(setting.split("."))
    if _has(document, keys):
        for name in keys[:-1]:
            document = document[name]
        del document[keys[-1]]
    elif annotation_of(Settings, keys) is None:
        raise SettingsError(f"there is no setting {setting!r} in {file}", "see: polartable settings show")


def _in_force(settings: Settings, keys: tuple[str, ...]) -> Any:
    """What holds where nothing is set: the default, or what a variable says."""
    value: Any = settings.model_dump(mode="json")
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _told(line: dict[str, Any]) -> str:
    """What was set; with the absolute path of a named file, or the variable that overrides it."""
    said = f"{line['setting']} is {json.dumps(line['value'], ensure_ascii=False)}"
    if "above" in line:
        return f"{said} – but {line['above']} is set, and stands above it"
    if "path" in line:
        there = _is_there(Path(line["path"]))
        said += f" ({line['path']}{'' if there else ', which is not there yet'})"
    return f"{said} – the table takes it at its next start"


def _path(settings: Settings, keys: tuple[str, ...]) -> Path | None:
    """The absolute path of the file that a setting names; None if it names none."""
    value: Any = settings
    for key in keys:
        value = getattr(value, key, None)
    return value if isinstance(value, Path) else None


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # this user has no permission to look
        return True


def _file(given: Path | None) -> Path:
    file = given or default_file()
    if file is None:
        raise UsageError(
            "there is no settings file", "name one: --config table.toml, or for `check` the name alone"
        )
    return file


def _faults(file: Path) -> Sequence[PolartableError]:
    """The faults of the file, and of the profiles that it names. Raises SettingsError if it cannot be read."""
    try:
        text = read_text(file)
        return Settings.faults_of(text, file) or _profile_faults(Settings.of_text(text, file))
    except SettingsError as error:
        if isinstance(error.__cause__, OSError):  # there is no such file, or this user may not read it
            raise
        return [error]


def _profile_faults(settings: Settings) -> list[PolartableError]:
    """Profiles that the table could not use; one that no source needs is not checked."""
    from table.senses.ear_profiles import profiles_for
    from table.senses.tap_wire import seat_profile

    ear, trains, found = settings.ear, settings.trainer.recordings is not None, dict[str, PolartableError]()
    # one unusable profile hides the other; if each works without the other, the fault concerns both
    for left_out in ({"shell_profile": None}, {"profile": None}, {}):
        try:
            profiles_for(ear.model_copy(update=left_out), trains)
        except PolartableError as error:
            if left_out or not found or error.cause in found:
                found[error.cause] = error  # prefer the message with both named: it has the right remedy
    if settings.taps.source is not None and settings.taps.profile is not None:
        try:
            seat_profile(settings.taps.profile)
        except PolartableError as error:
            found[error.cause] = error
    return list(found.values())


def _leaves(model: BaseModel, before: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any, str]]:
    plain = model.model_dump(mode="json")
    for name, field in type(model).model_fields.items():
        value = getattr(model, name)
        if isinstance(value, BaseModel):
            yield from _leaves(value, (*before, name))
        else:
            yield (*before, name), plain[name], field.description or ""


def _has(table: Any, keys: tuple[str, ...]) -> bool:
    for key in keys:
        if not isinstance(table, dict) or key not in table:
            return False
        table = table[key]
    return True
