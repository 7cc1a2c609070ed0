"""Runs every fuzz target over many inputs:
    fuzz_all.py [--inputs N] [--jobs N] [--part SECONDS] [--build FOLDER] [TARGET…]
    fuzz_all.py --kept FOLDER [--jobs N] [--build FOLDER] [TARGET…]

Targets take turns, those first that were not tried or will be done soonest, on all processors at once. What is done is
noted in FOLDER/fuzzed.json after each turn, so that a run that was stopped goes on where it was, also after the targets
were built again; a target whose reader broke its promise is not run again before the input that it left in FOLDER/found is
gone. Ends with a table, also after Ctrl-C or SIGTERM; fails where a target failed.

With all sanitizers a target makes a fraction of the inputs. So the preset fuzz-quick is for their number, and with --kept
the preset fuzz has each input once that the other build's turns kept, since it reached what none before it had:
    fuzz_all.py --build build/fuzz-quick
    fuzz_all.py --kept build/fuzz-quick
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parents[1]
STOPPED = "libFuzzer: run interrupted; exiting"  # after a signal, with an exit status of its own
SECONDS_TO_STOP = 2
FOUND = re.compile(r"Test unit written to (\S+)")
# A third of the time went into where memory was taken, which nobody reads: an input that breaks a promise is kept, and
# shows the places when its target runs on it alone.
QUICKER = "malloc_context_size=0:max_malloc_fill_size=0"
# Where a library keeps something of each input (Qt does), the search for leaks after each takes fourteen times as long as
# the input. `make fuzz` has it; here the limit on memory stands for it, over millions of inputs.
LEAKS = ["-detect_leaks=0"]


def targets_of(build: pathlib.Path) -> dict[str, list[str]]:
    """The command of each test of label fuzz, by what stands behind "fuzz.", without the limit on its time."""
    listed = subprocess.run(["ctest", "--test-dir", build, "-L", "fuzz", "--show-only=json-v1"], check=True,
                            capture_output=True, text=True)
    return {test["name"].removeprefix("fuzz."): [word for word in test["command"] if not word.startswith("-max_total_time")]
            for test in json.loads(listed.stdout)["tests"] if "command" in test}  # else not built


class Programs:
    """Those that run, each with a thread that waits for it."""

    def __init__(self):
        self.running: set[subprocess.Popen] = set()
        self.lock = threading.Lock()
        self.is_stopped = False

    def output_of(self, command: list[str], env: dict[str, str]) -> tuple[str, int, float]:
        """What it prints, its exit status, and its seconds of a processor: those of a clock say little beside other work."""
        with self.lock:
            # In groups of their own: Ctrl-C is told to them once, by stop().
            program = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                       text=True, errors="replace", env=env, start_new_session=True)
            self.running.add(program)
            if self.is_stopped:
                program.terminate()
        with program.stdout:
            output = program.stdout.read()
        _, status, used = os.wait4(program.pid, 0)
        with self.lock:
            program.returncode = os.waitstatus_to_exitcode(status)
            self.running.remove(program)
        return output, program.returncode, used.ru_utime + used.ru_stime

    def stop(self) -> None:
        """They end with their statistics; one that libFuzzer ends from within malloc() waits for itself, and is killed."""
        with self.lock:
            self.is_stopped = True
            for program in self.running:
                program.terminate()
        killer = threading.Timer(SECONDS_TO_STOP, self._kill)
        killer.daemon = True
        killer.start()

    def _kill(self) -> None:
        with self.lock:
            for program in self.running:
                program.kill()


def number_of(statistic: str, output: str) -> int:
    match = re.search(rf"stat::{statistic}:\s+(\d+)", output)
    return int(match[1]) if match else 0


def run_part(programs: Programs, command: list[str], inputs: int, seconds: int, found: pathlib.Path) -> dict:
    """What happened in one turn of a target, as a note of it alone."""
    found.mkdir(parents=True, exist_ok=True)
    program, *arguments = command
    output, status, used = programs.output_of(
        [program, f"-runs={inputs}", f"-max_total_time={seconds}", "-print_final_stats=1", "-verbosity=1",
         f"-artifact_prefix={found}/", *LEAKS, *arguments],
        os.environ | {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", QUICKER)})
    kept = FOUND.search(output)
    is_well = status == 0 or STOPPED in output or (programs.is_stopped and status in (-signal.SIGTERM, -signal.SIGKILL))
    return {"inputs": number_of("number_of_executed_units", output), "seconds": used,
            "peak_mb": number_of("peak_rss_mb", output), "found": kept[1] if kept else "",
            "failure": "" if kept or is_well else " ".join(output[-400:].split())}


NOTHING = {"inputs": 0, "seconds": 0.0, "peak_mb": 0, "found": "", "failure": ""}


class Turns:
    """Which target is next, and what is noted of each."""

    def __init__(self, names: list[str], wanted: int, build: pathlib.Path):
        self.wanted, self.build = wanted, build
        self.file = build / "fuzzed.json"
        self.notes = json.loads(self.file.read_text()) if self.file.is_file() else {}
        self.lock = threading.Lock()
        self.is_stopped = False
        for name in names:
            done = self.notes[name] = NOTHING | self.notes.get(name, {})
            done["failure"] = ""
            if not pathlib.Path(done["found"]).is_file():
                done["found"] = ""
        self.waiting = list(names)

    def next(self) -> tuple[str, int] | None:
        """A target and how many inputs it has still to get."""
        with self.lock:
            self.waiting = [name for name in self.waiting if self.left(name) > 0]
            if self.is_stopped or not self.waiting:
                return None
            name = min(self.waiting, key=self.seconds_left)
            self.waiting.remove(name)
            return name, self.left(name)

    def left(self, name: str) -> int:
        done = self.notes[name]
        return 0 if done["found"] or done["failure"] else self.wanted - done["inputs"]

    def seconds_left(self, name: str) -> float:
        """By its inputs so far; none where there were none."""
        done = self.notes[name]
        return self.left(name) * done["seconds"] / done["inputs"] if done["inputs"] else 0.0

    def add(self, name: str, part: dict, is_over: bool = False) -> None:
        """Notes a turn; `is_over`: it was the target's last."""
        with self.lock:
            done = self.notes[name]
            self.notes[name] = done | {"inputs": done["inputs"] + part["inputs"], "seconds": done["seconds"] + part["seconds"],
                                       "peak_mb": max(done["peak_mb"], part["peak_mb"]), "found": part["found"],
                                       "failure": part["failure"]}
            if not is_over:
                self.waiting.append(name)
            self.file.write_text(json.dumps(self.notes, indent=1))


