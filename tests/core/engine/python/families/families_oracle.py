"""Studies of models that transformers runs, one of each family, beside a plain script with hooks (plain_run.py): every tensor
and gradient of both formats bit for bit, and the numbers of the report.

    families_oracle.py ULPSCOPE_CLI [NAME …]
"""
import collections
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from lever_cases import CACHES, CASES, CHECKPOINTS, HUB_KERNEL, REFUSALS
from tiny_families import FAMILIES, config_of, settings_of

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "support"))
from forked_python import ForkedPython

SEED = 5
LENGTH, SEQUENCES = 13, 2
WORKERS = 2
KINDS = {"output": "forward", "gradient": "backward", "whole gradient": "backward", "cos": "forward", "sin": "forward",
         "parameter": "parameter_gradient"}  # fmt: skip


@dataclasses.dataclass
class Case:
    name: str
    family: str
    keys: dict  # of the variant, beside bfloat16
    options: object  # makes arguments of from_pretrained
    quantise: str = ""  # function of quantized_checkpoints that rewrites the checkpoint
    widens_reference: bool = False
    study: dict = dataclasses.field(default_factory=dict)  # keys of the whole study
    cache: object = None  # of a variant that decodes: makes it of a model and the number of positions
    folder: str = ""
    kind: object = None
    source: str = ""


def cases_of(names):
    families = [Case(family, family, {}, dict) for family in FAMILIES]
    levers = [Case(name, *what) for name, what in CASES.items()]
    checkpoints = [Case(name, **what) for name, what in (CHECKPOINTS | CACHES).items()]
    return [case for case in families + levers + checkpoints if not names or case.name in names]


def write_study(case, weights):
    text = {
        "engine": "python",
        "model.path": case.source,
        "model.weights": weights,
        "model.seed": SEED,
        "input.sequence_length": LENGTH,
        "input.micro_batch_size": SEQUENCES,
        "device": "cpu",
        "variants": {"bf16": {"precision.compute_dtype": "bfloat16"} | case.keys},
        "output_dir": os.path.join(case.folder, "out"),
    } | case.study
    path = os.path.join(case.folder, "study.yaml")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(text, file)
    return path


def refusal_problems(case, program, python):
    """What a study that cannot run says in vain."""
    keys, words = REFUSALS[case.name]
    changed = dataclasses.replace(case, keys=case.keys | keys, folder=os.path.join(case.folder, "refused"))
    os.mkdir(changed.folder)
    study = write_study(changed, "pretrained")
    said = run_study(program, python, study)
    is_told = f"{study}:" in said and words in said and not os.path.exists(os.path.join(changed.folder, "out", "tensors"))
    return [] if is_told else [f"{keys} is not refused: {said}"]


def run_study(program, python, study):
    """What went wrong; empty: nothing."""
    done = subprocess.run(
        [program, "run", study, "--progress", "plain", "--threads", "1"],
        env=os.environ | {"ULPSCOPE_PYTHON": python, "VIRTUAL_ENV": "", "CONDA_PREFIX": ""},
        capture_output=True,
        text=True,
    )
    return "" if done.returncode == 0 else done.stderr


def kept_tensors(folder, run):
    """{(name, pass): (type, numbers)} of tensors.h5."""
    import h5py

    found = {}

    def look(_, item):
        if isinstance(item, h5py.Dataset):
            attributes = {key: value.decode() if isinstance(value, bytes) else value for key, value in item.attrs.items()}
            which = item.parent.name.rpartition("/")[2]
            found[attributes["name"], which] = (attributes["dtype"], item[()])

    with h5py.File(os.path.join(folder, "out", "tensors", run + ".h5")) as file:
        file.visititems(look)
    return found


def rows_of(values, model, layers, norm):
    """What a report calls the tensors of a plain run: {(name, pass): tensor}."""
    names = {module: name for name, module in model.named_modules()}
    embeddings = names.get(model.get_input_embeddings())
    rows = {}
    for (module, what, call), tensor in values.items():
        name = {embeddings: "embeddings", norm: "norm"}.get(module, module) if what != "parameter" else module
        if match := re.fullmatch(re.escape(layers) + r"\.(\d+)", module):
            name = "decoder." + match.group(1)
        name += f".{what}" if what in ("cos", "sin") else ""
        rows[name + (f":{call}" if call > 1 else ""), KINDS[what]] = tensor
    return rows


def same_bits(kept, tensor):
    import torch

    dtype, numbers = kept
    other = torch.from_numpy(numbers)
    return (
        str(tensor.dtype) == "torch." + dtype
        and tensor.shape == other.shape
        and torch.equal(tensor.to(other.dtype).nan_to_num(), other.nan_to_num())
    )


