"""Ulpscope in Python: reports as tables and arrays, studies, comparisons in a line, assertions for tests.

    import ulpscope
    report = ulpscope.open("runs/smollm2")
    report.to_pandas()
    ulpscope.compare(module, module_in_bfloat16, batch).figure("table")

docs/python.md is the manual.
"""
import typing

from .asserting import NotClose, assert_close
from .comparing import compare
from .errors import (BadInput, Cancelled, CorruptData, DeviceFailed, InputOutputFailed, MissingPackage, NotFound,
                     OutOfMemory, RunFailed, UlpscopeError, Unsupported)
from .figures import Figure
from .report import Report, Run, open
from .rows import Row
from .running import RunningStudy, run, start
from .version import __version__

__all__ = ["BadInput", "Cancelled", "CorruptData", "DeviceFailed", "Figure", "InputOutputFailed", "MissingPackage",
           "NotClose", "NotFound", "OutOfMemory", "Report", "Row", "Run", "RunFailed", "RunningStudy", "UlpscopeError",
           "Unsupported", "__version__", "assert_close", "compare", "open", "run", "start"]


def __getattr__(name: str) -> typing.Any:
    """Imports ulpscope.recorder when it is first used: it needs torch."""
    if name == "recorder":
        from .capturing import recorder
        return recorder()
    raise AttributeError(f"module 'ulpscope' has no attribute '{name}'")
