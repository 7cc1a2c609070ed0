"""Writes the seeds that are cut short or lie: make_hostile_corpus.py tests/fuzz/corpus (needs what
make_corpus.py wrote, and nothing beside Python)."""
import io
import json
import pathlib
import struct
import sys
import zipfile

folder = pathlib.Path(sys.argv[1])
LARGEST = 2**63 - 1


def text(value):
    return json.dumps(value, ensure_ascii=False)


def cut(source, target):
    """Two thirds of a file that is well-formed."""
    content = (folder / source).read_bytes()
    (folder / target).write_bytes(content[: len(content) * 2 // 3])


cut("npy/fortran_order.npy", "npy/cut.npy")
cut("npz/plain.npz", "npz/cut.npz")
cut("safetensors/three.safetensors", "safetensors/cut.safetensors")
cut("gguf/Q4_0.gguf", "gguf/cut.gguf")
cut("torch/nested.pt", "torch/cut.pt")
cut("atb/bfloat16.bin", "atb/cut.bin")
cut("tokenizer/bpe.json", "tokenizer/cut.json")
cut("msprobe/arguments.json", "msprobe/cut.json")


def npy(header):
    """Version 1, padded to 64 bytes as numpy does."""
    line = header + " " * (-(10 + len(header) + 1) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(line)) + line.encode()


(folder / "npy/overflow.npy").write_bytes(
    npy(f"{{'descr': '<f8', 'fortran_order': True, 'shape': ({LARGEST}, {LARGEST}, 0, 2), }}") + bytes(16))
(folder / "npy/nested.npy").write_bytes(npy("{'descr': " + "(" * 400 + "'<f8'" + ")" * 400 + ", 'shape': (1,), }"))

# The sizes in the directory of the archive are not those of its members.
packed = bytearray((folder / "npz/packed.npz").read_bytes())
place = packed.index(b"PK\x01\x02")
struct.pack_into("<II", packed, place + 20, 0x7FFFFFFE, 0xFFFFFFFE)
(folder / "npz/sizes.npz").write_bytes(packed)


def safetensors(header, data, length=None):
    return struct.pack("<Q", len(header) if length is None else length) + header.encode() + data


(folder / "safetensors/overlap.safetensors").write_bytes(safetensors(
    text({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},
          "b": {"dtype": "F32", "shape": [LARGEST, 4], "data_offsets": [4, 2**64 - 1]}}), bytes(8)))
(folder / "safetensors/length.safetensors").write_bytes(safetensors("{}", b"", 2**64 - 8))
(folder / "safetensors/nested.safetensors").write_bytes(safetensors('{"a":' + "[" * 600, b""))


def gguf_text(value):
    return struct.pack("<Q", len(value)) + value.encode()


gguf = b"GGUF" + struct.pack("<I", 3)
one_tensor = gguf_text("x") + struct.pack("<IQQIQ", 2, 2**32, 2**32, 2, 2**63)
(folder / "gguf/counts.gguf").write_bytes(gguf + struct.pack("<QQ", 2**63, 2**63) + bytes(64))
(folder / "gguf/list.gguf").write_bytes(
    gguf + struct.pack("<QQ", 0, 1) + gguf_text("k") + struct.pack("<IIQ", 9, 8, 2**61) + bytes(32))
(folder / "gguf/nested.gguf").write_bytes(
    gguf + struct.pack("<QQ", 0, 1) + gguf_text("k") + struct.pack("<I", 9) + struct.pack("<IQ", 9, 1) * 200 + bytes(32))
(folder / "gguf/shape.gguf").write_bytes(gguf + struct.pack("<QQ", 1, 0) + one_tensor + bytes(64))


def torch_file(pickle):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in (("archive/data.pkl", pickle), ("archive/byteorder", b"little"),
                              ("archive/data/0", bytes(8)), ("archive/version", b"3\n")):
            archive.writestr(zipfile.ZipInfo(name), content)
    return buffer.getvalue()


(folder / "torch/program.pt").write_bytes(torch_file(b"\x80\x02cposix\nsystem\nX\x04\x00\x00\x00true\x85R."))
(folder / "torch/nested_deep.pt").write_bytes(torch_file(b"\x80\x02" + b"]" * 500 + b"a" * 499 + b"."))
# A list that holds itself, and a memo that is not there.
(folder / "torch/memo.pt").write_bytes(torch_file(b"\x80\x02]q\x00h\x00ah\x07a."))

header = "$Version=1.0\n$Object.Count=1\n$Object.Length={}\nformat=2\ndtype={}\ndims={}\n{}$End=1\n"
(folder / "atb/length.bin").write_bytes(
    header.format(2**64 - 1, 0, f"{LARGEST},4", "$Object.data=18446744073709551615,4\n").encode() + bytes(4))
(folder / "atb/dimensions.bin").write_bytes(
    header.format(8, 0, ",".join("1" * 70), "$Object.data=0,8\n").encode() + bytes(8))

byte_level = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}
(folder / "tokenizer/hostile.json").write_text(text({"version": "1.0", "model": {
    "type": "BPE", "vocab": {"a": -1, "b": LARGEST, "ab": 2**64 - 1}, "merges": ["a b", "b", ["a", "b", "c"]]},
    "added_tokens": [{"id": 2**62, "content": "", "special": True}],
    "normalizer": {"type": "Replace", "pattern": {"Regex": "(" * 200}, "content": ""}}))
(folder / "tokenizer/nested.json").write_text(
    '{"version": "1.0", "pre_tokenizer": ' + '{"type": "Sequence", "pretokenizers": [' * 100 + text(byte_level) +
    "]}" * 100 + ', "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}')

tensor = {"type": "torch.Tensor", "dtype": "torch.float32", "shape": [LARGEST, LARGEST, -1], "Max": 1e400,
          "data_name": "../../outside.pt"}
(folder / "msprobe/hostile.json").write_text(
    '{"task": "tensor", "level": "L1", "data": {"Torch.x.99999999999999999999.forward": {"output": ['
    + text(tensor) + ', {"type": "torch.Tensor"}, {"type": 7, "shape": {}, "value": []}]}, '
    '"a": null, "a": [], "": {"input": 1}, "parameters_grad.": {"w": [[[]]]}}}')
(folder / "msprobe/nested.json").write_text(
    '{"task": "tensor", "level": "L1", "data": {"Torch.x.0.forward": {"input_args": ' + "[" * 500 + "]" * 500 + "}}}")
