#!/usr/bin/env python3
"""Packs what tools/gpu_check.sh runs on a machine with a GPU, and what users run there without the window, into
build/gpu_check/ulpscope-gpu-check.tar.xz: programs, tests, the libraries that they need, scripts and configurations.

Not in it: what every machine has (glibc, libstdc++), torch and NVIDIA's libraries, which come from the torch of that
machine's Python.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAME = "ulpscope-gpu-check"
MAXIMUM = 45 << 20
PROGRAMS = ["bin/ulpscope-cli", "bin/ulpscope-hdf5", "bin/ulpscope-template"]
LIBRARIES = ["lib/libulpscope_engine.so", "lib/libulpscope_cuda.so"]
TESTS = ["tests/engine_test", "tests/torch_test", "tests/ulp_engine_gpu_test", "tests/engine_dump"]
# Built where benchmarks are.
BENCHMARKS = ["bench/device_comparer_bench", "tests/device_comparer_bench"]
FILES = ["tools/gpu_check.sh", "tools/gpu_check", "tests/parity", "tests/fixtures/families/oracle.py",
         "tests/fixtures/fastllm/fast_llm_reference.py", "configs", "LICENSE"]
OF_EVERY_MACHINE = re.compile(
    r"(linux-vdso|ld-linux.*|lib(c|m|dl|rt|pthread|util|resolv|stdc\+\+|gcc_s))\.so.*")
OF_TORCH = re.compile(r"lib(torch_cpu|c10|gomp)\.so")


def stop(what):
    sys.exit(f"gpu_check.sh: {what}")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed(file):
    """{name: path} of the libraries that a file needs, but for those of every machine, torch and NVIDIA."""
    found = {}
    for line in output("ldd", file).splitlines():
        match = re.match(r"\s*(\S+) => (not found|/\S+)", line)
        if not match or OF_EVERY_MACHINE.fullmatch(match[1]) or OF_TORCH.match(match[1]):
            continue
        if match[2] == "not found":
            stop(f"{file}: {match[1]} is not found; build it anew")
        if "/torch/" not in match[2] and "/nvidia/" not in match[2]:
            found[match[1]] = match[2]
    return found


def forget_places(file):
    """Leaves of the list of folders in which a program looks for libraries those beside it."""
    match = re.search(r"Library (rpath|runpath): \[(.*)\]", output("readelf", "-d", file))
    if not match or match[1] != "rpath" or "$ORIGIN/../lib" not in match[2].split(":"):
        stop(f"{file}: does not look for libraries beside itself; build it anew")
    old = match[2].encode() + b"\0"
    data = file.read_bytes()
    if data.count(old) != 1:
        stop(f"{file}: its list of folders, {match[2]}, stands there {data.count(old)} times, not once")
    file.write_bytes(data.replace(old, b"$ORIGIN/../lib".ljust(len(old), b"\0")))


def copy(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", "*.cpp", "CMakeLists.txt"))
    else:
        shutil.copy(source, target)


def fill(build, folder):
    benchmarks = [each for each in BENCHMARKS if (build / each).exists()]
    libraries = {}
    for each in PROGRAMS + LIBRARIES + TESTS + benchmarks:
        target = folder / "tests" / pathlib.Path(each).name if each in benchmarks else folder / each
        if not (build / each).exists():
            stop(f"{build / each} does not exist; a build with a CUDA compiler makes it (`make setup-cuda`, `make build`)")
        copy(build / each, target)
        libraries |= needed(build / each)
        output("strip", target)
        forget_places(target)
    for name, path in libraries.items():
        copy(pathlib.Path(path).resolve(), folder / "lib" / name)
    for each in FILES:
        # The script and its folder stand where users see them.
        copy(ROOT / each, folder / each.removeprefix("tools/"))


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
        stop(f"{archive} is larger than {MAXIMUM >> 20} MiB")


if __name__ == "__main__":
    main()
