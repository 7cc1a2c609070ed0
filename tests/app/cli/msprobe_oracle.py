"""What `export --to msprobe` writes is a dump that msprobe opens and compares, with the numbers and tensors of its
source. Usage: msprobe_oracle.py ULPSCOPE_CLI FIXTURES [--with-run]. Needs torch, and mindstudio-probe in
build/deps/msprobe, where `make setup-test` puts it."""
import csv
import importlib.util
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "resources" / "python")]
import msprobe_place

STUDY = """
model: {path: MODEL, weights: random}
input: {source: random, sequence_length: 4}
variants: {bf16: {precision.compute_dtype: bfloat16}}
device: cpu
"""
KEPT = ("dtype", "shape", "Max", "Min", "Mean", "Norm", "md5", "data_name")
sys.path.append(msprobe_place.FOLDER)


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          env=msprobe_place.ENVIRONMENT)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def run_msprobe(log, *arguments):
    """Its command line in a fork of this process, which has loaded it: that takes longer than what it does."""
    from msprobe.msprobe import main as msprobe
    child = os.fork()
    if child == 0:
        status = 1
        with open(log, "w") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        try:
            sys.argv = ["msprobe", *map(str, arguments)]
            msprobe()
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException:  # the stack of the parent is none of the child's
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
    if os.waitpid(child, 0)[1] != 0:
        sys.exit(f"msprobe {' '.join(map(str, arguments))}\n{log.read_text()}")


def compared(target, golden, folder):
    """The rows of msprobe's own table."""
    run_msprobe(folder / "log.txt", "compare", "-tp", target, "-gp", golden, "-o", folder)
    rows = []
    for table in sorted(folder.glob("*.csv")):
        with open(table, newline="") as file:
            rows += list(csv.DictReader(file))
    return rows


def make_values():
    """Tensors of several types, with names that msprobe does not make."""
    import torch
    torch.manual_seed(0)
    return {"layers/0": torch.randn(3, 4), "layers/1": torch.randn(5).bfloat16(), "ids": torch.arange(6),
            "mask": torch.tensor([True, False]), "scalar": torch.tensor(2.5),
            "eight": torch.randn(4).to(torch.float8_e4m3fn)}


def make_run(cli, folder):
    """A run folder of Ulpscope: the variant's tensors, in its own format."""
    import h5py
    import torch
    study = folder / "study.yaml"
    study.write_text(STUDY.replace("MODEL", str(ROOT / "configs" / "architectures" / "tiny_llama")) +
                     f"output_dir: {folder / 'run'}\n")
    run(cli, "run", study, "--threads", "1")
    values = {}

    def take(name, item):
        if isinstance(item, h5py.Dataset):
            values[name] = torch.as_tensor(item[()]).to(getattr(torch, item.attrs["dtype"].decode()))

    with h5py.File(folder / "run" / "tensors.h5") as file:
        file["runs/bf16"].visititems(take)
    return f"{folder / 'run'}#bf16", values


def make_recording(folder):
    """A step of a small program that the recorder saw."""
    import torch
    from safetensors.torch import load_file
    from ulpscope_recorder import Recorder
    torch.manual_seed(0)
    model = torch.nn.ModuleDict({"up": torch.nn.Linear(4, 8), "down": torch.nn.Linear(8, 2)}).bfloat16()
    with Recorder(model, folder / "recording"):
        states = model["up"](torch.randn(3, 4, dtype=torch.bfloat16))
        model["down"](torch.nn.functional.silu(states)).float().square().sum().backward()
    values = {}
    for file in (folder / "recording").rglob("*.safetensors"):
        values.update(load_file(file))
    return folder / "recording", values


def records(value):
    """What a dump.json says of tensors, in its order."""
    if isinstance(value, dict) and value.get("type") == "torch.Tensor":
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [record for each in inner for record in records(each)]


def read(step):
    (file,) = [step / name for name in ("dump.json", "debug.json") if (step / name).exists()]
    return json.loads(file.read_text())["data"]


def same_tensor(one, other):
    import torch
    def bits(tensor):
        return tensor.detach().contiguous().reshape(-1).view(torch.uint8)
    return one.dtype == other.dtype and one.shape == other.shape and torch.equal(bits(one), bits(other))