class KeptInputs(Turns):
    """One turn for each target, over what the turns of another build kept."""

    def next(self) -> tuple[str, int] | None:
        with self.lock:
            self.waiting = [name for name in self.waiting if not self.notes[name]["found"]]
            return (self.waiting.pop(0), 0) if self.waiting and not self.is_stopped else None

    def add(self, name: str, part: dict, is_over: bool = True) -> None:
        self.notes[name]["kept"] = part["inputs"]
        super().add(name, part, is_over)


def work(turns: Turns, programs: Programs, commands: dict[str, list[str]], seconds: int) -> None:
    while turn := turns.next():
        name, inputs = turn
        turns.add(name, run_part(programs, commands[name], inputs, seconds, turns.build / "found" / name))


def run_all(turns: Turns, commands: dict[str, list[str]], jobs: int, seconds: int) -> None:
    """Until all are done, or somebody stops it."""
    programs = Programs()

    def stop(*_) -> None:
        turns.is_stopped = True
        programs.stop()

    # No exception, which could come before there is who would catch it.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for each in [pool.submit(work, turns, programs, commands, seconds) for _ in range(jobs)]:
            each.result()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=10_000_000, help="for each target (10 million)")
    parser.add_argument("--kept", type=pathlib.Path, help="run what this build's turns kept, once, instead of new inputs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="targets at once (as many as there are processors)")
    parser.add_argument("--part", type=int, default=300, help="seconds of a turn (300)")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/fuzz", help="what `make fuzz` built")
    parser.add_argument("targets", nargs="*", help="all by default")
    chosen = parser.parse_args()
    commands = targets_of(chosen.build)
    if unknown := set(chosen.targets) - set(commands):
        parser.error(f"no such target: {', '.join(sorted(unknown))}; there are {', '.join(commands)}")
    names = chosen.targets or list(commands)
    if chosen.kept:
        commands = {name: [*command, f"{chosen.kept}/corpus/{name}"] for name, command in commands.items()
                    if name in names and (chosen.kept / "corpus" / name).is_dir()}
        names = [name for name in names if name in commands]
        turns = KeptInputs(names, 0, chosen.build)
    else:
        turns = Turns(names, chosen.inputs, chosen.build)
    run_all(turns, commands, chosen.jobs, chosen.part)
    print(f"| {'target':28} | {'inputs':>11} | {'kept':>7} | inputs/s | peak MB | result")
    print("|---|---|---|---|---|---")
    for name in names:
        done = turns.notes[name]
        rate = done["inputs"] / max(done["seconds"], 0.001)
        print(f"| {name:28} | {done['inputs']:11,} | {done.get('kept', 0):7,} | {rate:8,.0f} | {done['peak_mb']:7,} "
              f"| {done['found'] or done['failure'] or 'nothing found'}")
    return 1 if any(turns.notes[name]["found"] or turns.notes[name]["failure"] for name in names) else 0


if __name__ == "__main__":
    sys.exit(main())
