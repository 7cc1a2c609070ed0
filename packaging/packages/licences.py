"""Lists what a package contains of others, with their licences."""
from __future__ import annotations

import pathlib
import subprocess

import staging

# Compiled in: libraries of headers, by their Debian packages.
HEADERS = ["nlohmann-json3-dev", "libcli11-dev", "libexpected-dev"]
COMMON = pathlib.Path("/usr/share/common-licenses")
MINJA = """minja, Copyright 2024 Google LLC, is changed by cmake/minja.patch and compiled in. It is under the MIT license:

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software
is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR
IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""


def packages_of(paths: list[pathlib.Path]) -> set[str]:
    """Returns the Debian packages that files belong to."""
    # Since /lib is a link to /usr/lib, dpkg may know a file by its other name.
    names = {path: {str(path), str(path.resolve()), str(path.resolve()).removeprefix("/usr")} for path in paths}
    asked = sorted(set().union(*names.values()))
    done = subprocess.run(["dpkg", "-S", *asked], capture_output=True, text=True, check=False) if asked else None
    lines = [line.rsplit(": ", 1) for line in (done.stdout.splitlines() if done else []) if not line.startswith("diversion")]
    owners = {place: owner.split(",")[0].split(":")[0] for owner, place in lines}
    packages = set()
    for path, known in names.items():
        owner = next((owners[name] for name in sorted(known) if name in owners), None)
        if owner is None:
            raise staging.Unpackable(f"{path}: belongs to no Debian package, so that nobody knows its licence; "
                                     "build on a Debian without libraries of your own")
        packages.add(owner)
    return packages


def version_of(package: str) -> str:
    return staging.output("dpkg-query", "-W", "-f", "${source:Package} ${source:Version}\n", package).splitlines()[0]


def stage_licences(copied: list[pathlib.Path], folder: pathlib.Path, *, window: bool) -> None:
    """Writes the licences of Ulpscope and of what was copied into `folder`, with a list (THIRD_PARTY.md)."""
    folder.mkdir(parents=True, exist_ok=True)
    staging.copy(staging.ROOT / "LICENSE", folder / "LICENSE")
    packages = sorted(packages_of(copied) | set(HEADERS))
    lines = ["# What this package contains of others", "",
             "Ulpscope's sources are under Apache-2.0 (`LICENSE`)." +
             (" With Qt Charts inside, this package as a whole is distributed under GPL-3 (`GPL-3`)." if window else ""),
             "", "Libraries are those of Debian, unchanged; their sources are at https://snapshot.debian.org under these names.",
             "", "| package | source | licence |", "|---|---|---|"]
    for package in packages:
        copyright_file = pathlib.Path("/usr/share/doc") / package / "copyright"
        if not copyright_file.exists():
            raise staging.Unpackable(f"{copyright_file} is missing: install {package} again, without leaving documents out")
        staging.copy(copyright_file, folder / f"{package}.copyright")
        lines.append(f"| {package} | {version_of(package)} | `{package}.copyright` |")
    (folder / "minja.copyright").write_text(MINJA)
    lines.append("| minja | of llama-cpp-python on PyPI | `minja.copyright` |")
    for name in ["GPL-3", "LGPL-3", "LGPL-2.1"] if window else []:
        staging.copy((COMMON / name).resolve(), folder / name)
    (folder / "THIRD_PARTY.md").write_text("\n".join(lines) + "\n")