def not_kept(export, source):
    """Names of calls of which the export does not hold what the dump did that it was made of."""
    import torch
    ours, theirs = read(export), read(source)
    wrong = sorted(set(ours) ^ set(theirs))
    for call in sorted(set(ours) & set(theirs)):
        mine, its = records(ours[call]), records(theirs[call])
        same = [{key: record.get(key) for key in KEPT} for record in mine] == \
               [{key: record.get(key) for key in KEPT} for record in its]
        files = [record["data_name"] for record in its if record.get("data_name")]
        same = same and all(same_tensor(torch.load(export / "dump_tensor_data" / name),
                                        torch.load(source / "dump_tensor_data" / name)) for name in files)
        wrong += [] if same else [call]
    return wrong


def numbers_of(tensor):
    """What msprobe records of a tensor, in the tensor's own type: of float8 nothing, of whole numbers no mean."""
    import torch
    recorded = dict.fromkeys(("Max", "Min", "Mean", "Norm"))
    if tensor.dtype is torch.bool or not tensor.dtype.is_floating_point:
        recorded.update(Max=tensor.max().item(), Min=tensor.min().item())
    elif tensor.element_size() > 1:
        recorded.update(Max=tensor.max().item(), Min=tensor.min().item(), Mean=tensor.mean().item(),
                        Norm=tensor.norm().item())
    return recorded


def is_number(ours, torchs):
    return ours is torchs if ours is None or torchs is None else math.isclose(ours, torchs, rel_tol=1e-6)


def stored(export):
    """What dump.json says of each tensor, and the tensor."""
    import torch
    return [(record, torch.load(export / "dump_tensor_data" / record["data_name"]))
            for record in records(read(export))]


def lacking(export, values):
    """Names of tensors that are not in the export bit by bit."""
    found = stored(export)
    wrong = [] if len(found) == len(values) else [f"{len(values)} tensors became {len(found)}"]
    return wrong + [name for name, tensor in values.items() if not any(same_tensor(its, tensor) for _, its in found)]


def misstated(export, values):
    """The same, and of which the export holds other numbers than torch gives."""
    found = stored(export)
    wrong = lacking(export, values)
    for name, tensor in values.items():
        record = next((record for record, its in found if same_tensor(its, tensor)), None)
        if record is None:
            continue
        wrong += [f"{name}: {key}" for key, value in numbers_of(tensor).items() if not is_number(record[key], value)]
    return wrong


def main():
    if importlib.util.find_spec("msprobe") is None:
        sys.exit("mindstudio-probe is not installed; `make setup-test` installs it")
    import torch
    torch.set_num_threads(1)  # threads do not survive a fork
    cli = sys.argv[1]
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        values = make_values()
        for key, tensor in values.items():
            (folder / "values" / key).parent.mkdir(parents=True, exist_ok=True)
            torch.save(tensor, folder / "values" / f"{key}.pt")
        sources = {"values": folder / "values"}
        made = {}
        if "--with-run" in sys.argv:
            sources["run"], made["run"] = make_run(cli, folder)
        sources["recording"], made["recording"] = make_recording(folder)
        for case in ("v26_tensor_L0_w", "v26_stat_w", "v83_tensor_L0_w"):
            sources[case] = pathlib.Path(sys.argv[2]) / "msprobe" / case / "target"
        for case, source in sources.items():
            out = folder / f"{case}_dump"
            run(cli, "export", source, out, "--to", "msprobe")
            tables = folder / f"{case}_tables"
            tables.mkdir()
            step = next(out.glob("step*"))
            rows = compared(step, step, tables)
            failed = [row for row in rows if row["Result"] != "pass"]
            unmatched = [row for row in rows if row["Bench Name"] == "N/A"]
            (export,) = step.iterdir()
            if case == "values":
                lost = misstated(export, values)
            else:
                lost = lacking(export, made[case]) if case in made else not_kept(export, next(source.iterdir()))
            print(f"{case}: {len(rows)} rows, {len(failed)} failed, {len(unmatched)} unmatched; not as in its source: "
                  f"{lost}")
            wrong += [case] if failed or unmatched or lost or not rows else []
    print("wrong:", wrong)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
