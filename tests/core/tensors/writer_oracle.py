"""torch.load and numpy.load give back, bit for bit, what our writers of .pt and .npy wrote. Usage: writer_oracle.py TOOL"""
import pathlib
import subprocess
import sys
import tempfile

import numpy
import torch
from safetensors.torch import save_file

TYPES = [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2,
         torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool]
SHAPES = [(3, 5), (), (0, 4), (4, 0), (1,), (300, 2), (2, 1, 3, 1)]


def bits(tensor):
    return tensor.contiguous().reshape(-1).view(torch.uint8)


def make(dtype, shape):
    if dtype is torch.bool:
        return torch.rand(shape) > 0.5
    if dtype.is_floating_point:
        return (torch.randn(shape) * 3).to(dtype)
    return torch.randint(0, 100, shape).to(dtype)


def same_pt(path, expected):
    for options in ({}, {"mmap": True}):
        got = torch.load(path, weights_only=True, **options)
        same = got.dtype == expected.dtype and got.shape == expected.shape and got.stride() == expected.stride()
        if not (same and not got.requires_grad and torch.equal(bits(got), bits(expected))):
            return False
    return True


def same_npy(path, expected):
    got = numpy.load(path, allow_pickle=False)
    widened = expected.dtype in (torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2)
    wanted = (expected.float() if widened else expected).numpy()
    return got.dtype == wanted.dtype and got.shape == wanted.shape and got.tobytes() == wanted.tobytes()


def main():
    torch.manual_seed(0)
    tensors = {f"{str(dtype)[6:]}_{i}": make(dtype, shape) for dtype in TYPES for i, shape in enumerate(SHAPES)}
    tensors["large"] = torch.randn(1000, 1000).bfloat16()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        save_file(tensors, folder / "in.safetensors")
        subprocess.run([sys.argv[1], "write", folder / "in.safetensors", folder], check=True)
        wrong = [key for key, tensor in tensors.items() if not same_pt(folder / f"{key}.pt", tensor)]
        wrong += [f"{key}.npy" for key, tensor in tensors.items() if not same_npy(folder / f"{key}.npy", tensor)]
    print(f"{len(tensors)} tensors, wrong: {wrong}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
