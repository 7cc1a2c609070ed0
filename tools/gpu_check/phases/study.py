"""Studies of random weights, and what the same passes take in transformers alone."""

import json
import math
import pathlib

from checks import FAILED, OK, Check, Machine, Outcome, aimed, execute, judged, last_line

# Times the same passes in transformers, warm, that a study of a real shape may take.
AIM = 1.1
SWEEP, THREE = "gpu_sweep.yaml", "tiny_random.yaml"


def report_of(folder: pathlib.Path) -> dict:
    return json.loads((folder / "precision_report.json").read_text())


def problem_of(report: dict, is_finite: bool = True) -> str:
    """The runs that did not finish, those whose loss is no number, and rows with elements that are none where `is_finite`."""
    problems = []
    for name, run in report["runs"].items():
        if run["status"] != "finished":
            problems.append(f"{name} {run['status']}: {run.get('error', '')}")
        elif not isinstance(run["loss"], float) or not math.isfinite(run["loss"]):
            problems.append(f"{name}: loss {run['loss']}")
    for name, rows in report["comparisons"].items():
        bad = [row for row in rows if row["compared"] != row["count"]]
        if bad and is_finite:
            problems.append(f"{name}: elements of {len(bad)} of {len(rows)} rows are not finite, the first in {bad[0]['name']}")
    return "; ".join(problems)


def finished(report: dict) -> dict:
    return {name: run for name, run in report["runs"].items() if run["status"] == "finished"}


def key_of(report: dict, run: str) -> str:
    settings = report["study"]["effective"][run]
    return f"{settings['precision.compute_dtype']['value']}/{settings['attention.implementation']['value']}"


def figures_of(report: dict, wall: float) -> dict:
    runs = finished(report)
    return {"wall_s": wall, "study_s": report["provenance"]["seconds"], "runs": len(runs),
            "runs_s": sum(run["seconds"] for run in runs.values()),
            "peak_gib": max((run["peak_bytes"] for run in runs.values()), default=0) / 2**30,
            # The kernels that PyTorch chose, where the report holds them.
            "attention": {name: ", ".join(sorted(set(run["attention"].values()))) for name, run in runs.items() if "attention" in run},
            "seconds": {name: round(run["seconds"], 4) for name, run in runs.items()}}


def bare(machine: Machine, architecture: pathlib.Path, report: dict, length: int, batch: int, limit: float) -> tuple[dict, str]:
    """Seconds of the same passes in transformers, and the ratio; or what kept them from being measured."""
    keys = {name: key_of(report, name) for name in finished(report)}
    done = execute(machine, [machine.python, machine.folder / "gpu_check/bare_passes.py", architecture, "--length", length,
                             "--batch", batch, "--device", machine.device, *sorted(set(keys.values()))], limit)
    if done.code != 0:
        return {}, "bare passes: " + (f"ended after {limit:.0f} s" if done.late else last_line(done.text))
    measured = json.loads(done.text.splitlines()[-1])
    warm = {key: value["warm"] for key, value in measured.items() if "warm" in value}
    both = [name for name in keys if keys[name] in warm]
    bare_seconds = sum(warm[keys[name]] for name in both)
    runs = sum(report["runs"][name]["seconds"] for name in both)
    whole = report["provenance"]["seconds"] if len(both) == len(keys) else math.nan
    return {"bare_s": bare_seconds, "ratio_of_passes": runs / bare_seconds if both else math.nan,
            "ratio_of_study": whole / bare_seconds if both else math.nan, "passes": len(both), "bare": measured}, ""


def study(name: str, configuration: str, architecture: str, length: int, batch: int, limit: float, *settings: str,
          device: str = "", has_aim: bool = True) -> Check:
    """A study of random weights; on `device` where one is named, without the same passes in transformers."""
    def run(machine: Machine, limit: float) -> Outcome:
        folder = machine.folder / (architecture if "/" in architecture else f"gpu_check/architectures/{architecture}")
        out = machine.scratch / f"study_{name}"
        sets = [f"model.path={folder}", "model.weights=random", f"input.sequence_length={length}",
                f"input.micro_batch_size={batch}", "capture.level=layer", "capture.tensors=none", "noise_floor=[]", *settings]
        words = [machine.program("ulpscope-cli"), "run", machine.folder / "configs" / configuration, "--output", out,
                 "--overwrite", "--device", device or machine.device, "--progress", "plain"]
        done = execute(machine, words + [word for each in sets for word in ("--set", each)], limit)
        if not (out / "precision_report.json").exists():
            return Outcome(FAILED, why="made no report: " + done.text.strip()[-300:], log=done.text)
        report = report_of(out)
        outcome = judged(done, limit, figures_of(report, done.seconds), problem=problem_of(report))
        if machine.device != "cpu" and "cuda" not in report["provenance"]["device"]:
            return Outcome(FAILED, outcome.figures, f"ran on {report['provenance']['device']}", done.text)
        more, problem = bare(machine, folder, report, length, batch, limit - done.seconds) if finished(report) and not device else ({}, "")
        problems = "; ".join(filter(None, [outcome.why, problem]))
        ratio = more.get("ratio_of_study", math.nan)
        missed = [f"{ratio:.2f} times the warm passes of transformers, the aim is {AIM}"] if has_aim and not device and not ratio <= AIM else []
        return aimed(Outcome(FAILED if problems else OK, outcome.figures | more, problems, done.text), missed)

    return Check(f"{name} ({configuration}, {batch} x {length}{device and ', '}{device})", limit, run)


