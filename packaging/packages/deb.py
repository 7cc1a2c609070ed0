"""The package of Debian: programs of ours, on top of Debian's own libraries."""
from __future__ import annotations

import gzip
import os
import pathlib
import shutil
import subprocess

import licences
import reproducible
import staging

PLACE = "usr/lib/ulpscope"
DESKTOP_ID = "io.github.ulpscope.Ulpscope"
DESCRIPTION = """Where does a language model lose its bits?
 Runs a language model in full and in reduced precision, compares every tensor,
 and shows how the error grows, where it starts and why. Opens and compares
 dumps of other tools as well.
 .
 Studies need the torch package of PyPI, which Debian does not have in this
 version: `ulpscope-cli doctor` tells how to install it."""


def _written(command: pathlib.Path, *arguments: str) -> bytes:
    return subprocess.run([command, *arguments], check=True, capture_output=True).stdout


def _stage_documents(root: pathlib.Path, command: pathlib.Path) -> None:
    share = root / "usr/share"
    packaging = staging.ROOT / "packaging"
    for source, target in {
        packaging / f"{DESKTOP_ID}.desktop": f"applications/{DESKTOP_ID}.desktop",
        packaging / f"{DESKTOP_ID}.metainfo.xml": f"metainfo/{DESKTOP_ID}.metainfo.xml",
        packaging / f"{DESKTOP_ID}.mime.xml": f"mime/packages/{DESKTOP_ID}.xml",
        packaging / f"{DESKTOP_ID}.svg": f"icons/hicolor/scalable/apps/{DESKTOP_ID}.svg",
    }.items():
        staging.copy(source, share / target)
    for shell, target in {"bash": "bash-completion/completions/ulpscope-cli", "zsh": "zsh/vendor-completions/_ulpscope-cli",
                          "fish": "fish/vendor_completions.d/ulpscope-cli.fish"}.items():
        (share / target).parent.mkdir(parents=True, exist_ok=True)
        (share / target).write_bytes(_written(command, "completion", shell))
    (share / "man/man1").mkdir(parents=True, exist_ok=True)
    for name, text in {"ulpscope-cli": _written(command, "manual"), "ulpscope": (packaging / "ulpscope.1").read_bytes()}.items():
        (share / f"man/man1/{name}.1.gz").write_bytes(gzip.compress(text, 9, mtime=0))
    documents = share / "doc/ulpscope"
    licences.stage_licences([], documents, window=True)
    (documents / "LICENSE").rename(documents / "copyright")


def _dependencies(root: pathlib.Path, work: pathlib.Path) -> str:
    """Returns the packages whose libraries ours need, at least in the versions that they have."""
    (work / "debian").mkdir(parents=True, exist_ok=True)
    (work / "debian/control").write_text("Source: ulpscope\n\nPackage: ulpscope\nArchitecture: amd64\n")
    files = sorted((root / PLACE).glob("bin/ulpscope*")) + sorted((root / PLACE / "lib").glob("*.so"))
    done = subprocess.run(["dpkg-shlibdeps", "-O", "--ignore-missing-info", f"-l{root / PLACE / 'lib'}", *files],
                          cwd=work, capture_output=True, text=True, check=False)
    line = next((line for line in done.stdout.splitlines() if line.startswith("shlibs:Depends=")), None)
    if line is None:
        raise staging.Unpackable(f"dpkg-shlibdeps did not say what is needed: {done.stderr.strip()}")
    return line.removeprefix("shlibs:Depends=")


def make_deb(build: pathlib.Path, work: pathlib.Path, target: pathlib.Path, version: str, packing: str = "xz") -> None:
    """Writes the package `target`, packed by `packing` (xz, none); `work` is a new folder."""
    root = work / "root"
    root.mkdir(parents=True)
    staging.stage(build, root / PLACE, window=True, libraries=False)
    (root / "usr/bin").mkdir(parents=True)
    for name in ("ulpscope", "ulpscope-cli"):
        (root / "usr/bin" / name).symlink_to(f"../lib/ulpscope/bin/{name}")
    shutil.move(root / PLACE / "share/ulpscope", root / "usr/share/ulpscope")
    (root / PLACE / "share").rmdir()
    _stage_documents(root, root / PLACE / "bin/ulpscope-cli")
    size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    fields = {"Package": "ulpscope", "Version": version, "Architecture": "amd64", "Section": "science", "Priority": "optional",
              "Maintainer": "Ulpscope developers <nobody@invalid>",
              "Installed-Size": str((size + 1023) // 1024), "Depends": _dependencies(root, work),
              "Recommends": "python3-venv, fonts-dejavu-core, qt6-qpa-plugins | libqt6gui6", "Suggests": "qt6-wayland",
              "Description": DESCRIPTION}
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN/control").write_text("".join(f"{name}: {value}\n" for name, value in fields.items()))
    date = reproducible.date()
    for path in [root, *reproducible.files_below(root)]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or reproducible.is_program(path) else 0o644)
        # dpkg-deb takes this date for what is younger; what is older says when the checkout was made.
        os.utime(path, (date, date), follow_symlinks=False)
    subprocess.run(["dpkg-deb", "--root-owner-group", f"-Z{packing}", "--build", root, target], check=True, stdout=subprocess.DEVNULL,
                   env=os.environ | {"SOURCE_DATE_EPOCH": str(date)})
