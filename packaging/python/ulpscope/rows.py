"""Rows of a report: a tensor of a run, compared with the reference's."""
from __future__ import annotations

import dataclasses
import typing

_NAMED = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


def number(value: typing.Any) -> typing.Any:
    """Turns the texts that stand for numbers that JSON lacks into floats."""
    return _NAMED.get(value, value) if isinstance(value, str) else value


def real(value: typing.Any) -> typing.Any:
    """As number(), but never an int: JSON has whole numbers for floats that are whole, of any size."""
    value = number(value)
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _inside(row: dict[str, typing.Any], metric: str) -> typing.Any:
    """Follows a metric's id: "ulp.mean" is `mean` of the object `ulp`."""
    value: typing.Any = row
    for part in metric.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return real(value)


@dataclasses.dataclass(frozen=True)
class Row:
    """One tensor of one run. `row["rms_rel"]` is a metric; all are in `row.metrics` (docs/metrics.md)."""

    run: str
    name: str
    module: str
    layer: int
    level: str
    pass_: str
    shape: tuple[int, ...]
    dtype: str
    reference_dtype: str
    count: int
    compared: int
    metrics: dict[str, float]
    nonfinite: dict[str, dict[str, int]]
    worst: list[dict[str, typing.Any]]
    spread: dict[str, dict[str, float]]
    gain_error: float | None

    def __getitem__(self, metric: str) -> float:
        return self.metrics[metric]

    def __repr__(self) -> str:
        shown = ", ".join(f"{name} {self.metrics[name]:.3g}" for name in ("rms_rel", "max_diff") if name in self.metrics)
        return f"<Row {self.run}: {self.name}, {self.pass_}: {shown}>"


def row_of(run: str, found: dict[str, typing.Any], metrics: list[str]) -> Row:
    """Makes a row of an object of `comparisons`."""
    dtype = found.get("dtype") or {}
    spread = {name: {key: real(value) for key, value in values.items()}
              for name, values in (found.get("spread") or {}).items()}
    values = ((metric, _inside(found, metric)) for metric in metrics)
    return Row(run, found["name"], found.get("module", ""), found.get("layer", -1), found.get("level", ""),
               found["pass"], tuple(found.get("shape", ())), dtype.get("variant", ""), dtype.get("reference", ""),
               found.get("count", 0), found.get("compared", 0),
               {metric: value for metric, value in values if value is not None}, found.get("nonfinite") or {},
               [{key: number(value) for key, value in element.items()} for element in found.get("worst") or []], spread, real(found.get("gain_error")))
