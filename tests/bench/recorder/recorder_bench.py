#!/usr/bin/env python3
"""What recording costs: a training step of a random Llama of SmolLM2-135M's size, 128 tokens on the CPU, without
the recorder and with it, in alternating rounds of one process. Prints medians, ratios and sizes.

The time with the recorder is that of the step and of writing what it left, so that nothing hides behind the clock.
"""
import argparse
import os
import pathlib
import shutil
import statistics
import sys
import tempfile
import time

import torch
import transformers

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "resources" / "python"))
from ulpscope_recorder import Recorder

BLOCKS = r"layers\.\d+\.(mlp|self_attn)$"
CASES = {
    "blocks, statistics": {"modules": BLOCKS, "statistics_only": True, "parameters": None},
    "blocks, elements": {"modules": BLOCKS, "parameters": None},
    "every module, statistics": {"statistics_only": True, "parameters": None},
    "every module, elements": {"parameters": None},
    "every module and parameter, elements": {},
    "functions, statistics": {"level": "L1", "statistics_only": True},
    "functions, checksums": {"level": "L1", "task": "crc32"},
    "functions, elements": {"level": "L1"},
    "functions and modules, statistics": {"level": "mix", "statistics_only": True, "parameters": None},
}


def model_of(layers):
    torch.manual_seed(0)
    config = transformers.LlamaConfig(hidden_size=576, intermediate_size=1536, num_hidden_layers=layers,
                                      num_attention_heads=9, num_key_value_heads=3, vocab_size=49152,
                                      tie_word_embeddings=True)
    return transformers.LlamaForCausalLM(config)


def step(model, ids):
    model.zero_grad(set_to_none=True)
    model(input_ids=ids, labels=ids, use_cache=False).loss.backward()


def seconds(work):
    """Elapsed, and of the processor by all threads, which other work on the machine changes less."""
    begin, used = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - begin, time.process_time() - used


def recorded(model, ids, folder, options):
    with Recorder(model, folder, **options) as recorder:
        with recorder.step():
            step(model, ids)


def size_of(folder):
    return sum(path.stat().st_size for path in pathlib.Path(folder).rglob("*.safetensors"))


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--layers", type=int, default=30)
    arguments.add_argument("--tokens", type=int, default=128)
    arguments.add_argument("--threads", type=int, default=None)
    arguments.add_argument("--folder", default=None, help="where dumps are written and deleted again")
    arguments.add_argument("--build", help="of `make bench`; not needed here")
    given = arguments.parse_args()
    if given.threads:
        torch.set_num_threads(given.threads)
    model, ids = model_of(given.layers), torch.randint(0, 49152, (1, given.tokens))
    step(model, ids)
    bare, times, sizes = ({name: [] for name in CASES} for _ in range(3))
    for _ in range(given.rounds):
        for name, options in CASES.items():
            bare[name].append(seconds(lambda: step(model, ids)))  # beside its own, as the machine may be busy
            folder = tempfile.mkdtemp(dir=given.folder)
            times[name].append(seconds(lambda: recorded(model, ids, os.path.join(folder, "dump"), options)))
            sizes[name] = size_of(folder)
            shutil.rmtree(folder)
    print(f"{'medians of ' + str(given.rounds) + ' rounds':38} bare s recorded s  ratio  CPU ratio   MiB")
    for name, its in times.items():
        ratios = [statistics.median(a[clock] / b[clock] for a, b in zip(its, bare[name])) for clock in (0, 1)]
        elapsed = [statistics.median(seconds for seconds, _ in each) for each in (bare[name], its)]
        print(f"{name:38} {elapsed[0]:6.3f} {elapsed[1]:10.3f} {ratios[0]:6.2f} {ratios[1]:10.2f} "
              f"{sizes[name] / 2**20:5.0f}")


if __name__ == "__main__":
    main()
