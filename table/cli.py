"""The one entry point, `polartable`: finds the sub-command, and turns every foreseen error into one sentence.

Exit codes (docs/contracts.md): 0 done · 1 the thing asked about failed · 2 bad usage or bad input. An interrupt is 130.
"""

from __future__ import annotations

try:  # the longest part of a start: Ctrl-C in it is not a defect either
    import contextlib
    import difflib
    import errno
    import functools
    import importlib
    import os
    import select
    import sys
    import traceback
    from collections.abc import Callable
    from pathlib import Path
    from typing import Annotated, Any, TextIO

    import typer
    from typer.core import TyperGroup

    from firmware_bridge.errors import PolartableError, UsageError
    from firmware_bridge.host.shown import shown
    from sensors.interrupted import interrupted
    from table.letters import for_people, for_programs
    from table.terminal.width import at_spaces
except KeyboardInterrupt:
    raise SystemExit(130) from None

# name → (module, one line of help); a module has an attribute `app`, a Typer with one command or with a group
COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("table.commands.demo", "The whole product on simulated hardware."),
    "serve": ("table.commands.serve", "The service: page, referee, sensors."),
    "hub": ("table.commands.hub", "All tables of a club or a fair on one page, or as lines."),
    "referee": ("table.commands.referee", "The rules for other programs, in JSON Lines."),
    "play": ("table.commands.play", "A game in the terminal, for people."),
    "listen": (
        "table.commands.listen",
        "Count the beads in what is heard: a device, a file, a folder, or mock.",
    ),
    "cubes": ("table.commands.cubes", "Follow the cubes on serial ports, or on mock ones."),
    "calibrate": ("table.commands.calibrate", "Teach the table your own igloos and cubes."),
    "devices": (
        "table.commands.devices",
        "Serial ports and sound inputs: which are ours, and how that was told.",
    ),
    "doctor": ("table.commands.doctor", "Check this machine, and say how to mend what is amiss."),
    "setup": ("table.commands.setup", "Make this machine a table that starts by itself, and take it back."),
    "settings": ("table.commands.settings", "The settings of the table: show, check, set."),
    "journal": ("table.commands.journal", "The recorded games."),
    "report": (
        "table.commands.report",
        "What happened at this table, in one file, without names and secrets.",
    ),
    "train": ("table.commands.train", "Train your own ear: hear an igloo, guess, learn what you confuse."),
    "simulate": (
        "table.commands.simulate",
        "Simulated recordings, and simulated cubes, igloos and seats on ports.",
    ),
}


class LazyGroup(TyperGroup):
    """Sub-commands that are imported only when they are called."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        module, _ = COMMANDS[cmd_name]
        command = _built(importlib.import_module(module).app)
        command.name = cmd_name
        return command

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            close = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f"did you mean {close[0]}?" if close else "polartable --help lists them"
            raise UsageError(f"there is no command {args[0]!r}", hint)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        # the table above has all the text: no command is imported just for its line of help
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@functools.cache  # slower than most commands: a process that runs several builds each once
def _built(described: typer.Typer) -> Any:
    command = typer.main.get_command(described)
    _want_names(command)
    return command


def _want_names(command: Any) -> None:
    """Reject empty paths: with `--out "$OUT"` and no OUT in the shell, Python would take the working directory."""
    for parameter in command.params:
        parameter.process_value = functools.partial(_named, parameter.process_value)
    for below in getattr(command, "commands", {}).values():
        _want_names(below)


def _named(plain: Callable[[Any, Any], Any], context: Any, value: Any) -> Any:
    meant = plain(context, value)
    for said, path in zip(_each(value), _each(meant), strict=False):
        if said == "" and isinstance(path, Path):
            raise typer.BadParameter("the name is empty")
    return meant


def _each(value: Any) -> Any:
    return value if isinstance(value, list | tuple) else [value]


app = typer.Typer(
    cls=LazyGroup,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    epilog="Example: polartable demo --headless",
)


def _tell_version(wanted: bool) -> None:
    if wanted:
        from importlib import metadata

        try:
            version = metadata.version("polartable")
        except metadata.PackageNotFoundError:
            version = "of a folder that is not installed"
        typer.echo(f"polartable {version}")
        raise typer.Exit()


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Tell the version.")
    ] = False,
) -> None:
    """Polartable, the referee that hears and feels the game."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    try:
        sys.exit(run(sys.argv[1:] if arguments is None else arguments))
    except KeyboardInterrupt:  # before Typer handles it, or after
        sys.exit(130)
    finally:
        _keep_the_exit_code()


