"""Compiles every source file and every header by itself, without precompiled headers and unity groups.

These make builds quick, and hide a file that lives on what others include. With --since, only files that differ from
those of the commit are compiled.

usage: includes.py BUILD_FOLDER [--since COMMIT] [PATH_PREFIX…]
BUILD_FOLDER must be of a preset that compiles file by file (dev).
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

from tidy import FOLDERS, ROOT, changed_files


def options_of(command: str) -> str:
    """What the compiler is told beside the names of files and of precompiled headers."""
    command = re.sub(r"^.*?(\S*(?:c\+\+|g\+\+|clang\+\+)\S*) ", r"\1 ", command)
    return re.sub(r" -include \S+cmake_pch\.hxx| -Winvalid-pch| -o \S+ -c \S+", "", command)


def sources(build: pathlib.Path) -> dict[str, tuple[str, str]]:
    """Path of a source, relative to the project -> its options and the folder that they hold in."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = entry["file"].removeprefix(f"{ROOT}/")
        if path.endswith(".cpp") and path.startswith(FOLDERS):
            found[path] = (options_of(entry["command"]), entry["directory"])
    return found


def header_like(header: str, known: dict[str, tuple[str, str]]) -> tuple[str, str]:
    """The options of the source that lies nearest to a header: its own, its folder's, or one below the same folders."""
    def nearness(path: str) -> tuple[int, bool]:
        return len(os.path.commonprefix([path.split("/"), header.split("/")])), path[:-4] == header[:-2]
    return known[max(known, key=nearness)]


def compiles(path: str, options: str, folder: str) -> tuple[str, str]:
    language = "-x c++ -include" if path.endswith(".h") else "-c"
    source = f"{ROOT / path} /dev/null" if path.endswith(".h") else str(ROOT / path)
    done = subprocess.run(
        f"{options} -fsyntax-only {language} {source}", shell=True, cwd=folder, capture_output=True, text=True
    )
    return path, done.stderr if done.returncode else ""


def main(build: pathlib.Path, prefixes: tuple[str, ...], since: str | None) -> int:
    known = sources(build)
    if not known:
        sys.exit(f"includes.py: {build} compiles folders as a whole; name a build of the preset dev")
    headers = (file.relative_to(ROOT).as_posix() for folder in FOLDERS for file in (ROOT / folder).rglob("*.h"))
    # The targets of fuzzers are clang's.
    wanted = [path for path in (*known, *headers) if path.startswith(prefixes) and not path.startswith("tests/fuzz/")]
    if since is not None:
        changed = changed_files(since)
        wanted = [path for path in wanted if path in changed]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        running = [
            pool.submit(compiles, path, *(known[path] if path in known else header_like(path, known)))
            for path in sorted(wanted)
        ]
        for number, future in enumerate(concurrent.futures.as_completed(running), 1):
            path, complaint = future.result()
            failed += bool(complaint)
            if complaint or number % 50 == 0 or number == len(running):
                print(f"[{number}/{len(running)}] {path}{': does not compile alone' if complaint else ''}", flush=True)
            if complaint:
                print(complaint, flush=True)
    return bool(failed)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("prefixes", nargs="*")
    parser.add_argument("--since", metavar="COMMIT")
    chosen = parser.parse_args()
    sys.exit(main(chosen.build.resolve(), tuple(chosen.prefixes) or FOLDERS, chosen.since))
