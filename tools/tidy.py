"""Runs clang-tidy over every file of a build and fails on findings.

Most of the time goes into headers that files share (Qt, LibTorch, the standard library), so that files compiled
alike are checked together: a batch is a file that includes them. Files that define the same names for themselves
come into different batches; a batch that does not compile is checked file by file.

A clean file is remembered by the content of all that it was made of (file, project headers, compiler
command, .clang-tidy), in ~/.cache/ulpscope-tidy, so that a second run checks what changed and nothing else.

With --since, only what changed after that commit is checked: changed files, and for each changed header one file
that includes it.

usage: tidy.py BUILD_FOLDER [--since COMMIT] [PATH_PREFIX…]
"""
import argparse
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("app/", "core/", "runner/", "views/", "tests/")
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "ulpscope-tidy"
LARGEST_BATCH = 16
# Words that look like names; of namespace aliases, several of one name may stand.
NO_NAMES = frozenset(["const", "override", "noexcept", "final", "fs"])
# A file that is included counts as a header here.
FINDINGS_IN = r"/(app|core|runner|views|tests)/.*\.(h|cpp)$"


@dataclasses.dataclass
class Source:
    path: str  # relative to the project
    entry: dict  # of compile_commands.json
    key: str  # of the cache
    names: frozenset[str] = frozenset()  # that it defines for itself alone
    headers: frozenset[str] = frozenset()  # of the project, relative to it


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


def own_names(text: str) -> frozenset[str]:
    """Names in the unnamed namespaces of a file, and its tests: where two files of a batch would collide."""
    names = {"_".join(test) for test in re.findall(r"^TEST(?:_[FP])?\((\w+), (\w+)\)", text, re.M)}
    for region in re.findall(r"^namespace \{$(.*?)^\}  // namespace$", text, re.M | re.S):
        for line in region.splitlines():
            if re.match(r"[A-Za-z_\[]", line) and not line.startswith(("using namespace", "#", "template", "static_assert")):
                names.update(re.findall(r"(?<![:\w])([A-Za-z_]\w*)\s*(?:\(|=|\{|;|\[|:(?!:)|$)", line))
    return frozenset(name for name in names if name not in NO_NAMES and not name.startswith(("TEST", "INSTANTIATE")))


def flags(source: Source) -> str:
    """What the compiler is told beside the names of files."""
    command = re.sub(r" -o \S+ -c \S+", "", source.entry["command"])
    return source.path.split("/")[0] + command


def batches(sources: list[Source]) -> list[list[Source]]:
    groups: dict[str, list[list[Source]]] = {}
    for source in sources:
        open_batches = groups.setdefault(flags(source), [])
        for batch in open_batches:
            if len(batch) < LARGEST_BATCH and all(source.names.isdisjoint(other.names) for other in batch):
                batch.append(source)
                break
        else:
            open_batches.append([source])
    found = [batch for group in groups.values() for batch in group]
    return sorted(found, key=len, reverse=True)


def run_clang_tidy(file: str, commands: pathlib.Path, *options: str) -> tuple[bool, str]:
    result = subprocess.run(
        ["clang-tidy", "--quiet", f"--header-filter={FINDINGS_IN}", *options, "-p", str(commands), file],
        capture_output=True,
        text=True,
    )
    return result.returncode == 0, result.stdout or result.stderr


def check_alone(source: Source, commands: pathlib.Path) -> str:
    is_clean, output = run_clang_tidy(source.entry["file"], commands)
    if is_clean:
        (CACHE / source.key).touch()
    return "" if is_clean else output


def write_batch(batch: list[Source], place: pathlib.Path) -> None:
    first = batch[0].entry
    entry = first | {"file": str(place), "command": first["command"].replace(first["file"], str(place))}
    commands = json.dumps([entry, *(source.entry for source in batch)])
    (place.parent / "compile_commands.json").write_text(commands)
    place.write_text("".join(f'#include "{source.entry["file"]}"  // NOLINT\n' for source in batch))


def without_collisions(batch: list[Source], place: pathlib.Path) -> tuple[list[Source], list[Source]]:
    """The files that compile together, and those that do not go with them."""
    kept, dropped = batch, []
    while len(kept) > 1:
        write_batch(kept, place)
        # One check that costs nothing: what is asked for are the compiler's errors.
        _, output = run_clang_tidy(str(place), place.parent, "--checks=-*,misc-static-assert")
        if "clang-diagnostic-error" not in output:
            return kept, dropped
        faulty = [source for source in kept if re.search(rf"/{re.escape(source.path)}:\d+:\d+: error:", output)]
        # The first file came first, so that it is never to blame for a collision.
        faulty = [source for source in faulty if source is not kept[0]] or kept[1:]
        dropped += faulty
        kept = [source for source in kept if source not in faulty]
    return kept, dropped


