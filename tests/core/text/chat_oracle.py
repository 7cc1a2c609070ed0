"""Compares prompts of conversations with those of transformers' apply_chat_template, letter by letter
and id by id: by SmolLM2's own template, and by those that other models are published with.
Usage: chat_oracle.py TOOL SMOLLM2.gguf FOLDER_OF_TEMPLATES"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import AutoTokenizer, PreTrainedTokenizerFast

TOOL = sys.argv[1]
SMOLLM2 = pathlib.Path(sys.argv[2])
TEMPLATES = pathlib.Path(sys.argv[3])
# Written for tools alone: without any, transformers fails over them.
FOR_TOOLS = {"CohereForAI-c4ai-command-r-plus-tool_use", "NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use",
             "NousResearch-Hermes-3-Llama-3.1-8B-tool_use", "fireworks-ai-llama-3-firefunction-v2"}
# Published templates of each of these must be there, so that no renamed folder makes the test empty.
FAMILIES = ("meta-llama-Llama-3", "Qwen-Qwen2.5", "mistralai-Mistral", "google-gemma-2")


def user(content):
    return {"role": "user", "content": content}


def assistant(content, **fields):
    return {"role": "assistant", "content": content, **fields}


def system(content):
    return {"role": "system", "content": content}


CONVERSATIONS = [
    [user("Hi")],
    [system("You are kind."), user("Hi"), assistant("Hello! "), user(" 2+2? ")],
    [user("Ä ö \u4e2d\u6587 <b>&'\"\\ \n\n x \u00a0y"), assistant("é\U0001f642\n"), user("<|im_end|> </s>")],
    [system(""), user("b")],
    [system("a"), system("b"), user("c")],
    [assistant("x"), user("y")],
    [user("a"), user("b")],
    [user('{"a": [1, 2.5, null]}'), assistant("")],
    [user("b"), assistant("<think>\nhm\n</think>\n\nout")],
    [user("b"), assistant("<think>\nhm\n</think>\n\nout"), user("c"), assistant("d")],
    [user("q"), assistant("a", reasoning_content="deep"), user("r")],
    [user("q"), assistant("a", thinking="deep")],
    [{"role": "tool", "content": "x"}],
    [user(" \n"), assistant("\t{{ bos_token }} {% if %}")],
    [user("long " * 3000), assistant("answer")],
]


def smollm2_tokenizer(folder):
    """SmolLM2's tokenizer, special tokens and template as files of a folder."""
    import gguf

    reader = gguf.GGUFReader(SMOLLM2)
    field = lambda name: reader.fields[f"tokenizer.{name}"].contents()
    tokens, kinds = field("ggml.tokens"), field("ggml.token_type")
    merges = [tuple(merge.split(" ")) for merge in field("ggml.merges")]
    tokenizer = Tokenizer(models.BPE(vocab={token: i for i, token in enumerate(tokens)}, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)])
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(t, normalized=False) for t, kind in zip(tokens, kinds) if kind == 3])
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token=tokens[field("ggml.bos_token_id")],
        eos_token=tokens[field("ggml.eos_token_id")])
    wrapped.chat_template = field("chat_template")
    wrapped.save_pretrained(folder)


def expected(tokenizer, question):
    options = {"add_generation_prompt": question["add_generation_prompt"]}
    try:
        text = tokenizer.apply_chat_template(question["messages"], tokenize=False, **options)
        ids = tokenizer.apply_chat_template(question["messages"], tokenize=True, return_dict=False, **options)
        return {"text": text, "ids": list(ids)}
    except Exception as error:  # jinja2's, and whatever Python says of a template's operations
        return {"error": str(error)}


def ours(path, questions):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(questions, file)
        file.flush()
        done = subprocess.run([TOOL, str(path), file.name], capture_output=True, text=True)
    assert done.returncode == 0, (path, done.stderr)
    return json.loads(done.stdout)


