"""The version of the package, which is that of the project."""
import importlib.metadata
import pathlib
import re


def project_version(root: pathlib.Path) -> str:
    """Reads the version of a checkout from its CMakeLists.txt, where it is written once."""
    found = re.search(r"^project\(ulpscope VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text("utf-8"), re.M)
    if not found:
        raise ValueError(f"{root / 'CMakeLists.txt'}: no line `project(ulpscope VERSION …`")
    return found[1]


def _version() -> str:
    try:
        return project_version(pathlib.Path(__file__).resolve().parents[3])
    except (OSError, ValueError, IndexError):
        return importlib.metadata.version("ulpscope")


__version__ = _version()
