"""What a build cost, by its own log: build_costs.py BUILD_FOLDER [--most N] [--headers]

Prints the steps and seconds of each target, the dearest files and, with --headers, the headers that cost most: how many
translation units include each, times what it takes to compile it alone (measured now, without precompiled headers).
Seconds are those of the step: two run at once on two cores.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("app", "core", "runner", "views", "tests")
TARGET = re.compile(r"CMakeFiles/([^/]+)\.dir/")
INCLUDE = re.compile(r'^#include ([<"][^>"]+[>"])', re.M)
MEASURED_HEADERS = 60


def steps(build: pathlib.Path) -> dict[str, float]:
    """Output -> seconds, the last time that it was made. Outputs of one step count once."""
    latest = {}
    for line in (build / ".ninja_log").read_text().splitlines()[1:]:
        start, end, _, output, command = line.split("\t")
        latest[output] = (int(start), int(end), command)
    seen = set()
    seconds = {}
    for output, step in latest.items():
        if step not in seen:
            seen.add(step)
            seconds[output] = (step[1] - step[0]) / 1000
    return seconds


def by_target(seconds: dict[str, float]) -> dict[str, tuple[int, float]]:
    found: dict[str, tuple[int, float]] = collections.defaultdict(lambda: (0, 0.0))
    for output, cost in seconds.items():
        target = TARGET.search(output)
        kind = target[1] if target else "links, generated files"
        count, total = found[kind]
        found[kind] = (count + 1, total + cost)
    return found


def files_of(build: pathlib.Path, output: str) -> str:
    """The output, or the files that a unity group joins."""
    source = build / output.removesuffix(".o")
    if "/Unity/" not in output or not source.is_file():
        return output
    names = re.findall(r'#include "([^"]+)"', source.read_text())
    relative = [name.removeprefix(f"{ROOT}/") for name in names]
    return f"{relative[0]} and {len(relative) - 1} more" if len(relative) > 1 else relative[0]


def header_costs(build: pathlib.Path) -> list[tuple[float, int, float, str]]:
    """(seconds in all, files, seconds each, header) of the headers that most files name."""
    counts = collections.Counter(
        header
        for folder in FOLDERS
        for file in (ROOT / folder).rglob("*")
        if file.suffix in {".cpp", ".h"}
        for header in set(INCLUDE.findall(file.read_text()))
    )
    commands = json.loads((build / "compile_commands.json").read_text())
    # Includes of the window and of the engine are both found by what the dearest targets are given.
    options = {kind: next((e for e in commands if kind in e["command"]), None) for kind in ("QtWidgets", "torch/include")}
    costs = []
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "header.cpp"
        for header, count in counts.most_common(MEASURED_HEADERS):
            entry = options["torch/include" if re.search(r"<(torch|ATen|c10)/", header) else "QtWidgets"] or commands[0]
            command = re.sub(r"^.*?(\S*(?:c\+\+|g\+\+|clang\+\+)) ", r"\1 ", entry["command"])
            command = re.sub(r" -include \S+cmake_pch\.hxx| -Winvalid-pch| -M[DTF]( \S+\.[od])?| -o \S+ -c \S+", "", command)
            source.write_text(f"#include {header}\n")
            start = time.monotonic()
            done = subprocess.run(f"{command} -fsyntax-only {source}", shell=True, cwd=entry["directory"], capture_output=True)
            seconds = time.monotonic() - start
            if done.returncode == 0:
                costs.append((count * seconds, count, seconds, header))
    return sorted(costs, reverse=True)


def main(build: pathlib.Path, most: int, with_headers: bool) -> None:
    seconds = steps(build)
    compiled = {output: cost for output, cost in seconds.items() if output.endswith((".o", ".gch"))}
    print(f"{len(seconds)} steps, {sum(seconds.values()):.0f} s, of which {sum(compiled.values()):.0f} s compile {len(compiled)} files\n")
    print(f"{'target':40} {'steps':>6} {'seconds':>8}")
    for target, (count, cost) in sorted(by_target(seconds).items(), key=lambda item: -item[1][1])[:most]:
        print(f"{target:40} {count:6} {cost:8.0f}")
    print(f"\n{'file':92} {'seconds':>8}")
    for output, cost in sorted(compiled.items(), key=lambda item: -item[1])[:most]:
        print(f"{files_of(build, output)[-92:]:92} {cost:8.1f}")
    if with_headers:
        print(f"\n{'header':60} {'files':>6} {'alone, s':>9} {'in all, s':>9}")
        for total, count, alone, header in header_costs(build)[:most]:
            print(f"{header[:60]:60} {count:6} {alone:9.2f} {total:9.0f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--most", type=int, default=15, help="rows of each table")
    parser.add_argument("--headers", action="store_true", help="measure headers, too")
    chosen = parser.parse_args()
    main(chosen.build.resolve(), chosen.most, chosen.headers)
