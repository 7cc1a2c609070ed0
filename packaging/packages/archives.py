"""Archives that need no installation: the portable one, the headless bundle, and the symbols for debuggers."""
from __future__ import annotations

import pathlib

import licences
import reproducible
import staging

README = """Ulpscope {version}

bin/ulpscope-cli doctor     tells what this machine has and lacks
{window}bin/ulpscope-cli run share/ulpscope/configs/smollm2.yaml --set model.path=MODEL

Studies need the torch package, version {torch}, of PyPI: the Python that is active, or ULP_TORCH_DIR, names it.
Linux on x86-64 with glibc 2.36 or newer (Debian 12, Ubuntu 24.04, Fedora 37). Nothing outside of this folder is written but
settings and run folders. Licences: licences/THIRD_PARTY.md.
"""


def _readme(version: str, torch: str, window: bool) -> str:
    line = "bin/ulpscope                opens the window\n" if window else ""
    return README.format(version=version, torch=torch, window=line)


def make_archive(build: pathlib.Path, folder: pathlib.Path, archive: pathlib.Path, *, version: str, torch: str, window: bool,
                 symbols: pathlib.Path | None = None) -> None:
    """Fills the empty folder `folder`, whose name users see, and packs it into `archive` (.tar.xz)."""
    copied = staging.stage(build, folder, window=window, libraries=True, symbols=symbols)
    licences.stage_licences(copied, folder / "licences", window=window)
    (folder / "README").write_text(_readme(version, torch, window))
    if window:
        for each in ("desktop", "svg"):
            name = f"io.github.ulpscope.Ulpscope.{each}"
            staging.copy(staging.ROOT / "packaging" / name, folder / "share/ulpscope" / name)
    reproducible.write_tar_xz(folder, archive)
