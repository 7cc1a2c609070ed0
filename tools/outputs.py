"""Records what the programs write, to see that a change of the code leaves it as it was.

outputs.py record BUILD FOLDER   runs every command on every fixture, every export and every picture with the programs
                                 of BUILD (build/whole), and keeps what they wrote in FOLDER; made anew
outputs.py compare BEFORE AFTER  names what differs between two such folders; exit code 1 when something does

Both builds must have run on one machine: pictures depend on its fonts, last bits on its processor. What differs between
two runs of one program is taken out: times, memory, process numbers, the names of folders.
"""
import concurrent.futures
import filecmp
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
CONFIGS = ROOT / "configs"
SECONDS = 300
DATES = [
    (re.compile(r"(?<!\d)20\d{12}(?!\d)"), "DATE"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[-+]\d\d:?\d\d)?"), "DATE"),
]
VARYING = [
    (re.compile(r'("(?:seconds|started|start|ended|time|peak_bytes|peak_gpu_bytes|bytes|eta_seconds|pid|date)": ?)'
                r'(?:"[^"]*"|[-+.\de]+)'), r"\1…"),
    *DATES,
    (re.compile(r"\b\d+(\.\d+)? (ms|s|min|MiB|GiB|MB|GB|KiB|bytes)\b"), r"N \2"),
    (re.compile(r"/CreationDate \([^)]*\)|/ID \[[^]]*\]|<xmp:\w+Date>[^<]*|uuid:[-0-9a-f]+"), "VARIES"),
]
# Files that two runs of one program write differently: times, and pages that name the folder of that run's settings.
VOLATILE = re.compile(r"events\.jsonl|run\.log|settings.*\.png")
METRICS = ["rms_rel", "cosine", "ulp.mean"]
EXHIBITS = ["report", "depth", "summary", "runs", "table", "heatmap", "heatmap-samples", "heatmap-modules",
            "heatmap-steps", "heatmap-ranks", "levers", "lever-effects", "log-probabilities",
            "log-probability-differences", "log-probability-tokens", "losses", "findings", "config-diff"]
TABLE_FORMATS = ["csv", "tsv", "xlsx", "md", "latex", "html", "json"]
REPORT_FORMATS = ["text", "csv", "xlsx", "md", "latex", "html", "json", "model-explorer", "netron"]
COMPARATORS = ["msprobe-26", "msprobe-26-da", "msprobe-8", "msit", "msit-weights", "msit-logitscmp"]
EXTENSIONS = {"latex": "tex", "text": "txt", "model-explorer": "json", "netron": "json"}

STUDIES = {
    "plain": "variants: {bf16: {precision.compute_dtype: bfloat16}, fp16: {precision.compute_dtype: float16}}\n",
    "operations": "variants: {bf16: {precision.compute_dtype: bfloat16}}\ncapture: {level: op, tensors: sampled}\n",
    "samples": "variants: {bf16: {precision.compute_dtype: bfloat16},\n"
               "  head: {precision.compute_dtype: bfloat16, precision.lm_head_dtype: float32}}\n"
               "noise_floor: [repeat, batch_order, float64]\noptimizer: {type: adamw}\n",
    "policy": "loss: {type: gspo, epsilon_low: 0.003, epsilon_high: 0.004, advantages: normal,\n"
              "  old_log_probabilities: reference, old_noise: 0.01, seed: 0}\nsemantics: fast_llm\n"
              "variants: {bf16: {precision.compute_dtype: bfloat16}, fp8: {precision.compute_dtype: float8_e4m3fn}}\n",
}
INPUTS = {"samples": "{source: random, sequence_length: 32, micro_batch_size: 2, sequences: 6, seed: 1}",
          "policy": "{source: random, sequence_length: 63, documents: [20, 28, 16], seed: 0}"}


