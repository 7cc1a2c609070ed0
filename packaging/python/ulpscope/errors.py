"""What can go wrong, as types. Every message names what, where and the remedy."""
from __future__ import annotations

import re
import typing


class UlpscopeError(Exception):
    """Base of all errors of this package but MissingPackage and AssertionError.

    report    of a study that ended early: what it finished, or None
    """

    code = "internal error"
    report: typing.Any = None


class BadInput(UlpscopeError):
    """Wrong use, or a file that is missing, broken or newer (exit code 2 of ulpscope-cli)."""

    code = "invalid argument"


class NotFound(BadInput):
    """Names a file, run, tensor or device that does not exist."""

    code = "not found"


class CorruptData(BadInput):
    """A file contradicts itself or its format."""

    code = "corrupt data"


class Unsupported(BadInput):
    """Understood, but this version cannot do it."""

    code = "unsupported"


class RunFailed(UlpscopeError):
    """A run failed, or the machine refused (exit code 3 of ulpscope-cli)."""

    code = "run failed"


class InputOutputFailed(RunFailed):
    """The operating system refused to read or write."""

    code = "i/o error"


class OutOfMemory(RunFailed):
    """The processor's or the device's memory is full."""

    code = "out of memory"


class DeviceFailed(RunFailed):
    """A CUDA device failed."""

    code = "device error"


class Cancelled(UlpscopeError):
    """Somebody stopped the work; what was finished is kept."""

    code = "cancelled"


class MissingPackage(ImportError):
    """A Python package that is optional is not installed."""


_BY_CODE = {kind.code: kind for kind in (BadInput, NotFound, CorruptData, Unsupported, InputOutputFailed, OutOfMemory,
                                         DeviceFailed, RunFailed, Cancelled)}
_BY_EXIT = {2: BadInput, 3: RunFailed, 130: Cancelled}


def call_file(error: UlpscopeError, file: typing.Any, name: str) -> UlpscopeError:
    """Has a message call a file that was written for this call alone by a name that the caller knows."""
    message = re.sub(re.escape(str(file)) + r"(:\d+(:\d+)?)?", lambda _: name, str(error))
    error.args = (message,)
    return error


def error_of_code(code: str, message: str) -> UlpscopeError:
    """Makes the error of an `error_code` of docs/events.md."""
    return _BY_CODE.get(code, RunFailed)(message)


def error_of_exit(status: int, message: str) -> UlpscopeError:
    """Makes the error of an exit code of ulpscope-cli."""
    if status < 0 or status not in _BY_EXIT:
        return RunFailed(f"ulpscope-cli ended with {status}: {message}")
    return _BY_EXIT[status](message)


def optional(name: str, what_for: str, package: str | None = None) -> typing.Any:
    """Imports an optional package, or says how to install it."""
    import importlib
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingPackage(f"{what_for} needs {name}, which cannot be imported ({error}); "
                             f"install it: pip install {package or name}") from error
