#!/usr/bin/env python3
"""A study of the Python engine beside a plain run of transformers on the same device, with hooks that wait for each copy: every
tensor bit for bit. Prints one line of JSON.

    plain_bits.py draw FOLDER                                     a checkpoint whose larger tensors take megabytes
    plain_bits.py compare FOLDER TOKENS DEVICE RUN=FILE …         runs of the study, exported to safetensors
"""
import json
import pathlib
import sys

import torch
import transformers
from safetensors.torch import load_file

HERE = pathlib.Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[1] / "tests/core/engine/python/families"), str(HERE.parents[2] / "tests/core/engine/python/families")]

from plain_run import PlainRun  # noqa: E402

LAYERS = "model.layers"
TYPES = {"reference": torch.float32, "bf16": torch.bfloat16}
ENDS = {"output": "", "gradient": ".backward", "whole gradient": ".backward", "cos": ".cos", "sin": ".sin", "parameter": ".parameter_gradient"}
OWN_NAMES = {"model.embed_tokens": "embeddings", "model.norm": "norm"}


def draw(folder):
    torch.manual_seed(5)
    config = transformers.LlamaConfig(hidden_size=576, intermediate_size=1536, num_hidden_layers=4, num_attention_heads=9,
                                      num_key_value_heads=3, vocab_size=8192, tie_word_embeddings=True)
    transformers.AutoModelForCausalLM.from_config(config).save_pretrained(folder)


def name_of(module, what):
    if what == "parameter":
        return module + ENDS[what]
    front, _, number = module.rpartition(".")
    return (f"decoder.{number}" if front == LAYERS and number.isdigit() else OWN_NAMES.get(module, module)) + ENDS[what]


def problems_of(run, kept, values):
    plain = {name_of(module, what): tensor.cpu() for (module, what, _), tensor in values.items()}
    alone = sorted(set(plain) ^ set(kept))
    other = [name for name in plain if name in kept and not (
        kept[name].dtype == plain[name].dtype and torch.equal(kept[name].nan_to_num(), plain[name].nan_to_num()))]
    return ([f"{run}: without a partner: {alone[:5]}"] if alone else []) + (
        [f"{run}: {len(other)} of {len(plain)} tensors differ: {other[:5]}"] if other else [])


def compare(folder, tokens, device, files):
    ids = torch.tensor(json.loads(pathlib.Path(tokens).read_text())["ids"], device=device)
    figures, problems = {}, []
    for run, file in files.items():
        kept = load_file(file)
        kept.pop("loss")
        # Other kernels of attention add gradients up in any order.
        model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=TYPES[run], attn_implementation="eager").eval()
        _, values = PlainRun(model.to(device), LAYERS).run(ids)
        problems += problems_of(run, kept, values)
        figures[f"tensors_of_{run}"] = len(kept)
    return {"figures": figures, "problems": problems}


if __name__ == "__main__":
    if sys.argv[1] == "draw":
        draw(sys.argv[2])
    else:
        print(json.dumps(compare(*sys.argv[2:5], dict(each.split("=", 1) for each in sys.argv[5:]))))
