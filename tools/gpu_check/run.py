#!/usr/bin/env python3
"""Runs the checks of an unpacked bundle, most telling phase first; needs the standard library and a Python with torch.

Prints a line for each check. In --out: results.json, and failures.log with the output of the checks that failed.
A check that is right and misses an aim of speed is slow. Exit code 0 where none failed.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from checks import FAILED, OK, SKIPPED, SLOW, Machine, Outcome, Results, execute, run_phase
from phases import faults, memory, parity, python, sanitizer, speed, study, tests

# name: checks, seconds for all of them, how many at a time
PHASES = {
    "tests": (tests.checks, 150, 4),
    "parity": (parity.checks, 200, 5),
    "study": (study.checks, 180, 1),
    "python": (python.checks, 150, 4),
    "memory": (memory.checks, 150, 4),
    "speed": (speed.checks, 100, 1),
    "faults": (faults.checks, 150, 1),
    "sanitizer": (sanitizer.checks, 150, 2),
    "large": (study.large, 540, 1),
}
NOT_BY_DEFAULT = ("large",)
# Make float32 products TF32 behind everybody's back; images of containers set them.
TF32_VARIABLES = ("TORCH_ALLOW_TF32_CUBLAS_OVERRIDE", "NVIDIA_TF32_OVERRIDE")
TORCH_FACTS = """
import json, sys, torch
facts = {"python": sys.version.split()[0], "torch": torch.__version__, "folder": torch.__path__[0], "cuda": torch.version.cuda}
if sys.argv[1] != "cpu" and torch.cuda.is_available():
    p = torch.cuda.get_device_properties(0)
    facts |= {"device": p.name, "capability": [p.major, p.minor], "memory": p.total_memory, "processors": p.multi_processor_count,
              "cudnn": torch.backends.cudnn.version(), "cuda_available": True}
for name in ("transformers", "numpy", "safetensors"):
    try:
        facts[name] = __import__(name).__version__
    except ImportError:
        facts[name] = None
print(json.dumps(facts))
"""


def parse_arguments():
    parser = argparse.ArgumentParser(prog="gpu_check.sh run", description=__doc__)
    parser.add_argument("phases", nargs="*", metavar="PHASE", help=f"of {', '.join(PHASES)}; all but {', '.join(NOT_BY_DEFAULT)} by default")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("gpu_check_results"), help="folder of the results")
    parser.add_argument("--python", default=sys.executable, help="Python with torch 2.11 and, for parity, transformers")
    parser.add_argument("--device", default="cuda", help="cuda, cuda:N, or cpu to try the bundle itself")
    parser.add_argument("--seconds", type=float, default=560, help="for all phases together; those whose turn comes later fail")
    parser.add_argument("--only", default="", help="run checks whose name contains this")
    parser.add_argument("--list", action="store_true", help="print the checks and run none")
    arguments = parser.parse_args()
    for phase in arguments.phases:
        if phase not in PHASES:
            parser.error(f"no phase {phase}; there are {', '.join(PHASES)}")
    return arguments


def facts_of(python, device):
    done = subprocess.run([python, "-c", TORCH_FACTS, device], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"gpu_check.sh: {python}: has no torch ({done.stderr.strip()[-300:]}); name another with --python")
    # Packages may have said something before.
    return json.loads(done.stdout.splitlines()[-1])


def machine_of(arguments, facts, scratch):
    environment = {key: value for key, value in os.environ.items() if key not in ("LD_LIBRARY_PATH", *TF32_VARIABLES)}
    environment |= {"ULP_TORCH_DIR": facts["folder"], "HF_HUB_OFFLINE": "1", "TRANSFORMERS_VERBOSITY": "error"}
    if arguments.device != "cpu":
        environment["ULP_REQUIRE_GPU"] = "1"
    return Machine(pathlib.Path(__file__).resolve().parents[1], arguments.python, pathlib.Path(facts["folder"]), arguments.device,
                   pathlib.Path(scratch), environment)


def probe(machine, results):
    """Whether the programs start and see the device with LibTorch named by its folder alone. Where they do not, the other
    checks get LD_LIBRARY_PATH as well, so that they tell more than this."""
    begin = time.monotonic()
    done = execute(machine, [machine.program("ulpscope-cli"), "devices"], 60)
    device = "cuda:0" if machine.device == "cuda" else machine.device
    listed = [line for line in done.text.splitlines() if line.startswith(device + " ")]
    found = done.code == 0 and bool(listed)
    why = "" if found else "the device is not listed: " + done.text.strip()[-400:]
    results.add("probe", "ulpscope-cli devices", Outcome(OK if found else FAILED, {"device": listed[0] if listed else None}, why,
                                                         done.text, time.monotonic() - begin))
    if not found:
        machine.environment["LD_LIBRARY_PATH"] = str(machine.torch / "lib")


def nvidia_smi():
    try:
        done = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version,memory.total,clocks.sm,clocks.mem,power.limit,mig.mode.current",
                               "--format=csv,noheader"], capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return done.stdout.strip() or done.stderr.strip()


def main():
    arguments = parse_arguments()
    phases = arguments.phases or [phase for phase in PHASES if phase not in NOT_BY_DEFAULT]
    begin = time.monotonic()
    facts = facts_of(arguments.python, arguments.device)
    arguments.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="gpu_check_") as scratch:
        machine = machine_of(arguments, facts, scratch)
        results = Results(arguments.out.resolve())
        results.facts = facts | {"nvidia_smi": nvidia_smi(), "device_argument": arguments.device,
                                 "variables": {key: os.environ[key] for key in TF32_VARIABLES if key in os.environ}}
        if not arguments.list:
            print(" ".join(f"{key}={value}" for key, value in results.facts.items()), flush=True)
            probe(machine, results)
        for phase in phases:
            make, seconds, jobs = PHASES[phase]
            try:
                checks = [check for check in make(machine) if arguments.only in check.name]
            except Exception as error:  # a phase that cannot begin must not keep the next ones from running
                results.add(phase, "its checks", Outcome(FAILED, why=f"{type(error).__name__}: {error}"))
                continue
            if arguments.list:
                print("\n".join(f"{phase}: {check.name} (at most {check.limit:.0f} s)" for check in checks))
                continue
            phase_begin = time.monotonic()
            run_phase(machine, phase, checks, min(seconds, begin + arguments.seconds - phase_begin), jobs, results)
            print(f"        {time.monotonic() - phase_begin:7.1f} s  {phase}", flush=True)
            results.save()
        if arguments.list:
            return 0
        print(f"{results.count(OK)} ok, {results.count(SLOW)} slow, {results.count(FAILED)} failed, {results.count(SKIPPED)} skipped in {time.monotonic() - begin:.0f} s;"
              f" {arguments.out}/results.json" + (f", {arguments.out}/failures.log" if results.count(FAILED) else ""))
        return 1 if results.count(FAILED) else 0


if __name__ == "__main__":
    sys.exit(main())
