"""Pictures of a report, drawn by the code that draws the window's."""
from __future__ import annotations

import functools
import os
import pathlib
import tempfile
import typing

from .errors import BadInput
from .program import call


class Figure:
    """A picture, drawn when it is first shown. A notebook shows it by itself; save() writes a file."""

    def __init__(self, report: pathlib.Path, what: str, *, format: str = "svg", metric: str | typing.Sequence[str] = (),
                 pass_: str | typing.Sequence[str] = (), variant: str | typing.Sequence[str] = (),
                 size: tuple[int, int] | None = None, scale: float | None = None, noise: str | None = None):
        if format not in ("svg", "png"):
            raise BadInput(f"format '{format}'; choose svg or png, or save() another one")
        self._report, self._what, self._format = report, what, format
        self._arguments = ["--what", what]
        for option, values in (("--metric", metric), ("--pass", pass_), ("--variant", variant)):
            for value in [values] if isinstance(values, str) else values:
                self._arguments += [option, value]
        self._size = [] if size is None else ["--size", f"{size[0]}x{size[1]}"]
        if noise is not None:
            self._arguments += ["--noise", noise]
        self._scale = [] if scale is None else ["--scale", str(scale)]

    def save(self, path: str | os.PathLike[str]) -> pathlib.Path:
        """Writes the picture, or its numbers; the ending says how: .svg, .png, .pdf, .csv, .xlsx …"""
        ending = pathlib.Path(path).suffix.lower()
        sized = (self._size if ending in (".png", ".svg", ".pdf") else []) + (self._scale if ending == ".png" else [])
        call(["export", str(self._report), "-o", os.fspath(path), *self._arguments, *sized])
        return pathlib.Path(path)

    @functools.cached_property
    def svg(self) -> str:
        """Draws it as SVG."""
        return self._drawn("svg").decode("utf-8")

    @functools.cached_property
    def png(self) -> bytes:
        """Draws it as PNG."""
        return self._drawn("png")

    def _drawn(self, format: str) -> bytes:
        with tempfile.TemporaryDirectory(prefix="ulpscope-") as folder:
            return self.save(pathlib.Path(folder) / f"figure.{format}").read_bytes()

    def _repr_svg_(self) -> str | None:
        return self.svg if self._format == "svg" else None

    def _repr_png_(self) -> bytes | None:
        return self.png if self._format == "png" else None

    def __repr__(self) -> str:
        return f"<Figure {self._what} of {self._report}>"
