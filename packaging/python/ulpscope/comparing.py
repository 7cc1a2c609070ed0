"""Compares two things in a line: what is in memory, files, dumps, runs. The metrics are those of ulpscope-cli."""
from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import typing

from . import capturing
from .errors import BadInput, CorruptData, error_of_exit
from .program import call, said_by
from .report import Report, Run, open as open_report
from .temporary import make_folder, remove_folder, remove_with

# What both sides hold in memory is called and laid out as it is meant. What mapping files look for in dumps of other
# programs would take a batch for a sequence, or a weight for its transpose, and call them equal.
_AS_THEY_ARE = (
    "{fused: none, transposed: none, exchanged: none, vocabulary: none, shapes: exact, "
    "loss_scale: none}"
)


@dataclasses.dataclass(frozen=True)
class Comparison:
    """A report, what `ulpscope-cli compare --format json` says of it (docs/cli.md#compare), and what it could not do."""

    report: Report
    verdict: dict[str, typing.Any]
    complaint: str


def compare(a: typing.Any, b: typing.Any, batch: typing.Any = None, *, output: str | os.PathLike[str] | None = None,
            backward: bool = True, loss: typing.Callable[[typing.Any], typing.Any] | None = None,
            names: tuple[str, str] = ("a", "b"), mapping: str | os.PathLike[str] | None = None,
            threads: int | None = None, **recorder_options: typing.Any) -> Report:
    """Compares `b` with the baseline `a` and returns the report.

    a, b      two dicts of tensors (torch, NumPy; nested ones by path), or two modules of torch, or runs of reports, or
              paths of dumps, files of tensors and runs (`FOLDER#RUN`); of different kinds, too
    batch     what the modules get: a tensor, a tuple of arguments or a dict of named ones; moved to each module's device
              and floating-point type
    loss      scalar of a module's output, which is differentiated; default: output.loss, else the sum of the output
    backward  False: no gradients
    output    folder in which the report is kept, new; default: a temporary one, gone with the report. Tensors in memory
              are kept beside it, in `NAME`
    names     of the two in the report
    mapping   file of names of `b` in the words of `a` (docs/mapping.md). Without one, tensors and modules in memory are
              compared as they are, names and shapes too
    others    options of the recorder (docs/recording.md): modules="layers", level="mix", …
    """
    return compare_with_rules(a, b, batch, output=output, backward=backward, loss=loss, names=names, mapping=mapping,
                              threads=threads, **recorder_options).report


def compare_with_rules(a: typing.Any, b: typing.Any, batch: typing.Any = None, *,
                       output: str | os.PathLike[str] | None = None, backward: bool = True, loss: typing.Any = None,
                       names: tuple[str, str] = ("a", "b"), mapping: typing.Any = None, threads: int | None = None,
                       rules: str | None = None, **recorder_options: typing.Any) -> Comparison:
    """Compares as compare(), and asks rules (a name or a file) of every tensor."""
    if names[0] == names[1] or any(not name or "/" in name or name.startswith(".") for name in names):
        raise BadInput(f"names {names}: give two different ones that can be names of folders")
    if recorder_options and not (capturing.is_module(a) or capturing.is_module(b)):
        raise BadInput(f"unknown option: {', '.join(recorder_options)}; options of the recorder are for modules")
    folder = make_folder(_bytes_of(a) + _bytes_of(b)) if output is None else _own_folder(output)
    try:
        comparison = _compared(folder, a, b, batch, backward, loss, names, {"--map": mapping, "--threads": threads,
                                                                            "--rules": rules}, recorder_options)
    except BaseException:
        if output is None:
            remove_folder(folder)
        raise
    if output is None:
        comparison.report.is_temporary = True
        remove_with(comparison.report, folder)
    return comparison


def _own_folder(output: str | os.PathLike[str]) -> pathlib.Path:
    folder = pathlib.Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise BadInput(f"{folder}: is not empty; choose another folder")
    return folder


def _compared(folder: pathlib.Path, a: typing.Any, b: typing.Any, batch: typing.Any, backward: bool, loss: typing.Any,
              names: tuple[str, str], options: dict[str, typing.Any], recorder_options: dict[str, typing.Any]) -> Comparison:
    are_modules = capturing.is_module(a) and capturing.is_module(b)
    sides = [_side(value, folder / name, batch, backward, loss, recorder_options, are_modules)
             for value, name in zip((a, b), names)]
    if options["--map"] is None and all(isinstance(value, dict) or capturing.is_module(value) for value in (a, b)):
        options["--map"] = folder / "mapping.yaml"
        options["--map"].write_text(_AS_THEY_ARE, "utf-8")
    arguments = ["compare", *sides, "--report", str(folder / "report"), "--format", "json", "--quiet"]
    for option, value in options.items():
        if value is not None:
            arguments += [option, str(value)]
    done = call(arguments, accepts=(0, 1, 2) if options["--rules"] else (0,))
    if done.returncode == 2 and not done.stdout.strip():
        raise error_of_exit(2, said_by(done.stderr))
    # Of rules that could not be decided it says nothing there.
    complaint = said_by(done.stderr) if done.returncode == 2 and done.stderr.strip() else ""
    try:
        return Comparison(open_report(folder / "report"), json.loads(done.stdout), complaint)
    except ValueError as error:
        raise CorruptData(f"ulpscope-cli compare wrote no JSON: {error}") from error


def _bytes_of(value: typing.Any) -> int:
    """Estimates what is written of a side."""
    if capturing.is_module(value):
        return 4 * sum(parameter.nbytes for parameter in value.parameters())
    if isinstance(value, dict):
        return sum(elements.size_in_bytes for elements in capturing.elements_of(value, "a dict").values())
    return 0


def _side(value: typing.Any, folder: pathlib.Path, batch: typing.Any, backward: bool, loss: typing.Any,
          options: dict[str, typing.Any], are_modules: bool) -> str:
    """Puts a side into files and returns what ulpscope-cli is to read."""
    if capturing.is_module(value):
        capturing.record_module(value, folder, batch, backward, loss, options, is_whole=are_modules)
        return str(folder)
    if isinstance(value, Run):
        return f"{value.report.path.parent}#{value.name}"
    if isinstance(value, Report):
        raise BadInput(f"{value!r}: name one of its runs: report.runs['NAME']")
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, dict):
        capturing.write_dict(value, folder)
        return str(folder)
    raise BadInput(f"{type(value).__name__}: is neither a dict of tensors nor a module, a run or a path")