def study(name: str) -> str:
    return (f"model: {{path: {CONFIGS}/architectures/tiny_llama, weights: random, seed: 0}}\n"
            f"input: {INPUTS.get(name, '{source: random, sequence_length: 48, micro_batch_size: 2, seed: 0}')}\n"
            f"{STUDIES[name]}output_dir: unused\n")


class Recorder:
    def __init__(self, build: pathlib.Path, folder: pathlib.Path):
        self.build, self.folder = build.resolve(), folder.resolve()
        self.cli, self.window = self.build / "bin/ulpscope-cli", self.build / "bin/ulpscope"
        self.fixtures = self.build / "fixtures"
        # Always the same: pictures show names of folders.
        self.work = pathlib.Path(tempfile.gettempdir()) / "ulpscope-outputs"
        if self.work.exists():
            sys.exit(f"{self.work} is there: another recording is running; else remove it")
        self.work.mkdir()
        self.cases = {}

    def add(self, name: str, *arguments, program=None, **files) -> None:
        """A case: a command in a folder of its own, with files there; OUT stands for what it writes."""
        if name in self.cases:
            sys.exit(f"two cases are called {name}")
        self.cases[name] = ([str(program or self.cli), *map(str, arguments)], files)

    def steady(self, text: str) -> str:
        for path, name in ((self.work, "WORK"), (self.build, "BUILD"), (ROOT, "ROOT")):
            text = text.replace(str(path), name)
        for pattern, instead in VARYING:
            text = pattern.sub(instead, text)
        return text

    def keep(self, source: pathlib.Path, target: pathlib.Path) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        content = source.read_bytes()
        if source.suffix == ".xlsx":
            with zipfile.ZipFile(source) as book:
                content = "".join(f"{part}\n{book.read(part).decode()}\n" for part in sorted(book.namelist())
                                  if part != "docProps/core.xml").encode()
        if source.suffix == ".h5":  # holds times; its tensors are compared by `inspect`
            target.write_text("an HDF5 file\n")
        elif source.suffix in (".png", ".pt", ".npy", ".safetensors"):
            target.write_bytes(content)
        elif source.suffix == ".pdf":  # its objects are compressed, and hold the date
            target.write_text("a PDF\n")
        else:
            target.write_text(self.steady(content.decode("utf-8", "surrogateescape")), errors="surrogateescape")

    def run(self, name: str) -> str:
        command, files = self.cases[name]
        place = self.work / hashlib.sha1(name.encode()).hexdigest()[:12]
        place.mkdir(0o700)
        for file, content in files.items():
            (place / file.replace("__", ".")).write_text(content)
        environment = os.environ | {
            "QT_QPA_PLATFORM": "offscreen", "FONTCONFIG_FILE": str(TESTS / "support/fonts.conf"), "NO_COLOR": "1",
            "XDG_CONFIG_HOME": str(place / ".config"), "XDG_DATA_HOME": str(place / ".data"), "LC_ALL": "C.UTF-8",
            "XDG_CACHE_HOME": str(self.work / "cache"), "XDG_RUNTIME_DIR": str(place), "OMP_NUM_THREADS": "2"}
        try:
            done = subprocess.run(command, cwd=place, env=environment, capture_output=True, timeout=SECONDS)
            code, out, error = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired as late:
            code, out, error = "none, too late", late.stdout or b"", late.stderr or b""
        target = self.folder / name
        target.mkdir(parents=True)
        printed = [f"exit code {code}", "--- output", out.decode(errors="replace"), "--- errors",
                   error.decode(errors="replace")]
        (target / "printed.txt").write_text(self.steady("\n".join(printed)))
        for file in sorted(place.rglob("*")):
            inside = file.relative_to(place)
            if file.is_file() and not inside.parts[0].startswith(".") and not VOLATILE.match(inside.name):
                self.keep(file, target / self.steady(str(inside)))
        shutil.rmtree(place)
        return name

    def run_all(self) -> None:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for number, name in enumerate(pool.map(self.run, self.cases), 1):
                if sys.stdout.isatty() or number % 100 == 0:
                    print(f"{number}/{len(self.cases)} {name}", flush=True)
        self.cases = {}

    def make_runs(self) -> dict[str, pathlib.Path]:
        """Studies, whose own outputs are cases, made once more for the cases that look into them."""
        runs = {}
        for name in STUDIES:
            folder = self.work / "runs" / name
            file = self.work / f"{name}.yaml"
            file.write_text(study(name))
            subprocess.run([self.cli, "run", file, "--output", folder, "--progress", "none", "--threads", "2"],
                           check=True, capture_output=True)
            report = folder / "precision_report.json"
            # So that tables of times and memory are the same each time.
            report.write_text(re.sub(r'("(?:seconds|peak_bytes)": ?)[-+.\de]+', r"\g<1>1", report.read_text()))
            runs[name] = folder
        return runs


