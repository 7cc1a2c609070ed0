"""Fixture `ulpscope_compare` for pytest: asserts that two things are close, and shows what is not as a table."""
from __future__ import annotations

import pathlib
import re
import typing

import pytest

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
    kept = request.config.getoption("--ulpscope-reports")

    def compare(a: typing.Any, b: typing.Any = None, batch: typing.Any = None, **options: typing.Any) -> typing.Any:
        __tracebackhide__ = True
        options.setdefault("rules", request.config.getoption("--ulpscope-rules"))
        if kept and not is_compared_already(a, b):
            name = re.sub(r"[^\w.-]+", "_", request.node.nodeid).strip("_.")
            options.setdefault("output", _free(pathlib.Path(kept) / name))
        return ulpscope.assert_close(a, b, batch, **options)
    return compare


def _free(folder: pathlib.Path) -> pathlib.Path:
    number, free = 1, folder
    while free.exists():
        number, free = number + 1, folder.with_name(f"{folder.name}.{number}")
    return free
