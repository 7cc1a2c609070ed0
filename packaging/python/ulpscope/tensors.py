"""Tensors that runs kept: ulpscope-cli says where the elements of each lie, and they are mapped there."""
from __future__ import annotations

import dataclasses
import json
import os
import typing

from .elements import Elements
from .errors import BadInput, CorruptData, NotFound, error_of_code, error_of_exit
from .program import call, said_by
from .temporary import make_folder, remove_folder

_Found = dict[str, typing.Any]
_Key = tuple[str, str, str]


@dataclasses.dataclass(frozen=True)
class StoredTensor:
    """What is kept of a tensor. `stride`, in elements, where it is a subsample, else 1; `shape` is the tensor's."""

    name: str
    module: str
    layer: int
    pass_: str
    dtype: str
    shape: tuple[int, ...]
    stride: int


class StoredTensors:
    """Finds tensors of a report's runs, whatever format they are in."""

    def __init__(self, source: str, content: dict[str, typing.Any]):
        self._source, self._content = source, content
        self._found: dict[_Key, _Found] = {}
        self._asked: set[str] = set()

    def elements(self, run: str, name: str, pass_: str) -> Elements:
        """Maps a tensor by its row. What lies in no file as it is, is unpacked first."""
        self._check(run)
        key = run, name, pass_
        found = self._found.get(key)
        if found is None or not _lies_there_yet(found):
            found = self._find(key)
        if "problem" in found:
            raise error_of_code(found["problem"]["code"], found["problem"]["message"])
        return _mapped(found["place"]) if found["place"] else self._unpacked(key)

    def list(self, run: str) -> list[StoredTensor]:
        """Lists what is kept of a run, in the order in which it was made."""
        self._check(run)
        return [StoredTensor(found["name"], found["module"], found["layer"], found["pass"], found["dtype"],
                             tuple(found["shape"]), found["stride"]) for found in self._ask(run)]

    def _check(self, run: str) -> None:
        runs = self._content.get("runs", {})
        reference = self._content.get("reference", "")
        units = [name for name, rows in self._content.get("comparisons", {}).items() if rows]
        if self._content.get("dumps") and reference and len(units) > 1:
            # Of several steps or ranks each has a baseline of its own.
            baselines = [f"{reference}: {unit}" for unit in units]
            if run == reference:
                raise BadInput(f"'{run}' has several units; name one: {', '.join(map(repr, baselines))}")
            runs = [*runs, *baselines]
        if run not in runs:
            raise NotFound(f"no run '{run}'; runs are: {', '.join(runs)}")

    def _find(self, key: _Key) -> _Found:
        """Asks for one tensor; who wants a second one of the run gets the places of all."""
        run, name, pass_ = key
        self._ask(run, *(() if run in self._asked else ("--pass", pass_, "--", name)))
        self._asked.add(run)
        if key not in self._found:
            raise NotFound(f"{self._source}: no tensor '{name}', {pass_}, of '{run}'; tensors('{run}') lists them")
        return self._found[key]

    def _ask(self, run: str, *arguments: str) -> list[_Found]:
        done = call(["inspect", self._source, "--format", "json", "--run", run, *arguments], accepts=(0, 2, 3))
        try:
            answer = json.loads(done.stdout)
            tensors = answer["tensors"]
            for found in tensors:
                self._found[(found["run"], found["name"], found["pass"])] = found
        except (ValueError, KeyError, TypeError) as error:
            if done.returncode:
                raise error_of_exit(done.returncode, said_by(done.stderr)) from None
            raise CorruptData(f"ulpscope-cli inspect wrote no JSON: {error}") from error
        if "problem" in answer:
            raise error_of_code(answer["problem"]["code"], answer["problem"]["message"].removeprefix("--run: "))
        return tensors

    def _unpacked(self, key: _Key) -> Elements:
        run, name, pass_ = key
        folder = make_folder(_size_of(self._found[key]))
        try:
            found = next(iter(self._ask(run, "--pass", pass_, "--unpack", str(folder), "--", name)), None)
            del self._found[key]  # the folder goes
            if found is None or not found["place"]:
                raise CorruptData(f"{self._source}: '{name}', {pass_}, of '{run}' is gone; open the report anew")
            elements = _mapped(found["place"])
            values = elements.bits()
        finally:
            remove_folder(folder)
        return Elements(elements.dtype, elements.shape, lambda: values, self._source)


def _mapped(place: _Found) -> Elements:
    return Elements.map_file(place["file"], place["offset"], place["bytes"], place["dtype"], tuple(place["shape"]))


def _lies_there_yet(found: _Found) -> bool:
    place = found["place"]
    if not place:
        return "problem" not in found
    try:
        status = os.stat(place["file"])
    except OSError:
        return False
    return (status.st_size, status.st_mtime_ns) == (place["file_bytes"], place["modified"])


def _size_of(found: _Found) -> int:
    size = 8
    for extent in found["shape"]:
        size *= extent
    return size
