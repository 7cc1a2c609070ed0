"""Ranks that divide a model, simulated in one process: each product is computed by shares, and partial sums are added in the
order that the study names."""
import dataclasses
import json
import os
import re
import signal
import subprocess
import time

VARIANTS = {
    "two": {"python.ranks": 2},
    "four_reversed": {"python.ranks": 4, "python.reduce": "reversed"},
    "four_tree_bf16": {"python.ranks": 4, "python.reduce": "tree", "precision.compute_dtype": "bfloat16"},
    "four_float32_bf16": {"python.ranks": 4, "python.reduce": "float32", "precision.compute_dtype": "bfloat16"},
    "sequences": {"python.ranks": 2, "python.parallel": "fsdp"},
}
# Of two ranks the order does not matter.
SUMS = {
    "default": lambda parts: parts[0] + parts[1],
    "reversed": lambda parts: ((parts[3] + parts[2]) + parts[1]) + parts[0],
    "tree": lambda parts: (parts[0] + parts[1]) + (parts[2] + parts[3]),
    "float32": lambda parts: (((parts[0].float() + parts[1].float()) + parts[2].float()) + parts[3].float()).to(parts[0].dtype),
}


def divide(model, ranks, add):
    """As the plan of a Llama says: columns of q, k, v, gate, up and head, rows of o and down."""
    import torch

    class Spread(torch.autograd.Function):
        @staticmethod
        def forward(context, numbers):
            return tuple(numbers.view_as(numbers) for _ in range(ranks))

        @staticmethod
        def backward(context, *gradients):
            return add(gradients)

    class Sum(torch.autograd.Function):
        @staticmethod
        def forward(context, *parts):
            return add(parts)

        @staticmethod
        def backward(context, gradient):
            return (gradient,) * ranks

    def by_columns(module):
        def forward(numbers):
            weights = module.weight.chunk(ranks)
            return torch.cat([torch.nn.functional.linear(*each) for each in zip(Spread.apply(numbers), weights)], -1)

        return forward

    def by_rows(module):
        def forward(numbers):
            weights = [part.contiguous() for part in module.weight.chunk(ranks, 1)]
            shares = [part.contiguous() for part in numbers.chunk(ranks, -1)]
            return Sum.apply(*[torch.nn.functional.linear(*each) for each in zip(shares, weights)])

        return forward

    for name, module in model.named_modules():
        if re.search(r"([qkv]|gate|up)_proj$|lm_head$", name):
            module.forward = by_columns(module)
        elif re.search(r"[od]\w*_proj$", name):
            module.forward = by_rows(module)


def run_of(kind, folder, variant, tokens):
    """(tensors, model)"""
    import torch
    from plain_run import PlainRun

    keys = VARIANTS[variant]
    ranks, dtype = keys["python.ranks"], getattr(torch, keys.get("precision.compute_dtype", "float32"))

    def load():
        return kind.from_pretrained(folder, dtype=dtype).eval()

    model = load()
    if keys.get("python.parallel") != "fsdp":
        divide(model, ranks, SUMS[keys.get("python.reduce", "default")])
        return PlainRun(model, "model.layers").run(tokens)[1], model
    parts = [PlainRun(load(), "model.layers").run(share)[1] for share in tokens.chunk(ranks)]
    values = {}
    for key, tensor in parts[0].items():
        _, what, _ = key
        if what == "parameter":
            values[key] = parts[0][key] / ranks + parts[1][key] / ranks
        elif what in ("gradient", "whole gradient"):  # each of the loss of its share
            values[key] = torch.cat([part[key] / ranks for part in parts])
        else:
            values[key] = tensor if what in ("cos", "sin") else torch.cat([part[key] for part in parts])
    return values, model


