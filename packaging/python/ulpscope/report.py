"""Reports: what a study or a comparison found, read from precision_report.json (docs/formats/report.md)."""
from __future__ import annotations

import collections.abc
import json
import os
import pathlib
import typing

from . import figures, tables, tensors
from .errors import BadInput, CorruptData, NotFound
from .program import call
from .rows import Row, number, real, row_of
from .temporary import make_folder, remove_folder, remove_with

_SCHEMA = "ulpscope.report/1"
_FILE = "precision_report.json"


class Run:
    """One run of a report. `report.runs["bf16"]`; two of them can be compared (ulpscope.compare)."""

    def __init__(self, report: Report, name: str, facts: dict[str, typing.Any]):
        self.report, self.name, self.facts = report, name, facts

    @property
    def is_reference(self) -> bool:
        """Tells whether the others are compared with this one."""
        return self.name == self.report.reference

    @property
    def status(self) -> str:
        """Says how far it came: "finished", "failed" …"""
        return self.facts.get("status", "")

    @property
    def loss(self) -> float | None:
        """Returns the loss, or None where nobody measured it."""
        return number(self.facts.get("loss"))

    def rows(self, pass_: str | None = None) -> list[Row]:
        """Lists its tensors as they compare with the reference's."""
        return self.report.rows(self.name, pass_)

    def __repr__(self) -> str:
        return f"<Run {self.name} of {self.report.path}: {self.status}>"


class Report:
    """A report. Nothing here changes it."""

    def __init__(self, path: pathlib.Path, content: dict[str, typing.Any], is_temporary: bool = False,
                 source: str | None = None):
        self.path = path
        self.content = content
        self.is_temporary = is_temporary  # its files go with it
        self._rows: dict[str, list[Row]] = {}
        self._stored = tensors.StoredTensors(source or str(path), content)

    @property
    def reference(self) -> str:
        """Names the run that the others are compared with; empty for one dump alone."""
        return self.content.get("reference", "")

    @property
    def runs(self) -> dict[str, Run]:
        """Lists the runs by name, the reference first."""
        return {name: Run(self, name, facts) for name, facts in self.content.get("runs", {}).items()}

    @property
    def metrics(self) -> list[str]:
        """Lists the ids of the metrics."""
        return list(self.content.get("metrics", []))

    @property
    def findings(self) -> list[dict[str, typing.Any]]:
        """Lists what the rules found, as docs/formats/report.md has it."""
        return list(self.content.get("findings", []))

    @property
    def summary(self) -> dict[str, dict[str, dict[str, float | None]]]:
        """Returns quantity → run → column → value; None where a column was not captured."""
        return {quantity: {run: {column: real(value) for column, value in cells.items()}
                           for run, cells in runs.items()}
                for quantity, runs in self.content.get("summary", {}).items()}

    def rows(self, run: str | None = None, pass_: str | None = None) -> list[Row]:
        """Lists the tensors of a run, in order of execution. Without `run`: of the only one that was compared."""
        name = self._compared(run)
        if name not in self._rows:
            found = self.content["comparisons"][name]
            self._rows[name] = [row_of(name, row, self.metrics) for row in found]
        return [row for row in self._rows[name] if pass_ is None or row.pass_ == pass_]

    def row(self, name: str, pass_: str = "forward", run: str | None = None) -> Row:
        """Returns the row of one tensor."""
        for row in self.rows(run):
            if row.name == name and row.pass_ == pass_:
                return row
        raise NotFound(f"{self.path}: no row '{name}', {pass_}; rows() lists them")

    def rows_of_all_runs(self) -> list[Row]:
        """Lists the rows of every run that was compared."""
        return [row for run in self.content.get("comparisons", {}) for row in self.rows(run)]

    def to_pandas(self, table: str = "rows") -> typing.Any:
        """Makes a pandas.DataFrame of "rows" (with all metrics), "findings", "summary" or "runs"."""
        return tables.to_pandas(self, table)

    def to_arrow(self, table: str = "rows") -> typing.Any:
        """Makes a pyarrow.Table, as to_pandas()."""
        return tables.to_arrow(self, table)

    def tensor(self, run: str, name: str, pass_: str = "forward") -> typing.Any:
        """Maps a tensor that the run kept as an array of NumPy, which copies nothing. Types that NumPy has not
        (bfloat16, float8) come as float32. A subsample (capture.tensors: sampled) comes flat. Of dumps of several steps
        or ranks the baseline of one is the run "BASELINE: step 0, rank 1"."""
        return self._stored.elements(run, name, pass_).numbers()

    def torch_tensor(self, run: str, name: str, pass_: str = "forward") -> typing.Any:
        """Returns such a tensor as one of torch, of its own type (of uint16, uint32 and uint64 the signed one that holds
        its numbers). Do not write into it: the file is mapped."""
        return self._stored.elements(run, name, pass_).to_torch()

    def tensors(self, run: str) -> list[tensors.StoredTensor]:
        """Lists the tensors that a run kept, or that a dump recorded."""
        return self._stored.list(run)

    def figure(self, what: str = "depth", **options: typing.Any) -> figures.Figure:
        """Draws a picture as the window does: "depth", "summary", "heatmap" … (docs/cli.md#export).

        Options: metric, pass_, variant (a text or a list), format ("svg" or "png"), size ((width, height)), scale.
        """
        return figures.Figure(self.path, what, **options)

    def export(self, path: str | os.PathLike[str], *arguments: str) -> pathlib.Path:
        """Writes the report to a file, whose ending says how: .html, .pdf, .xlsx, .md, .csv …; further arguments are
        those of `ulpscope-cli export`."""
        call(["export", str(self.path), "-o", os.fspath(path), *arguments])
        return pathlib.Path(path)

    def text(self, *arguments: str) -> str:
        """Returns the report as `ulpscope-cli report` prints it; further arguments are its own."""
        return call(["report", str(self.path), "--format", "text", *arguments]).stdout

    def _compared(self, run: str | None) -> str:
        compared = self.content.get("comparisons", {})
        if run is None and len(compared) == 1:
            return next(iter(compared))
        if run is None:
            raise BadInput(f"{self.path}: several runs were compared; name one: {', '.join(compared)}")
        if run not in compared:
            raise NotFound(f"{self.path}: no rows of a run '{run}'; compared were: {', '.join(compared) or 'none'}")
        return run

    def __repr__(self) -> str:
        model = self.content.get("model", {}).get("name", "")
        compared = ", ".join(self.content.get("comparisons", {}))
        return f"<Report {self.path}: {model}: {compared} against {self.reference}>"


