"""Columns of a report, and the tables that pandas and Arrow make of them."""
from __future__ import annotations

import collections
import json
import typing

from .errors import BadInput, optional
from .rows import Row, number

if typing.TYPE_CHECKING:
    from .report import Report

Columns = dict[str, list[typing.Any]]
_NAN = float("nan")
_TEXTS = {"run", "name", "module", "level", "pass", "dtype", "reference_dtype", "rule", "severity", "title",
          "explanation", "runs", "sites", "status", "role", "error", "quantity", "column",
          "numbers"}


def _rows(report: Report) -> Columns:
    rows = report.rows_of_all_runs()
    columns: Columns = {
        "run": [row.run for row in rows], "name": [row.name for row in rows], "module": [row.module for row in rows],
        "layer": [row.layer for row in rows], "level": [row.level for row in rows], "pass": [row.pass_ for row in rows],
        "shape": [list(row.shape) for row in rows], "dtype": [row.dtype for row in rows],
        "reference_dtype": [row.reference_dtype for row in rows], "count": [row.count for row in rows],
        "compared": [row.compared for row in rows]}
    for metric in report.metrics:
        columns[metric] = [row.metrics.get(metric, _NAN) for row in rows]
    columns["gain_error"] = [_NAN if row.gain_error is None else row.gain_error for row in rows]
    columns["nonfinite_reference"] = [_count(row, "reference") for row in rows]
    columns["nonfinite"] = [_count(row, "variant") for row in rows]
    for metric in dict.fromkeys(name for row in rows for name in row.spread):
        for part in ("sd", "min", "max"):
            columns[f"{metric}_{part}"] = [row.spread.get(metric, {}).get(part, _NAN) for row in rows]
    return columns


def _count(row: Row, side: str) -> int:
    return sum((row.nonfinite.get(side) or {}).values())


def _findings(report: Report) -> Columns:
    columns: Columns = {name: [] for name in ("rule", "severity", "title", "explanation", "runs", "sites", "numbers")}
    for finding in report.findings:
        for name in ("rule", "severity", "title", "explanation"):
            columns[name].append(finding.get(name, ""))
        columns["runs"].append(", ".join(finding.get("runs") or []))
        columns["sites"].append("; ".join(f"{site['name']}, {site['pass']}" for site in finding.get("sites") or []))
        columns["numbers"].append(json.dumps(finding.get("numbers") or {}))
    return columns


def _summary(report: Report) -> Columns:
    columns: Columns = {"quantity": [], "run": [], "column": [], "value": []}
    for quantity, runs in report.summary.items():
        for run, cells in runs.items():
            for column, value in cells.items():
                for name, cell in zip(columns, (quantity, run, column, _NAN if value is None else value)):
                    columns[name].append(cell)
    return columns


def _runs(report: Report) -> Columns:
    columns: Columns = collections.defaultdict(list)
    for name, run in report.runs.items():
        columns["run"].append(name)
        for key in ("status", "role", "error"):
            columns[key].append(run.facts.get(key) or "")
        for key in ("loss", "seconds", "peak_bytes"):
            value = number(run.facts.get(key))
            columns[key].append(_NAN if value is None else float(value))
    return dict(columns)


_TABLES = {"rows": _rows, "findings": _findings, "summary": _summary, "runs": _runs}


def columns_of(report: Report, table: str) -> Columns:
    """Makes the columns of a table: "rows", "findings", "summary" or "runs"."""
    if table not in _TABLES:
        raise BadInput(f"no table '{table}'; choose {', '.join(_TABLES)}")
    return _TABLES[table](report)


def to_pandas(report: Report, table: str) -> typing.Any:
    """Makes a DataFrame."""
    return optional("pandas", "to_pandas()").DataFrame(columns_of(report, table))


def to_arrow(report: Report, table: str) -> typing.Any:
    """Makes a pyarrow.Table, of the same types whatever the report holds."""
    arrow = optional("pyarrow", "to_arrow()")
    columns = columns_of(report, table)
    whole = {"layer", "count", "compared", "nonfinite_reference", "nonfinite"}

    def type_of(name: str) -> typing.Any:
        if name in _TEXTS:
            return arrow.string()
        if name == "shape":
            return arrow.list_(arrow.int64())
        return arrow.int64() if name in whole else arrow.float64()
    return arrow.table({name: arrow.array(values, type_of(name)) for name, values in columns.items()})
