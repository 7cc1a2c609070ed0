"""Runs one shard of a GoogleTest program's tests in one process, which is started once and not once for each test.

run_shard.py I/N [--filter PATTERN] [--limit SECONDS] PROGRAM
I from 0 on; the tests of a suite stay side by side. A test with which the process ends, or that takes longer than the
limit, fails by its name, and those behind it run in a new process. Shows what failing tests printed, and those during
which a sanitizer reported something, which fail the shard, a line
"skipped: PROGRAM.TEST: words" for each that skipped, and how those that failed are run again.
"""
import argparse
import os
import pathlib
import queue
import re
import signal
import subprocess
import sys
import threading
import time

MARK = re.compile(r"\[ +(RUN|OK|SKIPPED|FAILED) +\] (\S+?)(?:,| \(|$)")
LINES_KEPT = 400  # of one test that prints much
# What a sanitizer reports does not fail the test during which it does, but the process at its end.
REPORT = re.compile(r"WARNING: \w+Sanitizer|ERROR: \w+Sanitizer|: runtime error: ")


def names_of(program: pathlib.Path, pattern: str) -> list[str]:
    listed = subprocess.run([program, "--gtest_list_tests", f"--gtest_filter={pattern}"], capture_output=True, text=True)
    if listed.returncode:
        sys.exit(f"{program} does not list its tests (exit {listed.returncode}):\n{listed.stdout}{listed.stderr}")
    names, suite = [], ""
    for line in listed.stdout.splitlines():
        name = line.partition("#")[0].rstrip()
        if re.fullmatch(r"\S+\.", name):
            suite = name
        elif suite and re.fullmatch(r"  \S+", name) and "DISABLED_" not in suite + name:
            names.append(suite + name.strip())
    return names


def meaning(status: int) -> str:
    return f"signal {-status} ({signal.strsignal(-status)})" if status < 0 else f"exit {status}"


class Shard:
    def __init__(self, program: pathlib.Path, names: list[str], limit: float):
        self.program, self.left, self.limit = program, names, limit
        self.ended: set[str] = set()
        self.failed: list[str] = []
        self.strays = 0  # problems outside of tests

    def show(self, title: str, lines: list[str]) -> None:
        if len(lines) > LINES_KEPT:
            half = LINES_KEPT // 2
            lines = [*lines[:half], f"… {len(lines) - LINES_KEPT} lines …", *lines[-half:]]
        print(f"-- {title}", *lines, sep="\n", flush=True)

    def end(self, mark: str, name: str, lines: list[str]) -> None:
        self.ended.add(name)
        if mark != "FAILED" and any(REPORT.search(line) for line in lines):
            self.strays += 1
            self.show(f"{name}, reported by a sanitizer", lines)
        if mark == "FAILED":
            self.failed.append(name)
            self.show(name, lines)
        elif mark == "SKIPPED":
            # Behind "FILE:LINE: Skipped".
            at = next((index for index, line in enumerate(lines) if line.endswith(": Skipped")), len(lines))
            print(f"skipped: {self.program.name}.{name}: {' '.join(lines[at + 1:at + 2])}", flush=True)

    def run_process(self) -> None:
        """Runs those that are left until all have ended, the process has, or one takes too long."""
        process = subprocess.Popen(
            [self.program, f"--gtest_filter={':'.join(self.left)}", "--gtest_color=no"], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", process_group=0)
        lines: queue.Queue = queue.Queue()

        def read() -> None:
            for line in process.stdout:
                lines.put(line.rstrip("\n"))
            lines.put(None)

        threading.Thread(target=read, daemon=True).start()
        failed_before = len(self.failed)
        running, since, printed, outside = "", time.monotonic(), [], []
        try:
            while (line := lines.get(timeout=max(0, since + self.limit - time.monotonic()))) is not None:
                found = MARK.search(line)
                if found and found[1] == "RUN":
                    running, since, printed = found[2], time.monotonic(), []
                elif found and found[2] == running:
                    self.end(found[1], running, [*printed, line])
                    running, since = "", time.monotonic()
                else:
                    (printed if running else outside).append(line)
            status = process.wait()
            problem = f"the program ended with it: {meaning(status)}"
        except queue.Empty:
            problem = f"it took longer than {self.limit:g} s"
            status = -signal.SIGKILL
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        if running:
            self.end("FAILED", running, [*printed, problem])
        elif status and len(self.failed) == failed_before:
            self.stray(outside, meaning(status))
        left = [name for name in self.left if name not in self.ended]
        if len(left) == len(self.left):
            self.stray(outside, f"none of {len(left)} tests ran: {meaning(status)}")
            left = []
        self.left = left

    def stray(self, lines: list[str], problem: str) -> None:
        self.strays += 1
        self.show(f"{self.program.name}, outside of its tests", [*lines, problem])

    def run(self) -> int:
        start, number = time.monotonic(), len(self.left)
        while self.left:
            self.run_process()
        print(f"{number} tests, {len(self.failed)} failed, {time.monotonic() - start:.1f} s")
        if self.failed:
            print(f"again: {self.program} --gtest_filter='{':'.join(self.failed)}'")
        return 1 if self.failed or self.strays else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shard", help="I/N")
    parser.add_argument("--filter", default="*", help="GoogleTest's pattern of the tests that are shared out")
    parser.add_argument("--limit", type=float, default=120, help="seconds that a test may take")
    parser.add_argument("program", type=pathlib.Path)
    chosen = parser.parse_args()
    index, number = (int(word) for word in chosen.shard.split("/"))
    names = names_of(chosen.program, chosen.filter)
    if not names:
        sys.exit(f"{chosen.program} has no test {chosen.filter}")
    first, behind = index * len(names) // number, (index + 1) * len(names) // number
    return Shard(chosen.program, names[first:behind], chosen.limit).run()


if __name__ == "__main__":
    sys.exit(main())
