"""Writes dumps of a PyTorch model by msit: msit_torch.py tests/fuzz/corpus (needs torch)."""
import io
import json

import torch

from folders import bundle


def saved(value):
    buffer = io.BytesIO()
    torch.save(value, buffer)
    return buffer.getvalue()


one = torch.tensor([1.5])
tree = {"name": "root", "type": "Lm", "children": [{"name": "root.up", "type": "Linear", "children": []}]}
table = ("NodeName,NodeType,InputOutput,Index,DataType,Shape,Max,Min,Mean,L2Norm\n"
         "root.up,Linear,input,0,torch.float32,\"[2, 3]\",1,-1,nan,2.5\n")
process = "msit_dump_1/torch_tensors/cuda0_7/"
bundle("msit_torch/torch.bundle", {process + "model_tree.json": json.dumps(tree), process + "0/root.up/output.pth": saved(one),
                             process + "0/root.up/input_0.pth": saved(one), process + "weights/root.up.weight.pth": saved(one)})
bundle("msit_torch/statistics.bundle", {process + "model_tree.json": json.dumps(tree), process + "0/root.up/statistics.csv": table})
