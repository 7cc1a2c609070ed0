"""The tests that need a GPU, each in a process of its own, so that no error of one reaches the next."""

import fnmatch
import os

from checks import Check, Machine, command, execute

# Suites by the name that the label gpu of the build gives them.
SUITES = {"engine_test": ["*Gpu*"], "torch_test": ["*Gpu*", "DeviceComparer"], "ulp_engine_gpu_test": ["*"]}


def names(machine: Machine, program: str) -> list[str]:
    done = execute(machine, [machine.program(program), "--gtest_list_tests"], 60, environment_of(machine, program))
    if done.code != 0:
        raise RuntimeError(f"{program} does not list its tests: {done.text.strip()[-300:]}")
    found, suite = [], ""
    for line in done.text.splitlines():
        word = line.split("#")[0].strip()
        if line and not line.startswith(" "):
            suite = word.removesuffix(".")
        elif any(fnmatch.fnmatch(suite, pattern) for pattern in SUITES[program]):
            found.append(f"{suite}.{word}")
    return found


def environment_of(machine: Machine, program: str) -> dict:
    # The only program that is linked with LibTorch itself.
    path = [str(machine.torch / "lib"), machine.environment.get("LD_LIBRARY_PATH", "")]
    return {"LD_LIBRARY_PATH": os.pathsep.join(filter(None, path))} if program == "torch_test" else {}


def one(machine: Machine, program: str, test: str) -> Check:
    words = [machine.program(program), f"--gtest_filter={test}"]
    return command(f"{program} {test}", 60, lambda _: words, environment_of(machine, program))


def checks(machine: Machine) -> list[Check]:
    return [one(machine, program, test) for program in SUITES for test in names(machine, program)]
