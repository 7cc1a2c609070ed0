"""Runs every fuzz target over many inputs, one after the other: fuzz_all.py [--inputs N] [--build FOLDER] [TARGET…]

What is done is noted in FOLDER/fuzzed.json every five minutes, so that a run that was stopped goes on where it was; a target
whose reader broke its promise is not run again before the input that it left in FOLDER/found is gone. Ends with a table;
fails where a target failed.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
PART_SECONDS = 300  # between two notes
FOUND = re.compile(r"Test unit written to (\S+)")


def targets_of(build: pathlib.Path) -> dict[str, list[str]]:
    """The command of each test of label fuzz, by what stands behind "fuzz.", without the limit on its time."""
    listed = subprocess.run(["ctest", "--test-dir", build, "-L", "fuzz", "--show-only=json-v1"], check=True,
                            capture_output=True, text=True)
    return {test["name"].removeprefix("fuzz."): [word for word in test["command"] if not word.startswith("-max_total_time")]
            for test in json.loads(listed.stdout)["tests"] if "command" in test}  # else not built


def number_of(statistic: str, output: str) -> int:
    match = re.search(rf"stat::{statistic}:\s+(\d+)", output)
    return int(match[1]) if match else 0


def run_part(command: list[str], inputs: int, found: pathlib.Path, done: dict) -> None:
    """Adds what happened to `done`."""
    start = time.monotonic()
    program, *arguments = command
    ended = subprocess.run(
        [program, f"-runs={inputs}", f"-max_total_time={PART_SECONDS}", "-print_final_stats=1", "-verbosity=1",
         f"-artifact_prefix={found}/", *arguments],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    done["seconds"] += time.monotonic() - start
    done["inputs"] += number_of("number_of_executed_units", ended.stdout)
    done["peak_mb"] = max(done["peak_mb"], number_of("peak_rss_mb", ended.stdout))
    kept = FOUND.search(ended.stdout)
    done["found"] = kept[1] if kept else ""
    done["failure"] = "" if kept or ended.returncode == 0 else " ".join(ended.stdout[-400:].split())


def fuzz(name: str, command: list[str], wanted: int, build: pathlib.Path, notes: dict) -> None:
    found = build / "found" / name
    found.mkdir(parents=True, exist_ok=True)
    done = notes.setdefault(name, {"inputs": 0, "seconds": 0.0, "peak_mb": 0, "found": "", "failure": ""})
    if done["found"] and not pathlib.Path(done["found"]).is_file():
        done["found"] = ""
    done["failure"] = ""
    while done["inputs"] < wanted and not done["found"] and not done["failure"]:
        run_part(command, wanted - done["inputs"], found, done)
        (build / "fuzzed.json").write_text(json.dumps(notes, indent=1))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=10_000_000, help="for each target (10 million)")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/fuzz", help="what `make fuzz` built")
    parser.add_argument("targets", nargs="*", help="all by default")
    chosen = parser.parse_args()
    commands = targets_of(chosen.build)
    if unknown := set(chosen.targets) - set(commands):
        parser.error(f"no such target: {', '.join(sorted(unknown))}; there are {', '.join(commands)}")
    file = chosen.build / "fuzzed.json"
    notes = json.loads(file.read_text()) if file.is_file() else {}
    print(f"| {'target':28} | {'inputs':>11} | inputs/s | peak MB | result")
    print("|---|---|---|---|---")
    for name in chosen.targets or commands:
        fuzz(name, commands[name], chosen.inputs, chosen.build, notes)
        done = notes[name]
        rate = done["inputs"] / max(done["seconds"], 0.001)
        print(f"| {name:28} | {done['inputs']:11,} | {rate:8,.0f} | {done['peak_mb']:7,} | {done['found'] or done['failure'] or 'nothing found'}",
              flush=True)
    return 1 if any(notes[name]["found"] or notes[name]["failure"] for name in chosen.targets or commands) else 0


if __name__ == "__main__":
    sys.exit(main())
