"""The engine beside transformers on the device, bit for bit."""

import re

from checks import Check, Machine, command

# The most telling first.
SUITES = ["gpu", "tiny", "operations", "packed", "batches", "optimizer"]


def figures(text: str) -> dict:
    found = re.search(r"(\d+) of (\d+) runs bit-identical.*: (\d+) tensors", text)
    return {"equal_runs": int(found[1]), "runs": int(found[2]), "tensors": int(found[3])} if found else {}


def suite(name: str) -> Check:
    return command(name, 120, lambda machine: [
        machine.python, machine.folder / "tests/parity/parity.py", "--suite", name, "--python", machine.python,
        "--dump", machine.program("engine_dump"), "--work", machine.scratch / f"parity_{name}", "--device", machine.device],
        figures=figures, says="runs bit-identical")


def checks(_machine: Machine) -> list[Check]:
    return [suite(name) for name in SUITES]
