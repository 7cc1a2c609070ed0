"""Compares our reading and writing of safetensors and .npy files with safetensors, torch and NumPy.
Usage: safetensors_oracle.py TOOL"""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import torch
from safetensors.torch import load_file, save_file

BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def same_bits(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and torch.equal(
        a.contiguous().view(BITS[a.element_size()]), b.contiguous().view(BITS[b.element_size()]))


def random_tensors():
    torch.manual_seed(0)
    tensors = {}
    for dtype in (torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn,
                  torch.float8_e5m2):
        tensors[str(dtype)] = (torch.randn(3, 5, dtype=torch.float32) * 4).to(dtype)
    for dtype in (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8):
        info = torch.iinfo(dtype)
        tensors[str(dtype)] = torch.randint(info.min, info.max, (2, 3), dtype=dtype)
    tensors["bool"] = torch.tensor([True, False, True])
    tensors["scalar"] = torch.tensor(1.5)
    tensors["empty"] = torch.empty(0, 4)
    return tensors


def check_safetensors(tool, folder):
    tensors = random_tensors()
    save_file(tensors, folder / "in.safetensors", metadata={"format": "pt"})
    subprocess.run([tool, "convert", folder / "in.safetensors", folder / "out.safetensors"], check=True)
    got = load_file(folder / "out.safetensors")
    assert got.keys() == tensors.keys()
    wrong = [name for name in tensors if not same_bits(got[name], tensors[name])]
    print(f"safetensors: {len(tensors)} tensors, wrong: {wrong}")
    return len(wrong)


def check_shards(tool, folder):
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(vocab_size=64, hidden_size=32, intermediate_size=64, num_hidden_layers=2,
                         num_attention_heads=4, num_key_value_heads=2)
    model = LlamaForCausalLM(config)
    model.save_pretrained(folder / "model", max_shard_size="20KB")
    index = json.loads((folder / "model/model.safetensors.index.json").read_text())
    assert len(set(index["weight_map"].values())) > 1, "the model is not sharded"
    subprocess.run([tool, "convert", folder / "model", folder / "out.safetensors"], check=True)
    got, expected = load_file(folder / "out.safetensors"), model.state_dict()
    wrong = [name for name in expected if not same_bits(got[name], expected[name])]
    print(f"shards: {len(expected)} tensors, wrong: {wrong}")
    return len(wrong) + (got.keys() != expected.keys())


def check_npy(tool, folder):
    generator = np.random.default_rng(0)
    wrong = []
    for kind in "f8 f4 f2 i8 i4 i2 i1 u1 ?".split():
        for order in "CF":
            for shape in ((), (7,), (3, 4, 5), (0, 3)):
                array = np.asarray(generator.integers(0, 100, shape).astype(kind), order=order)
                np.save(folder / "in.npy", array)
                subprocess.run([tool, "npy", folder / "in.npy", folder / "out.safetensors"], check=True)
                got = load_file(folder / "out.safetensors")["array"].numpy()
                if got.dtype != array.dtype or not np.array_equal(got, array):
                    wrong.append((kind, order, shape))
    for kind, widened in (("u2", np.int32), ("u4", np.int64), ("u8", np.int64)):
        array = np.asarray(generator.integers(0, 60000, (3, 4)).astype(kind), order="F")
        np.save(folder / "in.npy", array)
        subprocess.run([tool, "npy", folder / "in.npy", folder / "out.safetensors"], check=True)
        got = load_file(folder / "out.safetensors")["array"].numpy()
        if got.dtype != widened or not np.array_equal(got, array):
            wrong.append(kind)
    print(f"npy: wrong: {wrong}")
    return len(wrong)


def main():
    tool = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        failures = check_safetensors(tool, folder) + check_shards(tool, folder) + check_npy(tool, folder)
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
