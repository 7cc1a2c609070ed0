"""Dumps of random Llamas by msprobe itself, for tests and benchmarks.

msprobe changes torch for good and keeps one debugger a process, so that every dump is made in a child of this
process, which inherits what was imported; this process itself must not compute before."""
import json
import logging
import os
import pathlib
import sys
import traceback

import torch
import transformers
import yaml

import msprobe_place

sys.path.append(msprobe_place.FOLDER)
from msprobe.pytorch import PrecisionDebugger

torch.set_num_threads(1)  # threads do not survive a fork
logging.getLogger().setLevel(logging.ERROR)
# Half of what a child would do for a dump: models are only loaded when they are asked for, and msprobe reads its long
# lists of functions with the parser that is written in Python.
transformers.LlamaForCausalLM
yaml.safe_load = lambda stream: yaml.load(stream, Loader=yaml.CSafeLoader)


def llama(layers, hidden, intermediate, heads, key_value_heads, vocabulary, dtype=torch.float32, **options):
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        hidden_size=hidden, intermediate_size=intermediate, num_hidden_layers=layers, num_attention_heads=heads,
        num_key_value_heads=key_value_heads, vocab_size=vocabulary, **options)
    return transformers.LlamaForCausalLM(config).to(dtype)


def _dump(folder, make, ids, task, level, summary):
    config = folder / "config.json"
    config.write_text(json.dumps({
        "task": task, "dump_path": str(folder), "rank": [], "step": [], "level": level,
        task: {"scope": [], "list": [], "data_mode": ["all"], "summary_mode": summary}}))
    model = make()
    debugger = PrecisionDebugger(config_path=str(config))
    debugger.start(model=model)
    model(input_ids=ids, labels=ids, use_cache=False).loss.backward()
    debugger.stop()
    debugger.step()


def start(folder, make, ids, task="tensor", level="mix", summary="statistics"):
    """Begins a dump of a forward and a backward pass of the model that `make` gives; finish() waits for it."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True)
    child = os.fork()
    if child != 0:
        return child, folder
    status = 1
    try:
        with open(folder / "log.txt", "w") as log:
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 2)
        _dump(folder, make, torch.as_tensor(ids), task, level, summary)
        status = 0
    except BaseException:  # the stack of the parent is none of the child's
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def finish(started):
    """The folder that holds dump.json."""
    child, folder = started
    if os.waitpid(child, 0)[1] != 0:
        raise RuntimeError(f"msprobe made no dump: {(folder / 'log.txt').read_text()[-2000:]}")
    (found,) = folder.glob("step0/*/dump.json")
    return found.parent


def dump(*arguments, **options):
    return finish(start(*arguments, **options))
