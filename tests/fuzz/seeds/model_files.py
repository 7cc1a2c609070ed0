"""Writes the seeds of what lies beside a model's weights: model_files.py tests/fuzz/corpus (needs numpy, gguf,
safetensors, sentencepiece). Texts that no library makes were written by hand."""
import io
import json
import pathlib
import struct
import sys

import gguf
import numpy as np
import sentencepiece
from safetensors.numpy import save

from folders import packed

folder = pathlib.Path(sys.argv[1])


def write(name, content):
    target = folder / name
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(content.encode() if isinstance(content, str) else content)


def npy(values):
    file = io.BytesIO()
    np.save(file, values)
    return file.getvalue()


def sentencepiece_model(kind, size, **options):
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["ab ab 12", "don't ab", "b a ab 12 12"]), model_writer=model, model_type=kind,
        vocab_size=size, hard_vocab_limit=False, normalization_rule_name="identity", minloglevel=2, **options)
    return model.getvalue()


def gguf_tokenizer(model, name=None, **fields):
    path = folder / f"gguf_tokenizer/{name or model}.gguf"
    path.parent.mkdir(exist_ok=True)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_tokenizer_model(model)
    for field, value in fields.items():
        getattr(writer, f"add_{field}")(value)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()


ids = np.arange(6, dtype=np.int64).reshape(2, 3)
write("token_file/int64.npy", b"npy\n" + npy(ids))
write("token_file/uint16.npy", b"npy\n" + npy(ids.astype(np.uint16)))
write("token_file/one.safetensors", b"safetensors\n" + save({"ids": ids}))
write("token_file/named.safetensors", b"safetensors\n" + save({"input_ids": ids.astype(np.int32), "attention_mask": ids}))
write("token_file/lists.json", "json\n" + json.dumps(ids.tolist()))
write("token_file/ragged.json", "json\n[[1, 2], [3]]")
write("token_file/large.json", "json\n[[9223372036854775807, -1, 1e3]]")

unigram = sentencepiece_model("unigram", 20, byte_fallback=False)
write("sentencepiece/unigram.model", unigram)
write("sentencepiece/bpe.model", sentencepiece_model("bpe", 290, byte_fallback=True))
write("sentencepiece/cut.model", unigram[: len(unigram) * 2 // 3])
# A piece is field 1 of a model: spelling 1, score 2, kind 3.
write("sentencepiece/few.model", b"".join(
    b"\x0a" + bytes([len(piece) + 9, 0x0a, len(piece)]) + piece + b"\x15" + struct.pack("<f", -n) + bytes([0x18, kind])
    for n, (piece, kind) in enumerate([(b"<unk>", 2), (b"<s>", 3), ("\u2581".encode(), 1), (b"a", 1), (b"ab", 1)])))

# SentencePiece throws where a piece ends before its first character.
piece = b"\0a"
write("sentencepiece/empty_piece.model", (folder / "sentencepiece/few.model").read_bytes() +
      b"\x0a" + bytes([len(piece) + 2, 0x0a, len(piece)]) + piece)

# A table of replacements, a double-array trie: "a" becomes "b". Its unit lies in the second block of 256, which the root
# names, the value in the first one.
place = 0x100 ^ ord("a")
trie = [0] * 512
trie[0], trie[place], trie[1] = 0x100 << 10, ord("a") | 0x100 | (place ^ 1) << 10, 1 << 31
table = struct.pack("<I512I", 4 * 512, *trie) + b"b\0"
# Field 3 of a model: its normalizer, whose field 2 is the table.
length = lambda size: bytes([size & 0x7F | 0x80, size >> 7])
write("sentencepiece/replacements.model", (folder / "sentencepiece/few.model").read_bytes() +
      b"\x1a" + length(len(table) + 3) + b"\x12" + length(len(table)) + table)

gguf_tokenizer("gpt2", tokenizer_pre="gpt-2", token_list=["a", "b", "ab", "Ġ", "<s>"], token_types=[1, 1, 1, 1, 3],
               token_merges=["a b"], bos_token_id=4, eos_token_id=4, add_bos_token=True)
gguf_tokenizer("llama", token_list=["<unk>", "<s>", "▁", "a", "ab", "<0x41>"], token_types=[2, 3, 1, 1, 1, 6],
               token_scores=[0.0, 0.0, -1.0, -2.0, -3.0, 0.0], unk_token_id=0, add_space_prefix=True)
gguf_tokenizer("t5", token_list=["<unk>", "▁", "a"], token_types=[2, 1, 1], token_scores=[0.0, -1.0, -2.0],
               precompiled_charsmap=bytes(range(40)), remove_extra_whitespaces=True)
gguf_tokenizer("t5", "replacements", token_list=["<unk>", "▁", "b"], token_types=[2, 1, 1], token_scores=[0.0, -1.0, -2.0],
               precompiled_charsmap=table, remove_extra_whitespaces=True)

template = "{% for m in messages %}{{ m['role'] + ': ' + m['content'] + '\\n' }}{% endfor %}"
letters = json.dumps({"version": "1.0", "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}})
write("model_folder/json", packed({
    "tokenizer.json": letters, "tokenizer_config.json": json.dumps({"eos_token": {"content": "b"}, "bos_token": "a"}),
    "chat_template.jinja": template}))
write("model_folder/template_in_config", packed({
    "tokenizer.json": letters, "tokenizer_config.json": json.dumps({"chat_template": template, "eos_token": None})}))
write("model_folder/several_templates", packed({
    "tokenizer_config.json": json.dumps({"chat_template": [{"name": "default", "template": template},
                                                           {"name": "tool_use", "template": ""}]})}))
write("model_folder/sentencepiece", packed({
    "tokenizer.model": (folder / "sentencepiece/few.model").read_bytes(),
    "tokenizer_config.json": json.dumps({"add_bos_token": True, "add_eos_token": False})}))


def text(value):
    return struct.pack("<Q", len(value)) + value.encode()


def integers(*values):
    return struct.pack(f"<Q{len(values)}q", len(values), *values)


# Records of HDF5's contents, as core/tensors/formats/hdf5/hdf5_contents.cpp reads them.
def dataset(name, shape, dtype="float32", stored="", offset=2**64 - 1, attributes=struct.pack("<Q", 0), refused=""):
    return (b"\1" + text(name) + integers(*shape) + text(dtype) + text(stored) + struct.pack("<QQB", offset, 0, 0)
            + text(refused) + attributes)


attributes = struct.pack("<Q", 2) + text("name") + b"\0" + text("decoder.0") + text("full_shape") + b"\1" + integers(2, 3)
group = b"\0" + text("runs/reference") + attributes
link = b"\2" + text("runs/bf16") + text("tensors/bf16.h5") + text("/run")
version = struct.pack("<I", 2)
write("hdf5_answer/two", version + dataset("a", [2, 3], offset=800) + dataset("g/half", [6], "float16"))
write("hdf5_answer/run", version + group + dataset("runs/reference/x", [6], attributes=attributes) + link)
write("hdf5_answer/refused", version + dataset("text", [], stored="string", refused="no numbers"))
write("hdf5_answer/extents", version + dataset("x", [2**62, 4]) + dataset("y", [-1]))
write("hdf5_answer/version", struct.pack("<I", 1) + dataset("a", [1]))
write("hdf5_answer/done", "done\n")
write("hdf5_answer/failed", "failed 3 input.h5: /a: cannot be read\ndone\n")

write("template_message/done", text("done") + text("<s>user: Hi"))
write("template_message/failed", text("4") + text("row 1: no such filter"))
write("template_message/size", text("done") + struct.pack("<Q", 2**64 - 1) + b"x")