def check(number: int, batch: list[Source], folder: pathlib.Path) -> str:
    """Findings of a batch; empty when it is clean."""
    top = batch[0].path.split("/")[0]
    place = folder / top / f"batch_{number}" / "batch.cpp"
    place.parent.mkdir(parents=True, exist_ok=True)
    # What holds for the files has to hold for the batch: the tests have a file of their own.
    if (ROOT / top / ".clang-tidy").exists():
        shutil.copy(ROOT / top / ".clang-tidy", folder / top)
    write_batch(batch, place)
    findings = ""
    while batch:
        together, batch = without_collisions(batch, place)
        if len(together) == 1:
            findings += check_alone(together[0], place.parent)
            continue
        is_clean, output = run_clang_tidy(str(place), place.parent)
        faulty = set(re.findall(r"^(/\S+?):\d+:\d+: (?:error|warning):", output, re.M))
        # A finding in a header is one of every file here.
        if is_clean or (faulty and faulty <= {source.entry["file"] for source in together}):
            for source in together:
                if source.entry["file"] not in faulty:
                    (CACHE / source.key).touch()
        findings += "" if is_clean else output
    return findings


def pending_sources(build: pathlib.Path, prefixes: tuple[str, ...]) -> list[Source]:
    version = subprocess.run(["clang-tidy", "--version"], check=True, capture_output=True, text=True).stdout
    headers = project_headers(build)
    pending = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        # clang-tidy cannot read the precompiled headers of g++.
        entry["command"] = re.sub(r" -include \S+cmake_pch\.hxx", "", entry["command"])
        path = entry["file"].removeprefix(str(ROOT) + "/")
        if not path.startswith(prefixes) or not path.endswith(".cpp"):
            continue
        output = re.search(r" -o (\S+)", entry["command"])
        key = fingerprint(entry, headers[output.group(1)], version)
        if not (CACHE / key).exists():
            text = pathlib.Path(entry["file"]).read_text()
            included = frozenset(header.removeprefix(f"{ROOT}/") for header in headers[output.group(1)])
            pending.append(Source(path, entry, key, own_names(text), included))
    return pending


def changed_files(commit: str) -> set[str]:
    """Files that differ from those of the commit, relative to the project."""
    listed = subprocess.run(
        ["git", "-C", ROOT, "diff", "--name-only", "--diff-filter=d", commit, "--"], capture_output=True, text=True
    )
    if listed.returncode != 0:
        sys.exit(f"--since {commit}: {listed.stderr.strip()}")
    return set(listed.stdout.split())


def affected_by(changed: set[str], sources: list[Source]) -> list[Source]:
    """The changed sources, and one for each changed header that none of them includes."""
    chosen = [source for source in sources if source.path in changed]
    seen = set().union(*(source.headers for source in chosen))
    # Tests include much, and have rules of their own.
    for source in sorted(sources, key=lambda source: (source.path.startswith("tests/"), len(source.headers))):
        if source.headers & changed - seen:
            chosen.append(source)
            seen |= source.headers
    return chosen


def main(build: pathlib.Path, prefixes: tuple[str, ...], since: str | None) -> int:
    CACHE.mkdir(parents=True, exist_ok=True)
    folder = build / "tidy"
    pending = pending_sources(build, prefixes)
    work = batches(pending if since is None else affected_by(changed_files(since), pending))
    total = sum(len(batch) for batch in work)
    checked = 0
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        running = {pool.submit(check, number, batch, folder): batch for number, batch in enumerate(work)}
        for future in concurrent.futures.as_completed(running):
            findings = future.result()
            failed += bool(findings)
            checked += len(running[future])
            names = " ".join(source.path for source in running[future])
            print(f"[{checked}/{total}] {names}{': findings' if findings else ''}", flush=True)
            if findings:
                print(findings, flush=True)
    return bool(failed)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("prefixes", nargs="*")
    parser.add_argument("--since", metavar="COMMIT")
    chosen = parser.parse_args()
    sys.exit(main(chosen.build.resolve(), tuple(chosen.prefixes) or FOLDERS, chosen.since))
