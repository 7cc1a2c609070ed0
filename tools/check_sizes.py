"""Fails when a source file is longer than its kind may be, a folder holds too many, or a tracked file is too large."""
import collections
import pathlib
import subprocess
import sys

LINES = {".h": 300, ".cpp": 600, ".cu": 600, ".py": 600}
# Users copy it into their projects: it must be one file.
LONGER = {"resources/python/ulpscope_recorder.py": 1600}
MAX_BYTES = 2_000_000
# Source files of a folder, so that a glance takes it in. Folders of plug-ins, one file each, are lists.
MAX_FILES = 25
SOURCES = {".h", ".cpp", ".cu", ".cuh"}


def complaints(root: pathlib.Path):
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root, check=True, capture_output=True, text=True,
    ).stdout
    folders: collections.Counter[str] = collections.Counter()
    for name in filter(None, listed.split("\0")):
        file = root / name
        if not file.is_file():
            continue
        if file.suffix in SOURCES and file.parent.name != "plugins":
            folders[file.relative_to(root).parent.as_posix()] += 1
        if file.stat().st_size > MAX_BYTES:
            yield f"{name}: {file.stat().st_size} bytes, at most {MAX_BYTES} are kept in git"
        limit = LONGER.get(name, LINES.get(file.suffix))
        if limit:
            lines = len(file.read_text().splitlines())
            if lines > limit:
                yield f"{name}: {lines} lines, at most {limit}"
    for folder, count in sorted(folders.items()):
        if count > MAX_FILES:
            yield f"{folder}: {count} source files, at most {MAX_FILES}"


def main(root: pathlib.Path) -> int:
    found = list(complaints(root))
    print("\n".join(found), end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
