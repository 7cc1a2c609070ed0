"""Compares our tokenizers with Hugging Face's, id by id: ones that are trained here, of every kind of
part, and that of SmolLM2. Usage: tokenizer_oracle.py TOOL SMOLLM2.gguf"""
import json
import pathlib
import subprocess
import sys
import tempfile

from tokenizers import (AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors,
                        trainers)

from samples import CORPUS, SAMPLES

TOOL = sys.argv[1]
SMOLLM2 = pathlib.Path(sys.argv[2])


def spans_in_bytes(text, offsets):
    """Places of characters as places of bytes."""
    starts = [0]
    for character in text:
        starts.append(starts[-1] + len(character.encode()))
    return [[starts[a], starts[b]] for a, b in offsets]


def widened(text, spans):
    """Spans that end inside of a character, up to its borders: Hugging Face counts characters."""
    data = text.encode()
    result = []
    for begin, end in spans:
        while begin < end and begin > 0 and data[begin] & 0xC0 == 0x80:
            begin -= 1
        while end < len(data) and begin < end and data[end] & 0xC0 == 0x80:
            end += 1
        result.append([begin, end])
    return result


def ours(path, texts):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(texts, file)
        file.flush()
        done = subprocess.run([TOOL, path, file.name], capture_output=True, text=True)
    assert done.returncode == 0, (path, done.stderr)
    return json.loads(done.stdout)


def compare(name, path, tokenizer, texts=SAMPLES, spans=True, decode=True):
    for text, got in zip(texts, ours(path, texts)):
        expected = tokenizer.encode(text)
        assert "error" not in got, (name, text, got["error"])
        assert got["ids"] == expected.ids, (name, text, got["ids"], expected.ids, expected.tokens)
        if spans:
            wanted = spans_in_bytes(text, expected.offsets)
            # What is put in front or behind has no place; Hugging Face says (0, 0).
            both = [(a, b) for a, b in zip(widened(text, got["spans"]), wanted) if b != [0, 0]]
            assert all(a == b for a, b in both), (name, text, both)
        if decode:
            mine = bytes.fromhex(got["decoded"]).decode("utf-8", "replace")
            theirs = tokenizer.decode(expected.ids, skip_special_tokens=False)
            assert mine == theirs, (name, text, mine, theirs)
    print(f"{name}: {len(texts)} texts equal")


def train(model, trainer_kind, folder, name, **parts):
    special = parts.pop("special", [])
    options = parts.pop("options", {})
    checks = parts.pop("checks", {})
    tokenizer = Tokenizer(model)
    for part, value in parts.items():
        if part != "post_processor":
            setattr(tokenizer, part, value)
    tokenizer.train_from_iterator(CORPUS, trainer_kind(special_tokens=special, show_progress=False, **options))
    if "post_processor" in parts:
        tokenizer.post_processor = parts["post_processor"](tokenizer)
    tokenizer.add_tokens(checks.pop("added", []))
    tokenizer.add_special_tokens(checks.pop("specials", []))
    path = folder / f"{name}.json"
    tokenizer.save(str(path))
    # Read back, so that both sides see the same file.
    compare(name, str(path), Tokenizer.from_file(str(path)), **checks)


def frame(first, last):
    def make(tokenizer):
        return processors.TemplateProcessing(
            single=f"{first} $A {last}", special_tokens=[(t, tokenizer.token_to_id(t)) for t in (first, last)])

    return make