def comparisons(fixtures: pathlib.Path):
    """Pairs of dumps of the fixtures: name, baseline, candidate."""
    msprobe = fixtures / "msprobe"
    for case in sorted(msprobe.iterdir()):
        parts = case.name.split("_")
        golden = next((folder for folder in (case / "golden", msprobe / f"{'_'.join(parts[:-1])}_w/golden")
                       if folder.is_dir()), None)
        if case.name == "v26_mapping":
            golden = msprobe / "v26_tensor_L0_w/golden"
        target = next((case / name for name in ("target", "my") if (case / name).is_dir()), None)
        if golden and target:
            yield case.name, golden, target


def add_reports(recorder: Recorder, reports: dict[str, pathlib.Path]) -> None:
    for name, path in reports.items():
        for form in REPORT_FORMATS:
            out = ["-o", f"out.{EXTENSIONS.get(form, form)}"] if form == "xlsx" else []
            recorder.add(f"report/{name}/{form}", "report", path, "--format", form, *out)
        for metric in METRICS:
            recorder.add(f"report/{name}/summary-{metric}", "report", path, "--summary", "--metric", metric)
            recorder.add(f"report/{name}/backward-{metric}", "report", path, "--pass", "backward", "--metric", metric)
        for exhibit in EXHIBITS:
            forms = REPORT_FORMATS[:7] + ["pdf"] if exhibit == "report" else TABLE_FORMATS + ["svg", "png"]
            for form in forms:
                file = f"out.{EXTENSIONS.get(form, form)}"
                recorder.add(f"export/{name}/{exhibit}-{form}", "export", path, "--what", exhibit, "--format", form,
                             "-o", file)
        for form in ("text", "json"):
            recorder.add(f"diverge/{name}/{form}", "diverge", path, "--format", form)
        for form in ("text", *TABLE_FORMATS):
            out = ["-o", "out.xlsx"] if form == "xlsx" else []
            recorder.add(f"logprobs/{name}/{form}", "logprobs", path, "--format", form, *out)
        for theme in ("light", "dark"):
            recorder.add(f"window/{name}/{theme}", path, "--screenshot", "pictures", "--theme", theme,
                         program=recorder.window)
    recorder.add("window/large", reports["plain"], "--screenshot", "pictures", "--scale", "2", program=recorder.window)
    recorder.add("window/empty", "--screenshot", "pictures", program=recorder.window)
    recorder.add("window/two", reports["plain"], reports["samples"], "--screenshot", "pictures",
                 program=recorder.window)
    recorder.add("window/pseudo", reports["samples"], "--screenshot", "pictures", "--pseudo-translate",
                 program=recorder.window)


