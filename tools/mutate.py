"""Changes one operator or constant at random, and sees whether a test notices; again and again.

usage: mutate.py BUILD [--changes N] [--seed N] [--results FILE] [--near] [FOLDER…]

BUILD is a build folder with tests; one of the preset `mutate` compiles a change in a second or two, and ends where core
reads beyond a container. Each change is in a .cpp below the FOLDERs (core, unless named) that BUILD compiles and one of its
test programs holds: one comparison, sum, product, `&&`, `!`, number or `true` becomes another one. The programs are built,
and tests run, from the nearest to the farthest, until one fails: those of the file's own test (part.cpp: part_test.cpp),
those that mirror the file's folder, or the nearest folder above it that has any, and at last all others, the kept outputs of
commands among them, but those that measure how time and memory grow. What only the last notice is `noticed farther away`: `make test` runs them all, so that the
mistake would not stay, but it is found late, and often by luck. --near leaves them out. A change that does not compile is
drawn anew; a crash, and tests that take six times as long as before and a minute, count as noticed. The file is put back
after each change, also when this program is stopped, but nothing else may change it meanwhile: use a checkout of its own.

Ends with the changes that nobody noticed, as FILE:LINE: before -> after. Some of them change nothing that can be seen; the
others want a test. --results appends each result, and the test that noticed it, to FILE, a JSON object a line.
"""
import argparse
import collections
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
import tempfile
from collections.abc import Iterable

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
NUMBER = re.compile(r"(?<![\w.'])(?<![eEpP][-+])(\d+)(?=[uUlL]*\b(?![.'xXeE]))")
LONGER = 6
LEAST_SECONDS = 60.0
# What tests start besides, where a build has it.
STARTED = ("ulpscope_hdf5", "ulpscope_template")
OUTPUTS = ROOT / "tests/app/cli/outputs_test.py"
DIFFERS = re.compile(r"^(\S+) differs:$", re.M)
# Optimised and on a quiet machine alone they say something.
GROWTH = "*FuzzGrowth*"
FAILED = re.compile(r"^\[  FAILED  \] ([\w/]+\.[\w/]+)", re.M)
INCLUDED = re.compile(r'#include "([^"]+)"')
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


def compiled_in(build: pathlib.Path) -> set[pathlib.Path]:
    """The sources of a build, also those that it compiles in groups."""
    sources = set()
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["file"])
        sources.add(file)
        if file.suffix == ".cxx" and file.is_file():
            sources.update(map(pathlib.Path, INCLUDED.findall(file.read_text())))
    return sources


def suites_of(files: Iterable[pathlib.Path]) -> frozenset[str]:
    return frozenset(suite for file in files for suite in SUITE.findall(file.read_text()))


@functools.cache
def steps_to(source: pathlib.Path, folder: pathlib.Path) -> tuple[frozenset[str], ...]:
    """The suites of the source's own test, and those of its folder."""
    own = suites_of(folder.rglob(f"{source.stem}_test.cpp"))
    return tuple(step for step in (own, suites_of(folder.rglob("*_test.cpp")) - own) if step)


def pattern_of(suites: Iterable[str]) -> str:
    return ":".join(f"{suite}.*:*/{suite}.*" for suite in sorted(suites))


