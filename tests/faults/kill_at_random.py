"""Kills a study, an export and a comparison with SIGKILL at random moments, and looks at what they leave.

    python3 tests/faults/kill_at_random.py build/whole/bin/ulpscope-cli build/whole/tests/fake_engine_library.so [MOMENTS [SEED]]

Finished runs are there, folders open, nothing half-written has a name, and whoever goes on gets what an undisturbed run
gives, to the bit. Prints how often each was killed and what was found; fails at the first thing that is wrong.
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

STUDY = """model: {{path: {model}}}
input: {{sequence_length: 16, sequences: {samples}}}
capture: {{tensors: full}}
device: cpu
variants:
  bf16: {{precision.compute_dtype: bfloat16}}
  fp16: {{precision.compute_dtype: float16}}
"""


class Machine:
    """Starts the program, and ends it at a moment of its life."""

    def __init__(self, cli: str, engine: str, seed: int):
        self.cli = os.path.abspath(cli)
        self.environment = os.environ | {"ULP_ENGINE_LIBRARY": os.path.abspath(engine), "ULP_FAKE_HIDDEN": "64"}
        self.random = random.Random(seed)

    def start(self, words, delay=0):
        return subprocess.Popen(
            [self.cli, *map(str, words)], env=self.environment | {"ULP_FAKE_DELAY_US": str(delay)},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def run(self, words, delay=0) -> float:
        """Seconds that it took; it must succeed."""
        begin = time.monotonic()
        process = self.start(words, delay)
        error = process.communicate()[1]
        assert process.returncode == 0, f"{words}: exit code {process.returncode}\n{error}"
        return time.monotonic() - begin

    def kill(self, words, seconds: float, delay=0) -> bool:
        """Whether it was killed before its end."""
        process = self.start(words, delay)
        try:
            error = process.communicate(timeout=self.random.uniform(0, seconds))[1]
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return True
        assert process.returncode == 0, f"{words}: exit code {process.returncode}\n{error}"
        return False


def values(folder: pathlib.Path):
    """What a report says of its runs, without times."""
    report = json.loads((folder / "precision_report.json").read_text())
    for owner in (report["provenance"], *report["runs"].values()):
        assert 0 <= owner.get("seconds", 0) < 600, f"{folder}: {owner['seconds']} s"
    runs = {name: {key: value for key, value in run.items() if key not in ("seconds", "peak_bytes")}
            for name, run in report["runs"].items()}
    return runs, report["comparisons"]


def tree(folder: pathlib.Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def leftovers(folder: pathlib.Path) -> list[str]:
    return [str(path) for path in folder.rglob("*.ulp-part")]


def kill_studies(machine: Machine, place: pathlib.Path, moments: int, samples: int) -> str:
    (place / "model").mkdir(exist_ok=True)
    (place / "model/config.json").write_text("{}")
    study = place / f"study{samples}.yaml"
    study.write_text(STUDY.format(model=place / "model", samples=samples))
    words = ["run", study, "--output"]
    delay = 1000
    right = place / f"wanted{samples}"
    seconds = machine.run([*words, right], delay)
    wanted, tensors = values(right), tree(right / "tensors")
    killed = opened = kept = 0
    for moment in range(moments):
        out = place / f"study{samples}-{moment}"
        killed += machine.kill([*words, out], seconds, delay)
        finished = {}
        if (out / "precision_report.json").exists():
            machine.run(["report", out, "--format", "json"])
            opened += 1
            finished = {name: run for name, run in values(out)[0].items() if run["status"] == "finished"}
            kept += len(finished)
            for name, run in finished.items():
                assert run == wanted[0][name], f"{out}: {name} is not what it should be"
                assert (out / "tensors" / f"{name}.h5").read_bytes() == tensors[f"{name}.h5"], f"{out}: tensors of {name}"
        machine.run([*words, out, "--resume"])
        assert values(out) == wanted, f"{out}: going on gave other values"
        assert tree(out / "tensors") == tensors, f"{out}: going on gave other tensors"
        assert not leftovers(out), leftovers(out)
    return f"study of {samples} samples: killed {killed} of {moments} times, {opened} reports opened, {kept} finished runs kept, all went on"


def kill_exports(machine: Machine, place: pathlib.Path, moments: int) -> str:
    run = place / "wanted1"
    target = place / "exports/out"
    target.parent.mkdir()
    words = ["export", run, target, "--to", "npy", "--overwrite", "--quiet"]
    seconds = machine.run(words)
    new = tree(target)
    replaced = killed = 0
    for _ in range(moments):
        machine.run([*words, "--run", "reference"])
        old = tree(target)
        killed += machine.kill(words, seconds)
        left = tree(target)
        assert left in (old, new), f"{target}: neither the old nor the new export"
        replaced += left == new
    machine.run(words)
    assert tree(target) == new and not leftovers(target.parent), leftovers(target.parent)
    return f"export: killed {killed} of {moments} times, {replaced} were replaced already, no other was touched"


def kill_comparisons(machine: Machine, place: pathlib.Path, moments: int) -> str:
    run = place / "wanted1"
    words = ["compare", f"{run}#reference", f"{run}#bf16", "--quiet", "--report"]
    seconds = machine.run([*words, place / "compared"])
    wanted = values(place / "compared")
    killed = there = 0
    for moment in range(moments):
        out = place / f"comparison{moment}"
        killed += machine.kill([*words, out], seconds)
        if (out / "precision_report.json").exists():
            there += 1
        else:
            machine.run([*words, out])
            assert not leftovers(out), leftovers(out)
        machine.run(["report", out, "--format", "json"])
        assert values(out) == wanted, f"{out}: another report"
    return f"comparison: killed {killed} of {moments} times, {there} reports were there, the others were made again"


def main():
    cli, engine, *more = sys.argv[1:]
    moments = int(more[0]) if more else 100
    seed = int(more[1]) if len(more) > 1 else 1
    machine = Machine(cli, engine, seed)
    with tempfile.TemporaryDirectory(prefix="ulpscope-kill-") as folder:
        place = pathlib.Path(folder)
        print(kill_studies(machine, place, (moments + 1) // 2, 1), flush=True)
        print(kill_studies(machine, place, moments // 2, 2), flush=True)
        print(kill_exports(machine, place, moments), flush=True)
        print(kill_comparisons(machine, place, moments), flush=True)


if __name__ == "__main__":
    main()
