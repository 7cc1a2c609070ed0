"""Assertions for tests, with a table of what broke which rule."""
from __future__ import annotations

import json
import os
import pathlib
import tempfile
import typing

from .comparing import Comparison, compare_with_rules
from .errors import BadInput, CorruptData, UlpscopeError, call_file, error_of_exit
from .program import call, said_by
from .report import Report, Run
from .rules import Rules, has_usual_rule, write_rules

_MOST_LINES = 20
_MOST_NAMES = 5
_ALWAYS_TITLES = ("shape at most", "present at most", "non_finite at most")


class NotClose(AssertionError):
    """Tensors break rules. `report` is the report of the comparison, `failures` lists (tensor, pass, rule, value)."""

    def __init__(self, message: str, report: Report, failures: list[tuple[str, str, str, str]]):
        super().__init__(message)
        self.report, self.failures = report, failures


def assert_close(a: typing.Any, b: typing.Any = None, batch: typing.Any = None, *, rules: Rules = None,
                 **options: typing.Any) -> Report:
    """Raises NotClose, an AssertionError with a table, unless `b` is as close to `a` as the rules ask; else returns the
    report.

    a, b      what compare() takes; or `a` a run of a report (or a report), without `b`: judged as it compares with
              its reference
    rules     name of rules that ship ("msit"), a file (docs/rules.md), or a list: "rms_rel <= 0.01", or dicts with
              the keys of such a file. Default: what torch.testing.assert_close allows for the types. A list also
              asks that shapes agree, that no tensor is missing and that there is no new NaN, unless it names that itself
    options   those of compare()
    """
    __tracebackhide__ = True
    with tempfile.TemporaryDirectory(prefix="ulpscope-") as name:
        written, asked = write_rules(rules, pathlib.Path(name))
        judged = _reported(a, b)
        if judged is not None and (options or batch is not None):
            raise BadInput("runs that a report compares are judged as they are; leave batch and options out")
        if judged is None and b is None:
            raise BadInput("assert_close(a, b): without b, a is a run of a report")
        try:
            if judged is not None:
                return _judge_report(*judged, written)
            return _judge(compare_with_rules(a, b, batch, rules=written, **options), rules is None)
        except UlpscopeError as error:
            raise (error if asked is None else call_file(error, written, "rules")) from None


def _reported(a: typing.Any, b: typing.Any) -> tuple[Report, str | None] | None:
    """Finds a report that has the comparison already, and the run that is judged."""
    if isinstance(a, Report) and b is None:
        return a, None
    if isinstance(a, Run) and b is None and not a.is_reference:
        return a.report, a.name
    if isinstance(a, Run) and isinstance(b, Run) and a.report.path == b.report.path and a.is_reference:
        return b.report, b.name
    return None


def is_compared_already(a: typing.Any, b: typing.Any = None) -> bool:
    """Tells whether assert_close(a, b) judges a report that is there."""
    return _reported(a, b) is not None


def _judge(comparison: Comparison, is_usual: bool) -> Report:
    __tracebackhide__ = True
    verdict, report = comparison.verdict, comparison.report
    rules = verdict["rules"]["rules"]
    failures = [(found["row"] + (f", {found['unit']}" if found["unit"] and len(verdict["units"]) > 1 else ""),
                 found["pass"], rules[found["rule"]]["rule"], f"{_number(found['value']):.3g}")
                for found in verdict["rules"]["failures"] if rules[found["rule"]]["severity"] == "error"]
    problems = [problem for unit in verdict["units"] for problem in unit["problems"]]
    problems += [f"nothing stands beside {name}" for name in verdict["unpaired"]]
    unjudged = [f"{row['row']}, {row['pass']}" for row in verdict["rules"]["unjudged"]]
    if is_usual:
        unjudged += [f"{row.name}, {row.pass_}" for row in report.rows_of_all_runs() if row.count and not has_usual_rule(row.dtype)]
    if unjudged:
        problems.append(_not_compared(unjudged))
    pairs = sum(unit["paired_rows"] for unit in verdict["units"])
    asked = sum(rule["checked"] - rule["undefined"] for rule in rules if not rule["rule"].startswith(_ALWAYS_TITLES))
    if not failures and not pairs:
        problems.append("no tensor of one side has a partner on the other; names must agree, or a mapping say how")
    elif not failures and not asked and not problems:
        problems.append("no rule asks anything of these tensors")
    if comparison.complaint:
        problems.append(comparison.complaint)
    if not unjudged:
        problems += [f"{rule['rule']}: the elements of {rule['undefined']} tensors are not at hand" for rule in rules
                     if rule["rule"].startswith("allclose") and rule["undefined"] and rule["severity"] == "error"]
    if failures or problems:
        reasons = [culprit["reason"] for unit in verdict["units"] for culprit in unit["culprits"][:1]]
        head = f"{{}} of {max(pairs, len({f[:2] for f in failures}))} tensors"
        raise _not_close(report, failures, problems, reasons[:1], head)
    return report


