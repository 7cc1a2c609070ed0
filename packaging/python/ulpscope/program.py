"""Finds ulpscope-cli and calls it."""
from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
import typing

from .errors import NotFound, error_of_exit

_NAME = "ulpscope-cli"
_PREFIX = _NAME + ": "


def _candidates() -> typing.Iterator[pathlib.Path]:
    here = pathlib.Path(__file__).resolve()
    yield here.parent / "bin" / _NAME
    yield pathlib.Path(sys.executable).parent / _NAME
    found = shutil.which(_NAME)
    if found:
        yield pathlib.Path(found)
    # A checkout of Ulpscope: packaging/python/ulpscope/program.py.
    yield here.parents[3] / "build" / "whole" / "bin" / _NAME


def find_program() -> str:
    """Returns the path of ulpscope-cli: $ULPSCOPE_CLI, else beside this package, beside Python, on PATH."""
    named = os.environ.get("ULPSCOPE_CLI")
    if named:
        if os.access(named, os.X_OK) and os.path.isfile(named):
            return named
        raise NotFound(f"$ULPSCOPE_CLI: {named} is no program; correct the variable, or unset it")
    for path in _candidates():
        if path.is_file() and os.access(path, os.X_OK):
            return str(path)
    raise NotFound(f"{_NAME} is neither beside the package nor on PATH; install Ulpscope, "
                   f"or name the program in $ULPSCOPE_CLI")


def environment() -> dict[str, str]:
    """Returns the variables for ulpscope-cli: its Python engine is this Python, unless told otherwise."""
    variables = dict(os.environ)
    variables.setdefault("ULPSCOPE_PYTHON", sys.executable)
    return variables


def _become(name: str) -> typing.NoReturn:
    """Replaces this process by a program of the wheel, with the same arguments."""
    path = pathlib.Path(__file__).resolve().parent / "bin" / name
    os.execve(path, [name, *sys.argv[1:]], environment())


def run_command_line() -> typing.NoReturn:
    """Is `ulpscope-cli` where the wheel was installed."""
    _become(_NAME)


def run_window() -> typing.NoReturn:
    """Is `ulpscope` where the wheel was installed."""
    _become("ulpscope")


def said_by(standard_error: str) -> str:
    """Takes the message out of what ulpscope-cli wrote to standard error."""
    lines = [line for line in standard_error.splitlines() if line.strip()]
    own = [line.removeprefix(_PREFIX) for line in lines if line.startswith(_PREFIX)]
    return "\n".join(own or lines[-5:]) or "it said nothing"


def call(arguments: typing.Sequence[str], accepts: typing.Collection[int] = (0,)) -> subprocess.CompletedProcess[str]:
    """Runs ulpscope-cli to its end. Raises the typed error of an exit code that is not in `accepts`."""
    done = subprocess.run([find_program(), *arguments], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
                          errors="replace", env=environment(), check=False)
    if done.returncode not in accepts:
        raise error_of_exit(done.returncode, said_by(done.stderr))
    return done
