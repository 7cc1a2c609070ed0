"""Builds targets of a preset and says how far it is: build.py PRESET [TARGET…]

On a terminal one line shows steps, percent and the time left; elsewhere a line is printed every half minute. Output of
compilers is passed on. The time left is guessed from what the steps that wait cost: by the log of an earlier build where
it knows them, else by the size of what they compile.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
STATUS = re.compile(r"^@(\d+)/(\d+) (.*)$")
# Of one step, in seconds, where nothing is known of it; on one core of 2023.
LINK_SECONDS = 2.0
OTHER_SECONDS = 0.5
COMPILE_SECONDS = 2.0
SECONDS_PER_BYTE = 0.00025
# Larger sources are data, such as icons and the bundled example: a compiler is soon done with them.
LARGEST_CODE = 100_000
PRECOMPILED_HEADER_SECONDS = 15.0
FORECAST_FILE = "forecast.ninja"
INTERVAL = {True: 0.5, False: 30.0}


def size_of(source: pathlib.Path) -> int:
    """Bytes of a source, or of all that a file of a unity group includes."""
    if not source.is_file():
        return 0
    if source.suffix != ".cxx":
        return source.stat().st_size
    included = re.findall(r'#include "([^"]+)"', source.read_text())
    return sum(pathlib.Path(name).stat().st_size for name in included if pathlib.Path(name).is_file())


def compile_seconds(size: int) -> float:
    return COMPILE_SECONDS + (SECONDS_PER_BYTE * size if size <= LARGEST_CODE else 0.0)


def guessed_seconds(build: pathlib.Path) -> dict[str, float]:
    """What compiling each object may take."""
    commands = build / "compile_commands.json"
    if not commands.is_file():
        return {}
    return {
        re.search(r" -o (\S+)", entry["command"])[1]: compile_seconds(size_of(pathlib.Path(entry["file"])))
        for entry in json.loads(commands.read_text())
    }


def logged_seconds(build: pathlib.Path) -> dict[str, float]:
    """What each step took when it last ran."""
    log = build / ".ninja_log"
    if not log.is_file():
        return {}
    seconds = {}
    for line in log.read_text().splitlines()[1:]:
        start, end, _, output, _ = line.split("\t")
        seconds[output] = (int(end) - int(start)) / 1000
    return seconds


class Forecast:
    """How much of the work is done, and how long the rest takes."""

    def __init__(self, steps: list[str], guessed: dict[str, float], logged: dict[str, float]):
        self.waiting = {step: self._seconds(step, guessed, logged) for step in steps}
        self.total = sum(self.waiting.values()) or 1.0

    @staticmethod
    def _seconds(step: str, guessed: dict[str, float], logged: dict[str, float]) -> float:
        output = step.rsplit(" ", 1)[-1]
        if output in logged:
            return logged[output]
        if output.endswith(".gch"):
            return PRECOMPILED_HEADER_SECONDS
        if output in guessed:
            return guessed[output]
        return LINK_SECONDS if "Linking" in step else OTHER_SECONDS

    def finish(self, step: str) -> None:
        self.waiting.pop(step, None)

    def done_share(self) -> float:
        return 1.0 - sum(self.waiting.values()) / self.total

    def seconds_left(self, elapsed: float) -> float | None:
        done = self.done_share()
        return elapsed * (1.0 - done) / done if done > 0.01 else None


def time_left(seconds: float | None) -> str:
    if seconds is None:
        return ""
    if seconds < 90:
        return f", {seconds:.0f} s left"
    return f", {seconds / 60:.0f} min left"


def steps_to_do(build: pathlib.Path, targets: list[str]) -> list[str]:
    """What ninja would do, without doing it. Of build.ninja itself a dry run cannot know that running CMake again would
    change nothing, and would list that alone: it is given another file, which no rule makes."""
    (build / FORECAST_FILE).write_text("include build.ninja\n")
    dry = subprocess.run(
        ["ninja", "-C", str(build), "-f", FORECAST_FILE, "-n", *targets], capture_output=True, text=True,
        env={**os.environ, "NINJA_STATUS": "@%f/%t "},
    )
    return [match[3] for match in map(STATUS.match, dry.stdout.splitlines()) if match]


def run_ninja(build: pathlib.Path, targets: list[str], forecast: Forecast) -> int:
    on_terminal = sys.stdout.isatty()
    erase = "\r\033[K" if on_terminal else ""
    start = shown = time.monotonic()
    ninja = subprocess.Popen(
        ["ninja", "-C", str(build), *targets], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", env={**os.environ, "NINJA_STATUS": "@%f/%t "},
    )
    for line in ninja.stdout:
        status = STATUS.match(line.rstrip("\n"))
        if not status:
            if not line.startswith("ninja: Entering"):
                print(f"{erase}{line}", end="", flush=True)
            continue
        finished, total, step = status.groups()
        forecast.finish(step)
        now = time.monotonic()
        if now - shown < INTERVAL[on_terminal] and finished != total:
            continue
        shown = now
        text = f"    {finished} of {total} steps, {100 * forecast.done_share():.0f} %{time_left(forecast.seconds_left(now - start))}"
        print(f"{erase}{text}", end="" if on_terminal else "\n", flush=True)
    print(erase, end="", flush=True)
    return ninja.wait()


def main(preset: str, targets: list[str]) -> int:
    build = ROOT / "build" / preset
    # Whether CMake has to run again is found out first: what is built then is known only after it.
    again = subprocess.run(["ninja", "-C", str(build), "build.ninja"], capture_output=True, text=True)
    if again.returncode:
        print(again.stdout + again.stderr, end="")
        return again.returncode
    steps = steps_to_do(build, targets)
    try:
        return run_ninja(build, targets, Forecast(steps, guessed_seconds(build), logged_seconds(build)))
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
