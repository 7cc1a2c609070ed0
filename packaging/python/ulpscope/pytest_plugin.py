"""Fixture `ulpscope_compare` for pytest: asserts that two things are close, and shows what is not as a table."""
from __future__ import annotations

import hashlib
import pathlib
import re
import typing

import pytest

_LONGEST_NAME = 200  # bytes; file systems take 255

# The package itself is imported where it is used: every run of pytest loads this file.


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds two options."""
    group = parser.getgroup("ulpscope")
    group.addoption("--ulpscope-reports", metavar="DIR", help="keep the reports of ulpscope_compare in DIR, one a call")
    group.addoption("--ulpscope-rules", metavar="NAME|FILE", help="rules of ulpscope_compare where the test has none")


@pytest.fixture
def ulpscope_compare(request: pytest.FixtureRequest) -> typing.Callable[..., typing.Any]:
    """Returns ulpscope.assert_close(a, b, …) with the rules and the folder that the command line of pytest names."""
    import ulpscope
    from ulpscope.asserting import is_compared_already
    # A test may change its folder.
    started, kept = request.config.invocation_params.dir, request.config.getoption("--ulpscope-reports")
    rules = request.config.getoption("--ulpscope-rules")
    if rules and (started / rules).is_file():
        rules = started / rules

    def compare(a: typing.Any, b: typing.Any = None, batch: typing.Any = None, **options: typing.Any) -> typing.Any:
        __tracebackhide__ = True
        options.setdefault("rules", rules)
        if kept and "output" not in options and not is_compared_already(a, b):
            options["output"] = _claimed(started / kept / _name_of(request.node.nodeid))
        return ulpscope.assert_close(a, b, batch, **options)
    return compare


def _name_of(test: str) -> str:
    name = re.sub(r"[^\w.-]+", "_", test).strip("_.")
    if len(name.encode()) <= _LONGEST_NAME:
        return name
    return f"{name.encode()[:_LONGEST_NAME].decode(errors='ignore')}-{hashlib.sha256(test.encode()).hexdigest()[:12]}"


def _claimed(folder: pathlib.Path) -> pathlib.Path:
    """Makes the folder, or the first of folder.1, folder.2 … that nobody has: pytest-xdist runs several tests at once."""
    number, claimed = 1, folder
    while True:
        try:
            claimed.mkdir(parents=True)
            return claimed
        except FileExistsError:
            number, claimed = number + 1, folder.with_name(f"{folder.name}.{number}")
