"""A training step of a small model on a device, bare, and with the recorder, whose numbers are those of the step.

    recorded_step.py FOLDER DEVICE              records itself at each level; prints a line of JSON
    recorded_step.py --plain DEVICE             is a program that nobody edits, for `ulpscope-cli record`
"""
import json
import math
import pathlib
import sys
import time

import torch

STEPS = 3


class Block(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.up, self.down = torch.nn.LayerNorm(width), torch.nn.Linear(width, 4 * width), torch.nn.Linear(4 * width, width)

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm(x))))


class Model(torch.nn.Module):
    def __init__(self, width=128, depth=2, vocabulary=512):
        super().__init__()
        self.embeddings = torch.nn.Embedding(vocabulary, width)
        self.blocks = torch.nn.ModuleList(Block(width) for _ in range(depth))
        self.head = torch.nn.Linear(width, vocabulary)

    def forward(self, tokens):
        x = self.embeddings(tokens)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def train(device, around=None):
    """Losses, and the parameters at the end. `around(model)` gives what records the steps."""
    torch.manual_seed(0)
    model = Model().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    recorder = around(model) if around else None
    losses = []
    for _ in range(STEPS):
        tokens = torch.randint(0, 512, (8, 129), device=device)
        if recorder:
            recorder.start()
        with torch.autocast(torch.device(device).type, torch.bfloat16):
            loss = torch.nn.functional.cross_entropy(model(tokens[:, :-1]).float().flatten(0, 1), tokens[:, 1:].flatten())
        loss.backward()
        if recorder:
            recorder.stop()
        optimizer.step()
        optimizer.zero_grad()
        if recorder:
            recorder.step()
        losses.append(loss.detach())
    if recorder:
        recorder.close()
    return [loss.item() for loss in losses], [parameter.detach().cpu() for parameter in model.parameters()]


def rows_of(folder):
    """(entry, row) of the first step."""
    for line in (folder / "step0" / "rank0" / "index.jsonl").read_text().splitlines()[1:]:
        entry = json.loads(line)
        for row in entry.get("tensors", ()):
            yield entry, row


def elements_of(folder, row):
    begin, size = row["data"]
    with (folder / "step0" / "rank0" / row["file"]).open("rb") as file:
        file.seek(begin)
        raw = file.read(size)
    return torch.frombuffer(bytearray(raw), dtype=getattr(torch, row["dtype"].removeprefix("torch."))).reshape(row["shape"])


def problems_of(folder, level):
    """Where what is written of the first step is not what its statistics say, or is not there."""
    entries, tensors = 0, 0
    for entry, row in rows_of(folder):
        entries += 1
        if "data" not in row or not row["shape"]:
            continue
        tensors += 1
        wide = elements_of(folder, row).double()
        for name, value in (("max", wide.max()), ("min", wide.min()), ("mean", wide.mean()), ("norm", wide.norm())):
            if not math.isclose(float(row[name]), value.item(), rel_tol=1e-9, abs_tol=1e-12):
                return f"{level}: {entry['name']} {row['path']}: {name} {row[name]}, of the elements {value.item()}"
    return "" if entries > 10 and tensors > 10 else f"{level}: {entries} entries with {tensors} tensors"


def main():
    if sys.argv[1] == "--plain":
        print(train(sys.argv[2])[0])
        return
    folder, device = pathlib.Path(sys.argv[1]), sys.argv[2]
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "resources" / "python"))
    from ulpscope_recorder import Recorder, seed_all

    seed_all(0, deterministic=True)
    train(device)  # libraries start
    begin = time.perf_counter()
    bare = train(device)
    figures, problems = {"bare_s": time.perf_counter() - begin}, []
    for level in ("L0", "L1", "mix"):
        for task in ("tensor", "statistics", "crc32"):
            place = folder / f"{level}_{task}"
            begin = time.perf_counter()
            recorded = train(device, lambda model: Recorder(model, place, level=level, task=task))
            figures[f"{level}_{task}_s"] = time.perf_counter() - begin
            if recorded[0] != bare[0] or not all(map(torch.equal, recorded[1], bare[1])):
                problems.append(f"{level} {task}: the numbers of the program changed: {recorded[0]} instead of {bare[0]}")
            devices = {row["device"] for _, row in rows_of(place) if "device" in row}
            if device not in devices and f"{device}:0" not in devices:
                problems.append(f"{level} {task}: tensors of {sorted(devices)}")
        problems += filter(None, [problems_of(folder / f"{level}_tensor", level)])
    print(json.dumps({"figures": figures, "problems": problems}))


if __name__ == "__main__":
    main()
