#!/usr/bin/env python3
"""Start-up time and memory of the window, empty and with a report.

  start_bench.py --build build/whole [--report RUN] [--rounds 9]

Times are those of `ulpscope --benchmark-start`: from the start of the process to its first frame, with
a report to the first frame that shows it. Rendered in software, on the offscreen platform unless
QT_QPA_PLATFORM names another. Medians; the first start, which reads the libraries from disk, is not
counted.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path


AIM_MS = 500
AIM_MIB = 150


def verdict(measured, aim):
    return "pass" if measured <= aim else "FAIL"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", required=True, help="build folder with bin/ulpscope")
    parser.add_argument("--report", default="runs/smollm2-demo", help="run folder")
    parser.add_argument("--rounds", type=int, default=9)
    return parser.parse_args()


def start(program, paths):
    """(milliseconds, MiB) of one start."""
    with tempfile.TemporaryDirectory() as runtime:
        environment = {"QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": runtime} | os.environ
        done = subprocess.run([program, "--benchmark-start", *paths], capture_output=True, text=True,
                              env=environment, check=True)
    words = done.stdout.split()
    values = dict(zip(words[::2], words[1::2]))
    return float(values["first_frame_ms"]), float(values["resident_kib"]) / 1024


def main():
    arguments = parse_arguments()
    program = Path(arguments.build) / "bin/ulpscope"
    cases = [("empty", [])]
    if (Path(arguments.report) / "precision_report.json").exists():
        cases.append((f"with {arguments.report}", [arguments.report]))
    else:
        print(f"start_bench: no {arguments.report}; `make demo` makes it", file=sys.stderr)
    for title, paths in cases:
        start(program, paths)
        results = [start(program, paths) for _ in range(arguments.rounds)]
        milliseconds = statistics.median(r[0] for r in results)
        mebibytes = statistics.median(r[1] for r in results)
        print(f"{title:32} {milliseconds:6.0f} ms   aim {AIM_MS}   {verdict(milliseconds, AIM_MS)}   "
              f"{mebibytes:6.0f} MiB   aim {AIM_MIB}   {verdict(mebibytes, AIM_MIB)}")


if __name__ == "__main__":
    main()
