#!/usr/bin/env python3
"""Seconds of a forward and backward pass of a model of random weights in transformers alone, for formats and kinds of
attention as studies name them (bfloat16/sdpa, float32/sdpa_math): the first time and the median of three later ones, as
one line of JSON. A kind that does not run is there with its error."""

import argparse
import contextlib
import json
import statistics
import time

import torch
import transformers
from torch.nn.attention import SDPBackend, sdpa_kernel

KERNELS = {"sdpa_math": SDPBackend.MATH, "sdpa_flash": SDPBackend.FLASH_ATTENTION,
           "sdpa_efficient": SDPBackend.EFFICIENT_ATTENTION, "sdpa_cudnn": SDPBackend.CUDNN_ATTENTION}


def one_pass(model, tokens, device):
    begin = time.perf_counter()
    model.zero_grad(set_to_none=True)
    logits = model(tokens[:, :-1], use_cache=False).logits
    loss = torch.nn.functional.cross_entropy(logits.float().flatten(0, 1), tokens[:, 1:].flatten())
    loss.backward()
    if device != "cpu":
        torch.cuda.synchronize()
    return time.perf_counter() - begin


def measured(model, kind, tokens, device):
    dtype, attention = kind.split("/")
    model.to(getattr(torch, dtype))
    model.set_attn_implementation("eager" if attention == "eager" else "sdpa")
    kernel = sdpa_kernel(KERNELS[attention]) if attention in KERNELS else contextlib.nullcontext()
    try:
        with kernel:
            first = one_pass(model, tokens, device)
            return {"first": first, "warm": statistics.median(one_pass(model, tokens, device) for _ in range(3))}
    except RuntimeError as error:
        return {"error": str(error).splitlines()[0][:200]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("architecture", help="folder with config.json")
    parser.add_argument("kinds", nargs="+")
    parser.add_argument("--length", type=int, required=True)
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--device", required=True)
    arguments = parser.parse_args()
    config = transformers.AutoConfig.from_pretrained(arguments.architecture)
    with torch.device(arguments.device):
        model = transformers.AutoModelForCausalLM.from_config(config, dtype=torch.float32)
        tokens = torch.randint(0, config.vocab_size, (arguments.batch, arguments.length + 1))
    # float32 first: its weights are the most exact.
    kinds = sorted(arguments.kinds, key=lambda kind: not kind.startswith("float32"))
    print(json.dumps({kind: measured(model, kind, tokens, arguments.device) for kind in kinds}))


if __name__ == "__main__":
    main()
