#!/usr/bin/env python3
"""Runs ctest, then lists the tests that skipped, each with the reason that tests/may_skip.txt gives; fails where ctest
fails, and where a test skipped without a reason there.

run_tests.py [--may-skip FILE] ARGUMENTS OF CTEST
As many tests run at once as there are processors and memory for, unless CTEST_PARALLEL_LEVEL or -j says otherwise.
"""
import argparse
import fnmatch
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[1]
NO_GPU = "no GPU"
SHARD = re.compile(r"_test\.\d+$")
SKIPPED_IN_SHARD = re.compile(r"^skipped: (\S+): (.*)$", re.MULTILINE)  # as tests/support/run_shard.py says it
BYTES_A_TEST = 2 << 30  # of those that load LibTorch


def read_reasons(file: pathlib.Path) -> list[tuple[str, str]]:
    """Patterns of names with their reasons."""
    reasons = []
    for number, line in enumerate(file.read_text().splitlines(), 1):
        pattern, _, reason = line.partition("#")[0].strip().partition(" ")
        if pattern and not reason:
            sys.exit(f"{file}:{number}: '{pattern}' has no reason; write why it may skip behind it")
        if pattern and not (os.environ.get("ULP_REQUIRE_GPU") == "1" and reason.strip() == NO_GPU):
            reasons.append((pattern, reason.strip()))
    return reasons


def own_words(output: str) -> str:
    """Why a test says that it skips: behind GoogleTest's mark, or in a script's line."""
    lines = output.splitlines()
    for line, following in zip(lines, lines[1:] + [""]):
        if line.startswith("skipped: "):
            return line.removeprefix("skipped: ")
        if line.endswith(": Skipped"):
            return following
    return ""


def skipped_tests(junit: pathlib.Path) -> list[tuple[str, str]]:
    """Names, and what the tests say themselves. Tests that cannot be started are among them, and fail ctest as well."""
    skipped = []
    for case in ElementTree.parse(junit).iter("testcase"):
        output = case.findtext("system-out", "")
        if case.get("status") in ("notrun", "disabled"):
            skipped.append((case.get("name"), own_words(output)))
        elif SHARD.search(case.get("name")):
            skipped += SKIPPED_IN_SHARD.findall(output)
    return skipped


def describe(skipped: list[tuple[str, str]], may_skip: pathlib.Path) -> bool:
    """Prints them; whether there is a reason for each."""
    reasons = read_reasons(may_skip)
    named = may_skip.relative_to(ROOT) if may_skip.is_relative_to(ROOT) else may_skip
    explained, unexplained = [], []
    for name, words in skipped:
        reason = next((reason for pattern, reason in reasons if fnmatch.fnmatchcase(name, pattern)), None)
        if reason:
            explained.append(f"  {name}: {reason}")
        else:
            unexplained.append(f"  {name}" + (f" (it says: {words})" if words else ""))
    if explained:
        print(f"\nSkipped, for the reasons in {named}:", *explained, sep="\n")
    if unexplained:
        print(f"\nSkipped without a reason in {named}; install what is missing (make setup-test), or add the reason:",
              *unexplained, sep="\n")
    if not skipped:
        print("\nNo test skipped.")
    return not unexplained


def tests_at_once() -> int:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return max(1, min(len(os.sched_getaffinity(0)), memory // BYTES_A_TEST))


def main() -> int:
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--may-skip", type=pathlib.Path, default=ROOT / "tests/may_skip.txt")
    own, arguments = parser.parse_known_args()
    read_reasons(own.may_skip)  # before the tests have run for minutes
    # Threads that wait for work leave the processor to the tests beside theirs.
    environment = {"CTEST_PARALLEL_LEVEL": str(tests_at_once()), "OMP_WAIT_POLICY": "PASSIVE"} | os.environ
    with tempfile.TemporaryDirectory() as folder:
        junit = pathlib.Path(folder) / "tests.xml"
        try:
            # By default the lines of skipped tests could be cut off.
            kept = ["--test-output-size-passed", "1000000", "--output-junit", str(junit)]
            status = subprocess.run(["ctest", *arguments, *kept], env=environment).returncode
        except KeyboardInterrupt:
            return 130
        if not junit.exists():
            return status
        is_explained = describe(skipped_tests(junit), own.may_skip)
    return status or (0 if is_explained else 1)


if __name__ == "__main__":
    sys.exit(main())