def byte_level(folder):
    alphabet = {"initial_alphabet": pre_tokenizers.ByteLevel.alphabet(), "vocab_size": 700}
    level = pre_tokenizers.ByteLevel(add_prefix_space=False, trim_offsets=False)
    train(models.BPE(), trainers.BpeTrainer, folder, "gpt2", options=alphabet, pre_tokenizer=level, decoder=decoders.ByteLevel(),
          post_processor=lambda _: processors.ByteLevel(trim_offsets=False), special=["<|im_start|>", "<|im_end|>"])
    train(models.BPE(), trainers.BpeTrainer, folder, "prefix_space", options=alphabet, decoder=decoders.ByteLevel(),
          pre_tokenizer=pre_tokenizers.ByteLevel(add_prefix_space=True))
    digits = pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), level])
    train(models.BPE(), trainers.BpeTrainer, folder, "smollm", options=alphabet, pre_tokenizer=digits, decoder=decoders.ByteLevel())
    llama = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
             r"|\s+(?!\S)|\s+")
    split = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(llama), "isolated"),
                                     pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    train(models.BPE(ignore_merges=True), trainers.BpeTrainer, folder, "llama3", options=alphabet, pre_tokenizer=split,
          decoder=decoders.ByteLevel(), special=["<s>", "</s>"], post_processor=lambda t: processors.Sequence(
              [processors.ByteLevel(trim_offsets=False), frame("<s>", "</s>")(t)]))
    train(models.BPE(), trainers.BpeTrainer, folder, "qwen2", options=alphabet, pre_tokenizer=split, normalizer=normalizers.NFC(),
          decoder=decoders.ByteLevel(), checks={"spans": False})
    train(models.BPE(unk_token="<unk>"), trainers.BpeTrainer, folder, "byte_normalizer", options={"vocab_size": 600},
          normalizer=normalizers.Sequence([normalizers.NFKC(), normalizers.ByteLevel()]), special=["<unk>"],
          checks={"spans": False, "decode": False})


def sentencepiece_like(folder):
    bytes_ = [f"<0x{i:02X}>" for i in range(256)]
    marked = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    llama = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    train(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True), trainers.BpeTrainer, folder, "llama2",
          special=["<unk>", "<s>", "</s>"] + bytes_, options={"vocab_size": 520, "limit_alphabet": 60}, normalizer=marked,
          decoder=llama, post_processor=frame("<s>", "</s>"), checks={"decode": False})
    for scheme in ("first", "always", "never"):
        train(models.Unigram(), trainers.UnigramTrainer, folder, f"unigram_{scheme}", special=["<unk>", "<s>"],
              options={"vocab_size": 400, "unk_token": "<unk>"}, normalizer=normalizers.NFKC(),
              pre_tokenizer=pre_tokenizers.Metaspace(prepend_scheme=scheme, split=scheme != "never"),
              checks={"spans": False, "decode": False})
    train(models.Unigram(byte_fallback=True), trainers.UnigramTrainer, folder, "unigram_bytes", special=["<unk>"] + bytes_,
          options={"vocab_size": 600, "unk_token": "<unk>"}, checks={"decode": False, "spans": False})
    for fuse in (False, True):
        train(models.BPE(unk_token="<unk>", fuse_unk=fuse), trainers.BpeTrainer, folder, f"unknown_{fuse}", special=["<unk>"],
              options={"vocab_size": 300, "limit_alphabet": 40}, pre_tokenizer=pre_tokenizers.Whitespace(),
              checks={"decode": False, "spans": False})
    train(models.BPE(end_of_word_suffix="</w>", unk_token="<unk>"), trainers.BpeTrainer, folder, "word_end", special=["<unk>"],
          options={"vocab_size": 500, "end_of_word_suffix": "</w>"}, normalizer=normalizers.BertNormalizer(),
          pre_tokenizer=pre_tokenizers.BertPreTokenizer(), checks={"spans": False, "decode": False})
    train(models.BPE(continuing_subword_prefix="##", unk_token="<unk>"), trainers.BpeTrainer, folder, "continuing",
          special=["<unk>"], options={"vocab_size": 500, "continuing_subword_prefix": "##"},
          pre_tokenizer=pre_tokenizers.WhitespaceSplit(), checks={"decode": False})


