"""Studies of random weights, and what the same passes take in transformers alone."""

import json
import math
import pathlib

from checks import FAILED, Check, Machine, Outcome, execute, judged

SWEEP, THREE = "gpu_sweep.yaml", "tiny_random.yaml"


def report_of(folder: pathlib.Path) -> dict:
    return json.loads((folder / "precision_report.json").read_text())


def problem_of(report: dict) -> str:
    """A run that did not finish, or one whose loss or error of the last layer is no number."""
    for name, run in report["runs"].items():
        if run["status"] != "finished":
            return f"{name} {run['status']}: {run.get('error', '')}"
        if not isinstance(run["loss"], float) or not math.isfinite(run["loss"]):
            return f"{name}: loss {run['loss']}"
    for name, rows in report["comparisons"].items():
        for row in rows:
            if row["compared"] != row["count"]:
                return f"{name}: {row['name']} ({row['pass']}): {row['count'] - row['compared']} elements not finite"
    return ""


def key_of(report: dict, run: str) -> str:
    settings = report["study"]["effective"][run]
    attention = settings["attention.implementation"]["value"]
    # transformers knows two; kernels that a study chooses by name count as the choice of LibTorch.
    return f"{settings['precision.compute_dtype']['value']}/{'eager' if attention == 'eager' else 'sdpa'}"


def figures_of(report: dict, wall: float) -> dict:
    runs = report["runs"]
    return {"wall_s": wall, "study_s": report["provenance"]["seconds"], "runs": len(runs),
            "runs_s": sum(run["seconds"] for run in runs.values()),
            "peak_gib": max(run["peak_bytes"] for run in runs.values()) / 2**30,
            "seconds": {name: round(run["seconds"], 4) for name, run in runs.items()}}


def bare(machine: Machine, architecture: pathlib.Path, report: dict, length: int, batch: int, limit: float) -> tuple[dict, str]:
    """Seconds of the same passes in transformers, and the ratio; or what kept them from being measured."""
    keys = [key_of(report, run) for run in report["runs"]]
    done = execute(machine, [machine.python, machine.folder / "gpu_check/bare_passes.py", architecture, "--length", length,
                             "--batch", batch, "--device", machine.device, *sorted(set(keys))], limit)
    if done.code != 0:
        return {}, "bare passes: " + (done.text.strip().splitlines() or ["no output"])[-1]
    seconds = json.loads(done.text.strip().splitlines()[-1])
    warm = sum(seconds["warm"][key] for key in keys)
    first = warm + sum(seconds["first"][key] - seconds["warm"][key] for key in set(keys))
    runs = sum(run["seconds"] for run in report["runs"].values())
    return {"bare_s": warm, "bare_first_s": first, "ratio_runs": runs / warm,
            "ratio_study": report["provenance"]["seconds"] / warm, "bare": seconds}, ""


def study(name: str, configuration: str, architecture: str, length: int, batch: int, limit: float, *settings: str) -> Check:
    def run(machine: Machine, limit: float) -> Outcome:
        folder = machine.folder / (architecture if "/" in architecture else f"gpu_check/architectures/{architecture}")
        out = machine.scratch / f"study_{name}"
        sets = [f"model.path={folder}", "model.weights=random", f"input.sequence_length={length}",
                f"input.micro_batch_size={batch}", "capture.level=layer", "capture.tensors=none", *settings]
        words = [machine.program("ulpscope-cli"), "run", machine.folder / "configs" / configuration, "--output", out,
                 "--overwrite", "--device", machine.device, "--progress", "plain"]
        done = execute(machine, words + [word for each in sets for word in ("--set", each)], limit)
        if not (out / "precision_report.json").exists():
            return Outcome(FAILED, why="made no report: " + done.text.strip()[-300:], log=done.text)
        report = report_of(out)
        outcome = judged(done, limit, figures_of(report, done.seconds), problem=problem_of(report))
        if machine.device != "cpu" and "cuda" not in report["provenance"]["device"]:
            return Outcome(FAILED, outcome.figures, f"ran on {report['provenance']['device']}", done.text)
        if outcome.status == FAILED:
            return outcome
        more, problem = bare(machine, folder, report, length, batch, limit - done.seconds)
        return Outcome(FAILED if problem else outcome.status, outcome.figures | more, problem, done.text)

    return Check(f"{name} ({configuration}, {batch} x {length})", limit, run)


def checks(machine: Machine) -> list[Check]:
    tiny = study("tiny", THREE, "configs/architectures/tiny_llama", 64, 2, 40)
    if machine.device == "cpu":
        return [tiny]
    return [tiny, study("smollm2_135m", SWEEP, "smollm2_135m", 2047, 1, 60), study("llama_1b", THREE, "llama_1b", 2047, 1, 90)]


def large(_machine: Machine) -> list[Check]:
    """Not by default: drawing eight billion weights takes minutes."""
    return [study("llama_8b", THREE, "llama_8b", 1023, 1, 500)]
