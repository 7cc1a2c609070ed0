#!/usr/bin/env python3
"""Times a study on a quiet machine and beside busy processes, by how long idle threads of OpenMP spin.

  busy_bench.py --build build/whole [--model FILE.gguf] [--busy 2] [--rounds 5]

Study: that of study_bench.py, captured at layer level, each time in a process of its own, from its start
to its end. Beside it, where it is not alone, run processes that compute and nothing else; by default as
many as there are cores. Spinning: as ulpscope-cli chooses it (app/cli/idle_threads.h), as OpenMP does
by itself (300,000 looks for work), 3,000 looks, and not at all. All alternate in one run, and each round
starts with another; medians are shown, and medians of the ratios to OpenMP's own choice in the same round.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from study_bench import BF16, HEAD, RESIDUAL, STUDY, parse_arguments, rotated, show

OPENMP = "as OpenMP by itself"
SPINNING = {
    "as ulpscope-cli chooses": {},
    OPENMP: {"GOMP_SPINCOUNT": "300000"},
    "3,000 looks": {"GOMP_SPINCOUNT": "3000"},
    "not at all": {"OMP_WAIT_POLICY": "PASSIVE"},
}


@contextmanager
def busy(count):
    processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def seconds(program, study, folder, spinning):
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")}
    begin = time.perf_counter()
    subprocess.run([program, "run", str(study), "--output", str(folder / "out"), "--overwrite"], check=True,
                   env=environment | spinning, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - begin


def main():
    arguments = parse_arguments(__doc__, "busy")
    if not Path(arguments.model).exists():
        sys.exit(f"busy_bench: {arguments.model} does not exist; `make setup` fetches it")
    program = f"{arguments.build}/bin/ulpscope-cli"
    results = {(count, title): [] for count in (0, arguments.busy) for title in SPINNING}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        study = folder / "study.yaml"
        study.write_text(STUDY.format(model=arguments.model, length=arguments.length, bf16=BF16, head=HEAD,
                                      residual=RESIDUAL, level="layer"))
        seconds(program, study, folder, {})
        for i in range(arguments.rounds):
            for count in (0, arguments.busy):
                with busy(count):
                    for title in rotated(SPINNING, i):
                        results[count, title].append(seconds(program, study, folder, SPINNING[title]))
                taken = ", ".join(f"{title} {results[count, title][i]:.2f} s" for title in SPINNING)
                print(f"round {i + 1} of {arguments.rounds}, beside {count}: {taken}", flush=True)
    rows = [("", "alone s", "ratio", f"beside {arguments.busy} s", "ratio")]
    for title in SPINNING:
        row = [title]
        for count in (0, arguments.busy):
            own, openmp = results[count, title], results[count, OPENMP]
            row += [f"{statistics.median(own):.2f}",
                    f"{statistics.median(a / b for a, b in zip(own, openmp)):.2f}"]
        rows.append(tuple(row))
    print(f"SmolLM2-135M, 1 x {arguments.length} tokens, medians of {arguments.rounds} alternating rounds")
    show(rows)


if __name__ == "__main__":
    main()
