"""Bandwidth of the comparison on the device, beside LibTorch's own."""

import json

from checks import SKIPPED, Check, Machine, Outcome, command


def rates(text: str) -> dict:
    """What a program prints as lines of JSON."""
    return {"rates": [json.loads(line) for line in text.splitlines() if line.startswith("{")]}


def checks(machine: Machine) -> list[Check]:
    torch = command("torch", 40, lambda _: [machine.python, machine.folder / "gpu_check/torch_rates.py", machine.device],
                    figures=rates)
    if not (machine.folder / "tests/device_comparer_bench").exists():
        missing = Outcome(SKIPPED, why="device_comparer_bench is not in this bundle")
        return [Check("device_comparer_bench", 1, lambda _machine, _limit: missing), torch]
    return [command("device_comparer_bench", 60, lambda _: [machine.program("device_comparer_bench")], figures=rates), torch]
