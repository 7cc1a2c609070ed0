"""Compares our reading of .npz and HDF5 files with NumPy's and h5py's writing, and of ATB files with their
definition. Usage: archive_oracle.py TOOL"""
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np
import torch
from safetensors.torch import load_file

WIDENED = {"u2": "i4", "u4": "i8", "u8": "i8"}
RANDOM = np.random.default_rng(0)


def random(kind, shape, order="C"):
    values = RANDOM.integers(0, 100, shape)
    return np.asarray(values > 50 if kind == "?" else values.astype(kind), order=order)


def as_read(array):
    """What Ulpscope shows: little-endian, the next wider type for unsigned integers."""
    array = np.asarray(array).astype(array.dtype.newbyteorder("<"))
    return array.astype(WIDENED.get(array.dtype.str[1:], array.dtype))


def npz_files(folder):
    arrays = {f"{kind}_{order}_{len(shape)}": random(kind, shape, order)
              for kind in "f8 f4 f2 i8 i4 i2 i1 u1 u2 u4 u8 ?".split() for order in "CF"
              for shape in ((), (7,), (3, 4, 5), (0, 3))}
    arrays["../../name"] = random("f4", (2, 2))
    arrays["large"] = RANDOM.standard_normal((300, 400)).astype("f4")
    expected = {name: as_read(array) for name, array in arrays.items()}
    odd = {"text": np.array(["a"]), "complex": np.ones(2, "c8"), "swapped": np.ones(2, ">f4")}
    np.savez(folder / "plain.npz", **arrays, **odd)
    np.savez_compressed(folder / "packed.npz", **arrays, **odd)
    return {folder / "plain.npz": expected, folder / "packed.npz": expected}


def bfloat16():
    kind = h5py.h5t.IEEE_F32LE.copy()
    kind.set_fields(15, 7, 8, 0, 7)
    kind.set_size(2)
    kind.set_ebias(127)
    return kind


def hdf5_file(path):
    expected = {}
    with h5py.File(path, "w") as file:
        def add(name, array, **options):
            file.create_dataset(name, data=array, **options)
            expected[name] = as_read(np.asarray(array))

        for kind in "f8 f4 f2 i8 i4 i2 i1 u1 u2 u4 u8 ?".split():
            add(f"types/{kind}", random(kind, (3, 4)))
            add(f"types/packed/{kind}", random(kind, (30, 40)), chunks=(7, 9), compression="gzip", shuffle=True)
        for kind in (">f8", ">i4", ">u2", ">i8"):
            add(f"swapped/{kind[1:]}", random(kind, (5,)))
        file.create_dataset("swapped/f2", data=random(">f2", (5,)))
        expected["swapped/f2"] = file["swapped/f2"][()].astype("f4")
        add("scalar", np.float32(2.5))
        add("empty", np.empty((0, 4), "f4"))
        add("unlimited", random("f4", (3, 5)), maxshape=(None, 5))
        add("a/b/c/d", random("f4", (2,)))
        brain = h5py.h5d.create(file.id, b"brain", bfloat16(), h5py.h5s.create_simple((3,)))
        brain.write(h5py.h5s.ALL, h5py.h5s.ALL, np.array([1, -2.5, 3e38], "f4"))
        file["a/loop"] = file["a"]  # a group within itself
        file["soft"] = h5py.SoftLink("/scalar")
        file["other file"] = h5py.ExternalLink("/etc/passwd", "/x")
        file.create_dataset("text", data="hello")
        file.create_dataset("record", data=np.zeros(2, [("a", "f4")]))
        file.create_dataset("complex", data=np.ones(2, "c8"))
        file.create_dataset("outside", (4,), "u1", external=[("/etc/passwd", 0, 4)])
        file["null"] = h5py.Empty("f4")
    expected["brain"] = np.array([1, -2.5, 3e38], "f4")
    return {path: expected}


ATB = {0: "f4", 1: "f2", 2: "i1", 3: "i4", 4: "u1", 6: "i2", 7: "u2", 8: "u4", 9: "i8", 10: "u8", 11: "f8", 12: "?"}


def atb_files(folder):
    files = {}
    for code, kind in ATB.items():
        for shape in ((3, 4), (5,)):
            array = random(kind, shape)
            dims = ",".join(map(str, shape))
            text = (f"$Version=1.0\n$Object.Count=1\n$Object.Length={array.nbytes}\nformat=2\ndtype={code}\n"
                    f"dims={dims}\n$Object.data=0,{array.nbytes}\n$End=1\n").encode() + array.tobytes()
            path = folder / f"{code}_{len(shape)}.bin"
            path.write_bytes(text + text if code == 3 else text)  # written twice: appended
            files[path] = {"": as_read(array)}
    return files


def check(tool, folder, files):
    (folder / "list").write_text("".join(f"{path}\n" for path in files))
    subprocess.run([tool, "files", folder / "list", folder / "out.safetensors"], check=True)
    got = load_out(folder / "out.safetensors")
    wrong, count = [], 0
    for line, (path, expected) in enumerate(files.items()):
        for name, array in expected.items():
            count += 1
            read = got.pop(f"{line}/{name}", None)
            if read is None or read.dtype != array.dtype or not np.array_equal(read, array):
                if name != "brain" or not np.allclose(read, array, rtol=2**-8):
                    wrong.append((path.name, name, read, array))
    print(f"{len(files)} files, {count} tensors, wrong: {wrong[:5]}, too many: {list(got)}")
    return bool(wrong) or bool(got)


def load_out(path):
    return {name: (tensor.float() if tensor.dtype == torch.bfloat16 else tensor).numpy()
            for name, tensor in load_file(path).items()}


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        files = {**npz_files(folder), **hdf5_file(folder / "all.h5"), **atb_files(folder)}
        return check(sys.argv[1], folder, files)


if __name__ == "__main__":
    sys.exit(main())