def metrics_of(reference, variant):
    r, v = reference.detach().double().flatten(), variant.detach().double().flatten()
    d = v - r
    scale = (r * r).mean().sqrt().item()
    rms = (d * d).mean().sqrt().item()
    return {
        "rms_diff": rms,
        "ref_scale": scale,
        "mean_abs_diff": d.abs().mean().item(),
        "max_diff": d.abs().max().item(),
        "equal_fraction": (d == 0).double().mean().item(),
    } | ({"rms_rel": rms / scale} if scale else {})


def is_of_experts(key):
    return ".experts." in key[0]


def same_rows(kept, tensor):
    """Of a variant that chooses other experts rows are kept in the order of the reference, NaN where it has none."""
    import numpy
    import torch

    def counted(rows):
        return collections.Counter(row.tobytes() for row in rows)

    dtype, numbers = kept
    present = numbers[~numpy.isnan(numbers).all(-1)]
    wanted = tensor.to(torch.float32).numpy().astype(numbers.dtype)
    return (
        str(tensor.dtype) == "torch." + dtype
        and numbers.shape == wanted.shape
        and len(present) > 0
        and counted(present) <= counted(wanted)
    )


def check_report(folder, rows, losses, problems):
    with open(os.path.join(folder, "out", "precision_report.json"), encoding="utf-8") as file:
        report = json.load(file)
    for run, loss in losses.items():
        if abs(report["runs"][run]["loss"] - loss) > 1e-6 * abs(loss):
            problems.append(f"{run}: loss {report['runs'][run]['loss']} beside {loss}")
    compared = {(row["name"], row["pass"]): row for row in report["comparisons"]["bf16"]}
    both = set(rows["reference"]) & set(rows["bf16"])
    missing = both - set(compared)
    if missing:
        problems.append(f"not in the report: {sorted(missing)[:5]}")
    for key in both & set(compared):
        if is_of_experts(key):
            continue  # compared token by token, which python_experts_test looks at
        for metric, value in metrics_of(rows["reference"][key], rows["bf16"][key]).items():
            told = compared[key][metric]
            if not abs(told - value) <= 1e-9 * abs(value):
                problems.append(f"{key}: {metric} {told} beside {value}")


def check_tensors(folder, rows, problems):
    for run, expected in rows.items():
        kept = kept_tensors(folder, run)
        kept.pop(("loss", "forward"))
        if set(kept) != set(expected):
            problems.append(
                f"{run}: alone in the study {sorted(set(kept) - set(expected))[:5]}, "
                f"alone in the script {sorted(set(expected) - set(kept))[:5]}"
            )
        other = [
            key
            for key in expected
            if key in kept
            and not same_bits(kept[key], expected[key])
            and not (run != "reference" and is_of_experts(key) and same_rows(kept[key], expected[key]))
        ]
        if other:
            problems.append(f"{run}: {len(other)} of {len(expected)} tensors differ: {sorted(other)[:5]}")


def tokens_of(folder):
    import torch

    with open(os.path.join(folder, "out", "tokens.json"), encoding="utf-8") as file:
        return torch.tensor(json.load(file)["ids"])


def checkpoint_of(case, **changes):
    """Draws a model and writes it."""
    import quantized_checkpoints
    import torch

    config, kind = config_of(case.family, **(quantized_checkpoints.WIDE if case.quantise else changes))
    folder = os.path.join(case.folder, "model")
    torch.manual_seed(SEED)
    kind.from_config(config).save_pretrained(folder)
    if case.quantise:
        getattr(quantized_checkpoints, case.quantise)(folder)
    return kind, folder


def compare_cached(case):
    """Of a variant that decodes with a cache all rows of layers, of all positions."""
    import torch
    from plain_run import cached_run

    kept = kept_tensors(case.folder, "bf16")
    rows = cached_run(case.kind, case.source, dict(dtype=torch.bfloat16), tokens_of(case.folder), LENGTH, case.cache)
    other = [name for name, tensor in rows.items() if not same_bits(kept[name, "forward"], tensor)]
    return len(rows), [f"{len(other)} of {len(rows)} tensors differ: {other}"] if other else []


