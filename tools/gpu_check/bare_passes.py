#!/usr/bin/env python3
"""Seconds of a forward and backward pass of a model of random weights in transformers alone, for formats and kinds of
attention such as bfloat16/sdpa: the first time and the median of three later ones, as one line of JSON."""

import argparse
import json
import statistics
import time

import torch
import transformers


def one_pass(model, tokens, device):
    begin = time.perf_counter()
    model.zero_grad(set_to_none=True)
    logits = model(tokens[:, :-1], use_cache=False).logits
    loss = torch.nn.functional.cross_entropy(logits.float().flatten(0, 1), tokens[:, 1:].flatten())
    loss.backward()
    if device != "cpu":
        torch.cuda.synchronize()
    return time.perf_counter() - begin


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
    first, warm = {}, {}
    # float32 first: its weights are the most exact.
    for kind in sorted(arguments.kinds, key=lambda kind: not kind.startswith("float32")):
        dtype, attention = kind.split("/")
        model.to(getattr(torch, dtype))
        model.set_attn_implementation(attention)
        first[kind] = one_pass(model, tokens, arguments.device)
        warm[kind] = statistics.median(one_pass(model, tokens, arguments.device) for _ in range(3))
    print(json.dumps({"first": first, "warm": warm}))


if __name__ == "__main__":
    main()
