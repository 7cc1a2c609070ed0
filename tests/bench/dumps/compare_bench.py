#!/usr/bin/env python3
"""`ulpscope-cli compare` beside `msprobe compare` on the same dumps, in turns within one run.

Makes dumps of a training step of a random Llama of SmolLM2-135M's size (level mix, elements: 2 x 4.3 GB in 7,500
files each) and of a tiny one, and statistics of 200,000 rows, compares each pair, and prints elapsed time, time of the
processor, and the peak of the memory, mapped pages included. "Reading" is every file of both dumps once, by as many
threads as there are cores: the least that a comparison of elements can take.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
SUPPORT = ROOT / "tests" / "support"
sys.path.insert(0, str(SUPPORT))
import msprobe_place

SMOLLM2 = {"hidden": 576, "intermediate": 1536, "heads": 9, "key_value_heads": 3, "vocabulary": 49152,
            "tie_word_embeddings": True, "attn_implementation": "eager"}
TINY = {"hidden": 32, "intermediate": 64, "heads": 4, "key_value_heads": 2, "vocabulary": 64}
LARGE_LAYERS, LARGE_BYTES = 30, 9.5e9
MEMORY_MIB, TINY_SECONDS, STATISTICS_SECONDS, RATIO = 500, 0.2, 2.0, 20


class Run:
    """A command that was run to its end."""

    def __init__(self, command, log):
        begin = time.perf_counter()
        with open(log, "w") as output:
            child = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                     env=msprobe_place.ENVIRONMENT)
            _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        self.elapsed = time.perf_counter() - begin
        self.cpu = usage.ru_utime + usage.ru_stime
        self.mib = usage.ru_maxrss / 1024
        if child.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}: exit code {child.returncode}\n"
                               + pathlib.Path(log).read_text()[-2000:])


def files_in(folder):
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


def read_all(folders):
    """Bytes of every file and the seconds that reading them took."""
    def read(path):
        total, buffer = 0, bytearray(1 << 20)
        with open(path, "rb", buffering=0) as file:
            while count := file.readinto(buffer):
                total += count
        return total
    files = [path for folder in folders for path in files_in(folder)]
    begin = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        total = sum(pool.map(read, files))
    return total, len(files), time.perf_counter() - begin


def forget(folders):
    """Takes the files out of the page cache."""
    os.sync()
    for folder in folders:
        for path in files_in(folder):
            with open(path, "rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def make_dumps(folder, layers, tokens, sizes):
    """Golden and target, of which one projection in the middle is 0.05 % too large. In a process of its own."""
    program = f"""if True:
        import random, sys
        sys.path.insert(0, {str(SUPPORT)!r})
        import msprobe_runs, torch
        ids = random.Random(0).choices(range({sizes["vocabulary"]}), k={tokens})
        def golden():
            return msprobe_runs.llama({layers}, **{sizes!r})
        def target():
            model = golden()
            with torch.no_grad():
                model.model.layers[{layers // 2}].mlp.down_proj.weight *= 1.0005
            return model
        for name, make in (("golden", golden), ("target", target)):
            print(msprobe_runs.dump({str(folder)!r} + "/" + name, make, [ids]))
    """
    made = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    golden, target = made.stdout.splitlines()[-2:]
    return pathlib.Path(golden), pathlib.Path(target)


def make_statistics(folder, rows, scale):
    """A dump of statistics in msprobe's form, of a model with as many layers as it takes."""
    folder.mkdir(parents=True)
    def tensor(value):
        return {"type": "torch.Tensor", "dtype": "torch.float32", "shape": [1, 128, 576], "Max": 3 * value,
                "Min": -3.5 * value, "Mean": 0.001 * value, "Norm": 271.25 * value, "requires_grad": True}
    data, stack, construct, made, layer = {}, {}, {}, 0, 0
    while made < rows:
        block = f"Module.model.layers.{layer}.LlamaDecoderLayer.forward.0"
        for number in range(20):
            name = f"Functional.linear.{20 * layer + number}.forward"
            value = (1 + number / 7 + layer / 1000) * (scale if number == 13 else 1)
            data[name] = {"input_args": [tensor(value / 2), tensor(value / 3)], "input_kwargs": {},
                          "output": [tensor(value)]}
            construct[name] = block
            made += 3
        data[block] = {"input_args": [tensor(1)], "input_kwargs": {"position_embeddings": [tensor(2), tensor(3)]},
                       "output": [tensor(4)]}
        construct[block] = None
        stack[str(layer)] = [list(data)[-21:], [f"File /src/model.py, line {line}, in forward, \n x = f(x)"
                                                for line in range(20)]]
        made, layer = made + 4, layer + 1
    head = {"task": "statistics", "level": "mix", "framework": "pytorch", "dump_data_dir": None}
    (folder / "dump.json").write_text(json.dumps({**head, "data": data}))
    (folder / "stack.json").write_text(json.dumps(stack))
    (folder / "construct.json").write_text(json.dumps(construct))
    return folder


def line(title, runs):
    middle = sorted(runs, key=lambda run: run.elapsed)[len(runs) // 2]
    slowest = max(run.elapsed for run in runs)
    print(f"{title:46} {middle.elapsed:8.2f} {slowest:8.2f} {statistics.median(run.cpu for run in runs):8.2f} "
          f"{max(run.mib for run in runs):7.0f}", flush=True)
    return middle.elapsed


def verdict(title, measured, limit, holds):
    print(f"{title:46} {measured:8.2f}   aim {limit:g}: {'pass' if holds else 'FAIL'}", flush=True)


class Bench:
    def __init__(self, given, folder):
        self.given = given
        self.folder = folder
        self.cli = pathlib.Path(given.build) / "bin" / "ulpscope-cli"

    def ours(self, golden, target, *options):
        return Run([self.cli, "compare", golden, target, "--quiet", *options], self.folder / "ours.log")

    def theirs(self, golden, target):
        output = self.folder / "msprobe"
        run = Run([sys.executable, "-m", "msprobe.msprobe", "compare", "-tp", target / "dump.json",
                   "-gp", golden / "dump.json", "-o", output],
                  self.folder / "msprobe.log")
        if not list(output.glob("*.csv")):
            raise RuntimeError("msprobe wrote no result: " + (self.folder / "msprobe.log").read_text()[-2000:])
        shutil.rmtree(output)
        return run

    def pair(self, title, golden, target):
        """Median times of both programs, in turns: theirs is slow and is run fewer times."""
        rounds = max(self.given.rounds, 1)
        ours, theirs = [], []
        for each in range(rounds):
            ours.append(self.ours(golden, target))
            if each < self.given.msprobe_rounds:
                theirs.append(self.theirs(golden, target))
        mine = line(f"{title}: ulpscope-cli", ours)
        if theirs:
            other = line(f"{title}: msprobe", theirs)
            verdict(f"{title}: times faster", other / mine, RATIO, other / mine >= RATIO)
        return mine, ours

    def large(self):
        golden, target = make_dumps(self.folder / "large", self.given.layers, self.given.tokens, SMOLLM2)
        size, count, seconds = read_all([golden, target])
        size, count, seconds = read_all([golden, target])
        print(f"{self.given.layers} layers: {size / 1e9:.2f} GB in {count} files; "
              f"reading takes {seconds:.2f} s when warm")
        _, ours = self.pair("elements", golden, target)
        peak = max(run.mib for run in ours)
        verdict("elements: MiB", peak, MEMORY_MIB, peak < MEMORY_MIB)
        cold, bare = [], []
        for _ in range(self.given.cold_rounds):
            forget([golden, target])
            bare.append(read_all([golden, target])[2])
            forget([golden, target])
            cold.append(self.ours(golden, target))
        if cold:
            print(f"reading from the disk takes {statistics.median(bare):.2f} s")
            line("elements: ulpscope-cli, from the disk", cold)
        shutil.rmtree(self.folder / "large")

    def tiny(self):
        mine, _ = self.pair("tiny, elements", *make_dumps(self.folder / "tiny", 2, 16, TINY))
        verdict("tiny, elements: s", mine, TINY_SECONDS, mine < TINY_SECONDS)

    def many_statistics(self):
        pair = [make_statistics(self.folder / "statistics" / name / "step0" / "rank0", self.given.rows, scale)
                for name, scale in (("golden", 1), ("target", 1.05))]
        mine, _ = self.pair(f"statistics of {self.given.rows} rows", *pair)
        verdict("statistics: s", mine, STATISTICS_SECONDS, mine <= STATISTICS_SECONDS)


def place_of(given):
    """The folder for the dumps, which has room for them."""
    place = pathlib.Path(given.folder or pathlib.Path(given.build) / "bench")
    place.mkdir(parents=True, exist_ok=True)
    needed = LARGE_BYTES * given.layers / LARGE_LAYERS if given.only in (None, "large") else 0
    free = shutil.disk_usage(place).free
    if free < needed:
        sys.exit(f"{place}: the dumps of a model of {given.layers} layers take {needed / 1e9:.1f} GB, and "
                 f"{free / 1e9:.1f} GB are free; name another folder with --folder")
    return place


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--build", default="build/dev")
    arguments.add_argument("--folder", default=None,
                           help="where dumps are written and deleted again (9 GB); default: below --build")
    arguments.add_argument("--layers", type=int, default=LARGE_LAYERS)
    arguments.add_argument("--tokens", type=int, default=128)
    arguments.add_argument("--rows", type=int, default=200_000)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--msprobe-rounds", type=int, default=1)
    arguments.add_argument("--cold-rounds", type=int, default=1)
    arguments.add_argument("--only", choices=["large", "tiny", "statistics"], default=None)
    given = arguments.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"{'':46} {'median s':>8} {'slowest':>8} {'CPU s':>8} {'MiB':>7}")
    with tempfile.TemporaryDirectory(dir=place_of(given)) as folder:
        bench = Bench(given, pathlib.Path(folder))
        for name, run in (("tiny", bench.tiny), ("large", bench.large), ("statistics", bench.many_statistics)):
            if given.only in (None, name):
                run()
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
