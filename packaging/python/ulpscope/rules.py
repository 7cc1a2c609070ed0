"""Rules as docs/rules.md has them, from the shorter forms of Python. ulpscope-cli evaluates them."""
from __future__ import annotations

import json
import os
import pathlib
import re
import typing

from .errors import BadInput

Rule = typing.Union[str, typing.Mapping[str, typing.Any]]
Rules = typing.Union[None, str, os.PathLike, typing.Sequence[Rule]]  # type: ignore[type-arg]

_TEXT = re.compile(r"\s*(?P<metric>[\w.]+)\s*(?P<comparison><=|>=|<|>)\s*(?P<value>[-+.\w]+)\s*$")
# What torch.testing.assert_close allows, for the type of the candidate; of float8 one rounding.
TOLERANCES = {"float64": (1e-7, 1e-7), "float32": (1.3e-6, 1e-5), "float16": (1e-3, 1e-5), "bfloat16": (1.6e-2, 1e-5),
              "float8_e4m3fn": (2.0 ** -4, 2.0 ** -10), "float8_e5m2": (2.0 ** -3, 2.0 ** -17)}
_WHOLE = ("int64", "int32", "int16", "int8", "uint8", "bool")  # wider unsigned ones are read as signed ones
# What everybody expects of tensors that are close; a list that names one of them says otherwise.
_ALWAYS = ("shape", "present", "non_finite")


def usual_rules() -> list[dict[str, typing.Any]]:
    """Lists the rules that hold where torch.testing.assert_close would."""
    close = [{"metric": "allclose", "rtol": rtol, "atol": atol, "dtype": dtype} for dtype, (rtol, atol) in TOLERANCES.items()]
    # Not of max_diff, a float64: there 2^60 and 2^60 + 1 are one number.
    return close + [{"metric": "equal_fraction", "comparison": ">=", "value": 1, "dtype": dtype} for dtype in _WHOLE]


def has_usual_rule(dtype: str) -> bool:
    """Tells whether usual_rules() ask anything of this type."""
    return dtype in TOLERANCES or dtype in _WHOLE


def _rule_of(rule: Rule) -> dict[str, typing.Any]:
    if not isinstance(rule, str):
        return dict(rule)
    found = _TEXT.match(rule)
    if not found:
        raise BadInput(f"rule '{rule}': write METRIC <= NUMBER (or <, >=, >), as in 'rms_rel <= 0.01', or a dict")
    try:
        return {"metric": found["metric"], "comparison": found["comparison"], "value": float(found["value"])}
    except ValueError as error:
        raise BadInput(f"rule '{rule}': '{found['value']}' is no number") from error


def write_rules(rules: Rules, folder: pathlib.Path) -> tuple[str, list[dict[str, typing.Any]] | None]:
    """Returns what `--rules` takes, and the rules where they are known here: a name or file is passed on."""
    if isinstance(rules, (str, os.PathLike)) and not (isinstance(rules, str) and _TEXT.match(rules)):
        return os.fspath(rules), None
    listed = [rules] if isinstance(rules, str) else rules
    asked = usual_rules() if listed is None else [_rule_of(rule) for rule in listed]  # type: ignore[union-attr]
    named = {rule.get("metric") for rule in asked}
    asked += [{"metric": metric, "comparison": "<=", "value": 0} for metric in _ALWAYS if metric not in named]
    path = folder / "rules.yaml"
    path.write_text(json.dumps({"rules": asked}, indent=1), "utf-8")  # JSON is YAML
    return str(path), asked
