#!/usr/bin/env python3
"""make_example.py [BUILD]: makes the example that the window brings (resources/example) anew.

Runs configs/example.yaml with the engine of BUILD (build/whole), and keeps of the tensors those that the tour
(docs/guide/tour.md) leads to: all of them would be 230 MB. Needs SmolLM2-135M, which `make setup` unpacks. Numbers
depend on the machine: after it, correct those of the tour.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

import h5py

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "resources/example"
# Rows by pass: what is selected first, and where an error is born, falls, jumps and is worst.
KEPT = {
    "forward": ["embeddings", "model.layers.3.self_attn", "decoder.11", "decoder.28"],
    "backward": ["decoder.10", "decoder.1"],
}
FILES = ["precision_report.json", "log_probabilities.safetensors", "tokens.json", "tensors.h5"]


def keep(source: pathlib.Path, target: pathlib.Path) -> None:
    """Copies the chosen tensors of a run, laid out as the worker lays them out (docs/formats/tensors.md)."""
    with (h5py.File(source) as run,
          h5py.File(target, "w", libver=("earliest", "v108"), alignment_threshold=512, alignment_interval=64) as kept):
        for name, group in run["runs"].items():
            copy = kept.create_group(f"runs/{name}", track_order=True)
            copy.attrs.update(group.attrs)
            for which, tensors in group.items():
                chosen = [tensor for tensor in tensors.values()
                          if bytes(tensor.attrs["name"]).decode() in KEPT.get(which, [])]
                for tensor in chosen:
                    kept.copy(tensor, copy.require_group(which))


def main() -> int:
    build = ROOT / (sys.argv[1] if len(sys.argv) > 1 else "build/whole")
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "example"
        subprocess.run([build / "bin/ulpscope-cli", "run", "configs/example.yaml", "--output", made], cwd=ROOT, check=True)
        shutil.rmtree(EXAMPLE, ignore_errors=True)
        (EXAMPLE / "tensors").mkdir(parents=True)
        for name in FILES:
            shutil.copyfile(made / name, EXAMPLE / name)
        report = EXAMPLE / "precision_report.json"  # names its study by the path on this machine
        report.write_text(report.read_text().replace(f"{ROOT}/", ""))
        for run in sorted((made / "tensors").glob("*.h5")):
            keep(run, EXAMPLE / "tensors" / run.name)
    print(f"{EXAMPLE}: {sum(file.stat().st_size for file in EXAMPLE.rglob('*') if file.is_file())} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
