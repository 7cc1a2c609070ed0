"""What runs take of the device's memory beside what was planned, over shapes, formats, kinds of attention and levels."""

import itertools
import json

from checks import FAILED, OK, Check, Machine, Outcome, execute, judged
from phases.study import finished, problem_of, report_of

# How far the measured peak may be from the plan, of the plan.
TOLERANCE = 0.10
# Small plans are off by more: cuBLAS and LibTorch round each piece up.
SMALLEST = 64 << 20
VARIANTS = {
    "fp32_eager": {"precision.compute_dtype": "float32", "attention.implementation": "eager"},
    "fp32_efficient": {"precision.compute_dtype": "float32", "attention.implementation": "sdpa_efficient"},
    "fp16": {"precision.compute_dtype": "float16"},
    "bf16": {"precision.compute_dtype": "bfloat16"},
    "bf16_flash": {"precision.compute_dtype": "bfloat16", "attention.implementation": "sdpa_flash"},
    "bf16_math": {"precision.compute_dtype": "bfloat16", "attention.implementation": "sdpa_math"},
    "bf16_eager": {"precision.compute_dtype": "bfloat16", "attention.implementation": "eager"},
    "bf16_head": {"precision.compute_dtype": "bfloat16", "precision.lm_head_dtype": "float32"},
    "bf16_residual": {"precision.compute_dtype": "bfloat16", "precision.residual_dtype": "float32"},
    "bf16_among": {"precision.compute_dtype": "bfloat16", "batch.among": 6},
}
# What operands are rounded to on the way to products, and what that takes beside them.
ROUNDED = {
    "tf32_simulated": {"precision.compute_dtype": "tf32"},
    "fp8_simulated": {"precision.compute_dtype": "float8_e4m3fn"},
    "mxfp8": {"precision.compute_dtype": "mxfp8"},
    "mxfp8_stochastic": {"precision.compute_dtype": "mxfp8", "precision.rounding": "stochastic"},
    "mxfp8_bf16_weights": {"precision.compute_dtype": "mxfp8", "precision.weights_dtype": "bfloat16"},
    "nvfp4": {"precision.compute_dtype": "nvfp4"},
    "nvfp4_eager": {"precision.compute_dtype": "nvfp4", "attention.implementation": "eager"},
    "bf16_fp8": {"precision.compute_dtype": "bfloat16", "matmul.float8": "tensor"},
    "bf16_fp8_scaled_mm": {"precision.compute_dtype": "bfloat16", "matmul.float8": "row", "matmul.float8_kernel": "scaled_mm"},
}
# What holds at some modules or in one pass, other operations, and pieces.
BF16 = {"precision.compute_dtype": "bfloat16"}
RULED = {
    "bf16_wide_mlp": BF16 | {"precision.rules": [{"match": "mlp", "compute_dtype": "float32"}]},
    "bf16_wide_backward": BF16 | {"precision.rules": [{"match": ".", "pass": "backward", "compute_dtype": "float32"}]},
    "mxfp8_backward": BF16 | {"precision.rules": [{"match": "proj$", "pass": "backward", "compute_dtype": "mxfp8"}]},
    "bf16_fp8_mlp": BF16 | {"matmul.float8": "tensor", "matmul.float8_modules": "mlp"},
    "bf16_fused_norm": BF16 | {"norm.implementation": "fused"},
    "bf16_fused_rotary": BF16 | {"rotary.implementation": "fused"},
    "bf16_fast_llm": BF16 | {"semantics": "fast_llm"},
    "bf16_padded": BF16 | {"batch.padding": 128},
    "bf16_chunks": BF16 | {"batch.chunk_length": 128},
}
FORMATS = VARIANTS | ROUNDED | RULED
# The fewest, where drawing the weights or the scores of attention take most of a study.
FEW = ("fp32_eager", "bf16", "bf16_head")
FORWARD = "capture.backward=false"
NO_GRADIENTS = "capture.parameter_gradients=false"
STEPS = "schedule.micro_batches=2"
ADAMW = "optimizer.type=adamw"
# architecture, batch, length, level, variants, more settings
STUDIES = [
    ("llama_1b", 1, 512, "layer", FEW, (ADAMW,)),
    ("llama_1b", 1, 2047, "module", FEW, (NO_GRADIENTS,)),
    ("llama_1b", 4, 512, "op", FEW, (FORWARD,)),
    ("llama_1b", 2, 4095, "layer", ("bf16",), (FORWARD,)),
    ("smollm2_135m", 1, 2047, "layer", tuple(VARIANTS), ()),
    ("smollm2_135m", 4, 2047, "layer", FEW, ()),
    ("smollm2_135m", 1, 6000, "layer", FEW, (NO_GRADIENTS,)),
    ("smollm2_135m", 4, 512, "op", tuple(VARIANTS), ()),
    ("smollm2_135m", 4, 512, "layer", tuple(VARIANTS), (STEPS,)),
    ("smollm2_135m", 4, 2047, "module", FEW, (FORWARD,)),
    ("smollm2_135m", 1, 512, "layer", tuple(VARIANTS), (ADAMW,)),
    ("smollm2_135m", 4, 512, "module", FEW, (STEPS, ADAMW)),
    ("smollm2_135m", 2, 1024, "layer", FEW, ("loss.type=z_loss",)),
    ("smollm2_135m", 1, 2047, "layer", tuple(ROUNDED), (ADAMW,)),
    ("smollm2_135m", 4, 512, "op", tuple(ROUNDED), ()),
    ("smollm2_135m", 4, 512, "module", tuple(ROUNDED), (FORWARD,)),
    ("llama_1b", 1, 512, "layer", ("mxfp8", "nvfp4", "bf16_fp8"), ()),
    ("smollm2_135m", 2, 1024, "layer", tuple(RULED), ()),
    ("smollm2_135m", 4, 512, "op", tuple(RULED), (FORWARD,)),
    ("smollm2_135m", 4, 512, "module", tuple(RULED), (STEPS, ADAMW)),
]


