"""Writes a GGUF file with a tensor of every format that Ulpscope reads, and what the gguf package
decodes of it.

    make_gguf.py OUTPUT.gguf EXPECTED.safetensors [--blocks N] [--seed N] [--odd]

--odd leaves the random scales of the blocks as they are: infinities, NaNs and subnormals included.
The fixture in data/ was made by: make_gguf.py data/formats.gguf data/formats.safetensors --blocks 1
"""
import argparse

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Format
from safetensors.numpy import save_file

# Places of the half-precision scales within a block.
SCALES = {
    Format.Q4_0: [0], Format.Q4_1: [0, 2], Format.Q5_0: [0], Format.Q5_1: [0, 2], Format.Q8_0: [0],
    Format.Q2_K: [80, 82], Format.Q3_K: [108], Format.Q4_K: [0, 2], Format.Q5_K: [0, 2], Format.Q6_K: [208],
}
PLAIN = {
    Format.F32: np.float32, Format.F64: np.float64, Format.I8: np.int8, Format.I16: np.int16,
    Format.I32: np.int32, Format.I64: np.int64,
}


def random_blocks(generator, kind, rows, blocks, odd):
    size = gguf.GGML_QUANT_SIZES[kind][1]
    data = generator.integers(0, 256, (rows * blocks, size), dtype=np.uint8)
    if not odd:
        for place in SCALES[kind]:
            scales = (generator.standard_normal(rows * blocks) * 0.05).astype(np.float16)
            data[:, place:place + 2] = scales.view(np.uint8).reshape(-1, 2)
    return data.reshape(rows, blocks * size)


def random_plain(generator, kind):
    if kind in (Format.F32, Format.F64):
        return generator.standard_normal((2, 3, 5)).astype(PLAIN[kind])
    info = np.iinfo(PLAIN[kind])
    return generator.integers(info.min, info.max, (4, 3), dtype=PLAIN[kind], endpoint=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("output")
    parser.add_argument("expected")
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--rows", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--odd", action="store_true")
    args = parser.parse_args()
    generator = np.random.default_rng(args.seed)
    writer = gguf.GGUFWriter(args.output, "llama")
    writer.add_uint32("llama.block_count", 2)
    writer.add_float32("llama.rope.freq_base", 10000.0)
    writer.add_bool("tokenizer.ggml.add_bos_token", True)
    writer.add_int64("test.negative", -5)
    writer.add_array("tokenizer.ggml.tokens", ["<s>", "", "größe"])
    writer.add_array("tokenizer.ggml.scores", [0.5, -1.0])
    writer.add_array("tokenizer.ggml.token_type", [1, -3, 2])
    expected = {}

    def add(kind, stored, values):
        writer.add_tensor(kind.name, stored, raw_dtype=kind)
        expected[kind.name] = np.ascontiguousarray(values)

    for kind in PLAIN:
        values = random_plain(generator, kind)
        add(kind, values, values)
    halves = generator.integers(0, 1 << 16, (3, 7), dtype=np.uint16)
    add(Format.F16, halves.view(np.float16), halves.view(np.float16))
    # The values of bfloat16 are kept as bits: NumPy has no such type.
    brains = generator.integers(0, 1 << 16, (3, 7), dtype=np.uint16)
    add(Format.BF16, brains.view(np.uint8).reshape(3, 14), brains.view(np.int16))
    for kind in SCALES:
        blocks = args.blocks if gguf.GGML_QUANT_SIZES[kind][0] == 256 else 2 * args.blocks
        data = random_blocks(generator, kind, args.rows, blocks, args.odd)
        with np.errstate(all="ignore"):
            add(kind, data, gguf.quants.dequantize(data, kind))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    save_file(expected, args.expected)


if __name__ == "__main__":
    main()
