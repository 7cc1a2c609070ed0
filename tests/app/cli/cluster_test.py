#!/usr/bin/env python3
"""What the tasks of a cluster give together is what the whole study gives, to the bit.

    cluster_test.py ULPSCOPE_CLI [plan|devices|slurm|ranks] …

`plan` makes the tasks here, one process each; `devices` has two workers make them at the
same time; `slurm` hands them to a cluster of one node, this machine; `ranks`, which takes
long and is run by hand, runs a model over ranks there, which srun and torchrun start.
"""
import fcntl
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import h5py
import numpy
from safetensors.numpy import save_file

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "support" / "cluster"))
import slurm_cluster  # noqa: E402

# Small and with much of what a report may hold: a policy loss, several samples of several micro-batches, tensors.
ARCHITECTURE = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_act": "silu", "hidden_size": 32,
    "intermediate_size": 48, "initializer_range": 0.2, "max_position_embeddings": 64, "num_attention_heads": 4,
    "num_hidden_layers": 2, "num_key_value_heads": 2, "rms_norm_eps": 1e-5, "rope_theta": 10000.0,
    "tie_word_embeddings": False, "vocab_size": 64,
}
STUDY = """\
model: {path: model, weights: random}
input: {sequence_length: 12, micro_batch_size: 2, sequences: 16, seed: 3}
schedule: {micro_batches: 2}
loss: {type: grpo, old_noise: 0.3}
noise_floor: [repeat]
variants:
  bf16: {precision.compute_dtype: bfloat16}
  "bf16, fp32 head": {precision.compute_dtype: bfloat16, precision.lm_head_dtype: float32}
  cublas: {matmul.split_k: false}
capture: {level: op, tensors: full}
device: cpu
"""
ADAMW = ["--set", "input.sequences=8", "--set", "noise_floor=[]", "--set", "optimizer.type=adamw", "--variant", "bf16"]
# What a merge may say otherwise: when and how long, and how much memory.
VOLATILE = [
    (re.compile(r'"(seconds|peak_bytes)":[-+0-9.e]+'), r'"\1":0'),
    (re.compile(r'"start":"[^"]*"'), '"start":""'),
    # Which devices were asked for is no number of theirs.
    (re.compile(r'"device":{"value":"[^"]*","origin":"[a-z_]*"}'), '"device":""'),
    (re.compile(r'# --set device=.*?(\n|\\n)'), ''),
    (re.compile(r"device: [^\\\n]*"), "device:"),
]


