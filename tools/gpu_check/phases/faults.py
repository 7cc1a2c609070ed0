"""What happens when the device has no memory left, is not there, or when the user stops."""

from checks import FAILED, Check, Machine, Outcome, command, execute, judged
from phases.study import report_of

# At this length eager attention needs hundreds of GiB, the memory-efficient kernel a few.
TOO_LONG = 12288
CANCELLED = 130


def words(machine: Machine, out: str, architecture: str, *more) -> list:
    return [machine.program("ulpscope-cli"), "run", machine.folder / "configs/tiny_random.yaml", "--output", machine.scratch / out,
            "--overwrite", "--progress", "plain", "--set", f"model.path={machine.folder / architecture}", *more]


def out_of_memory(machine: Machine, limit: float) -> Outcome:
    sets = [f"input.sequence_length={TOO_LONG}", "input.micro_batch_size=1", "capture.level=layer", "capture.tensors=none",
            "capture.parameter_gradients=false", "attention.implementation=sdpa_efficient", "variants.bf16_fp32_residual.attention.implementation=eager"]
    done = execute(machine, words(machine, "memory", "gpu_check/architectures/smollm2_135m", "--device", machine.device,
                                  *[word for each in sets for word in ("--set", each)]), limit)
    try:
        runs = report_of(machine.scratch / "memory")["runs"]
    except OSError as error:
        return Outcome(FAILED, why=f"made no report ({error})", log=done.text)
    states = {name: run["status"] for name, run in runs.items()}
    expected = {name: "failed" if name == "bf16_fp32_residual" else "finished" for name in states}
    error = runs.get("bf16_fp32_residual", {}).get("error", "")
    problem = ""
    if states != expected or len(states) != 4:
        problem = f"expected the eager variant alone to fail: {states}; {error}"
    elif "memory" not in str(error):
        problem = f"does not say that memory ran out: {error}"
    return judged(done, limit, {"error": str(error)[:200]}, expected=3, problem=problem)


def cancelled(machine: Machine, limit: float) -> Outcome:
    architecture = "configs/architectures/tiny_llama" if machine.device == "cpu" else "gpu_check/architectures/smollm2_135m"
    done = execute(machine, words(machine, "cancelled", architecture, "--device", machine.device, "--set", "input.sequence_length=2047"),
                   limit, interrupt_at="[2/4]")
    slow = f"took {done.seconds:.2f} s to stop" if done.seconds > 1 else ""
    return judged(done, limit, {"answers_in_s": done.answered, "stops_in_s": done.seconds}, expected=CANCELLED, problem=slow)


def tiny(name: str, device: str, environment: dict, **expected) -> Check:
    return command(name, 30, lambda machine: words(machine, name.replace(" ", "_"), "configs/architectures/tiny_llama", "--device",
                                                   device), environment, **expected)


def checks(machine: Machine) -> list[Check]:
    # Where the bundle is tried without a GPU, there may be no driver that could hide one.
    reason = "CUDA driver" if machine.device == "cpu" else "CUDA_VISIBLE_DEVICES='' hides all devices"
    cases = [
        tiny("unknown device", "cuda:99", {}, expected=2, says="cuda:99"),
        tiny("no device visible", "cuda", {"CUDA_VISIBLE_DEVICES": ""}, expected=2, says=reason),
        Check("stopped by the user", 60, cancelled),
    ]
    if machine.device == "cpu":
        return cases
    return [Check("out of memory", 100, out_of_memory), *cases,
            tiny("launches one by one", machine.device, {"CUDA_LAUNCH_BLOCKING": "1"})]
