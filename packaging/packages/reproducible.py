"""Archives that are the same, bit for bit, whenever the same files are packed."""
from __future__ import annotations

import os
import pathlib
import subprocess
import tarfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Nothing is older than what a zip archive can say.
_OLDEST = 315532800


def date() -> int:
    """Returns the date of every packed file: $SOURCE_DATE_EPOCH, else that of the commit."""
    named = os.environ.get("SOURCE_DATE_EPOCH")
    if named:
        return int(named)
    done = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%ct"], capture_output=True, text=True, check=False)
    return int(done.stdout) if done.returncode == 0 and done.stdout.strip() else _OLDEST


def files_below(folder: pathlib.Path) -> list[pathlib.Path]:
    """Lists files, links and folders below a folder, in an order that no file system changes."""
    return sorted(folder.rglob("*"), key=lambda path: path.relative_to(folder).as_posix())


def is_program(path: pathlib.Path) -> bool:
    return bool(path.stat().st_mode & 0o100)


def _anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    entry.mtime = date()
    entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
    return entry


def write_tar_xz(folder: pathlib.Path, archive: pathlib.Path) -> None:
    """Packs a folder, under its own name, into `archive` (.tar.xz)."""
    tar_file = archive.with_suffix("")
    with tarfile.open(tar_file, "w", format=tarfile.GNU_FORMAT) as tar:
        for path in [folder, *files_below(folder)]:
            tar.add(path, path.relative_to(folder.parent).as_posix(), recursive=False, filter=_anonymous)
    # Blocks of a fixed size: how many threads pack them changes nothing.
    subprocess.run(["xz", "-9", "--threads=2", "--block-size=48MiB", "--force", tar_file], check=True)
