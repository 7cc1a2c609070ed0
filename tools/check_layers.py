"""Fails when a source file includes a header that its layer may not use (DESIGN.md section 3)."""
import pathlib
import re
import sys

# Each layer and the project layers that it may include; its own folder is always allowed.
ALLOWED = {
    "core/base": set(),
    "core/numerics": {"core/base"},
    "core/study": {"core/base", "core/numerics"},
    "core/tensors": {"core/base", "core/numerics"},
    "core/text": {"core/base", "core/tensors"},
    "core/dumps": {"core/base", "core/numerics", "core/tensors"},
    "core/report": {"core/base", "core/numerics", "core/tensors"},
    "core/compat": {"core/base", "core/numerics", "core/tensors", "core/dumps", "core/report"},
    "core/pictures": {"core/base", "core/report"},
    "core/analysis": {"core/base", "core/numerics", "core/study", "core/tensors", "core/dumps", "core/report"},
    "core/engine": {"core/base", "core/numerics", "core/tensors"},
    "runner/worker": {"core/base", "core/numerics", "core/study", "core/tensors", "core/text", "core/report", "core/engine"},
    "runner/queue": {"core/base", "core/report", "runner/worker"},
    "views": {"core/base", "core/numerics", "core/study", "core/tensors", "core/report", "core/analysis", "core/pictures",
              "runner/queue"},
    "app/gui": {"core/base", "core/study", "core/report", "core/numerics", "core/analysis", "runner/queue", "views"},
    "app/cli": {
        "core/base", "core/numerics", "core/study", "core/tensors", "core/text", "core/dumps", "core/report",
        "core/compat", "core/analysis", "core/engine", "core/pictures", "runner/worker",
    },
}
# Headers that no file below a prefix may include, with the exceptions that hold for some of them.
TORCH = r"<(torch|ATen|c10|cuda)[/_.]"
QT = r"<Q"
BANNED = [
    ("core/", QT, ()),
    ("runner/worker", QT, ()),
    ("app/cli", QT, ()),
    ("", TORCH, ("core/engine/", "tests/core/engine/", "tests/parity/", "tests/bench/")),
    ("views", r"<(hdf5|H5|yaml-cpp)", ()),
    ("app/gui", r"<(hdf5|H5|yaml-cpp)", ()),
]
# What of the engine other layers may see: the torch-free interface.
ENGINE_INTERFACE = "core/engine/engine.h"
# A view never includes another view.
VIEW = re.compile(r"^views/plugins/([^/]+)/")
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<][^">]+)', re.M)
FOLDERS = ("app", "core", "runner", "views", "tests")


def layer_of(path: str) -> str | None:
    return max((name for name in ALLOWED if path.startswith(name + "/")), key=len, default=None)


def complaints(relative: str, text: str):
    own = layer_of(relative)
    view = VIEW.match(relative)
    for include in INCLUDE.findall(text):
        for prefix, pattern, exceptions in BANNED:
            if relative.startswith(prefix) and not relative.startswith(exceptions) and re.match(pattern, include):
                yield f"{relative}: must not include {include}>"
        if include[0] != '"' or own is None:
            continue
        target = include[1:]
        other = layer_of(target)
        if other and other != own and other not in ALLOWED[own]:
            yield f"{relative}: {own} must not include {target}"
        if other == "core/engine" and own != other and target != ENGINE_INTERFACE:
            yield f"{relative}: of the engine only {ENGINE_INTERFACE} is public, not {target}"
        other_view = VIEW.match(target)
        if view and other_view and view[1] != other_view[1]:
            yield f"{relative}: a view must not include another view, {target}"


def main(root: pathlib.Path) -> int:
    found = [
        complaint
        for folder in FOLDERS
        for file in sorted((root / folder).rglob("*"))
        if file.suffix in {".h", ".cpp", ".cu", ".cuh"}
        for complaint in complaints(file.relative_to(root).as_posix(), file.read_text())
    ]
    print("\n".join(found), end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
