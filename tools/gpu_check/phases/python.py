"""The Python engine and the recorder on the device."""

import json
import pathlib

from checks import FAILED, OK, Check, Done, Machine, Outcome, execute, judged, last_line
from phases.study import figures_of, problem_of, report_of, study

CANCELLED = 130
# Rows that a comparison has at least.
SAME_ENOUGH = 100


def words(machine: Machine, out: pathlib.Path, configuration: str, *settings: str) -> list:
    sets = [f"python.executable={machine.python}", *settings]
    return [machine.program("ulpscope-cli"), "run", machine.folder / "gpu_check/studies" / configuration, "--output", out, "--overwrite",
            "--device", machine.device, "--progress", "plain", *[word for each in sets for word in ("--set", each)]]


def kernels_there(machine: Machine, *more: str) -> list[str]:
    """Takes kernels of attention out that a processor lacks."""
    lacking = ("efficient", *more) if machine.device == "cpu" else ()
    return [f"variants.bf16_{name}.attention.implementation=sdpa" for name in lacking]


def at(machine: Machine, architecture: str) -> str:
    return f"model.path={machine.folder / architecture}"


def judged_study(machine: Machine, limit: float, out: pathlib.Path, command: list, more=lambda report: ({}, ""), is_finite: bool = True) -> Outcome:
    """A study whose runs finish, with finite numbers unless it shows masks, and of whose report `more` gives (figures, problem)."""
    done = execute(machine, command, limit)
    if not (out / "precision_report.json").exists():
        return Outcome(FAILED, why="made no report: " + done.text.strip()[-300:], log=done.text)
    report = report_of(out)
    figures, problem = more(report)
    device = report["provenance"]["device"]
    ran_elsewhere = "" if machine.device.split(":")[0] in device else f"ran on {device}"
    log = done.text + "".join(f"\n{name}: {run.get('error')}" for name, run in report["runs"].items() if run.get("error"))
    problems = "; ".join(filter(None, [problem_of(report, is_finite), problem, ran_elsewhere]))
    outcome = judged(done, limit, figures_of(report, done.seconds) | figures, problem=problems)
    outcome.log = log
    return outcome


def worst_of(report: dict) -> dict:
    """The largest relative error of the forward rows of each run."""
    return {name: max((row.get("rms_rel") or 0 for row in rows if row["pass"] == "forward"), default=0)
            for name, rows in report["comparisons"].items()}


def levers(report: dict) -> tuple[dict, str]:
    worst = worst_of(report)
    figures = {"worst": {name: float(f"{value:.3g}") for name, value in worst.items()}}
    problems = [f"{name} has no error" for name in ("bf16", "bf16_eager", "autocast", "fp16") if worst.get(name) == 0]
    return figures, "; ".join(problems)


def kernels(report: dict) -> tuple[dict, str]:
    """That rows of compiled layers name what inductor made."""
    named = json.dumps({name: run.get("kernels") for name, run in report["runs"].items()})
    made = named.count("triton_") + named.count("cpp_")
    return {"kernels": made}, "" if made else "no kernel of torch.compile is named"


def operations(report: dict) -> tuple[dict, str]:
    rows = {name: sum(row["level"] == "op" for row in rows) for name, rows in report["comparisons"].items()}
    return {"operations": rows}, "" if min(rows.values(), default=0) > 100 else f"few operations: {rows}"


def batches(report: dict) -> tuple[dict, str]:
    worst = worst_of(report)
    return {"worst": worst}, "" if worst.get("again") == 0 else "the same run again has other numbers"


def check(name: str, limit: float, configuration: str, more, *settings: str, architecture: str, is_finite: bool = True) -> Check:
    def run(machine: Machine, limit: float) -> Outcome:
        out = machine.scratch / name.replace(" ", "_")
        return judged_study(machine, limit, out, words(machine, out, configuration, at(machine, architecture), *settings), more, is_finite)

    return Check(name, limit, run)


def two_engines(machine: Machine, limit: float) -> Outcome:
    """Every tensor that both engines keep, as `compare` sees it."""
    outs = {engine: machine.scratch / f"two_engines_{engine}" for engine in ("native", "python")}
    for engine, out in outs.items():
        outcome = judged_study(machine, limit, out, words(machine, out, "two_engines.yaml", at(machine, "configs/architectures/tiny_llama"),
                                                          f"engine={engine}", *kernels_there(machine)))
        if outcome.status != OK:
            return Outcome(outcome.status, why=f"{engine}: {outcome.why}", log=outcome.log)
    equal, problems, log = {}, [], ""
    for run in report_of(outs["native"])["runs"]:
        unit, text = compared(machine, limit, f"{outs['native']}#{run}", f"{outs['python']}#{run}")
        log += text
        equal[run] = unit.get("equal_rows")
        losses = {report_of(out)["runs"][run]["loss"] for out in outs.values()}
        problems += [f"{run}: {each}" for each in differences_of(unit, text) + ([f"losses {losses}"] if len(losses) > 1 else [])]
    return Outcome(FAILED if problems else OK, {"equal": equal}, "; ".join(problems), log)


