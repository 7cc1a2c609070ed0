"""What the tests of the Python package share: where things lie, and one small study that is run once."""
import functools
import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "packaging" / "python"
# pandas is msprobe's; pyarrow and pytest are in a folder of their own (tools/requirements-python.txt).
EXTRAS = [ROOT / "build/deps/tables", ROOT / "build/deps/msprobe"]
sys.path[:0] = [str(PACKAGE)]
sys.path += [str(folder) for folder in EXTRAS]
try:
    import numpy  # noqa: F401
    import pandas  # noqa: F401
    import pyarrow  # noqa: F401
    import pytest  # noqa: F401
    import torch  # noqa: F401
    import h5py  # noqa: F401
except ImportError as error:
    sys.exit(f"{error}; `make setup-test` installs it")
import ulpscope  # noqa: E402

STUDY = {
    "model": {"path": str(ROOT / "configs/architectures/tiny_llama"), "weights": "random"},
    "input": {"source": "random", "sequence_length": 8},
    "variants": {"bf16": {"precision.compute_dtype": "bfloat16"}, "fp16": {"precision.compute_dtype": "float16"}},
    "capture": {"level": "module", "tensors": "full"},
}
FIXTURES = pathlib.Path(os.environ["ULPSCOPE_CLI"]).parents[1] / "fixtures"  # of the build that is tested
FOLDER = tempfile.TemporaryDirectory(prefix="ulpscope-python-test-")
EVENTS: list = []


def place(name: str) -> pathlib.Path:
    """A place for a test's own files."""
    return pathlib.Path(FOLDER.name) / name


@functools.cache
def study_report() -> "ulpscope.Report":
    return ulpscope.run(STUDY, output=place("study"), on_event=EVENTS.append, threads=1)


def environment() -> dict:
    """For programs that are to find the package and the programs of this build."""
    folders = [str(PACKAGE), *map(str, EXTRAS)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(folders), "PYTHONDONTWRITEBYTECODE": "1"}