def _judge_report(report: Report, run: str | None, rules: str) -> Report:
    __tracebackhide__ = True
    chosen = [] if run is None else ["--variant", run]
    done = call(["report", str(report.path), "--rules", rules, "--format", "json", *chosen], accepts=(0, 1, 2))
    try:
        rows = [dict(zip(("run", "row", "pass", "verdict", "asked", "broken", "why"), row))
                for row in json.loads(done.stdout)["rows"]]
    except (ValueError, KeyError) as error:
        if done.returncode == 2:
            raise error_of_exit(2, said_by(done.stderr)) from None
        raise CorruptData(f"ulpscope-cli report wrote no table: {error}") from error
    unfinished = [f"{row['run']} {row['why']}" for row in rows if not row["row"]]
    rows = [row for row in rows if row["row"]]
    several = len({row["run"] for row in rows}) > 1
    failures = [(row["row"] + (f" ({row['run']})" if several else ""), row["pass"], row["why"], "")
                for row in rows if row["verdict"] == "fail"]
    problems = unfinished + ([said_by(done.stderr)] if done.returncode == 2 and done.stderr.strip() else [])
    undecided = [f"{row['row']}, {row['pass']}" for row in rows if row["verdict"] == "not judged" and row["why"]]
    if done.returncode == 2 and undecided:
        problems.append(_not_compared(undecided))
    judged = [row for row in rows if row["verdict"] != "not judged"]
    if not judged:
        problems.append("no rule asks anything of these tensors")
    if failures or problems:
        titles = [finding["title"] for finding in report.findings if run is None or run in finding.get("runs", [])]
        raise _not_close(report, failures, problems, titles[:1], f"{{}} of {len(rows)} tensors")
    return report


def _not_compared(tensors: list[str]) -> str:
    more = f" and {len(tensors) - _MOST_NAMES} more" if len(tensors) > _MOST_NAMES else ""
    return (f"the elements of {len(tensors)} tensors were not compared, and the rules ask for them: "
            f"{'; '.join(tensors[:_MOST_NAMES])}{more}")


def _number(value: typing.Any) -> float:
    return float(value)  # "NaN" and "Infinity" as well


def _not_close(report: Report, failures: list[tuple[str, str, str, str]], problems: list[str], reasons: list[str],
               head: str) -> NotClose:
    lines = []
    if failures:
        lines.append(head.format(len({failure[:2] for failure in failures})) + " are not as close as the rules ask")
        lines += _table([("tensor", "pass", "rule", "is"), *failures[:_MOST_LINES]])
        if len(failures) > _MOST_LINES:
            lines.append(f"  … and {len(failures) - _MOST_LINES} more")
    lines += [f"not judged: {problem}" for problem in problems]
    lines += [f"where to look: {reason}" for reason in reasons]
    if not report.is_temporary:
        lines.append(f"report: {os.fspath(report.path)}")
    return NotClose("\n".join(lines), report, failures)


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    """Pads columns to the same width; leaves out one that is empty."""
    kept = [column for column in range(len(rows[0])) if any(row[column] for row in rows[1:])]
    widths = {column: max(len(row[column]) for row in rows) for column in kept}
    return ["  " + "  ".join(row[column].ljust(widths[column]) for column in kept).rstrip() for row in rows]
