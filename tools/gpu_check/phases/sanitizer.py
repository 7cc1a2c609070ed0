"""NVIDIA's compute-sanitizer over the tests of our own kernels."""

import glob
import re
import shutil

from checks import SKIPPED, Check, Machine, Outcome, command

TOOLS = {"memcheck": ["--leak-check=full"], "racecheck": [], "initcheck": [], "synccheck": []}
# All tests take racecheck minutes; the kernels are the same in each.
TESTS = {"racecheck": ["--gtest_filter=*.TakesTensorsAtAnyAddress"]}


def errors(text: str) -> dict:
    found = re.search(r"(?:ERROR|RACECHECK) SUMMARY: (\d+)", text)
    return {"errors": int(found[1])} if found else {}


def checks(machine: Machine) -> list[Check]:
    places = [shutil.which("compute-sanitizer"), *sorted(glob.glob("/usr/local/cuda*/bin/compute-sanitizer"))]
    places = [place for place in places if place]
    if not places:
        return [Check("compute-sanitizer", 1, lambda _machine, _limit: Outcome(SKIPPED, why="is not on this machine; it comes with the CUDA Toolkit"))]
    return [
        command(tool, 70, lambda _, tool=tool, options=options: [
            places[0], "--tool", tool, *options, "--error-exitcode", "99", machine.program("ulp_engine_gpu_test"), *TESTS.get(tool, [])],
            figures=errors, says="SUMMARY: 0 ")
        for tool, options in TOOLS.items()
    ]