def add_runs(recorder: Recorder, runs: dict[str, pathlib.Path]) -> None:
    for name, folder in runs.items():
        recorder.add(f"run/{name}", "run", "study.yaml", "--output", "out", "--progress", "none", "--threads", "2",
                     study__yaml=study(name))
        recorder.add(f"inspect/{name}", "inspect", folder)
        for tensor in ("logits", "model.layers.1.mlp.down_proj"):
            recorder.add(f"inspect/{name}/{tensor}", "inspect", folder, tensor, "--worst", "5", "--run", "bf16",
                         "--histogram", "--slice", "0,:2,:3")
        for target in ("msprobe", "safetensors", "npy"):
            recorder.add(f"export-to/{name}/{target}", "export", folder, "out", "--to", target, "--run", "bf16", "--quiet")
        recorder.add(f"compare/run-{name}", "compare", f"{folder}#reference", f"{folder}#bf16", "--quiet",
                     "--report", "out")
        for form in ("text", "json"):
            recorder.add(f"diverge/{name}/pair-{form}", "diverge", f"{folder}#reference", f"{folder}#bf16",
                         "--format", form)
    recorder.add("diverge/prove", "diverge", runs["plain"], "--prove", "--variant", "bf16", "--output", "out",
                 "--progress", "none", "--threads", "2")
    for command in ("models", "devices", "schema", "--help", "--version"):
        recorder.add(f"plain/{command}", command)
    for command in ("run", "report", "compare", "diverge", "logprobs", "export", "inspect", "tokenize", "models",
                    "devices", "schema"):
        recorder.add(f"plain/help-{command}", command, "--help")
        recorder.add(f"plain/wrong-{command}", command, "--no-such-option")
        recorder.add(f"plain/missing-{command}", command, "nowhere", "nothing")
    for form in ("text", "md", "fast-llm"):
        recorder.add(f"plain/schema-{form}", "schema", "--format", form)


def add_dumps(recorder: Recorder) -> None:
    for name, golden, target in comparisons(recorder.fixtures):
        for form in ("text", "json", *TABLE_FORMATS):
            out = ["-o", "out.xlsx"] if form == "xlsx" else []
            if form != "json":
                recorder.add(f"compare/{name}/{form}", "compare", golden, target, "--quiet", "--format", form, *out)
        recorder.add(f"compare/{name}/json", "compare", golden, target, "--quiet", "--format", "json")
        recorder.add(f"compare/{name}/recorded", "compare", golden, target, "--quiet", "--recorded", "--rows", "0")
        recorder.add(f"compare/{name}/fuzzy", "compare", golden, target, "--quiet", "--fuzzy", "--rules", "default")
        recorder.add(f"compare/{name}/report", "compare", golden, target, "--quiet", "--report", "out")
        recorder.add(f"compare/{name}/itself", "compare", golden, golden, "--quiet")
        recorder.add(f"diverge/dumps-{name}/text", "diverge", golden, target)
        recorder.add(f"diverge/dumps-{name}/itself", "diverge", golden, golden)
        for comparator in COMPARATORS:
            recorder.add(f"as/{name}/{comparator}", "compare", golden, target, "--quiet", "--as", comparator, "-o", "out")
            recorder.add(f"as/{name}/{comparator}-sheet", "compare", golden, target, "--quiet", "--as", comparator,
                         "-o", "out", "--spreadsheet")
        recorder.add(f"window/dumps-{name}", golden, target, "--screenshot", "pictures", program=recorder.window)
    for dump in sorted({folder for case in (recorder.fixtures / "msprobe").iterdir() for folder in case.iterdir()
                        if folder.is_dir() and not folder.name.startswith("expected")}):
        name = "-".join(dump.parts[-2:])
        for form in ("text", "json", "csv"):
            recorder.add(f"overflow/{name}/{form}", "diverge", dump, "--format", form)
        for target in ("msprobe", "safetensors", "npy"):
            recorder.add(f"export-to/{name}/{target}", "export", dump, "out", "--to", target, "--quiet")


