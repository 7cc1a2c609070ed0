#!/usr/bin/env python3
"""What watching costs in the Python engine: forward and backward of a random Llama of SmolLM2-135M's size, bare, and with
every tensor of level module and every parameter's gradient copied to where Ulpscope would read it; on a GPU also with each copy
waited for. Alternating rounds of one process; prints medians and ratios, elapsed and of the processor.

  build/deps/python/bin/python tests/bench/study/python_hooks_bench.py [--length 128] [--rounds 5] [--threads 2] [--device cpu]
"""
import argparse
import gc
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

import torch
import transformers
from torch.nn import functional

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "resources/python"))
from ulpscope_engine.copying import Gpus, Outbox
from ulpscope_engine.exchange import SharedMemory
from ulpscope_engine.formats import PLAIN
from ulpscope_engine.transformers_model import TransformersModel
from ulpscope_engine.watching import Names, Observation

BUFFER_BYTES = 1 << 40


def model_in(folder, device):
    config = transformers.LlamaConfig(hidden_size=576, intermediate_size=1536, num_hidden_layers=30,
                                      num_attention_heads=9, num_key_value_heads=3, vocab_size=49152,
                                      tie_word_embeddings=True)
    config.save_pretrained(folder)
    return TransformersModel({"path": folder, "trusts_code": False, "random": True, "seed": 0, "architecture": {},
                              "device": device})


class QuickReader:
    """Takes Ulpscope's place at the other end: has looked at a tensor before the next one comes."""

    def __init__(self, gpus):
        os.dup2(os.memfd_create("tensors"), 4)
        os.truncate(4, BUFFER_BYTES)
        self.memory, self.seen = SharedMemory(Outbox(self), gpus), []

    def receive(self, waits=True):
        free, self.seen = self.seen, []
        return {"seen": len(free), "free": free} if free else None

    def show(self, _, tensor, *__):
        self.memory.outbox.send(offset=self.memory.put(tensor))

    def send(self, offset):
        self.seen.append(offset)


class WaitingGpus(Gpus):
    """Copies nothing while the model goes on."""

    def takes(self, tensor):
        return False


def one_pass(module, tokens, reader):
    show = reader and reader.show
    watch = Observation(module, Names(module), lambda site: True, show, True) if show else None
    logits = module(input_ids=tokens[:, :-1], use_cache=False).logits
    rows, labels = logits.float().flatten(0, 1), tokens[:, 1:].flatten()
    functional.cross_entropy(rows, labels).backward()
    if watch:
        for name, parameter in module.named_parameters():
            show(name, parameter.grad)
        reader.memory.outbox.finish()
        watch.close()
    module.zero_grad(set_to_none=True)
    if tokens.is_cuda:
        torch.cuda.synchronize()


def seconds(work):
    begin, used = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - begin, time.process_time() - used


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    for name, number in (("length", 128), ("rounds", 5), ("threads", 2)):
        parser.add_argument(f"--{name}", type=int, default=number)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--json", action="store_true", help="print the seconds that have elapsed, and their ratios, as a line of JSON")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    tokens = torch.randint(0, 49152, (1, arguments.length + 1), device=arguments.device)
    readers = {"bare": None, "watched": QuickReader(Gpus())} | ({"waiting": QuickReader(WaitingGpus())} if tokens.is_cuda else {})
    gc.freeze()  # as the engine does when its libraries are loaded
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        model = model_in(folder, arguments.device)
        print(f"1 x {arguments.length} tokens, {arguments.threads} threads, medians of {arguments.rounds} rounds")
        for dtype in ("float32", "bfloat16"):
            module = model.prepared(dict(PLAIN, dtype=dtype, device=arguments.device))
            times = {name: [] for name in readers}
            for _ in range(arguments.rounds + 1):
                for name, reader in readers.items():
                    times[name].append(seconds(lambda: one_pass(module, tokens, reader)))
            for index, clock in enumerate(("elapsed", "processor")):
                medians = {name: statistics.median(row[index] for row in each[1:]) for name, each in times.items()}
                ratios = {name: each / medians["bare"] for name, each in medians.items() if name != "bare"}
                print(f"{dtype:9} {clock:9}  bare {medians['bare']:.3f} s  "
                      + "  ".join(f"{name} {medians[name]:.3f} s  ratio {ratio:.2f}" for name, ratio in ratios.items()))
                if clock == "elapsed":
                    figures[f"{dtype}_bare_s"] = medians["bare"]
                    figures |= {f"{dtype}_{name}_ratio": ratio for name, ratio in ratios.items()}
    if arguments.json:
        print(json.dumps({"figures": figures}))


if __name__ == "__main__":
    main()
