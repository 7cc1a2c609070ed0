#!/usr/bin/env python3
"""positions_oracle.py CLI: errors by position beside what NumPy makes of the tensors that the same study kept.

A prompt of two sequences that the reference continues, computed in steps and at once, padded on either side, among
others and with a coarse cache, by both engines. Of two samples the tensors of the first are kept, so that a second
study asks whether samples are means of squares: of its samples, each run alone.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROMPT, GENERATED = 9, 7
STUDY = f"""
model: {{path: {ROOT}/configs/architectures/tiny_llama, weights: random, seed: 0}}
input: {{source: random, sequence_length: {PROMPT}, generate: {GENERATED}, micro_batch_size: 2, seed: 3}}
attention.implementation: sdpa
batch.cache_dtype: bfloat16
variants:
  half: {{precision.compute_dtype: bfloat16}}
  pass: {{batch: {{generated: pass, cache_dtype: none}}}}
  left: {{batch: {{padding: 5, padding_side: left, cache_dtype: float8_e4m3fn}}}}
  right: {{batch: {{padding: 5, padding_side: right, cache_dtype: float8_e4m3fn}}}}
  among: {{batch: {{among: 5, place: 2, cache_dtype: float8_e4m3fn}}}}
capture: {{level: layer, backward: false, tensors: full}}
"""
ROWS = ["embeddings", "decoder.0", "decoder.1", "decoder.2", "decoder.3", "norm", "logits"]


def run(cli, folder, *settings):
    study = folder / "study.yaml"
    study.write_text(STUDY)
    command = [cli, "run", study, "--output", folder / "run", "--threads", "1", "--progress", "none"]
    for setting in settings:
        command += ["--set", setting]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "run/precision_report.json").read_text())


def kept(folder, name):
    with h5py.File(folder / f"run/tensors/{name}.h5") as file:
        rows = file[f"runs/{name}/forward"].values()
        return {bytes(row.attrs["name"]).decode(): row[...].astype("f8") for row in rows}


def close(found, expected, what):
    found = np.array(found, dtype="f8")
    assert np.allclose(found, expected, rtol=1e-12, atol=0), (what, found, expected)


def check(report, folder):
    """Returns how many positions of rows have an error."""
    assert "positions" not in report["runs"]["reference"]
    reference = kept(folder, "reference")
    erring = 0
    for name in ("half", "pass", "left", "right", "among"):
        positions, variant = report["runs"][name]["positions"], kept(folder, name)
        assert (positions["prompt"], positions["first"]) == (PROMPT, 0)
        assert [row["name"] for row in positions["rows"]] == ROWS
        for row in positions["rows"]:
            a, b = reference[row["name"]], variant[row["name"]]
            assert row["tokens"] == [2] * (PROMPT + GENERATED)
            close(row["rms_diff"], np.sqrt(((b - a) ** 2).mean(axis=(0, 2))), (name, row["name"]))
            close(row["ref_scale"], np.sqrt((a**2).mean(axis=(0, 2))), (name, row["name"]))
            erring += np.count_nonzero(row["rms_diff"])
        flipped = (reference["logits"].argmax(-1) != variant["logits"].argmax(-1)).sum(axis=0)
        assert positions["tops"] == {"tokens": row["tokens"], "flipped": flipped.tolist()}
    return erring


def check_samples(cli):
    """Two samples of one study beside each of them in a study of its own."""
    with tempfile.TemporaryDirectory() as folder:
        both = run(cli, pathlib.Path(folder), "input.sequences=4")["runs"]["half"]["positions"]
    with tempfile.TemporaryDirectory() as folder:
        first = run(cli, pathlib.Path(folder))["runs"]["half"]["positions"]
    row, alone = both["rows"][-1], first["rows"][-1]
    assert row["tokens"] == [4] * (PROMPT + GENERATED) and both["tops"]["tokens"] == row["tokens"]
    # What the other sample must have given.
    rest = 2 * np.array(row["rms_diff"]) ** 2 - np.array(alone["rms_diff"]) ** 2
    assert (rest > 0).all() and not np.allclose(rest, np.array(alone["rms_diff"]) ** 2)


def main():
    cli = sys.argv[1]
    for settings in (["engine=native"], ["engine=python", f"python.executable={sys.executable}"]):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            erring = check(run(cli, folder, *settings), folder)
            print(f"{settings[0]}: {erring} errors of positions are those of the kept tensors")
            assert erring > 300
    check_samples(cli)


if __name__ == "__main__":
    main()
