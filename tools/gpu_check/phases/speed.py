"""Bandwidth of the comparison on the device, beside LibTorch's own."""

import json

from checks import SKIPPED, Check, Machine, Outcome, aimed, command

# Of the bandwidth of a copy on the device that comparisons of large tensors have to reach.
AIM = 0.6
LARGE = 1 << 26


def rates(text: str) -> dict:
    """What a program prints as lines of JSON."""
    return {"rates": [json.loads(line) for line in text.splitlines() if line.startswith("{")]}


def below_aim(outcome: Outcome) -> Outcome:
    return aimed(outcome, [f"{rate['reference']} and {rate['candidate']}: {rate['of_copy']} of a copy, the aim is {AIM}"
                           for rate in outcome.figures["rates"] if rate.get("elements") == LARGE and rate["of_copy"] < AIM])


def checks(machine: Machine) -> list[Check]:
    torch = command("torch", 40, lambda _: [machine.python, machine.folder / "gpu_check/torch_rates.py", machine.device],
                    figures=rates)
    if not (machine.folder / "tests/device_comparer_bench").exists():
        missing = Outcome(SKIPPED, why="device_comparer_bench is not in this bundle")
        return [Check("device_comparer_bench", 1, lambda _machine, _limit: missing), torch]
    bench = command("device_comparer_bench", 60, lambda _: [machine.program("device_comparer_bench")], figures=rates)
    return [Check(bench.name, bench.limit, lambda machine, limit: below_aim(bench.run(machine, limit))), torch]