def plain_bits(machine: Machine, limit: float) -> Outcome:
    """Every tensor of a study beside a plain run of transformers."""
    folder, out = (machine.scratch / f"plain_bits_{each}" for each in ("model", "study"))
    script = [machine.python, machine.folder / "gpu_check/plain_bits.py"]
    done = execute(machine, [*script, "draw", folder], limit)
    if done.code != 0:
        return judged(done, limit)
    outcome = judged_study(machine, limit, out, words(machine, out, "python_bits.yaml", f"model.path={folder}"))
    if outcome.status != OK:
        return outcome
    files = {run: machine.scratch / f"plain_bits_{run}.safetensors" for run in ("reference", "bf16")}
    for run, file in files.items():
        done = execute(machine, [machine.program("ulpscope-cli"), "export", out, file, "--to", "safetensors", "--run", run, "--overwrite"], limit)
        if done.code != 0:
            return judged(done, limit)
    return said_by(execute(machine, [*script, "compare", folder, out / "tokens.json", machine.device,
                                     *[f"{run}={file}" for run, file in files.items()]], limit), limit)


def watching(machine: Machine, limit: float) -> Outcome:
    """Passes whose every tensor comes to the CPU, beside bare ones."""
    rounds = ("--rounds", 2, "--length", 32) if machine.device == "cpu" else ("--length", 1024)
    return said_by(execute(machine, [machine.python, machine.folder / "tests/bench/study/python_hooks_bench.py", "--device", machine.device,
                                     *rounds, "--json"], limit), limit)


def said_by(done: Done, limit: float) -> Outcome:
    """What a script says in the last line."""
    if done.code != 0:
        return judged(done, limit)
    said = json.loads(done.text.splitlines()[-1])
    return judged(done, limit, said["figures"], problem="; ".join(said.get("problems", [])))


def compared(machine: Machine, limit: float, one, other, *more: str) -> tuple[dict, str]:
    """What `compare` says of a pair that has one unit, and its output."""
    out = pathlib.Path(f"{one}".replace("#", "_") + "_compared.json")
    done = execute(machine, [machine.program("ulpscope-cli"), "compare", one, other, "--format", "json", "-o", out, "--quiet", *more], limit)
    units = json.loads(out.read_text())["units"] if out.exists() else []
    return units[0] if len(units) == 1 else {}, done.text + (out.read_text() if out.exists() else "")


def differences_of(unit: dict, text: str) -> list[str]:
    if not unit:
        return [f"not compared: {last_line(text)}"]
    paired, equal, first = unit["paired_rows"], unit["equal_rows"], unit["first_difference"]
    alone = len(unit["only_in_baseline"]) + len(unit["only_in_candidate"])
    return ([f"{paired - equal} of {paired} rows differ, the first: {json.dumps(first)[:200]}"] if paired != equal else []) + (
        [f"{alone} rows have no partner"] if alone else []) + ([f"only {paired} rows"] if paired < SAME_ENOUGH else [])


def recorder(machine: Machine, limit: float) -> Outcome:
    return said_by(execute(machine, [machine.python, machine.folder / "gpu_check/recorded_step.py", machine.scratch / "recorder",
                                     machine.device], limit), limit)


def unedited(machine: Machine, limit: float) -> Outcome:
    """`ulpscope-cli record`, twice; the dumps agree."""
    folders = [machine.scratch / f"record_{each}" for each in (1, 2)]
    for folder in folders:
        done = execute(machine, [machine.program("ulpscope-cli"), "record", "--out", folder, "--level", "mix", "--", machine.python,
                                 machine.folder / "gpu_check/recorded_step.py", "--plain", machine.device], limit)
        if done.code != 0 or not (folder / "step0/rank0/index.jsonl").exists():
            return judged(done, limit, problem=f"recorded nothing: {last_line(done.text)}")
    unit, text = compared(machine, limit, *folders, "--step", "1")
    problems = "; ".join(differences_of(unit, text))
    return Outcome(FAILED if problems else OK, {"rows": unit.get("paired_rows")}, problems, done.text + text)


def cancelled(machine: Machine, limit: float) -> Outcome:
    architecture = "configs/architectures/tiny_qwen3" if machine.device == "cpu" else "gpu_check/architectures/smollm2_135m"
    done = execute(machine, words(machine, machine.scratch / "python_cancelled", "python_levers.yaml", at(machine, architecture),
                                  "input.sequence_length=1000"), limit, interrupt_at="[2/")
    slow = f"took {done.seconds:.2f} s to stop" if done.seconds > 1 else ""
    return judged(done, limit, {"answers_in_s": done.answered, "stops_in_s": done.seconds}, expected=CANCELLED, problem=slow)


def checks(machine: Machine) -> list[Check]:
    qwen = "configs/architectures/tiny_qwen3"
    # Slow ones first but for torch.compile, which takes a minute.
    cost = study("what modules cost", "../gpu_check/studies/python_passes.yaml", "smollm2_135m", 1023, 1, 90,
                 f"python.executable={machine.python}", "capture.level=module")
    return [
        Check("the bits of both engines", 60, two_engines),
        Check("the bits of plain transformers", 60, plain_bits),
        Check("what watching costs", 90, watching),
        check("levers", 60, "python_levers.yaml", levers, *kernels_there(machine, "cudnn"), architecture=qwen),
        *([] if machine.device == "cpu" else [cost]),
        Check("stopped by the user", 60, cancelled),
        Check("the recorder", 60, recorder),
        Check("a program that nobody edits", 60, unedited),
        check("torch.compile", 120, "python_compile.yaml", kernels, architecture=qwen),
        check("operations of gpt-oss", 60, "python_operations.yaml", operations, is_finite=False,
              architecture="gpu_check/architectures/tiny_gpt_oss"),
        check("operations of DeepSeek", 60, "python_operations.yaml", operations, is_finite=False,
              architecture="gpu_check/architectures/tiny_deepseek_v3"),
        check("decoding and batches", 60, "python_batches.yaml", batches, architecture=qwen),
    ]
