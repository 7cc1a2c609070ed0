#!/usr/bin/env python3
"""Makes every package of Ulpscope out of a build, into build/packages: a wheel, a .deb, the portable archive, the headless
bundle, and the symbols for debuggers. The same sources make the same files, bit for bit.

    make_packages.py [--build build/release] [--out build/packages] [wheel|deb|portable|headless ...]
"""
from __future__ import annotations

import argparse
import hashlib
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import archives  # noqa: E402
import deb  # noqa: E402
import reproducible  # noqa: E402
import staging  # noqa: E402
import wheel  # noqa: E402

sys.path.insert(0, str(staging.ROOT / "packaging/python/ulpscope"))
import version as version_module  # noqa: E402

LARGEST_HEADLESS = 64 << 20
KINDS = ["wheel", "deb", "portable", "headless"]


def torch_version() -> str:
    text = (staging.ROOT / "core/engine/torch_folder.h").read_text()
    return re.search(r'kTorchVersion = "([0-9.]+)"', text)[1]


def make(kind: str, build: pathlib.Path, work: pathlib.Path, out: pathlib.Path, symbols: pathlib.Path) -> pathlib.Path:
    """Makes one package and returns its path."""
    version = version_module.project_version(staging.ROOT)
    if kind == "wheel":
        return wheel.make_wheel(build, work, out)
    if kind == "deb":
        target = out / f"ulpscope_{version}_amd64.deb"
        deb.make_deb(build, work, target, version)
        return target
    stem = f"ulpscope-{version}-linux-x86_64" if kind == "portable" else f"ulpscope-headless-{version}-linux-x86_64"
    target = out / f"{stem}.tar.xz"
    archives.make_archive(build, work / stem, target, version=version, torch=torch_version(), window=kind == "portable",
                          symbols=symbols if kind == "portable" else None)
    return target


def write_sums(out: pathlib.Path, files: list[pathlib.Path]) -> None:
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in sorted(files)]
    (out / "SHA256SUMS").write_text("\n".join(lines) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", choices=[*KINDS, []], help="packages to make; all unless named")
    parser.add_argument("--build", type=pathlib.Path, default=staging.ROOT / "build/release")
    parser.add_argument("--out", type=pathlib.Path, default=staging.ROOT / "build/packages")
    arguments = parser.parse_args()
    out = arguments.out.resolve()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    files = []
    with tempfile.TemporaryDirectory(dir=out, prefix=".work-") as temporary:
        symbols = pathlib.Path(temporary) / f"ulpscope-{version_module.project_version(staging.ROOT)}-debug-symbols"
        for kind in arguments.kinds or KINDS:
            work = pathlib.Path(temporary) / kind
            work.mkdir()
            files.append(make(kind, arguments.build.resolve(), work, out, symbols))
            print(f"{files[-1].stat().st_size / (1 << 20):6.1f} MiB  {files[-1]}", flush=True)
            shutil.rmtree(work)
        if symbols.exists():
            files.append(out / f"{symbols.name}.tar.xz")
            reproducible.write_tar_xz(symbols, files[-1])
            print(f"{files[-1].stat().st_size / (1 << 20):6.1f} MiB  {files[-1]}", flush=True)
    write_sums(out, files)
    for path in files:
        if "headless" in path.name and path.stat().st_size > LARGEST_HEADLESS:
            raise staging.Unpackable(f"{path} is larger than {LARGEST_HEADLESS >> 20} MiB")


if __name__ == "__main__":
    try:
        main()
    except staging.Unpackable as problem:
        sys.exit(f"make_packages.py: {problem}")