def run(arguments: list[str]) -> int:
    """Run the command line and return the exit code. Foreseen errors become one sentence on standard error."""
    command = _built(app)
    answers = sys.stdout is not None
    _open_what_is_closed()
    if not answers:
        return _told(
            UsageError("standard output is closed, so nothing can be said", "send it somewhere: > /dev/null")
        )
    for_people(sys.stderr)
    (for_programs if "--json" in arguments else for_people)(sys.stdout)
    try:
        result = command.main(args=arguments, prog_name="polartable", standalone_mode=False)
        sys.stdout.flush()  # report a failed write here, not by Python at exit
    except PolartableError as error:
        return _told(error)
    except typer.Abort:
        return 130
    except typer.TyperException as error:
        return _bad_usage(error)
    except BrokenPipeError as error:
        return _broken_pipe(error)
    except SystemExit as left:
        if isinstance(left.__context__, BrokenPipeError):  # Typer catches it first, and calls it a failure
            return _broken_pipe(left.__context__)
        raise
    except OSError as error:
        return _of_the_disk(error)
    except Exception as error:
        return 130 if interrupted(error) else _defect(error)
    return result if isinstance(result, int) else 0


def _say(sentence: str) -> None:
    """Print for people. If even that cannot be written, the exit code has to do."""
    with contextlib.suppress(OSError):
        print(at_spaces(f"polartable: {shown(sentence)}", sys.stderr), file=sys.stderr)


def _told(error: PolartableError) -> int:
    _say(str(error))
    return 2


def _of_the_disk(error: OSError) -> int:
    """A full disk, somebody else's file, a name that is too long; anything else was not foreseen."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        _say_no_more()
        _say("PT-601: there is no room to write what is said – make room, or send it elsewhere")
        return 2
    if isinstance(error, PermissionError) and error.filename:
        return _told(
            UsageError(
                f"{error.filename} is not for this user ({error.strerror})",
                "check who owns it and the folders that it is in, or name another place",
            )
        )
    if error.errno != errno.ENAMETOOLONG:
        return _defect(error)
    _say(f"{str(error.filename)[:60]}… is too long for a name – shorten it")
    return 2


def _open_what_is_closed() -> None:
    """Reopen streams closed by `<&-` or `2>&-`: else the next opened file gets the number, and receives our
    messages."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def _broken_pipe(error: BrokenPipeError) -> int:
    """`polartable … | head`: the reader has gone, so there is nothing more to say."""
    out = sys.__stdout__
    if out is None or not _nobody_reads(out.fileno()):
        return _defect(error)  # it was another pipe
    _say_no_more()
    return 0


def _say_no_more() -> None:
    """Discard what Python would still flush at exit."""
    if sys.__stdout__ is not None:
        _to_nowhere(sys.__stdout__)


def _keep_the_exit_code() -> None:
    """Keep our exit code if a full log rejects messages for people; Python would exit with 120 for that."""
    if sys.__stderr__ is None:
        return
    try:
        sys.__stderr__.flush()
    except OSError:
        _to_nowhere(sys.__stderr__)


def _to_nowhere(stream: TextIO) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _nobody_reads(pipe: int) -> bool:
    asked = select.poll()
    asked.register(pipe, 0)
    return any(event & select.POLLERR for _, event in asked.poll(0))


def _defect(error: Exception) -> int:
    """An unforeseen error: one sentence for the person at the table, the traceback for whoever asks for it."""
    if os.environ.get("POLARTABLE_DEBUG"):
        raise error
    where = traceback.extract_tb(error.__traceback__)[-1]
    _say(
        f"PT-100: a defect of ours in {where.name} ({type(error).__name__}: {error}) – "
        "run it again with POLARTABLE_DEBUG=1 and report what it prints"
    )
    return 1


def _bad_usage(error: typer.TyperException) -> int:
    message = getattr(error, "format_message", lambda: str(error))()
    context = getattr(error, "ctx", None)
    # a group without a command: its help is the answer, not an error's sentence
    if type(error).__name__ == "NoArgsIsHelpError":
        print(message)
        return 2
    mend = f"see: {context.command_path} --help" if context is not None else "see: polartable --help"
    return _told(UsageError(" ".join(message.split()).rstrip("."), mend))