def compare(name, path, tokenizer):
    questions = [{"messages": messages, "add_generation_prompt": prompt}
                 for messages in CONVERSATIONS for prompt in (False, True)]
    texts = refused = 0
    for question, got in zip(questions, ours(path, questions)):
        wanted = expected(tokenizer, question)
        where = (name, json.dumps(question)[:300])
        if "error" in wanted:
            assert "error" in got, (where, wanted, got)
            refused += 1
            continue
        assert "error" not in got, (where, got["error"])
        assert got["text"] == wanted["text"], (where, got["text"], wanted["text"])
        assert got["ids"] == wanted["ids"], (where, got["ids"], wanted["ids"])
        texts += 1
    assert texts, f"{name}: nothing was compared"
    print(f"{name}: {texts} prompts equal, {refused} refused by both")


def published(folder):
    names = sorted(path.stem for path in TEMPLATES.glob("*.jinja") if path.stem not in FOR_TOOLS)
    for family in FAMILIES:
        assert any(name.startswith(family) for name in names), f"no template of {family} in {TEMPLATES}"
    for name in names:
        # As transformers writes it: a file of its own, beside a configuration without a template.
        shutil.copy(TEMPLATES / f"{name}.jinja", folder / "chat_template.jinja")
        compare(name, folder, AutoTokenizer.from_pretrained(folder))


def with_tokens_of_configs(root):
    """Special tokens that stand beside tokenizer.json alone, in each of the files that transformers looks at."""
    token = {"lstrip": False, "rstrip": True, "single_word": False, "normalized": False, "special": True}
    template = ("{% for m in messages %}<|turn|> {{ m.role }} <|new|>{{ m.content }}<|pad|>x <|lone|>the<|img|>{% endfor %}")
    plain = {"tokenizer_class": "PreTrainedTokenizerFast", "chat_template": template}
    cases = {
        "added_tokens_decoder": ({"added_tokens_decoder": {"90000": token | {"content": "<|turn|>"}, "50000": {"content": "the"}},
                                  "pad_token": "<|pad|>", "additional_special_tokens": ["<|new|>"], "image_token": "<|img|>"}, {}),
        "special_tokens_map.json": ({}, {"special_tokens_map.json": {"pad_token": {"content": "<|pad|>", "lstrip": True},
                                                                    "additional_special_tokens": ["<|new|>", "<|turn|>"]}}),
        "added_tokens.json": ({"extra_special_tokens": ["<|new|>"]}, {"added_tokens.json": {"<|lone|>": 60000, "<|new|>": 50000}}),
        "names of a model": ({"extra_special_tokens": {"turn_token": "<|turn|>", "img_token": "<|img|>"}}, {}),
    }  # fmt: skip
    for name, (config, files) in cases.items():
        folder = root / "cases" / name
        folder.mkdir(parents=True)
        shutil.copy(root / "tokenizer.json", folder)
        for file, content in ({"tokenizer_config.json": plain | config} | files).items():
            (folder / file).write_text(json.dumps(content))
        compare(name, folder, AutoTokenizer.from_pretrained(folder))


if not SMOLLM2.exists():
    sys.exit(f"{SMOLLM2} does not exist; `make setup` fetches it")
with tempfile.TemporaryDirectory() as scratch:
    root = pathlib.Path(scratch)
    smollm2_tokenizer(root)
    own = AutoTokenizer.from_pretrained(root)
    compare("SmolLM2 (GGUF)", SMOLLM2, own)
    compare("SmolLM2 (folder)", root, own)
    config = json.loads((root / "tokenizer_config.json").read_text())
    config["chat_template"] = own.chat_template
    (root / "chat_template.jinja").unlink()
    (root / "tokenizer_config.json").write_text(json.dumps(config))
    compare("SmolLM2 (tokenizer_config.json)", root, AutoTokenizer.from_pretrained(root))
    del config["chat_template"]
    (root / "tokenizer_config.json").write_text(json.dumps(config))
    with_tokens_of_configs(root)
    published(root)