class Tests:
    """The programs of a build, and which of them holds which suites."""

    def __init__(self, build: pathlib.Path):
        self.build = build
        self.targets = subprocess.run(["ninja", "-C", build, "-t", "targets", "all"], capture_output=True, text=True,
                                      check=True).stdout
        self.seconds: dict[str, float] = {}
        self.failing: list[str] = []
        self.outputs: list[str] = []
        self.suites: dict[str, set[str]] = {}
        for program in PROGRAMS:
            if (build / "tests" / program).exists():
                listed = subprocess.run([build / "tests" / program, "--gtest_list_tests"], capture_output=True, text=True,
                                        env=self.environment(), check=True).stdout
                self.suites[program] = {line.strip().rstrip(".").partition("/")[0] if line.count("/") == 0
                                        else line.split("/")[1].partition(".")[0]
                                        for line in listed.splitlines() if line and not line.startswith(" ")}

    def environment(self) -> dict[str, str]:
        return {**os.environ, "QT_QPA_PLATFORM": "offscreen",
                "ULP_TEMPLATE_PROGRAM": str(self.build / "bin/ulpscope-template")}

    def of(self, suites: frozenset[str]) -> dict[str, str]:
        """Program -> filter of these suites, but what fails without a change."""
        return {program: f"{pattern_of(suites & held)}:-{':'.join((GROWTH, *self.failing))}"
                for program, held in self.suites.items() if suites & held}

    def beyond(self, suites: frozenset[str]) -> dict[str, str]:
        """Program -> filter of all others."""
        return {program: ":".join((f"*-{GROWTH}", *filter(None, (pattern_of(suites & held), *self.failing))))
                for program, held in self.suites.items()}

    def limit_of(self, suites: Iterable[str]) -> float:
        return max(LEAST_SECONDS, LONGER * sum(self.seconds.get(suite, 0) for suite in suites))

    def measure(self, suites: frozenset[str]) -> None:
        """Runs tests as they are: what they take, and which fail."""
        if not self.make(self.of(suites)):
            sys.exit(f"{self.build} does not compile without a change; mend it first")
        for program, pattern in self.of(suites).items():
            with tempfile.NamedTemporaryFile(suffix=".json") as file:
                self.run(program, pattern, None, f"--gtest_output=json:{file.name}")
                if not (written := file.read()):
                    sys.exit(f"{program} ends without a change; mend it first")
            for suite in json.loads(written)["testsuites"]:
                name = suite["name"].split("/")[-1]
                self.seconds[name] = self.seconds.get(name, 0) + float(suite["time"].rstrip("s"))
                self.failing += [f"{suite['name']}.{test['name']}" for test in suite["testsuite"] if "failures" in test]
        if "ulpscope_cli: phony" in self.targets:
            self.outputs = sorted(file.stem for file in OUTPUTS.with_name("outputs").glob("*.txt"))
        differing = self.differing_outputs()
        self.outputs = [name for name in self.outputs if name not in differing]
        self.failing += [f"outputs/{name}" for name in differing]
        if self.failing:
            print("fail without a change, and are left out:", *self.failing, flush=True)

    def make(self, programs: Iterable[str]) -> bool:
        # A compiler that outlives this program would store what it made of a change under the key of the source as it is.
        started = [target for target in STARTED if f"{target}: phony" in self.targets]
        return subprocess.run(["ninja", "-C", self.build, *programs, *started], capture_output=True,
                              env={**os.environ, "CCACHE_DISABLE": "1"}).returncode == 0

    def run(self, program: str, pattern: str, limit: float | None, *options: str) -> str:
        """The first test that fails, or what else went wrong; empty: nothing did."""
        try:
            ran = subprocess.run([self.build / "tests" / program, f"--gtest_filter={pattern}", "--gtest_brief=1", *options],
                                 capture_output=True, text=True, errors="replace", env=self.environment(), timeout=limit,
                                 cwd=self.build / "tests")
        except subprocess.TimeoutExpired:
            return "the limit of time"
        if ran.returncode == 0:
            return ""
        return " ".join(dict.fromkeys(FAILED.findall(ran.stdout))) or f"the end of {program} with {ran.returncode}"

    def differing_outputs(self) -> list[str]:
        """The kept outputs of commands that this build writes otherwise."""
        if not self.outputs or not self.make(("ulpscope_cli",)):
            return []
        ran = subprocess.run([sys.executable, OUTPUTS, self.build, *self.outputs], capture_output=True, text=True, errors="replace")
        return DIFFERS.findall(ran.stdout) if ran.returncode < 2 else sys.exit(ran.stderr)

    def noticing(self, filters: dict[str, str], limit: float) -> str:
        failed = (self.run(program, pattern, limit, "--gtest_fail_fast") for program, pattern in filters.items())
        return next(filter(None, failed), "")


def try_change(tests: Tests, source: pathlib.Path, change: Change, folder: pathlib.Path, near: bool) -> tuple[str, str]:
    """`noticed`, `noticed farther away`, `survived` or `does not compile`, and the test that noticed."""
    steps = steps_to(source, folder)
    tried = [("noticed", tests.of(suites), tests.limit_of(suites)) for suites in steps]
    if not near:
        tried.append(("noticed farther away", tests.beyond(frozenset().union(*steps)), tests.limit_of(tests.seconds)))
    original = source.read_text()
    try:
        source.write_text(apply(original, change))
        for result, filters, limit in tried:
            if not tests.make(filters):
                return "does not compile", ""
            if result != "noticed" and (differing := tests.differing_outputs()):
                return result, f"outputs/{differing[0]}"
            if failed := tests.noticing(filters, limit):
                return result, failed
        return "survived", ""
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
    parser.add_argument("--near", action="store_true")
    arguments = parser.parse_args()
    for stop in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(stop, lambda number, _: sys.exit(128 + number))
    if subprocess.run(["git", "-C", ROOT, "diff", "--quiet", "HEAD", "--", *arguments.folders]).returncode:
        sys.exit("the folders hold changes that are not committed; commit them, or use another checkout")
    tests = Tests(arguments.build.resolve())
    draw = random.Random(arguments.seed)
    compiled = compiled_in(tests.build)
    places = [(source, change, folder) for name in arguments.folders for source in sorted((ROOT / name).rglob("*.cpp"))
              if source in compiled and (folder := tests_next_to(source.relative_to(ROOT), ROOT))
              and tests.of(suites_of(folder.rglob("*_test.cpp")))
              for change in changes_of(source.read_text())]
    draw.shuffle(places)
    beside = frozenset().union(*(step for place in {(source, folder) for source, _, folder in places} for step in steps_to(*place)))
    tests.measure(beside if arguments.near else frozenset().union(*tests.suites.values()))
    results = []
    for source, change, folder in places:
        if len(results) == arguments.changes:
            break
        result, by = try_change(tests, source, change, folder, arguments.near)
        if result == "does not compile":
            continue
        results.append((result, shown(source, change)))
        print(f"{len(results)} of {arguments.changes}: {result}{by and ' by '}{by}: {results[-1][1]}", flush=True)
        if arguments.results:
            with arguments.results.open("a") as file:
                print(json.dumps({"seed": arguments.seed, "result": result, "by": by, "change": results[-1][1]}), file=file)
    times = collections.Counter(result for result, _ in results)
    print(f"\n{times['noticed']} of {len(results)} changes were noticed, {times['noticed farther away']} farther away.",
          "Nobody noticed:", *(what for result, what in results if result == "survived"), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
