"""What `export --to msprobe` writes is a dump that msprobe compares, and finds equal to itself. Usage:
msprobe_oracle.py ULPSCOPE_CLI. Needs torch, and mindstudio-probe in build/deps/msprobe, where `make setup-test` puts
it; skipped where it is not installed."""
import csv
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77
MSPROBE = str(pathlib.Path(__file__).resolve().parents[3] / "build" / "deps" / "msprobe")
sys.path.append(MSPROBE)
WITH_MSPROBE = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), MSPROBE]))}


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=WITH_MSPROBE)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def compared(target, golden, folder):
    """The rows of msprobe's own table."""
    run(sys.executable, "-m", "msprobe.msprobe", "compare", "-tp", target, "-gp", golden, "-o", folder)
    rows = []
    for table in sorted(folder.glob("*.csv")):
        with open(table, newline="") as file:
            rows += list(csv.DictReader(file))
    return rows


def make_sources(folder):
    """A folder of tensors of several types, with names that msprobe does not make."""
    import torch
    values = folder / "values"
    (values / "layers").mkdir(parents=True)
    for name, tensor in {"layers/0": torch.randn(3, 4), "layers/1": torch.randn(5).bfloat16(),
                         "ids": torch.arange(6), "mask": torch.tensor([True, False]),
                         "scalar": torch.tensor(2.5), "eight": torch.randn(4).to(torch.float8_e4m3fn)}.items():
        torch.save(tensor, values / f"{name}.pt")
    return {"values": values}


def main():
    if importlib.util.find_spec("msprobe") is None:
        return SKIPPED
    cli = sys.argv[1]
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sources = make_sources(folder)
        fixtures = pathlib.Path(os.environ.get("ULP_FIXTURES", "/nowhere")) / "msprobe"
        for case in ("v26_tensor_L0_w", "v26_stat_w", "v83_tensor_L0_w"):
            if (fixtures / case).exists():
                sources[case] = fixtures / case / "target"
        for case, source in sources.items():
            out = folder / f"{case}_dump"
            run(cli, "export", source, out, "--to", "msprobe")
            tables = folder / f"{case}_tables"
            tables.mkdir()
            step = next(out.glob("step*"))
            rows = compared(step, step, tables)
            failed = [row for row in rows if row["Result"] != "pass"]
            unmatched = [row for row in rows if row["Bench Name"] == "N/A"]
            print(f"{case}: {len(rows)} rows, {len(failed)} failed, {len(unmatched)} unmatched")
            wrong += [case] if failed or unmatched or not rows else []
    print("wrong:", wrong)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
