"""Writes recordings of PyTorch programs: ulpscope_recording.py tests/fuzz/corpus."""
import json

from folders import bundle

tensor = {"role": "output", "path": "0", "dtype": "torch.float32", "shape": [2], "max": "nan", "min": "-inf", "mean": 1.5,
          "norm": 2, "file": "tensors-0.safetensors", "key": "k", "data": [8, 8]}
entry = {"id": 0, "order": 0, "name": "norm", "class": "Norm", "pass": "forward", "call": 0, "parent": None,
         "stack": ["File x.py, line 1, in f"], "tensors": [tensor]}
gradient = {**entry, "id": 1, "order": 1, "pass": "backward", "forward": 0}
begin = {"schema": "ulpscope.recording/1", "step": 0, "rank": 0, "statistics_only": False}
lines = [json.dumps(each) + "\n" for each in (begin, entry, gradient, {"end": True, "entries": 2})]
bundle("ulpscope_recording/whole.bundle", {"step0/rank0/index.jsonl": "".join(lines), "step0/rank0/tensors-0.safetensors": bytes(16)})
bundle("ulpscope_recording/cut.bundle", {"step0/rank0/index.jsonl": "".join(lines)[:-60], "step0/rank0/tensors-0.safetensors": bytes(12)})
bundle("ulpscope_recording/statistics.bundle", {"step3/rank1/index.jsonl": "".join(lines[:2]).replace('"file"', '"no"')})
function = {**gradient, "id": 2, "order": 2, "kind": "api", "name": "Torch.mul", "module": "norm", "tensors": [{**tensor, "checksum": "00c0ffee"}]}
bundle("ulpscope_recording/functions.bundle", {"step0/rank0/index.jsonl": "".join(json.dumps(each) + "\n" for each in (
    {**begin, "schema": "ulpscope.recording/2", "task": "crc32", "level": "mix"}, entry, function)), "step0/rank0/tensors-0.safetensors": bytes(16)})
