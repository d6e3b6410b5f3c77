"""The one entry point, `polartable`: finds the sub-command, and turns every foreseen error into one sentence.

Exit codes (docs/contracts.md): 0 done · 1 the thing asked about failed · 2 bad usage or bad input.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

import click
import typer
from typer.core import TyperGroup

from firmware_bridge.errors import PolartableError

# name → (module, one line of help); a module has an attribute `app`, a Typer with one command or with a group
COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("table.commands.demo", "The whole product on simulated hardware."),
    "serve": ("table.commands.serve", "The service: page, referee, sensors."),
    "referee": ("table.commands.referee", "A referee on standard input and output, one JSON object a line."),
    "play": ("table.commands.play", "A game in the terminal, for people."),
    "listen": ("table.commands.listen", "Count the beads in what is heard: a device, a file, a folder, or mock."),
    "cubes": ("table.commands.cubes", "Follow the cubes on serial ports, or on mock ones."),
    "calibrate": ("table.commands.calibrate", "Teach the table your own igloos and cubes."),
    "devices": ("table.commands.devices", "What is plugged in, which of it is ours, and why or why not."),
    "doctor": ("table.commands.doctor", "Numbered checks of this machine, each with its mend."),
    "journal": ("table.commands.journal", "The recorded games."),
    "simulate": ("table.commands.simulate", "Simulated recordings, and serial traffic of simulated cubes."),
}


class LazyGroup(TyperGroup):
    """Sub-commands that are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _ = COMMANDS[cmd_name]
        command = typer.main.get_command(importlib.import_module(module).app)
        command.name = cmd_name
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        click.Group.format_help(self, ctx, formatter)


app = typer.Typer(
    cls=LazyGroup,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    epilog="Example: polartable demo --headless",
)


@app.callback()
def _root() -> None:
    """Polartable, the referee that hears and feels the game."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave the process with its exit code."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: list[str]) -> int:
    """Run the command line; the exit code. Foreseen errors become one sentence on standard error."""
    command: Any = typer.main.get_command(app)
    try:
        result = command.main(args=arguments, prog_name="polartable", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message())
        return 2
    except click.ClickException as error:
        print(f"polartable: {_one_line(error)}", file=sys.stderr)
        return 2
    except PolartableError as error:
        print(f"polartable: {error}", file=sys.stderr)
        return 2
    except (click.Abort, KeyboardInterrupt):
        return 130
    except BrokenPipeError:
        # the reader has left (`polartable … | head`): nothing more to say, and nothing for Python to flush at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return result if isinstance(result, int) else 0


def _one_line(error: click.ClickException) -> str:
    text = " ".join(error.format_message().split())
    usage = getattr(error, "ctx", None)
    where = f" – see: {usage.command_path} --help" if usage is not None else ""
    return f"PT-101: {text.rstrip('.')}{where}"
