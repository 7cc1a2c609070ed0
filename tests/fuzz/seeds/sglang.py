"""Writes dumps of SGLang: sglang.py tests/fuzz/corpus (needs torch)."""
import io

import torch

from folders import bundle


def saved(value):
    buffer = io.BytesIO()
    torch.save(value, buffer)
    return buffer.getvalue()


one = torch.tensor([1.5])
bundle("sglang/dumper.bundle", {
    "dump_1/step=0___rank=0___dump_index=1___name=hidden___layer_id=3.pt": saved({"value": one, "meta": {"step": 0}}),
    "dump_1/step=0___rank=1___dump_index=2___name=grad__hidden.pt": saved(one)})
bundle("sglang/passes.bundle", {"TP0_PP0_Rank0_pid1/Pass00001.pt": saved({"model.norm": one, "model.layers.0": [one, one]})})
bundle("sglang/first.bundle", {"sglang_dump_1_0/forward_pass_id=2___name=x.pt": saved(one)})
