"""Puts programs, and the libraries that they need, into a folder from which they run on other machines.

    bin/    programs           lib/        libraries of ours, and those that not every machine has
    share/  studies, licences  lib/spare/  libraries of the desktop, for machines that have none
"""
from __future__ import annotations

import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND_LINE = ["bin/ulpscope-cli", "bin/ulpscope-hdf5", "bin/ulpscope-template"]
ENGINE = ["lib/libulpscope_engine.so", "lib/libulpscope_cuda.so"]
WINDOW = ["bin/ulpscope", "lib/libulpscope_window.so", "lib/libulpscope_pictures.so"]
QT_PLUGINS = pathlib.Path("/usr/lib/x86_64-linux-gnu/qt6/plugins")
# Of Qt's, those that a window of widgets, SVG icons and input methods use.
QT_PLUGIN_FILES = ["platforms/libqxcb.so", "platforms/libqoffscreen.so", "xcbglintegrations/*.so", "imageformats/libqsvg.so",
                   "imageformats/libqjpeg.so", "iconengines/*.so", "platforminputcontexts/*.so"]
QT_TRANSLATIONS = pathlib.Path("/usr/share/qt6/translations")
FONTS = ["/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
         "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf", "/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf"]
# glibc, libstdc++: those of the machine, so that its own libraries, which may be newer, work beside ours.
OF_EVERY_MACHINE = re.compile(r"(linux-vdso|ld-linux.*|lib(c|m|dl|rt|pthread|util|resolv|stdc\+\+|gcc_s))\.so.*")
OF_TORCH = re.compile(r"lib(torch.*|c10.*|cudart)\.so.*")
# Torch has its own, which the engine must find first. Qt needs one as well.
OPENMP = "libgomp.so.1"
# What fits a machine's drivers and session is its own; ours is opened where there is none (core/base/files/spare_libraries.h).
OF_DESKTOP = re.compile(
    r"lib(GL|EGL|OpenGL|GLX|GLdispatch|GLESv2|X11|X11-xcb|Xau|Xdmcp|Xext|Xrender|Xi|SM|ICE|xcb|xcb-.+|xkbcommon.*|fontconfig"
    r"|freetype|dbus-1|glib-2\.0|drm|expat|png16|brotli.+|uuid|bsd|md|systemd|cap|gcrypt|gpg-error|lz4|lzma|zstd|z|gomp)\.so.*")
FONT_CONFIGURATION = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir prefix="relative">.</dir>
  <dir>/usr/share/fonts</dir>
  <dir prefix="xdg">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <alias><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
