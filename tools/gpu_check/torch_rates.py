#!/usr/bin/env python3
"""GB/s that LibTorch reads for a copy on the device and for the norm of a difference, as one line of JSON."""

import itertools
import json
import sys
import time

import torch


def seconds(device, action):
    """The shortest of ten times, in each of which the action runs until it can be told from the clock's own steps."""
    best = float("inf")
    for _ in range(10):
        begin = time.perf_counter()
        for _ in range(4):
            action()
        if device != "cpu":
            torch.cuda.synchronize()
        best = min(best, (time.perf_counter() - begin) / 4)
    return best


def main():
    device = sys.argv[1]
    sizes = {"2^26": 1 << 26, "4096x4096": 1 << 24} if device != "cpu" else {"2^20": 1 << 20}
    rates = {}
    for (size, count), (a, b) in itertools.product(sizes.items(), [("float32",) * 2, ("float32", "bfloat16"), ("bfloat16",) * 2]):
        x = torch.randn(count, device=device).to(getattr(torch, a))
        y = torch.randn(count, device=device).to(getattr(torch, b))
        read = (x.nbytes + y.nbytes) / 1e9
        rates[f"norm {a} {b} {size}"] = round(read / seconds(device, lambda: (x - y).norm()), 1)
        if a == b:
            # Read once and written once.
            rates[f"copy {a} {size}"] = round(2 * x.nbytes / 1e9 / seconds(device, lambda: x.copy_(y)), 1)
    print(json.dumps(rates))


if __name__ == "__main__":
    main()