def operation_problems(case, write_study, run_study, kept_tensors, same_bits, rows, program, python):
    """Every operation of two ranks beside one process: the same rows, and the bits of `rows`, which a process made of the shares.
    A change of one rank's share is found at the operation that has it first."""
    changes = os.path.join(case.folder, "changes.py")
    with open(changes, "w", encoding="utf-8") as file:
        file.write("import torch\ndef scale(model):\n    share = model.model.layers[1].self_attn.o_proj.weight.to_local()\n"
                   "    share.detach().mul_(1.0 + 0.01 * torch.distributed.get_rank())\n")  # fmt: skip
    two = {"python.ranks": 2, "python.reduce": "rank_order"}
    variants = {"one": {"python.ranks": 1}, "planted": two | {"python.prepare": changes + ":scale"}, "sequences": VARIANTS["sequences"]}
    case = changed(case, "operations", variants)
    case = dataclasses.replace(case, study=case.study | {"capture.level": "op", "reference": two, "input.sequence_length": 12})
    if error := run_study(program, python, write_study(case, "pretrained")):
        return [error]
    with open(os.path.join(case.folder, "out", "precision_report.json"), encoding="utf-8") as file:
        report = json.load(file)
    with open(os.path.join(case.folder, "out", "run.log"), encoding="utf-8") as file:
        log = file.read()
    kept = {run: kept_tensors(case.folder, run) for run in ("reference", *variants)}
    problems = []
    for run in ("reference", "sequences"):
        shapes, others = ({row: numbers.shape for row, (_, numbers) in kept[each].items()} for each in (run, "one"))
        if len(shapes) < 300 or shapes != others:
            problems.append(f"{run}: {len(shapes)} rows, of which differ {others.items() ^ shapes.items()}")
    if "does not make, and have no row: model.embed_tokens.index_put_ (forward), lm_head.cat (forward)" not in log:
        problems.append(f"what ranks alone do is not said: {log}")
    for run in ("one", "sequences"):
        far = [row["name"] for row in report["comparisons"][run] if not row["rms_rel"] < 2e-6]
        if far or not report["comparisons"][run]:
            problems.append(f"{run}: {len(far)} rows are far from one rank's: {far[:5]}")
    products = {row: tensor for row, tensor in rows.items() if re.search(r"_proj$", row[0])}
    after = {"forward": ".mm", "backward": ".mm.mm:2"}
    other = []
    for (name, which), tensor in products.items():
        if which in after and not same_bits(kept["reference"][name + after[which], which], tensor.flatten(0, 1)):
            other.append((name, which))
    if other or len(products) < 28:
        problems.append(f"operations of {len(products)} products have other bits than one process that adds shares: {other}")
    found = [finding["sites"][0]["name"] for finding in report["findings"]
             if finding["rule"] == "first_divergence" and "planted" in finding["runs"]]  # fmt: skip
    if found != ["model.layers.1.self_attn.o_proj.mm"]:
        problems.append(f"what was changed in one rank is found at {found}")
    return problems


REFUSED = {
    "does not divide the model's 4 attention heads": {"python.ranks": 3},
    "nowhere is not there": {"python.ranks": 2, "python.launcher": "nowhere {command}"},
    "set input.micro_batch_size": {"python.ranks": 4, "python.parallel": "fsdp"},
}


def changed(case, name, variants):
    folder = os.path.join(case.folder, name)
    os.mkdir(folder)
    return dataclasses.replace(case, folder=folder, study=case.study | {"variants": variants})


def refusal_problems(case, write_study, run_study, program, python):
    problems = []
    for number, (words, keys) in enumerate(REFUSED.items()):
        study = write_study(changed(case, f"refused{number}", {"wrong": keys}), "pretrained")
        said = run_study(program, python, study)
        if words not in said or f"{study}:" not in said:
            problems.append(f"{keys} is not refused: {said}")
    return problems


def killing_problems(case, write_study, program, python):
    """A rank that is killed ends the variant with its name, and leaves nobody behind."""
    stuck = os.path.join(case.folder, "stuck.py")
    with open(stuck, "w", encoding="utf-8") as file:
        file.write(f"import os, time, torch\ndef wait(model):\n    if torch.distributed.get_rank() == 1:\n"
                   f"        print('here I am', flush=True)\n        open({stuck + '.tmp'!r}, 'w').write(str(os.getpid()))\n"
                   f"        os.rename({stuck + '.tmp'!r}, {stuck + '.pid'!r})\n        time.sleep(60)\n")  # fmt: skip
    killed = changed(case, "killed", {"lost": {"python.ranks": 2, "python.prepare": stuck + ":wait"}})
    study = write_study(killed, "pretrained")
    environment = os.environ | {"ULPSCOPE_PYTHON": python, "VIRTUAL_ENV": "", "CONDA_PREFIX": ""}
    running = subprocess.Popen([program, "run", study, "--progress", "plain", "--threads", "1"], env=environment,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)  # fmt: skip
    for _ in range(600):
        if os.path.exists(stuck + ".pid") or running.poll() is not None:
            break
        time.sleep(0.05)
    if not os.path.exists(stuck + ".pid"):
        return [f"the second rank did not begin: {running.communicate()[1]}"]
    with open(stuck + ".pid", encoding="utf-8") as file:
        rank = int(file.read())
    begin = time.monotonic()
    os.kill(rank, signal.SIGKILL)
    said = running.communicate()[1]
    took = time.monotonic() - begin
    with open(os.path.join(killed.folder, "out", "precision_report.json"), encoding="utf-8") as file:
        run = json.load(file)["runs"]["lost"]
    words = f"python.ranks: rank 1 (process {rank} on "
    told = run.get("error", "") if isinstance(run.get("error"), str) else json.dumps(run)
    if words not in told + said or "here I am" not in told + said or took > 10:
        return [f"of a killed rank is said after {took:.1f} s: {told} {said}"]
    return []
