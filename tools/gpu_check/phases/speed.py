"""Bandwidth of the comparison on the device, beside LibTorch's own."""

import json
import re

from checks import SKIPPED, Check, Machine, Outcome, command


def last_json(text: str) -> dict:
    lines = [line for line in text.splitlines() if line.startswith("{")]
    return json.loads(lines[-1]) if lines else {}


def rates(text: str) -> dict:
    """What Google Benchmark or a program of lines `name: 123 GB/s` prints."""
    return {name: float(rate) for name, rate in re.findall(r"^(\S+).*?([\d.]+) ?(?:GB/s|G/s)", text, re.M)}


def checks(machine: Machine) -> list[Check]:
    torch = command("torch", 40, lambda _: [machine.python, machine.folder / "gpu_check/torch_rates.py", machine.device],
                    figures=last_json)
    if not (machine.folder / "tests/device_comparer_bench").exists():
        missing = Outcome(SKIPPED, why="device_comparer_bench is not in this bundle")
        return [Check("device_comparer_bench", 1, lambda _machine, _limit: missing), torch]
    return [command("device_comparer_bench", 60, lambda _: [machine.program("device_comparer_bench")], figures=rates), torch]
