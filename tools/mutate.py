"""Changes one operator or constant at random, and sees whether the tests next to it notice; again and again.

usage: mutate.py BUILD [--changes N] [--seed N] [--results FILE] [FOLDER…]

BUILD is a build folder with tests. Each change is in a .cpp below the FOLDERs (core, unless named) that a test program of
BUILD holds: one comparison, sum, product, `&&`, `!`, number or `true` becomes another one. The program is built, and the
tests run that mirror the file's folder, or the nearest folder above it that has any. A change that does not compile is
drawn anew; a crash, and tests that take six times as long as before and a minute, count as noticed. The file is put back
after each change, also when this program is stopped, but nothing else may change it meanwhile: use a checkout of its own.
Ends with the changes that nobody noticed, as FILE:LINE: before -> after. Some of them change nothing that can be seen;
the others want a test. --results appends each result to FILE, a JSON object a line.
"""
import argparse
import dataclasses
import functools
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAMS = ("core_test", "dumps_test", "programs_test", "torch_test", "engine_test", "views_test", "window_test")
# Texts, comments and lines of the preprocessor: nothing in them is changed.
NO_CODE = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/|^[ \t]*#[^\n]*', re.S | re.M)
OTHERS = {
    "<": ("<=", ">"), "<=": ("<", ">="), ">": (">=", "<"), ">=": (">", "<="), "==": ("!=",), "!=": ("==",),
    "+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "%": ("*",), "+=": ("-=",), "-=": ("+=",), "*=": ("/=",),
    "&&": ("||",), "||": ("&&",), "<<": (">>",), ">>": ("<<",), "&": ("|",), "|": ("&",),
    "++": ("--",), "--": ("++",), "true": ("false",), "false": ("true",),
}
# Between blanks an operator has two sides; without them `<` and `*` belong to types.
OPERATOR = re.compile(r"(?<= )(?:[<>=!]=|[-+*]=|&&|\|\||<<|>>|[-+*/%<>&|])(?= )|\+\+|--|\btrue\b|\bfalse\b")
NOT = re.compile(r"(?<=[( ])!(?=[\w(*])")
NUMBER = re.compile(r"(?<![\w.'])(\d+)(?=[uUlL]*\b(?![.'xXeE]))")
LONGER = 6
LEAST_SECONDS = 60.0
SUITE = re.compile(r"\bTEST(?:_F|_P)?\(\s*(\w+)\s*,")


@dataclasses.dataclass(frozen=True)
class Change:
    at: int
    before: str
    after: str


def changes_of(text: str) -> list[Change]:
    """Every change of one operator or constant of a source."""
    code = NO_CODE.sub(lambda found: re.sub(r"[^\n]", "\0", found[0]), text)
    found = [Change(match.start(), match[0], after) for match in OPERATOR.finditer(code) for after in OTHERS[match[0]]]
    found += [Change(match.start(), "!", "") for match in NOT.finditer(code)]
    for match in NUMBER.finditer(code):
        number = int(match[1])
        found += [Change(match.start(1), match[1], str(other)) for other in {number + 1, abs(number - 1)}]
    return sorted(found, key=lambda change: (change.at, change.after))


def apply(text: str, change: Change) -> str:
    return text[:change.at] + change.after + text[change.at + len(change.before):]


def tests_next_to(source: pathlib.PurePath, root: pathlib.Path) -> pathlib.Path | None:
    """The folder of tests that mirrors a source's folder, or the nearest one above it that has any."""
    for folder in source.parents:
        mirrored = root / "tests" / folder
        if folder.name and mirrored.is_dir() and any(mirrored.rglob("*_test.cpp")):
            return mirrored
    return None


def suites_of(folder: pathlib.Path) -> set[str]:
    return {suite for file in folder.rglob("*_test.cpp") for suite in SUITE.findall(file.read_text())}


