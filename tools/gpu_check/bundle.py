#!/usr/bin/env python3
"""Packs what tools/gpu_check.sh runs on a machine with a GPU, and what users run there without the window, into
build/gpu_check/ulpscope-gpu-check.tar.xz: programs, tests, the libraries that they need, scripts and configurations.

Not in it: what every machine has (glibc, libstdc++), torch and NVIDIA's libraries, which come from the torch of that
machine's Python.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging/packages"))

import staging  # noqa: E402

NAME = "ulpscope-gpu-check"
MAXIMUM = 45 << 20
TESTS = ["tests/engine_test", "tests/torch_test", "tests/ulp_engine_gpu_test", "tests/engine_dump"]
# Built where benchmarks are.
BENCHMARKS = ["bench/device_comparer_bench", "tests/device_comparer_bench"]
FILES = ["tools/gpu_check.sh", "tools/gpu_check", "tests/parity", "tests/fixtures/families/oracle.py",
         "tests/fixtures/fastllm/fast_llm_reference.py",
         "tests/core/engine/python/families/plain_run.py", "tests/bench/study/python_hooks_bench.py", "configs", "resources/python", "LICENSE"]


def fill(build, folder):
    benchmarks = [each for each in BENCHMARKS if (build / each).exists()]
    built = staging.COMMAND_LINE + staging.ENGINE + TESTS + benchmarks
    for each in built:
        staging.stage_program(build / each, folder / "tests" / pathlib.Path(each).name if each in benchmarks else folder / each)
    staging.stage_libraries(folder, [build / each for each in built], [])
    for each in FILES:
        # The script and its folder stand where users see them.
        staging.copy(ROOT / each, folder / each.removeprefix("tools/"))


def main():
    parser = argparse.ArgumentParser(prog="gpu_check.sh bundle", description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "whole", help="folder of the build")
    parser.add_argument("--no-build", action="store_true", help="pack what is built already")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    if not arguments.no_build:
        subprocess.run(["cmake", "--build", build, "--target", "portable"], check=True)
    place = ROOT / "build" / "gpu_check"
    folder = place / NAME
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    fill(build, folder)
    archive = place / f"{NAME}.tar.xz"
    with tarfile.open(archive.with_suffix(""), "w") as tar:
        tar.add(folder, NAME)
    subprocess.run(["xz", "-3", "--threads=2", "--force", archive.with_suffix("")], check=True)
    size = os.path.getsize(archive)
    print(f"{archive}: {size / (1 << 20):.1f} MiB")
    if size > MAXIMUM:
        sys.exit(f"gpu_check.sh: {archive} is larger than {MAXIMUM >> 20} MiB")


if __name__ == "__main__":
    try:
        main()
    except staging.Unpackable as problem:
        sys.exit(f"gpu_check.sh: {problem}")
