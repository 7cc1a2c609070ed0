"""Builds the wheel of the package (PEP 517), of the checkout that it lies in, without other tools: the same files
make the same wheel, bit for bit. Beside the package it holds the recorder, as ulpscope.recorder. `make packages` adds the
programs (write_wheel)."""
from __future__ import annotations

import base64
import hashlib
import pathlib
import runpy
import typing
import zipfile

try:
    import tomllib
except ImportError:  # Python 3.10
    import tomli as tomllib  # type: ignore[no-redef]

_HERE = pathlib.Path(__file__).resolve().parent
_ROOT = _HERE.parents[1]
_RECORDER = _ROOT / "resources" / "python" / "ulpscope_recorder.py"
_DATE = (1980, 1, 1, 0, 0, 0)
_SCRIPTS = {"ulpscope": "ulpscope.program:run_window", "ulpscope-cli": "ulpscope.program:run_command_line"}
_PURE = "py3-none-any"


def _project() -> dict[str, typing.Any]:
    return tomllib.loads((_HERE / "pyproject.toml").read_text("utf-8"))["project"]


def _version() -> str:
    read = runpy.run_path(str(_HERE / "ulpscope" / "version.py"))["project_version"]
    return read(_ROOT)


def _metadata() -> str:
    project = _project()
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {_version()}",
             f"Summary: {project['description']}", f"License: {project['license']['text']}",
             f"Requires-Python: {project['requires-python']}"]
    lines += [f"Requires-Dist: {needed}" for needed in project["dependencies"]]
    for extra, needs in project["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f"Requires-Dist: {needed}; extra == '{extra}'" for needed in needs]
    return "\n".join(lines) + "\n"


def _entry_points(has_programs: bool) -> str:
    groups = _project()["entry-points"]
    if has_programs:
        groups = {"console_scripts": _SCRIPTS, **groups}
    return "".join(f"[{group}]\n" + "".join(f"{name} = {what}\n" for name, what in entries.items())
                   for group, entries in groups.items())


def _described(info: str, tag: str) -> dict[str, bytes]:
    is_pure = tag == _PURE
    wheel = f"Wheel-Version: 1.0\nGenerator: ulpscope\nRoot-Is-Purelib: {str(is_pure).lower()}\nTag: {tag}\n"
    return {f"{info}/METADATA": _metadata().encode(), f"{info}/WHEEL": wheel.encode(),
            f"{info}/entry_points.txt": _entry_points(has_programs=not is_pure).encode(),
            f"{info}/LICENSE": (_ROOT / "LICENSE").read_bytes()}


def _files() -> dict[str, bytes]:
    package = {f"ulpscope/{path.relative_to(_HERE / 'ulpscope').as_posix()}": path.read_bytes()
               for path in (_HERE / "ulpscope").rglob("*") if path.suffix in (".py", ".typed")}
    return {**package, "ulpscope/recorder.py": _RECORDER.read_bytes()}


def _record(files: dict[str, bytes], place: str) -> bytes:
    lines = [f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b'=').decode()},"
             f"{len(content)}" for name, content in sorted(files.items())]
    return "\n".join([*lines, f"{place},,"]).encode() + b"\n"


def _write(path: pathlib.Path, files: dict[str, bytes], programs: typing.Collection[str] = ()) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files, key=lambda name: (".dist-info/" in name, name)):
            entry = zipfile.ZipInfo(name, _DATE)
            mode = 0o755 if name in programs else 0o644
            entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, (0o100000 | mode) << 16, 3
            archive.writestr(entry, files[name])


def write_wheel(directory: typing.Union[str, pathlib.Path], tag: str, added: dict[str, pathlib.Path]) -> str:
    """Writes a wheel with further files, {name in it: path}, for the platform of `tag`; returns its name."""
    stem = f"ulpscope-{_version()}"
    files = {**_files(), **{name: path.read_bytes() for name, path in added.items()}, **_described(f"{stem}.dist-info", tag)}
    files[f"{stem}.dist-info/RECORD"] = _record(files, f"{stem}.dist-info/RECORD")
    name = f"{stem}-{tag}.whl"
    _write(pathlib.Path(directory) / name, files, {name for name, path in added.items() if path.stat().st_mode & 0o100})
    return name


def build_wheel(wheel_directory: str, config_settings: typing.Any = None, metadata_directory: typing.Any = None) -> str:
    """Writes the wheel and returns its name."""
    return write_wheel(wheel_directory, _PURE, {})


def build_editable(wheel_directory: str, config_settings: typing.Any = None, metadata_directory: typing.Any = None) -> str:
    """Writes a wheel that leads to this folder, for `pip install -e`."""
    stem = f"ulpscope-{_version()}"
    files = {"ulpscope.pth": f"{_HERE}\n".encode(), **_described(f"{stem}.dist-info", _PURE)}
    files[f"{stem}.dist-info/RECORD"] = _record(files, f"{stem}.dist-info/RECORD")
    name = f"{stem}-{_PURE}.whl"
    _write(pathlib.Path(wheel_directory) / name, files)
    return name


def build_sdist(sdist_directory: str, config_settings: typing.Any = None) -> str:
    """Refuses: the recorder and the version are parts of the checkout."""
    raise NotImplementedError("there is no source archive of the package alone; take the repository")