def study_text(folder, variants: dict) -> str:
    """A study as JSON, which is YAML."""
    return json.dumps({"model": {"path": str(folder), "weights": "random"}, "input": {"source": "random"}, "noise_floor": [],
                       "capture": {"tensors": "none", "kernels": False}, "variants": variants})


def compared(run: dict) -> dict:
    """A run's plan by parts, what was measured, and by how much the peak is above the plan."""
    memory = run["memory"]
    planned = sum(memory["planned"].values())
    return memory | {"peak": run["peak_bytes"], "error": run["peak_bytes"] / planned - 1,
                     "attention": sorted(set(run.get("attention", {}).values()))}


def problem_of_plan(name: str, run: dict) -> str:
    if "planned" not in run.get("memory", {}):
        return f"{name}: the report holds no plan"
    found = compared(run)
    if abs(found["error"]) > TOLERANCE and found["peak"] > SMALLEST:
        return f"{name}: {found['peak']} bytes, {found['error']:+.1%} of the plan"
    return ""


def spread(planned: dict) -> list:
    """The lowest and the highest of the peak less the plan, in percent of it."""
    errors = [100 * each["error"] for each in planned.values()]
    return [round(min(errors), 2), round(max(errors), 2)] if errors else []


def check(architecture: str, batch: int, length: int, level: str, names: tuple, more: tuple) -> Check:
    name = f"{architecture} {batch} x {length}, {' '.join((level, *more))}"

    def run(machine: Machine, limit: float) -> Outcome:
        out = machine.scratch / f"memory_{name}".translate(str.maketrans(" ,=.", "____"))
        text = out.with_suffix(".yaml")
        text.write_text(study_text(machine.folder / "gpu_check/architectures" / architecture, {each: FORMATS[each] for each in names}))
        sets = [f"input.sequence_length={length}", f"input.micro_batch_size={batch}", f"capture.level={level}", *more]
        done = execute(machine, [machine.program("ulpscope-cli"), "run", text, "--output", out, "--overwrite", "--device",
                                 machine.device, "--progress", "plain", *itertools.chain(*(("--set", each) for each in sets))], limit)
        if not (out / "precision_report.json").exists():
            return Outcome(FAILED, why="made no report: " + done.text.strip()[-300:], log=done.text)
        report = report_of(out)
        runs = finished(report)
        problems = [problem_of(report), *(problem_of_plan(name, run) for name, run in runs.items())]
        planned = {name: compared(run) for name, run in runs.items() if "planned" in run.get("memory", {})}
        figures = {"worst": max((abs(each["error"]) for each in planned.values()), default=None), "memory": planned, "spread": spread(planned)}
        outcome = judged(done, limit, figures, problem="; ".join(filter(None, problems)))
        return Outcome(FAILED if outcome.why else OK, figures, outcome.why, done.text)

    return Check(name, limit=90, run=run)


def checks(machine: Machine) -> list[Check]:
    return [] if machine.device == "cpu" else [check(*each) for each in STUDIES]
