"""Compares what we read of a tokenizer.model, and of a GGUF file that holds the same, with the
sentencepiece package. Usage: sentencepiece_oracle.py TOOL"""
import json
import pathlib
import subprocess
import sys
import tempfile

import gguf
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

from samples import CORPUS, SAMPLES

try:
    import sentencepiece
except ImportError as error:
    sys.exit(f"{error}; `make setup-test` installs it")

# Control tokens in a text are text to sentencepiece, and tokens to us.
TEXTS = [text for text in SAMPLES if "<s>" not in text]


def ours(path, texts):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(texts, file)
        file.flush()
        done = subprocess.run([sys.argv[1], path, file.name], capture_output=True, text=True)
    assert done.returncode == 0, (path, done.stderr)
    return json.loads(done.stdout)


def write_gguf(path, processor, unigram):
    """The model as llama.cpp's converter stores it."""
    kind = lambda i: (2 if processor.is_unknown(i) else 3 if processor.is_control(i) else 6 if processor.is_byte(i) else 1)
    count = processor.get_piece_size()
    writer = gguf.GGUFWriter(path, "t5" if unigram else "llama")
    writer.add_tokenizer_model("t5" if unigram else "llama")
    writer.add_token_list([processor.id_to_piece(i) for i in range(count)])
    writer.add_token_scores([processor.get_score(i) for i in range(count)])
    writer.add_token_types([kind(i) for i in range(count)])
    writer.add_add_bos_token(False)
    writer.add_add_eos_token(False)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def compare(name, path, processor):
    for text, got in zip(TEXTS, ours(str(path), TEXTS)):
        expected = processor.encode(text, out_type="immutable_proto")
        assert got.get("ids") == [piece.id for piece in expected.pieces], (name, text, got, expected.pieces)
        characters = [len(text.encode()[:end].decode("utf-8", "ignore")) for _, end in got["spans"]]
        assert characters == [piece.end for piece in expected.pieces], (name, text, characters)
    print(f"{name}: {len(TEXTS)} texts equal")


def fields(message):
    """(number, value) of a serialised protocol buffer."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        else:
            size = {1: 8, 5: 4}.get(key & 7) or varint()
            yield key >> 3, message[at : at + size]
            at += size


def compare_precompiled(folder, processor):
    """The model's table of replacements as a normalizer of Hugging Face's."""
    normalizer = dict(fields(dict(fields(processor.serialized_model_proto()))[3]))
    vocabulary = [(processor.id_to_piece(i), processor.get_score(i)) for i in range(processor.get_piece_size())]
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=processor.unk_id()))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Precompiled(normalizer[2]), normalizers.Replace(Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    path = folder / "precompiled.json"
    tokenizer.save(str(path))
    tokenizer = Tokenizer.from_file(str(path))
    for text, got in zip(SAMPLES, ours(str(path), SAMPLES)):
        assert got.get("ids") == tokenizer.encode(text).ids, (text, got, tokenizer.encode(text).tokens)
    print(f"precompiled: {len(SAMPLES)} texts equal")


def check(folder, name, gguf_kind=None, **options):
    prefix = folder / name
    corpus = folder / "corpus.txt"
    corpus.write_text("\n".join(line for text in CORPUS for line in text.replace("\x00", "").splitlines() if line.strip()))
    sentencepiece.SentencePieceTrainer.train(
        input=str(corpus), model_prefix=str(prefix), hard_vocab_limit=False, minloglevel=2, **options)
    (folder / "tokenizer_config.json").write_text('{"add_bos_token": false}')
    model = prefix.with_suffix(".model")
    processor = sentencepiece.SentencePieceProcessor(model_file=str(model))
    compare(name, model, processor)
    if name == "t5":
        compare_precompiled(folder, processor)
    if gguf_kind:
        path = folder / f"{name}.gguf"
        write_gguf(path, processor, gguf_kind == "t5")
        compare(f"{name}, GGUF", path, processor)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    llama = {"normalization_rule_name": "identity", "remove_extra_whitespaces": False, "byte_fallback": True, "split_digits": True}
    check(folder, "llama", "llama", model_type="bpe", vocab_size=700, character_coverage=0.98, **llama)
    check(folder, "t5", model_type="unigram", vocab_size=500)
    check(folder, "unigram", "t5", model_type="unigram", vocab_size=500, normalization_rule_name="identity")
    check(folder, "suffix", model_type="bpe", vocab_size=500, treat_whitespace_as_suffix=True)
    check(folder, "symbols", model_type="bpe", vocab_size=500, user_defined_symbols=["<mask>", "return"])