def add_files(recorder: Recorder) -> None:
    corpus = TESTS / "fuzz/corpus"
    for file in sorted(path for path in corpus.rglob("*") if path.is_file()):
        name = str(file.relative_to(corpus)).replace("/", "-")
        kind = file.relative_to(corpus).parts[0]
        if kind == "study":
            recorder.add(f"corpus/{name}", "run", file, "--output", "out", "--progress", "none")
        elif kind in ("mapping", "verdict_rules"):
            first = next(comparisons(recorder.fixtures))
            option = "--map" if kind == "mapping" else "--rules"
            recorder.add(f"corpus/{name}", "compare", *first[1:], "--quiet", option, file)
        elif kind in ("report", "fast_llm_report"):
            recorder.add(f"corpus/{name}", "report", file)
        elif kind == "tokenizer":
            recorder.add(f"corpus/{name}", "tokenize", file, "Where does it lose its bits? é漢 123")
        elif kind == "msprobe_compare":
            recorder.add(f"corpus/{name}", "compare", file, "--quiet")
        else:
            recorder.add(f"corpus/{name}", "inspect", file)
            recorder.add(f"corpus/{name}-alone", "diverge", file)
            recorder.add(f"corpus/{name}-compared", "compare", file, file, "--quiet")
    for file in sorted((recorder.fixtures / "fastllm").rglob("*")):
        name = "-".join(file.relative_to(recorder.fixtures / "fastllm").parts)
        if file.suffix == ".json" and "report" in file.name:
            recorder.add(f"fastllm/{name}", "report", file)
            recorder.add(f"fastllm/{name}-json", "report", file, "--format", "json")
        elif file.suffix in (".pt", ".safetensors"):
            recorder.add(f"fastllm/{name}", "inspect", file)
    llama = recorder.fixtures / "families/llama"
    recorder.add("inspect/llama", "inspect", llama)
    for model in (ROOT / "build/deps/models").rglob("*.gguf"):
        recorder.add(f"tokenize/{model.name}-text", "tokenize", model, "Where does it lose its bits? é漢 123")
        recorder.add(f"tokenize/{model.name}-json", "tokenize", model, "Where? é漢 123", "--format", "json")


def record(build: pathlib.Path, folder: pathlib.Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
    recorder = Recorder(build, folder)
    try:
        runs = recorder.make_runs()
        reports = runs | {"example": ROOT / "resources/example/precision_report.json"}
        for name, golden, target in comparisons(recorder.fixtures):
            if name in ("v26_multirank", "v26_tensor_mix_w", "v83_stat_bf16", "msit_full"):
                made = recorder.work / "compared" / name
                subprocess.run([recorder.cli, "compare", golden, target, "--quiet", "--report", made],
                               capture_output=True)
                reports[name] = made
        add_runs(recorder, runs)
        add_reports(recorder, reports)
        add_dumps(recorder)
        add_files(recorder)
        recorder.run_all()
    finally:
        shutil.rmtree(recorder.work, ignore_errors=True)
    print(f"{sum(1 for _ in folder.rglob('printed.txt'))} cases in {folder}")


def compare(before: pathlib.Path, after: pathlib.Path) -> int:
    names = {side: {str(path.relative_to(side)) for path in side.rglob("*") if path.is_file()}
             for side in (before, after)}
    lines = [f"only before: {name}" for name in sorted(names[before] - names[after])]
    lines += [f"only after:  {name}" for name in sorted(names[after] - names[before])]
    same = sorted(names[before] & names[after])
    lines += [f"differs:     {name}" for name in same if not filecmp.cmp(before / name, after / name, shallow=False)]
    print("\n".join([*lines, f"{len(same)} files of both, {len(lines)} that differ"]))
    return 1 if lines else 0


def main() -> int:
    if len(sys.argv) != 4 or sys.argv[1] not in ("record", "compare"):
        print(__doc__, file=sys.stderr)
        return 2
    first, second = map(pathlib.Path, sys.argv[2:])
    if sys.argv[1] == "compare":
        return compare(first, second)
    record(first, second)
    return 0


if __name__ == "__main__":
    sys.exit(main())