"""


class Unpackable(Exception):
    """Something that a package needs is not there, or not as it must be. Says what, and the remedy."""


def output(*command: str | pathlib.Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def copy(source: pathlib.Path, target: pathlib.Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True,
                        ignore=shutil.ignore_patterns("__pycache__", "*.cpp", "CMakeLists.txt"))
    else:
        shutil.copy(source, target)


def needed(file: pathlib.Path) -> dict[str, pathlib.Path]:
    """{name: path} of all libraries that a file needs, but for those of every machine, torch and NVIDIA."""
    found = {}
    for line in output("ldd", file).splitlines():
        match = re.match(r"\s*(\S+) => (not found|/\S+)", line)
        if not match or OF_EVERY_MACHINE.fullmatch(match[1]) or OF_TORCH.fullmatch(match[1]) or match[1].startswith("libulpscope"):
            continue
        if match[2] == "not found":
            raise Unpackable(f"{file}: {match[1]} is not found; build it anew")
        if "/torch/" not in match[2] and "/nvidia/" not in match[2]:
            found[match[1]] = pathlib.Path(match[2])
    return found


def forget_places(file: pathlib.Path) -> None:
    """Leaves of the list of folders in which a program looks for libraries those beside it."""
    match = re.search(r"Library (rpath|runpath): \[(.*)\]", output("readelf", "-d", file))
    if not match or match[1] != "rpath" or "$ORIGIN/../lib" not in match[2].split(":"):
        raise Unpackable(f"{file}: does not look for libraries beside itself; build it anew")
    if match[2] == "$ORIGIN/../lib":
        return
    old = match[2].encode() + b"\0"
    data = file.read_bytes()
    if data.count(old) != 1:
        raise Unpackable(f"{file}: its list of folders, {match[2]}, stands there {data.count(old)} times, not once")
    file.write_bytes(data.replace(old, b"$ORIGIN/../lib".ljust(len(old), b"\0")))


def build_id(file: pathlib.Path) -> str:
    """Returns the number by which debuggers find symbols; empty: the file has none."""
    match = re.search(r"Build ID: ([0-9a-f]+)", output("readelf", "-n", file))
    return match[1] if match else ""


def stage_program(built: pathlib.Path, target: pathlib.Path, symbols: pathlib.Path | None = None) -> None:
    """Copies a program or library of ours without its symbols, which go below `symbols` as debuggers look for them."""
    if not built.exists():
        raise Unpackable(f"{built} does not exist; build it (`make programs`; `make setup-cuda` before for CUDA)")
    copy(built, target)
    number = build_id(built) if symbols else ""
    if symbols and number:
        kept = symbols / ".build-id" / number[:2] / f"{number[2:]}.debug"
        kept.parent.mkdir(parents=True, exist_ok=True)
        output("objcopy", "--only-keep-debug", "--compress-debug-sections", built, kept)
    output("strip", target)
    forget_places(target)


def stage_libraries(folder: pathlib.Path, headless: list[pathlib.Path], window: list[pathlib.Path]) -> list[pathlib.Path]:
    """Copies what programs and libraries need beside themselves, and returns where it came from."""
    ours = {name: path for file in headless for name, path in needed(file).items() if name != OPENMP}
    others = {name: path for file in window for name, path in needed(file).items() if name not in ours}
    for name, path in {**ours, **others}.items():
        is_spare = name not in ours and OF_DESKTOP.fullmatch(name)
        copy(path.resolve(), folder / "lib" / ("spare" if is_spare else "") / name)
    return [*ours.values(), *others.values()]


def stage_qt(folder: pathlib.Path) -> list[pathlib.Path]:
    """Copies Qt's plug-ins and translations, and fonts; returns the files that need libraries."""
    plugins = [path for pattern in QT_PLUGIN_FILES for path in sorted(QT_PLUGINS.glob(pattern))]
    if not any(path.name == "libqxcb.so" for path in plugins):
        raise Unpackable(f"{QT_PLUGINS}: there is no platforms/libqxcb.so; install qt6-base-dev")
    for path in plugins:
        copy(path, folder / "lib/qt6" / path.relative_to(QT_PLUGINS))
    for language in ("de", "zh_CN"):
        copy(QT_TRANSLATIONS / f"qtbase_{language}.qm", folder / f"share/qt6/qtbase_{language}.qm")
    # Paths are those of bin.
    (folder / "bin/qt.conf").write_text("[Paths]\nPrefix = ..\nPlugins = lib/qt6\nTranslations = share/qt6\n")
    for font in FONTS:
        copy(pathlib.Path(font), folder / "share/fonts" / pathlib.Path(font).name)
    (folder / "share/fonts/fonts.conf").write_text(FONT_CONFIGURATION)
    return plugins


def stage(build: pathlib.Path, folder: pathlib.Path, *, window: bool, libraries: bool,
          symbols: pathlib.Path | None = None) -> list[pathlib.Path]:
    """Fills `folder` out of a build; returns the files of other packages that went in.

    window: with the window and what draws pictures, else the command line and the engine alone
    libraries: with what they need of the system, else for a package that names packages
    """
    headless = COMMAND_LINE + ENGINE
    for each in headless + (WINDOW if window else []):
        stage_program(build / each, folder / each, symbols)
    copy(ROOT / "configs", folder / "share/ulpscope/configs")
    if not libraries:
        return []
    plugins = stage_qt(folder) if window else []
    copied = stage_libraries(folder, [build / each for each in headless],
                             [build / each for each in WINDOW] + plugins if window else [])
    return copied + plugins + ([pathlib.Path(font) for font in FONTS] if window else [])
