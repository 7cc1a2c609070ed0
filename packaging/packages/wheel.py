"""The wheel with programs: the package `ulpscope` of packaging/python, and beside it what runs."""
from __future__ import annotations

import pathlib
import sys

import licences
import reproducible
import staging

sys.path.insert(0, str(staging.ROOT / "packaging/python"))
import build_backend  # noqa: E402

# Of the machine that builds: what is linked with glibc 2.36 asks for it.
TAG = "py3-none-manylinux_2_36_x86_64"


def make_wheel(build: pathlib.Path, work: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """Writes the wheel into `folder` and returns its path; `work` is an empty folder."""
    copied = staging.stage(build, work, window=True, libraries=True)
    licences.stage_licences(copied, work / "licences", window=True)
    programs = {f"ulpscope/{path.relative_to(work).as_posix()}": path for path in reproducible.files_below(work) if path.is_file()}
    return folder / build_backend.write_wheel(folder, TAG, programs)