def splits(folder):
    plain = {"vocab_size": 300}
    for behavior in ("removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous"):
        for invert in (False, True):
            for pattern in (Regex(r"\s+|\p{P}"), "a", "."):
                name = f"split_{behavior}_{invert}_{pattern if isinstance(pattern, str) else 'regex'}"
                train(models.BPE(unk_token="<unk>"), trainers.BpeTrainer, folder, name, special=["<unk>"], options=plain,
                      pre_tokenizer=pre_tokenizers.Split(pattern, behavior, invert), checks={"decode": False})
    for name, part in {
        "punctuation": pre_tokenizers.Punctuation("contiguous"), "digits": pre_tokenizers.Digits(), "whitespace": pre_tokenizers.Whitespace(),
        "delimiter": pre_tokenizers.CharDelimiterSplit("e"), "fixed": pre_tokenizers.FixedLength(length=3),
    }.items():
        train(models.BPE(unk_token="<unk>"), trainers.BpeTrainer, folder, name, special=["<unk>"], options=plain,
              pre_tokenizer=part, checks={"decode": False})
    normal = {
        "nfd": normalizers.NFD(), "nfkd": normalizers.NFKD(), "lowercase": normalizers.Lowercase(), "nmt": normalizers.Nmt(),
        "strip": normalizers.Strip(), "strip_left": normalizers.Strip(left=True, right=False),
        "accents": normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents()]),
        "replace": normalizers.Replace(Regex(r"\s+"), "_"), "bert": normalizers.BertNormalizer(lowercase=False),
    }
    for name, part in normal.items():
        train(models.BPE(unk_token="<unk>"), trainers.BpeTrainer, folder, f"normal_{name}", special=["<unk>"], options=plain,
              normalizer=part, checks={"decode": False, "spans": False})
    train(models.WordPiece(unk_token="[UNK]"), trainers.WordPieceTrainer, folder, "bert_base", special=["[UNK]", "[CLS]", "[SEP]", "[MASK]"],
          options={"vocab_size": 500}, normalizer=normalizers.BertNormalizer(), pre_tokenizer=pre_tokenizers.BertPreTokenizer(),
          post_processor=frame("[CLS]", "[SEP]"), checks={"decode": False, "spans": False})


def added(folder):
    level = pre_tokenizers.ByteLevel(add_prefix_space=False, trim_offsets=False)
    options = {"initial_alphabet": pre_tokenizers.ByteLevel.alphabet(), "vocab_size": 500}
    for number, flags in enumerate([{}, {"lstrip": True}, {"rstrip": True}, {"lstrip": True, "rstrip": True}, {"single_word": True}]):
        train(models.BPE(), trainers.BpeTrainer, folder, f"added_{number}", options=options, pre_tokenizer=level,
              normalizer=normalizers.Lowercase(),
              checks={"added": [AddedToken("<mask>", normalized=False, **flags), AddedToken("Word", normalized=True, **flags),
                                AddedToken("<mask>mask", normalized=False)],
                      "specials": [AddedToken("<|im_start|>"), AddedToken("<|im_end|>", **flags)],
                      "decode": False, "spans": False})


def smollm2():
    """SmolLM2's tokenizer as Python builds it of the same file: Digits, then ByteLevel."""
    import gguf

    reader = gguf.GGUFReader(SMOLLM2)
    field = lambda name: reader.fields[f"tokenizer.ggml.{name}"].contents()
    tokens, kinds = field("tokens"), field("token_type")
    merges = [tuple(merge.split(" ")) for merge in field("merges")]
    tokenizer = Tokenizer(models.BPE(vocab={token: i for i, token in enumerate(tokens)}, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)])
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(t, normalized=False) for t, kind in zip(tokens, kinds) if kind == 3])
    assert ours(str(SMOLLM2), ["Gravity is"])[0]["ids"] == [22007, 6463, 314]
    compare("SmolLM2", str(SMOLLM2), tokenizer, SAMPLES + [" ".join(SAMPLES)])


def invalid_utf8():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "t.json"
        tokenizer = Tokenizer(models.BPE(vocab={"a": 0}, merges=[]))
        tokenizer.save(str(path))
        compare("dropped characters", str(path), tokenizer, ["abab", "b"], decode=False, spans=False)


if not SMOLLM2.exists():
    sys.exit(f"{SMOLLM2} does not exist; `make setup` fetches it")
with tempfile.TemporaryDirectory() as name:
    for check in (byte_level, sentencepiece_like, splits, added):
        check(pathlib.Path(name))
invalid_utf8()
smollm2()