def run(words: list, cwd: pathlib.Path, code: int = 0, env=None) -> str:
    done = subprocess.run([str(word) for word in words], cwd=cwd, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == code, f"{words} ended with {done.returncode}, not {code}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


def report_of(folder: pathlib.Path) -> dict:
    return json.loads((folder / "precision_report.json").read_text())


def without_volatile(text: str) -> str:
    for pattern, replacement in VOLATILE:
        text = pattern.sub(replacement, text)
    return text


def files_of(folder: pathlib.Path) -> list[str]:
    names = [file.name for file in folder.iterdir() if file.is_file() and file.name not in (
        "cluster.json", "task.sh", "merge.sh", "merge.log", "events.jsonl", "run.log")]
    return sorted(names + [f"tensors/{file.name}" for file in folder.glob("tensors/*")])


def values_of(file: pathlib.Path) -> dict[str, bytes]:
    """All that an HDF5 file of samples holds; its groups remember when they were made."""
    values = {}

    def take(name, item):
        if isinstance(item, h5py.Dataset):
            read = item[()]
            values[name] = repr(read.tolist()).encode() if read.dtype == object else read.tobytes()

    with h5py.File(file) as opened:
        opened.visititems(take)
        values["digest"] = opened.attrs["token_digest"]
    return values


def same(whole: pathlib.Path, merged: pathlib.Path) -> None:
    assert files_of(whole) == files_of(merged), (files_of(whole), files_of(merged))
    for name in files_of(whole):
        a, b = (whole / name).read_bytes(), (merged / name).read_bytes()
        if name == "samples.h5":
            a, b = values_of(whole / name), values_of(merged / name)
            assert len(a) > 9, sorted(a)
        if name in ("precision_report.json", "study.yaml"):
            a, b = without_volatile(a.decode()), without_volatile(b.decode())
            first = next((i for i in range(min(len(a), len(b))) if a[i] != b[i]), None)
            assert a == b, f"{name} differs at {first}: {a[first - 200:first + 80]!r} {b[first - 200:first + 80]!r}"
        assert a == b, f"{name} differs"


class Place:
    """A folder with a model, a study, and its report as one process makes it."""

    def __init__(self, cli: str, folder: pathlib.Path):
        self.cli = cli
        self.folder = folder
        (folder / "model").mkdir()
        (folder / "model" / "config.json").write_text(json.dumps(ARCHITECTURE))
        (folder / "study.yaml").write_text(STUDY)
        self.whole = folder / "whole"
        # One run fails, as it does in a task: it needs a CUDA device.
        self.call("run", "study.yaml", "--output", self.whole, "--threads", 2, "--progress", "none", code=3)
        assert report_of(self.whole)["runs"]["cublas"]["status"] == "failed"

    def call(self, *words, code: int = 0, env=None) -> str:
        return run([self.cli, *words], self.folder, code, env)


def check_plan(place: Place) -> None:
    # In any order, and merged before all is there: what is missing is said.
    steps = place.folder / "steps"
    os.environ["PATH"], path = "/nowhere", os.environ["PATH"]
    said = place.call("submit", "study.yaml", "--output", steps, "--threads", 2, "--samples-per-task", 3, code=2)
    os.environ["PATH"] = path
    assert "Slurm is not on this machine" in said, said
    count = len(json.loads((steps / "cluster.json").read_text())["tasks"])
    assert count == 8, count
    said = place.call("merge", steps, code=2)
    assert "no task has given anything yet" in said, said
    for task, code in [(7, 0), (0, 0), (1, 0), (6, 3)]:
        place.call("task", steps, task, "--progress", "none", code=code)
    said = place.call("merge", steps, code=3)
    runs = report_of(steps)["runs"]
    assert {name: (entry["status"], entry["samples"]) for name, entry in runs.items()} == {
        "reference": ("pending", 3), "bf16": ("pending", 3), "bf16, fp32 head": ("pending", 3),
        "cublas": ("pending", 0), "floor.repeat": ("pending", 0)}, runs
    assert "--again" in runs["bf16"]["error"], runs["bf16"]
    place.call("submit", steps, "--again", "--local", code=3)
    same(place.whole, steps)
    # One reference for all: no other task runs it. What can be made again from other tensors is shared, too.
    place.call("run", "study.yaml", "--output", "adamw", "--threads", 2, *ADAMW, "--progress", "none")
    shared = place.folder / "shared"
    place.call("submit", "study.yaml", "--output", shared, "--threads", 2, *ADAMW, "--samples-per-task", 1,
               "--share-reference", "--local")
    same(place.folder / "adamw", shared)
    assert report_of(shared / "tasks" / "0002")["runs"]["reference"]["seconds"] == 0
    shutil.rmtree(shared / "references")
    said = place.call("task", shared, 2, code=0)  # it has all that it needs
    shutil.rmtree(shared / "tasks" / "0002")
    said = place.call("task", shared, 2, code=2)
    assert "the task that runs the reference for all has not written it" in said, said
    said = place.call("submit", shared, "--again", "--local")
    same(place.folder / "adamw", shared)
    (shared / "tasks" / "0003" / "precision_report.json").unlink()
    said = place.call("submit", shared, "--status")
    assert "1 failed, 3 done" in said and "its report is gone" in said, said
    place.call("submit", shared, "--again", "--local")
    same(place.folder / "adamw", shared)
    (shared / "tasks" / "0003" / "pieces" / "bf16.1.json").write_text("")
    said = place.call("merge", shared, code=2)
    assert f"remove the folder {shared}/tasks/0003 and make its task again" in said, said
    shutil.rmtree(shared / "tasks" / "0003")
    shutil.rmtree(shared / "tasks" / "0000" / "tensors")
    place.call("task", shared, 3)
    said = place.call("merge", shared)
    assert "tasks/0000/tensors/reference.h5: is gone: the merged report has no tensors of reference" in said, said
    # Who makes a task already is not disturbed.
    with open(shared / "tasks" / "0003" / ".ulpscope.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        said = place.call("task", shared, 3, code=2)
        assert "another worker writes to this folder" in said, said
    assert "4 done" in place.call("submit", shared, "--status")
    # Slurm takes the tasks and then refuses what merges; nothing failed, and no report is there.
    spaced = place.folder / "my runs"
    programs = place.folder / "programs"
    programs.mkdir()
    for name, text in [("sbatch", 'case "$*" in *-merge*) echo "no more jobs" >&2; exit 1;; esac; echo 7'), ("squeue", ""), ("sacct", "exit 1")]:
        (programs / name).write_text(f"#!/bin/sh\n{text}\n")
        (programs / name).chmod(0o755)
    with_slurm = {**os.environ, "PATH": f"{programs}:{path}"}
    said = place.call("submit", "study.yaml", "--output", spaced, "--threads", 2, *ADAMW, code=2, env=with_slurm)
    assert f"no more jobs; jobs 7 were submitted and go on; ulpscope-cli merge '{spaced}' puts their results together" in said, said
    said = place.call("merge", spaced, code=2)
    assert f"ulpscope-cli submit '{spaced}' --status says how they stand" in said, said
    place.call("task", spaced, 0)
    place.call("submit", spaced, "--again", env=with_slurm)
    same(place.folder / "adamw", spaced)
    said = place.call("submit", spaced, "--again", env=with_slurm)
    assert "nothing failed" in said, said
    said = place.call("submit", "study.yaml", "--output", "back\\slash", code=2)
    assert "Slurm takes no folder with a backslash in its name" in said, said
    # A file that is changed while tasks run is not taken for an error of the variant.
    policy = place.folder / "policy.safetensors"
    changed = place.folder / "changed"
    save_file({"advantages": numpy.ones((16, 13), numpy.float32)}, policy)
    os.environ["PATH"] = "/nowhere"
    place.call("submit", "study.yaml", "--output", changed, "--threads", 2, *ADAMW, "--share-reference", "--set", "loss.advantages=file",
               "--set", "loss.path=policy.safetensors", code=2)
    os.environ["PATH"] = path
    place.call("task", changed, 0)
    save_file({"advantages": numpy.full((16, 13), 2, numpy.float32)}, policy)
    said = place.call("task", changed, 1, code=2)
    assert "000000.safetensors: the content of loss.path changed since it was made" in said, said
    said = place.call("merge", changed, code=2)
    assert f"{changed}: what task 1 read in the place of loss.path is not what task 0 read there" in said, said


def check_devices(place: Place) -> None:
    # Two workers, each with two of the four runs.
    words = ["run", "study.yaml", "--threads", 2, "--progress", "none", "--device"]
    place.call(*words, "cpu,cpu", "--output", "devices", code=3)
    same(place.whole, place.folder / "devices")
    # Of one run the samples are shared out, and one that was begun is gone on with.
    place.call("run", "study.yaml", "--output", "one", "--threads", 2, *ADAMW, "--progress", "none")
    place.call(*words, "cpu,cpu", "--output", "two", *ADAMW)
    same(place.folder / "one", place.folder / "two")
    said = place.call(*words, "cpu,cpu", "--output", "two", *ADAMW, "--set", "input.seed=4", "--resume", code=2)
    assert "the token digest was" in said and "--overwrite" in said, said
    place.call(*words, "cpu", "--output", "two", *ADAMW, "--resume")
    same(place.folder / "one", place.folder / "two")
    # Variants that follow later.
    place.call(*words, "cpu", "--output", "later", "--variant", "bf16")
    place.call(*words, "[cpu, cpu]", "--output", "later", "--resume", code=3)
    same(place.whole, place.folder / "later")


def on_cluster(place: Place, steps) -> None:
    with tempfile.TemporaryDirectory(prefix="ulpscope-slurm-") as folder, \
            slurm_cluster.SlurmCluster(pathlib.Path(folder).resolve()) as cluster:
        env = cluster.environment
        try:
            steps(place, env)
        except BaseException:
            print(cluster.logs())
            raise


def slurm_steps(place: Place, env: dict) -> None:
    # A refusal says why and what to do.
    said = place.call("submit", "study.yaml", "--output", "refused", "--sbatch=--partition=none", code=2, env=env)
    assert "invalid partition specified: none" in said and "sinfo lists the partitions" in said, said
    # A folder with all that shells take for something else.
    # Its failed run is in the report as a whole study has it.
    odd = place.folder / "on a cluster's; \"$HOME\""
    said = place.call("submit", "study.yaml", "--output", odd, "--threads", 2, "--samples-per-task", 2, "--wait",
                      "--sbatch", "--time=5 --comment='two words' --cpus-per-task=1", code=3, env=env)
    assert "running" in said and "6 done" in said and "2 failed" in said, said
    same(place.whole, odd)
    # What failed, or was lost, is submitted again alone.
    jobs = [entry["job"] for entry in json.loads((odd / "cluster.json").read_text())["jobs"]]
    shutil.rmtree(odd / "tasks" / "0001")
    said = place.call("submit", odd, "--status", env=env)
    assert re.search(r" 1  failed .*left no result", said), said
    said = place.call("submit", odd, "--again", "--wait", code=3, env=env)
    assert "3 of 8 tasks submitted" in said, said
    again = json.loads((odd / "cluster.json").read_text())["jobs"][len(jobs):]
    assert again[0]["tasks"] == [1, 2, 6], again
    same(place.whole, odd)
    # Taken back while it waits and runs.
    slow = place.folder / "slow"
    place.call("submit", "study.yaml", "--output", slow, "--set", "input.sequences=40000", "--samples-per-task", 5000,
               env=env)
    end = time.monotonic() + 30
    counts = {}
    while time.monotonic() < end and not (counts.get("running") and counts.get("pending")):
        status = json.loads(place.call("submit", slow, "--status", "--format", "json", env=env))
        counts = status["counts"]
        time.sleep(0.2)
    assert counts["running"] and counts["pending"], counts
    assert any(task["reason"] for task in status["tasks"] if task["state"] == "pending"), status
    take_back_and_begin_again(slow, next(i for i, task in enumerate(status["tasks"]) if task["state"] == "running"), env)
    place.call("submit", slow, "--cancel", env=env)
    said = place.call("submit", slow, "--wait", code=3, env=env)
    assert "8 failed" in said and "--again" in said, said


def take_back_and_begin_again(run_folder: pathlib.Path, task: int, env) -> None:
    """What Slurm does with a task that is preempted: its journal goes on where it stopped."""
    job = json.loads((run_folder / "cluster.json").read_text())["jobs"][0]["job"]
    journal = run_folder / "tasks" / f"{task:04}" / "events.jsonl"

    def events(kind: str) -> list[dict]:
        lines = journal.read_text().splitlines() if journal.exists() else []
        return [event for event in map(json.loads, lines) if event["event"] == kind]

    def wait(what) -> None:
        end = time.monotonic() + 30
        while not what():
            assert time.monotonic() < end, journal.read_text()[-2000:]
            time.sleep(0.1)

    def scontrol(*words: str) -> bool:
        return subprocess.run(["scontrol", *words], env=env, capture_output=True).returncode == 0

    subprocess.run(["scancel", "--state=PENDING", job], env=env, check=True)
    wait(lambda: len(events("run_started")) > 2)
    wait(lambda: scontrol("requeue", f"{job}_{task}"))
    wait(lambda: events("study_finished"))
    assert events("study_finished")[0]["status"] == "cancelled", events("study_finished")
    # Slurm itself lets it wait for two minutes. In the second in which it was stopped its node would refuse it.
    wait(lambda: subprocess.run(["squeue", "--noheader", f"--jobs={job}_{task}", "--format=%T"], env=env, capture_output=True,
                                text=True).stdout.strip() == "PENDING")
    assert scontrol("update", f"JobId={job}_{task}", "StartTime=now+2")
    wait(lambda: len(events("study_started")) > 1)
    assert events("study_started")[1]["resumed"], events("study_started")
    wait(lambda: events("run_started")[-1]["sample"] > events("run_started")[0]["sample"])


RANKS = """\
model: {path: model, weights: random}
engine: python
input: {sequence_length: 12, micro_batch_size: 2}
variants:
  by_srun: {python.ranks: 2, python.launcher: srun, precision.compute_dtype: bfloat16}
  by_torchrun: {python.ranks: 2, precision.compute_dtype: bfloat16}
  alone: {precision.compute_dtype: bfloat16}
device: cpu
"""


def rank_steps(place: Place, env) -> None:
    (place.folder / "ranks.yaml").write_text(RANKS)
    env = {"ULPSCOPE_PYTHON": sys.executable, **env}
    here = place.folder / "ranks_here"
    place.call("run", "ranks.yaml", "--output", here, "--threads", 1, "--variant", "by_torchrun", "--progress", "none", env=env)
    out = place.folder / "ranks"
    planned = place.call("submit", "ranks.yaml", "--output", out, "--threads", 1, "--dry-run", env=env).splitlines()
    assert len(planned) == 4, planned
    assert "--ntasks" not in planned[0] and "--cpus-per-task=1" in planned[0], planned
    assert "--nodes=1 --cpus-per-task=2" in planned[1], planned
    assert "--ntasks=2 --cpus-per-task=1" in planned[2], planned
    place.call("submit", "ranks.yaml", "--output", out, "--threads", 1, "--wait", env=env)
    runs, by_hand = report_of(out)["runs"], report_of(here)["runs"]
    assert {name: entry["status"] for name, entry in runs.items()} == dict.fromkeys(
        ("reference", "by_srun", "by_torchrun", "alone"), "finished"), runs
    # Whoever starts two ranks: the same bits.
    assert runs["by_srun"]["loss"] == runs["by_torchrun"]["loss"] == by_hand["by_torchrun"]["loss"], runs
    assert runs["alone"]["loss"] != runs["reference"]["loss"], runs


def main() -> None:
    cli = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory(prefix="ulpscope-cluster-") as folder:
        place = Place(cli, pathlib.Path(folder).resolve())
        for part in sys.argv[2:] or ["plan"]:
            {"plan": check_plan, "devices": check_devices, "slurm": lambda place: on_cluster(place, slurm_steps),
             "ranks": lambda place: on_cluster(place, rank_steps)}[part](place)


if __name__ == "__main__":
    main()
