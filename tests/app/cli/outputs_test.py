"""Runs commands whose outputs are kept, and looks whether they still write what they wrote.

    outputs_test.py BUILD [CASE…]            CASE: a file of outputs/ without its ending; all unless named
    outputs_test.py BUILD --update [CASE…]   writes the files anew; read what `git diff` shows of them

A case is a file of outputs/. Its lines that begin with `$ ulpscope-cli` are commands, which run one after the other in
an empty folder where `fixtures`, `corpus` and `example` are those of the tests; behind each stands what it printed, and at
the end what files they left, but for those below a folder `aside`. To add one, write a file of commands and update it.
Other tests say why a number is right; these see that none changes unnoticed, nor a name, a unit, an order or a colour that no
other test looks at.

What differs from run to run is left out, and numbers have eight digits, of which the last may differ: a processor with other
instructions adds in another order.
"""
import concurrent.futures
import difflib
import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))
import outputs  # noqa: E402

CASES = pathlib.Path(__file__).with_name("outputs")
PROMPT = "$ ulpscope-cli "
SECONDS = 120
DIFFERENCES = 40
VARYING = [
    (re.compile(r'("(?:seconds|started|start|ended|time|modified)": ?)(?:"[^"]*"|[-+.\de]+)'), r"\1…"),
    (re.compile(r"(wrote \S+\.xlsx) \([^)]*\)"), r"\1"),
    *outputs.DATES,
]
LONG_NUMBER = re.compile(r"-?\d+\.\d{6,}(?:e[-+]?\d+)?|-?\d\.\d+e[-+]?\d+")
NUMBER = re.compile(r"(-?\d+\.?\d*(?:e[-+]?\d+)?)")
LAST_DIGIT = 2e-7
# So that what follows each other in a sheet is a line of its own.
PIECE = re.compile(r"(?=<(?:row|c|si|xf|fill|cfRule|conditionalFormatting|col|sheet|hyperlink|sheetView|pane|mergeCell|font) )"
                   r"|(?=<si>|</sheetData>|<fill>|<font>|<t[ >])")


def text_of(file: pathlib.Path) -> str:
    content = file.read_bytes()
    if file.suffix == ".xlsx":
        with zipfile.ZipFile(file) as book:
            return "\n".join(f"<!-- {part} -->\n{PIECE.sub(chr(10), book.read(part).decode())}" for part in sorted(book.namelist())
                             if part.startswith("xl/") and "theme" not in part)
    if file.suffix == ".h5":  # holds times; `inspect` shows what it holds
        return "an HDF5 file"
    try:
        if b"\0" not in content:
            return content.decode()
    except UnicodeDecodeError:
        pass
    return f"{len(content)} bytes, SHA-256 {hashlib.sha256(content).hexdigest()}"


class Runner:
    def __init__(self, build: pathlib.Path):
        self.cli = build / "bin/ulpscope-cli"
        self.places = {"fixtures": build / "fixtures", "corpus": ROOT / "tests/fuzz/corpus", "example": ROOT / "resources/example"}

    def steady(self, text: str, folder: pathlib.Path) -> str:
        for path, name in ((folder, "."), *((path, name) for name, path in self.places.items())):
            text = text.replace(str(path), name)
        for pattern, instead in VARYING:
            text = pattern.sub(instead, text)
        return LONG_NUMBER.sub(lambda number: f"{float(number[0]):.8g}", text)

    def written_by(self, commands: list[str]) -> str:
        """The commands, with what each prints, and the files that they leave."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name).resolve()
            for place, path in self.places.items():
                (folder / place).symlink_to(path)
            # Of its own, for paths of the user's folders stand in messages.
            environment = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "HUGGINGFACE_", "XDG_"))}
            environment |= {"HOME": str(folder), "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
            parts = []
            for command in commands:
                try:
                    done = subprocess.run([self.cli, *shlex.split(command)], cwd=folder, capture_output=True, timeout=SECONDS,
                                          stdin=subprocess.DEVNULL, env=environment)
                except subprocess.TimeoutExpired:
                    parts.append(f"{PROMPT}{command}\nno end within {SECONDS} s")
                    continue
                parts.append(f"{PROMPT}{command}\nexit code {done.returncode}")
                parts += [part for part in (done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")) if part]
            for file in sorted(folder.rglob("*")):
                if file.is_file() and file.relative_to(folder).parts[0] not in {*self.places, "aside"}:
                    parts.append(f"==> {file.relative_to(folder)}\n{text_of(file)}")
            return self.steady("\n".join(part.rstrip("\n") for part in parts) + "\n", folder)


def alike(before: str, after: str) -> bool:
    """Whether two lines differ in last digits alone."""
    if before == after:
        return True
    old, new = NUMBER.split(before), NUMBER.split(after)
    if len(old) != len(new) or old[::2] != new[::2]:
        return False
    return all(a == b or len(a) > 8 and abs(float(a) - float(b)) <= LAST_DIGIT * abs(float(a)) for a, b in zip(old[1::2], new[1::2]))


def differences(before: str, after: str) -> list[str]:
    old, new = before.splitlines(), after.splitlines()
    if len(old) == len(new):
        new = [was if alike(was, now) else now for was, now in zip(old, new)]
    return list(difflib.unified_diff(old, new, "kept", "written", n=1, lineterm=""))


def main(build: str, *arguments: str) -> int:
    runner = Runner(pathlib.Path(build).resolve())
    update = "--update" in arguments
    names = [name for name in arguments if name != "--update"] or sorted(file.stem for file in CASES.glob("*.txt"))
    if not names:
        sys.exit(f"{CASES} holds no case")

    def run(name: str) -> list[str]:
        file = CASES / f"{name}.txt"
        kept = file.read_text()
        written = runner.written_by([line.removeprefix(PROMPT) for line in kept.splitlines() if line.startswith(PROMPT)])
        if update:
            file.write_text(written)
            return []
        return differences(kept, written)

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, found in zip(names, pool.map(run, names)):
            if found:
                failed += 1
                print(f"{name} differs:", *found[:DIFFERENCES], *(["…"] if len(found) > DIFFERENCES else []), sep="\n")
    print(f"{len(names)} cases, {failed} that differ" + (
        f"; if they should, {pathlib.Path(__file__).relative_to(ROOT)} BUILD --update" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