def compare(case):
    import torch
    from plain_run import run_of

    problems, rows, losses = [], {}, {}
    layers, norm = (settings_of(case.family, key, "model." + key) for key in ("layers", "norm"))
    for run, options in (("reference", dict(dtype=torch.float32)), ("bf16", dict(dtype=torch.bfloat16) | case.options())):
        widens = case.widens_reference and run == "reference"
        losses[run], values, model = run_of(case.kind, case.source, options, layers, tokens_of(case.folder), widens)
        rows[run] = rows_of(values, model, layers, norm)
    check_tensors(case.folder, rows, problems)
    if not problems:
        check_report(case.folder, rows, losses, problems)
    return len(rows["bf16"]), problems


def main(program, names):
    # `make setup-test` puts them beside the Python of the oracles.
    sys.path += [os.path.join(os.path.dirname(sys.prefix), folder) for folder in ("quantizers", "checkpoints")]
    with tempfile.TemporaryDirectory() as root:
        give_hub_kernel(root)
        python = ForkedPython(root, threads=1)
        try:
            failed = compare_all(program, python.program, root, cases_of(names))
            return failed | (0 if names and "ranks" not in names else compare_ranks(program, python.program, root))
        finally:
            python.close()


def give_hub_kernel(root):
    """Lets the hub's kernel be a folder of ours. Package indexes lack the version of `kernels` that transformers asks for; the last
    one before it passes for it, and does the same here. Nothing is downloaded, as bitsandbytes would with `kernels` there."""
    passed_for = pathlib.Path(root, "kernels-0.18.2.dist-info", "METADATA")
    passed_for.parent.mkdir()
    passed_for.write_text("Metadata-Version: 2.4\nName: kernels\nVersion: 0.18.2\n", encoding="utf-8")
    sys.path.insert(0, root)
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["LOCAL_KERNELS"] = f"{HUB_KERNEL}={pathlib.Path(__file__).resolve().parent / 'hub_kernel'}"


def compare_all(program, python, root, cases):
    import torch
    import transformers

    torch.set_num_threads(1)
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        waiting = []
        for number, case in enumerate(cases):
            case.folder = os.path.join(root, str(number))
            os.mkdir(case.folder)
            case.kind, case.source = checkpoint_of(case)
            # A drawn model is cast as a checkpoint is read: half of them each.
            study = write_study(case, "random" if number % 2 and not case.quantise else "pretrained")
            waiting.append((case, pool.submit(run_study, program, python, study)))
        for case, study in waiting:
            error = study.result()
            count, problems = (0, [error]) if error else compare_cached(case) if case.cache else compare(case)
            if case.name in REFUSALS:
                problems += refusal_problems(case, program, python)
            print(f"{case.name}: {count} tensors" + "".join(f"\n  {problem}" for problem in problems), flush=True)
            failed += bool(problems)
    print(f"{len(cases) - failed} of {len(cases)} give the same numbers")
    return 1 if failed else 0


def compare_ranks(program, python, root):
    """A model that ranks divide, beside one that adds in the same order (ranks_cases.py)."""
    import ranks_cases


    folder = os.path.join(root, "ranks")
    os.mkdir(folder)
    # Of 13 positions float32 products of shares had other last bits than here; of 12, whole tiles, they have the same.
    keys = {"variants": ranks_cases.VARIANTS, "input.sequence_length": 12}
    case = Case("ranks", "llama", {}, dict, folder=folder, study=keys)
    case.kind, case.source = checkpoint_of(case, num_key_value_heads=4)
    problems = [error] if (error := run_study(program, python, write_study(case, "pretrained"))) else []
    for variant in {} if problems else ranks_cases.VARIANTS:
        rows = rows_of(*ranks_cases.run_of(case.kind, case.source, variant, tokens_of(folder)), "model.layers", "model.norm")
        before = len(problems)
        check_tensors(folder, {variant: rows}, problems)
        print(f"ranks, {variant}: {len(rows)} tensors" + "".join(f"\n  {problem}" for problem in problems[before:]), flush=True)
    with open(os.path.join(folder, "out", "precision_report.json"), encoding="utf-8") as file:
        compared = json.load(file)["comparisons"] if not problems else {}
    if len({frozenset((row["name"], row["pass"], tuple(row["shape"])) for row in rows) for rows in compared.values()}) > 1:
        problems.append("the rows of the variants differ")
    rows = rows_of(*ranks_cases.run_of(case.kind, case.source, "two", tokens_of(folder)), "model.layers", "model.norm")
    problems += ranks_cases.operation_problems(case, write_study, run_study, kept_tensors, same_bits, rows, program, python)
    problems += ranks_cases.refusal_problems(case, write_study, run_study, program, python)
    problems += ranks_cases.killing_problems(case, write_study, program, python)
    print("".join(f"\n  {problem}" for problem in problems), flush=True)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
