"""Folders that go with the object that needs them."""
from __future__ import annotations

import pathlib
import shutil
import tempfile
import typing
import weakref

_MEMORY = pathlib.Path("/dev/shm")
_SPARE = 1 << 28


def make_folder(needs: int = 0) -> pathlib.Path:
    """Makes a folder in memory where `needs` bytes have room twice, else on the disk. Who makes it removes it."""
    place = None
    try:
        if needs and _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > 2 * needs + _SPARE:
            place = _MEMORY
        return pathlib.Path(tempfile.mkdtemp(prefix="ulpscope-", dir=place))
    except OSError:
        return pathlib.Path(tempfile.mkdtemp(prefix="ulpscope-"))


def remove_folder(folder: pathlib.Path) -> None:
    """Removes a folder with all in it; what is mapped stays readable until it is let go."""
    shutil.rmtree(folder, ignore_errors=True)


def remove_with(owner: typing.Any, folder: pathlib.Path) -> None:
    """Removes a folder when nobody has `owner` any more, or Python ends."""
    weakref.finalize(owner, remove_folder, folder)
