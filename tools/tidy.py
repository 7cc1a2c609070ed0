"""Runs clang-tidy over every file of a build and fails on findings.

A clean file is remembered by the content of all that it was made of (file, project headers, compiler
command, .clang-tidy), in ~/.cache/ulpscope-tidy, so that a second run checks what changed and nothing else.

usage: tidy.py BUILD_FOLDER [PATH_PREFIX…]
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("app/", "core/", "runner/", "views/", "tests/")
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "ulpscope-tidy"


def project_headers(build: pathlib.Path) -> dict[str, list[str]]:
    """Object file -> headers of the project that it was built from, as ninja recorded them."""
    headers: dict[str, list[str]] = {}
    current: list[str] = []
    for line in subprocess.run(
        ["ninja", "-C", build, "-t", "deps"], check=True, capture_output=True, text=True
    ).stdout.splitlines():
        if line and not line.startswith(" "):
            current = headers.setdefault(line.split(":")[0], [])
            continue
        # Ninja names them from its build folder.
        header = os.path.normpath(build / line.strip())
        if line.strip() and header.startswith(f"{ROOT}/") and not header.startswith(f"{ROOT}/build/"):
            current.append(header)
    return headers


def fingerprint(entry: dict, headers: list[str], version: str) -> str:
    digest = hashlib.sha256(version.encode())
    command = entry["command"].replace(str(ROOT), "")
    digest.update(command.encode())
    configurations = [str(ROOT / ".clang-tidy"), str(ROOT / "tests/.clang-tidy")]
    for file in [*configurations, entry["file"], *sorted(set(headers))]:
        digest.update(file.removeprefix(str(ROOT)).encode())
        digest.update(pathlib.Path(file).read_bytes())
    return digest.hexdigest()


def check(entry: dict, key: str, commands: pathlib.Path) -> str:
    """Findings of one file; empty when it is clean."""
    result = subprocess.run(
        ["clang-tidy", "--quiet", "-p", str(commands), entry["file"]], capture_output=True, text=True
    )
    if result.returncode == 0:
        (CACHE / key).touch()
        return ""
    return result.stdout + (result.stderr if not result.stdout else "")


def main(build: pathlib.Path, prefixes: tuple[str, ...]) -> int:
    CACHE.mkdir(parents=True, exist_ok=True)
    version = subprocess.run(["clang-tidy", "--version"], check=True, capture_output=True, text=True).stdout
    headers = project_headers(build)
    pending = []
    entries = json.loads((build / "compile_commands.json").read_text())
    for entry in entries:
        # clang-tidy cannot read the precompiled headers of g++.
        entry["command"] = re.sub(r" -include \S+cmake_pch\.hxx", "", entry["command"])
    commands = build / "tidy"
    commands.mkdir(exist_ok=True)
    (commands / "compile_commands.json").write_text(json.dumps(entries))
    for entry in entries:
        relative = entry["file"].removeprefix(str(ROOT) + "/")
        if not relative.startswith(prefixes) or not relative.endswith(".cpp"):
            continue
        output = re.search(r" -o (\S+)", entry["command"])
        key = fingerprint(entry, headers[output.group(1)], version)
        if not (CACHE / key).exists():
            pending.append((entry, key, relative))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        running = {pool.submit(check, entry, key, commands): relative for entry, key, relative in pending}
        for done, future in enumerate(concurrent.futures.as_completed(running), 1):
            findings = future.result()
            failed += bool(findings)
            print(f"[{done}/{len(pending)}] {running[future]}{': findings' if findings else ''}", flush=True)
            if findings:
                print(findings, flush=True)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), tuple(sys.argv[2:]) or FOLDERS))
