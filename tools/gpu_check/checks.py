"""A check, how it is run, and where its result goes."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import json
import os
import pathlib
import signal
import subprocess
import threading
import time
from collections.abc import Callable

OK, SLOW, FAILED, SKIPPED = "ok", "slow", "FAILED", "skipped"
SKIP_CODE = 77
LOG_BYTES_OF_ONE = 400_000
LOG_BYTES = 12 << 20


@dataclasses.dataclass
class Machine:
    """Where the checks run."""

    folder: pathlib.Path  # the unpacked bundle
    python: str  # with torch
    torch: pathlib.Path  # folder of its package
    device: str
    scratch: pathlib.Path
    environment: dict[str, str]

    def program(self, name: str) -> str:
        return str(self.folder / ("tests" if (self.folder / "tests" / name).exists() else "bin") / name)


@dataclasses.dataclass
class Outcome:
    status: str
    figures: dict = dataclasses.field(default_factory=dict)
    why: str = ""
    log: str = ""
    seconds: float = 0


@dataclasses.dataclass
class Done:
    """A process that has ended, or was ended."""

    code: int
    text: str  # standard output and error
    seconds: float
    late: bool  # it was ended after its limit
    answered: float = 0  # seconds from the interrupt to the next line


@dataclasses.dataclass
class Check:
    name: str
    limit: float  # seconds
    run: Callable[[Machine, float], Outcome]
    says: str = ""  # for lists: what is run


def execute(machine: Machine, command: list, limit: float, environment: dict | None = None, interrupt_at: str = "") -> Done:
    """Runs a command; ends it and all that it started at its limit. Sends it SIGINT when a line holds `interrupt_at`,
    and counts its seconds from there."""
    begin = time.monotonic()
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               stdin=subprocess.DEVNULL, env=machine.environment | (environment or {}), cwd=machine.scratch,
                               start_new_session=True, text=True, errors="replace")
    late = threading.Event()

    def end():
        if process.poll() is None:
            late.set()
            os.killpg(process.pid, signal.SIGKILL)

    timer = threading.Timer(limit, end)
    timer.start()
    lines = []
    answered, waits = 0.0, False
    try:
        for line in process.stdout:
            lines.append(line)
            if waits:
                answered, waits = time.monotonic() - begin, False
            if interrupt_at and interrupt_at in line:
                interrupt_at, begin, waits = "", time.monotonic(), True
                process.send_signal(signal.SIGINT)
        code = process.wait()
    finally:
        timer.cancel()
        process.stdout.close()
    return Done(code, "".join(lines), time.monotonic() - begin, late.is_set(), answered)


def judged(done: Done, limit: float, figures: dict | None = None, expected: int = 0, says: str = "", problem: str = "") -> Outcome:
    """What an ended process means: ok with this exit code and where its output holds `says`."""
    if done.late:
        return Outcome(FAILED, figures or {}, f"ended after {limit:.0f} s", done.text)
    if done.code == SKIP_CODE or (done.code == 0 and "[  SKIPPED ]" in done.text):
        return Outcome(SKIPPED, figures or {}, last_line(done.text), done.text)
    if done.code != expected:
        problem = f"exit code {done.code}, expected {expected}: {last_line(done.text)}"
    elif says and says not in done.text:
        problem = f"does not say {says!r}: {last_line(done.text)}"
    return Outcome(FAILED if problem else OK, figures or {}, problem, done.text)


def aimed(outcome: Outcome, missed: list[str]) -> Outcome:
    """Calls slow what is right, but misses aims of speed."""
    return dataclasses.replace(outcome, status=SLOW, why="; ".join(missed)) if missed and outcome.status == OK else outcome


def last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1][:300] if lines else "no output"


def command(name: str, limit: float, words: Callable[[Machine], list], environment: dict | None = None,
            figures: Callable[[str], dict] = lambda text: {}, **expected) -> Check:
    """A check that is one command: ok with exit code 0, skipped with 77."""

    def run(machine: Machine, limit: float) -> Outcome:
        done = execute(machine, words(machine), limit, environment)
        return judged(done, limit, figures(done.text), **expected)

    return Check(name, limit, run)


def is_table(figure) -> bool:
    """Too long for a line: only results.json has it."""
    return isinstance(figure, dict) and any(isinstance(each, dict) for each in figure.values())


class Results:
    """Prints a line for each check, keeps results.json and the output of failed ones in failures.log."""

    def __init__(self, out: pathlib.Path):
        self._file = out / "results.json"
        self._log = out / "failures.log"
        self._log.write_text("")
        self._lock = threading.Lock()
        self._all: list[dict] = []
        self.facts: dict = {}

    def add(self, phase: str, name: str, outcome: Outcome) -> None:
        figures = " ".join(f"{key}={value:.4g}" if isinstance(value, float) else f"{key}={value}"
                           for key, value in outcome.figures.items() if not is_table(value))
        with self._lock:
            print(f"{outcome.status:8}{outcome.seconds:7.1f} s  {phase}: {name}  {figures}"
                  + (f"  ({outcome.why})" if outcome.why else ""), flush=True)
            self._all.append(dict(phase=phase, name=name, status=outcome.status, seconds=round(outcome.seconds, 3),
                                  figures=outcome.figures, why=outcome.why))
            self.save()
            if outcome.status == FAILED and self._log.stat().st_size < LOG_BYTES:
                with self._log.open("a") as log:
                    log.write(f"===== {phase}: {name}: {outcome.why}\n{outcome.log[-LOG_BYTES_OF_ONE:]}\n")

    def save(self) -> None:
        whole = self._file.with_suffix(".part")
        whole.write_text(json.dumps(dict(facts=self.facts, checks=self._all), indent=1))
        whole.replace(self._file)

    def count(self, status: str) -> int:
        return sum(each["status"] == status for each in self._all)


def run_one(machine: Machine, check: Check, end: float) -> Outcome:
    limit = min(check.limit, end - time.monotonic())
    if limit <= 0:
        return Outcome(FAILED, why="the phase's time was up before it began")
    begin = time.monotonic()
    try:
        outcome = check.run(machine, limit)
    except Exception as error:  # a check that breaks must not keep the next ones from running
        outcome = Outcome(FAILED, why=f"{type(error).__name__}: {error}")
    outcome.seconds = time.monotonic() - begin
    return outcome


def run_phase(machine: Machine, phase: str, checks: list[Check], seconds: float, jobs: int, results: Results) -> None:
    """Runs checks, `jobs` at a time, until all are done or the phase's time is up."""
    end = time.monotonic() + seconds
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        done = [pool.submit(lambda check=check: results.add(phase, check.name, run_one(machine, check, end))) for check in checks]
        for each in done:
            each.result()