class Tests:
    """The programs of a build, and which of them holds which suites."""

    def __init__(self, build: pathlib.Path):
        self.build = build
        self.suites = {}
        for program in PROGRAMS:
            if (build / "tests" / program).exists():
                listed = subprocess.run([build / "tests" / program, "--gtest_list_tests"], capture_output=True, text=True,
                                        env=self.environment(), check=True).stdout
                self.suites[program] = {line.strip().rstrip(".").partition("/")[0] if line.count("/") == 0
                                        else line.split("/")[1].partition(".")[0]
                                        for line in listed.splitlines() if line and not line.startswith(" ")}

    @staticmethod
    def environment() -> dict[str, str]:
        return {**os.environ, "QT_QPA_PLATFORM": "offscreen"}

    @functools.cache
    def of(self, folder: pathlib.Path) -> dict[str, str]:
        """Program -> filter of the suites of a folder."""
        wanted = suites_of(folder)
        return {program: ":".join(f"{suite}.*:*/{suite}.*" for suite in sorted(wanted & held))
                for program, held in self.suites.items() if wanted & held}

    def make(self, programs: list[str]) -> bool:
        # A compiler that outlives this program would store what it made of a change under the key of the source as it is.
        return subprocess.run(["ninja", "-C", self.build, *programs], capture_output=True,
                              env={**os.environ, "CCACHE_DISABLE": "1"}).returncode == 0

    def passes(self, folder: pathlib.Path, limit: float | None) -> bool:
        for program, suites in self.of(folder).items():
            try:
                ran = subprocess.run(
                    [self.build / "tests" / program, f"--gtest_filter={suites}", "--gtest_brief=1", "--gtest_fail_fast"],
                    capture_output=True, env=self.environment(), timeout=limit, cwd=self.build / "tests")
            except subprocess.TimeoutExpired:
                return False
            if ran.returncode != 0:
                return False
        return True

    @functools.cache
    def seconds(self, folder: pathlib.Path) -> float:
        """What the tests of a folder take as they are."""
        start = time.monotonic()
        if not self.make(list(self.of(folder))) or not self.passes(folder, None):
            sys.exit(f"{folder}: its tests fail without a change; mend them first")
        return time.monotonic() - start


def try_change(tests: Tests, source: pathlib.Path, change: Change, folder: pathlib.Path) -> str:
    """`noticed`, `survived`, or `does not compile`."""
    limit = max(LEAST_SECONDS, LONGER * tests.seconds(folder))
    original = source.read_text()
    try:
        source.write_text(apply(original, change))
        if not tests.make(list(tests.of(folder))):
            return "does not compile"
        return "survived" if tests.passes(folder, limit) else "noticed"
    finally:
        source.write_text(original)


def shown(source: pathlib.Path, change: Change) -> str:
    text = source.read_text()
    line = text.count("\n", 0, change.at) + 1
    start = text.rfind("\n", 0, change.at) + 1
    old = text[start:text.find("\n", change.at)]
    new = apply(old, dataclasses.replace(change, at=change.at - start))
    return f"{source.relative_to(ROOT)}:{line}: {old.strip()}  ->  {new.strip()}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folders", nargs="*", default=["core"])
    parser.add_argument("--changes", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=pathlib.Path)
    arguments = parser.parse_args()
    for stop in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(stop, lambda number, _: sys.exit(128 + number))
    if subprocess.run(["git", "-C", ROOT, "diff", "--quiet", "HEAD", "--", *arguments.folders]).returncode:
        sys.exit("the folders hold changes that are not committed; commit them, or use another checkout")
    tests = Tests(arguments.build.resolve())
    draw = random.Random(arguments.seed)
    places = [(source, change, folder) for name in arguments.folders for source in sorted((ROOT / name).rglob("*.cpp"))
              if (folder := tests_next_to(source.relative_to(ROOT), ROOT)) and tests.of(folder)
              for change in changes_of(source.read_text())]
    draw.shuffle(places)
    results = []
    for source, change, folder in places:
        if len(results) == arguments.changes:
            break
        result = try_change(tests, source, change, folder)
        if result == "does not compile":
            continue
        results.append((result, shown(source, change)))
        print(f"{len(results)} of {arguments.changes}: {result}: {results[-1][1]}", flush=True)
        if arguments.results:
            with arguments.results.open("a") as file:
                print(json.dumps({"seed": arguments.seed, "result": result, "change": results[-1][1]}), file=file)
    survived = [what for result, what in results if result == "survived"]
    print(f"\n{len(results) - len(survived)} of {len(results)} changes were noticed. Nobody noticed:", *survived, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