def open(path: str | os.PathLike[str]) -> Report:  # noqa: A001 called ulpscope.open
    """Opens a run folder or a precision_report.json. Dumps, reports of Fast-LLM, and what lies at an address
    (ssh://host/path), go through ulpscope-cli."""
    if isinstance(path, str) and path.startswith("ssh://"):
        return _converted(path)
    place = pathlib.Path(path)
    if not place.exists():
        raise NotFound(f"{place}: no such file or folder")
    file = place / _FILE if place.is_dir() else place
    if file.is_file() and file.suffix == ".json":
        content = _read(file)
        if "schema" in content:
            return Report(file, content)
    return _converted(str(place))


def _read(file: pathlib.Path) -> dict[str, typing.Any]:
    try:
        content = json.loads(file.read_bytes())
    except ValueError as error:
        raise CorruptData(f"{file}: no JSON: {error}") from error
    if not isinstance(content, dict):
        raise CorruptData(f"{file}: no object, thus no report")
    schema = content.get("schema", _SCHEMA)
    if schema != _SCHEMA:
        raise BadInput(f"{file}: schema {schema}, and this version reads {_SCHEMA}; update Ulpscope")
    for key in ("runs", "comparisons"):
        if not isinstance(content.get(key, {}), collections.abc.Mapping):
            raise CorruptData(f"{file}: {key}: no object")
    return content


def _converted(source: str) -> Report:
    folder = make_folder()
    try:
        call(["report", source, "--format", "json", "-o", str(folder / _FILE)])
        content = _read(folder / _FILE)
        # Those of dumps are found by the places that the report names.
        report = Report(folder / _FILE, content, is_temporary=True, source=None if content.get("dumps") else source)
    except BaseException:
        remove_folder(folder)
        raise
    remove_with(report, folder)
    return report
