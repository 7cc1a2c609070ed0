"""Reads a capture store with h5py and compares values with what was stored; then lets h5py pack it
anew and reads it back. Usage: capture_oracle.py TOOL"""
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np
import torch
from safetensors.torch import load_file, save_file


def make_tensors():
    torch.manual_seed(0)
    every_half = torch.arange(-(1 << 15), 1 << 15, dtype=torch.int32).to(torch.int16)
    every_byte = torch.arange(256, dtype=torch.int32).to(torch.uint8)
    ieee = every_byte[((every_byte & 0x7F) < 0x78) | ((every_byte & 0x7F) == 0x7F)]
    return {
        "float64": torch.randn(3, 5, dtype=torch.float64),
        "float32": torch.randn(40, 50),
        "float16": every_half.view(torch.float16).clone(),
        "bfloat16": every_half.view(torch.bfloat16).clone(),
        "float8_e5m2": every_byte.view(torch.float8_e5m2).clone(),
        "float8_e4m3fn": ieee.view(torch.float8_e4m3fn).clone(),
        "float8_e4m3fn_beyond": every_byte.view(torch.float8_e4m3fn).clone(),
        "int64": torch.randint(-(1 << 62), 1 << 62, (4,)),
        "bool": torch.tensor([True, False, True]),
        "scalar": torch.tensor(2.5),
        "empty": torch.empty(0, 3),
    }


def check_values(tensors, file, run):
    wrong = []
    for name, tensor in tensors.items():
        dataset = file[f"/runs/{run}/backward/{name}"]
        values = np.asarray(dataset[()]).astype(np.float64)
        expected = tensor.to(torch.float64).numpy()
        if values.shape != expected.shape or not np.array_equal(values, expected, equal_nan=True):
            wrong.append(name)
        attributes = {key: dataset.attrs[key] for key in ("name", "module", "layer", "level", "dtype")}
        described = {"name": name, "module": "model", "layer": 3, "level": "module",
                     "dtype": str(tensor.dtype).removeprefix("torch.")}
        decoded = {k: v.decode() if isinstance(v, bytes) else v for k, v in attributes.items()}
        if decoded != described:
            wrong.append((name, decoded))
    return wrong


def check_reader(tool, folder, tensors, run):
    subprocess.run([tool, "captures", folder, folder / "out.safetensors"], check=True)
    got = load_file(folder / "out.safetensors")
    assert len(got) == len(tensors), got.keys()
    return [name for name, tensor in tensors.items()
            if got[f"{run}/backward/{name}"].dtype != tensor.dtype
            or got[f"{run}/backward/{name}"].contiguous().view(-1).view(torch.uint8).tolist()
            != tensor.contiguous().view(-1).view(torch.uint8).tolist()]


def pack(path):
    """Rewrites every dataset as chunks with compression, as h5repack would."""
    with h5py.File(path, "a") as file:
        paths = []
        file.visititems(lambda name, item: paths.append(name) if isinstance(item, h5py.Dataset) else None)
        for name in paths:
            old = file[name]
            if old.ndim == 0 or old.size == 0:
                continue
            space, kind = old.id.get_space(), old.id.get_type()
            raw = np.empty(old.shape, dtype=f"V{kind.get_size()}")
            old.id.read(h5py.h5s.ALL, h5py.h5s.ALL, raw, mtype=kind)
            properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            properties.set_chunk(tuple(max(1, d // 2) for d in old.shape))
            properties.set_deflate(4)
            attributes = [(key, old.attrs[key]) for key in old.attrs]
            del file[name]
            new = h5py.h5d.create(file.id, name.encode(), kind, space, properties)
            new.write(h5py.h5s.ALL, h5py.h5s.ALL, raw, mtype=kind)
            for key, value in attributes:
                dataset = h5py.Dataset(new)
                if isinstance(value, (str, bytes)):
                    text = value if isinstance(value, bytes) else value.encode()
                    dataset.attrs.create(key, np.bytes_(text))
                else:
                    dataset.attrs[key] = value


def main():
    tool = sys.argv[1]
    run = "bf16 größe"
    tensors = make_tensors()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        save_file(tensors, folder / "in.safetensors")
        subprocess.run([tool, "store", folder / "in.safetensors", folder, run], check=True)
        with h5py.File(folder / "tensors.h5") as file:
            wrong = check_values(tensors, file, run)
        print(f"h5py {h5py.__version__}, HDF5 {h5py.version.hdf5_version}: wrong: {wrong}")
        unlike = check_reader(tool, folder, tensors, run)
        print(f"own reader: wrong: {unlike}")
        for path in (folder / "tensors").glob("*.h5"):
            pack(path)
        packed = check_reader(tool, folder, tensors, run)
        print(f"own reader after packing: wrong: {packed}")
    return bool(wrong or unlike or packed)


if __name__ == "__main__":
    sys.exit(main())