def without_volatile(value):
    """What a report says without times, memory, and the list of devices by which it was made."""
    if isinstance(value, dict):
        return {key: without_volatile(each) for key, each in value.items()
                if key not in ("seconds", "start", "peak_bytes", "memory", "device")}
    return [without_volatile(each) for each in value] if isinstance(value, list) else value


def two_workers(limit: float) -> Check:
    """The variants of a study shared out over two workers on one device give the report of one worker. Where there are
    several devices, over all of them as well."""
    def run(machine: Machine, limit: float) -> Outcome:
        one = machine.device if machine.device == "cpu" else "cuda:0"
        lists = [one, f"{one},{one}"] + ([] if machine.device == "cpu" else ["cuda:all"])
        texts, figures = {}, {}
        for devices in lists:
            out = machine.scratch / f"devices_{len(texts)}"
            done = execute(machine, [machine.program("ulpscope-cli"), "run", machine.folder / "configs" / THREE, "--output", out,
                                     "--overwrite", "--device", devices, "--progress", "plain", "--set", "capture.level=layer",
                                     "--set", "capture.tensors=none", "--set", "input.sequences=8", "--set", "capture.kernels=false"],
                           limit)
            limit -= done.seconds
            if done.code != 0 or not (out / "precision_report.json").exists():
                return Outcome(FAILED, figures, f"{devices}: ended with {done.code}: {done.text.strip()[-300:]}", done.text)
            if (out / "parts").exists():
                return Outcome(FAILED, figures, f"{devices}: {out / 'parts'} is still there", done.text)
            texts[devices] = json.dumps(without_volatile(report_of(out)))
            figures[devices] = {"wall_s": done.seconds, "device": report_of(out)["provenance"]["device"]}
        first = texts[one]
        for devices, text in texts.items():
            if text != first:
                at = next((i for i, (a, b) in enumerate(zip(first, text)) if a != b), min(len(first), len(text)))
                return Outcome(FAILED, figures, f"{devices}: the report differs from that of {one} at {at}: "
                               f"{first[at - 80:at + 40]!r}, {text[at - 80:at + 40]!r}")
        return Outcome(OK, figures)

    return Check(f"two workers on a device ({THREE})", limit, run)


def in_python(configuration: str, limit: float) -> Check:
    """A study that the machine's Python runs, on the device."""
    def run(machine: Machine, limit: float) -> Outcome:
        out = machine.scratch / f"python_{configuration}"
        done = execute(machine, [machine.program("ulpscope-cli"), "run", machine.folder / "configs" / configuration, "--output", out,
                                 "--overwrite", "--device", machine.device, "--progress", "plain", "--set", "engine=python",
                                 "--set", f"python.executable={machine.python}", "--set", "capture.tensors=none"], limit)
        if not (out / "precision_report.json").exists():
            return Outcome(FAILED, why="made no report: " + done.text.strip()[-300:], log=done.text)
        report = report_of(out)
        return judged(done, limit, figures_of(report, done.seconds), problem=problem_of(report))

    return Check(f"in Python ({configuration})", limit, run)


def checks(machine: Machine) -> list[Check]:
    tiny = study("tiny", THREE, "configs/architectures/tiny_llama", 64, 2, 90, has_aim=False)
    python = [in_python("qwen3_random.yaml", 60), in_python("qwen3_moe_random.yaml", 60)]
    several = two_workers(60)
    if machine.device == "cpu":
        return [tiny, several, *python]
    return [tiny, several, *python, study("smollm2_135m", SWEEP, "smollm2_135m", 2047, 1, 60), study("llama_1b", THREE, "llama_1b", 2047, 1, 90)]


def large(_machine: Machine) -> list[Check]:
    """Not by default: needs 80 GB."""
    return [study("llama_8b", THREE, "llama_8b", 1023, 1, 300), study("llama_8b", THREE, "llama_8b", 127, 1, 230, device="cuda:0+cpu")]
