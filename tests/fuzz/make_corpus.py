"""Writes the seeds of the fuzz targets of single files: make_corpus.py tests/fuzz/corpus (needs numpy, gguf, h5py,
safetensors, torch). Those of folders: seeds/<importer>.py."""
import json
import pathlib
import sys
import zipfile

import gguf
import h5py
import numpy as np
import torch
from safetensors.numpy import save_file

folder = pathlib.Path(sys.argv[1])
values = np.arange(6, dtype=np.float32).reshape(2, 3)
np.save(folder / "npy/c_order.npy", values)
np.save(folder / "npy/fortran_order.npy", np.asfortranarray(values.astype(np.int64)))
np.save(folder / "npy/unsigned.npy", np.asfortranarray(values.astype(np.uint32)))
np.save(folder / "npy/scalar.npy", np.array(True))
save_file({"a": values, "b": values.astype(np.uint16), "e": values[:0]}, folder / "safetensors/three.safetensors",
          metadata={"format": "pt"})
save_file({}, folder / "safetensors/none.safetensors")
for kind in ("Q4_0", "Q5_1", "Q3_K", "Q6_K", "BF16"):
    number = gguf.GGMLQuantizationType[kind]
    block = np.arange(gguf.GGML_QUANT_SIZES[number][1], dtype=np.uint8).reshape(1, -1)
    writer = gguf.GGUFWriter(folder / f"gguf/{kind}.gguf", "llama")
    writer.add_uint32("n", 1)
    writer.add_array("texts", ["a", "bc"])
    writer.add_array("numbers", [1.5, 2.5])
    writer.add_tensor("x", block, raw_dtype=number)
    writer.add_tensor("y", values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
for name in ("npz", "torch", "atb"):
    (folder / name).mkdir(exist_ok=True)
np.savez(folder / "npz/plain.npz", a=values, b=np.asfortranarray(values.astype(np.uint16)), scalar=np.array(2.5))
np.savez_compressed(folder / "npz/packed.npz", a=values, zeros=np.zeros(2000, np.float16))
np.savez(folder / "npz/text.npz", t=np.array(["a"]))
base = torch.arange(12, dtype=torch.float32).reshape(3, 4)
torch_seeds = {
    "tensor": base, "views": {"t": base.t(), "s": base[1:, ::2], "x": base[:1].expand(5, 4), "empty": base[:0]},
    "nested": {"steps": [{"logits": base, "n": 1, "f": 2.5, "none": None, "b": True}, (base[0], [base[1]])]},
    "types": [torch.zeros(3, dtype=t) for t in (torch.bfloat16, torch.float8_e4m3fn, torch.uint16, torch.complex64, torch.bool)],
    "parameter": {"p": torch.nn.Parameter(base)}, "log": [{"name": "x", "shape": [3, 4], "samples": base.flatten(), "step": 1}]}
for name, value in torch_seeds.items():
    torch.save(value, folder / f"torch/{name}.pt")
torch.save(torch_seeds["nested"], folder / "torch/protocol_4.pt", pickle_protocol=4)
with zipfile.ZipFile(folder / "torch/nested.pt") as old, \
        zipfile.ZipFile(folder / "torch/deflated.pt", "w", zipfile.ZIP_DEFLATED) as new:
    for member in old.namelist():
        new.writestr(zipfile.ZipInfo(member), old.read(member), zipfile.ZIP_DEFLATED)
header = "$Version=1.0\n$Object.Count=1\n$Object.Length={}\nformat=2\ndtype={}\ndims={}\n{}$End=1\n"
(folder / "atb/bfloat16.bin").write_bytes(header.format(8, 27, "2,2", "$Object.data=0,8\n").encode() + bytes(8))
(folder / "atb/uint64.bin").write_bytes(header.format(8, 10, "1", "$Object.data=0,8\n").encode() + bytes(8))
for name, code, dims, payload in (("complex64", 16, "1", 8), ("int4", 29, "3", 2), ("uint1", 30, "9", 2),
                                  ("hifloat8", 34, "2,2", 4), ("float4_e1m2", 41, "2,2", 2)):
    (folder / f"atb/{name}.bin").write_bytes(
        header.format(payload, code, dims, f"$Object.data=0,{payload}\n").encode() + bytes(range(1, payload + 1)))
(folder / "atb/statistics.bin").write_text(header.format(8, 0, "2", "max=1\nmin=-1\nmean=nan\nl2norm=2\n"))
(folder / "atb/other.bin").write_text(header.format(0, 0, "2", "data=x.bin\n"))
vocabulary = {"a": 0, "b": 1, "ab": 2, "<unk>": 3, "▁": 4, "Ġ": 5, "<0xC3>": 6, "##b": 7}
parts = {
    "bpe": {"model": {"type": "BPE", "vocab": vocabulary, "merges": ["a b"], "unk_token": "<unk>", "fuse_unk": True, "byte_fallback": True},
            "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
                {"type": "Digits", "individual_digits": True},
                {"type": "Split", "pattern": {"Regex": "\\s+"}, "behavior": "MergedWithNext", "invert": False},
                {"type": "ByteLevel", "add_prefix_space": True, "use_regex": True}]},
            "decoder": {"type": "ByteLevel"}},
    "unigram": {"model": {"type": "Unigram", "vocab": [["<unk>", 0], ["▁", -1.5], ["a", -2.25e0], ["ab", -3]], "unk_id": 0, "byte_fallback": True},
                "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFKC"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
                "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": True}},
    "word_piece": {"model": {"type": "WordPiece", "vocab": vocabulary, "unk_token": "<unk>", "continuing_subword_prefix": "##"},
                   "normalizer": {"type": "BertNormalizer", "lowercase": True}, "pre_tokenizer": {"type": "BertPreTokenizer"},
                   "added_tokens": [{"id": 8, "content": "<s>", "lstrip": True, "rstrip": True, "single_word": True, "special": True}],
                   "post_processor": {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<s>"}}, {"Sequence": {"id": "A"}}],
                                      "special_tokens": {"<s>": {"id": "<s>", "ids": [8]}}}},
    "sparse": {"model": {"type": "BPE", "vocab": {"a": 0, "b": 9223372}, "merges": []}},
}
for name, part in parts.items():
    (folder / f"tokenizer/{name}.json").write_text(json.dumps({"version": "1.0", **part}, ensure_ascii=False))
(folder / "hdf5").mkdir(exist_ok=True)
with h5py.File(folder / "hdf5/plain.h5", "w", libver="earliest") as file:
    file["a"] = values
    file.create_dataset("g/half", data=values.astype(np.float16))
    file.create_dataset("g/bytes", data=np.arange(4, dtype=np.uint8))
with h5py.File(folder / "hdf5/packed.h5", "w", libver=("earliest", "v108")) as file:
    file.create_dataset("zip", data=np.zeros((64, 8), np.float32), chunks=(16, 8), compression="gzip", shuffle=True)
    file.create_dataset("big", data=values.astype(">f8"))
    file["soft"] = h5py.SoftLink("/zip")
with h5py.File(folder / "hdf5/odd.h5", "w") as file:
    file.create_dataset("text", data="no numbers")
    file.create_dataset("empty", data=h5py.Empty("f4"))
    file["other"] = h5py.ExternalLink("nowhere.h5", "/a")
    file.create_group("loop")["up"] = h5py.SoftLink("/loop")
