"""Records two steps of a small training for the test of the importer. Usage: make_recording.py FOLDER"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "resources" / "python"))
import torch
from ulpscope_recorder import Recorder


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(2, 2, bias=False, dtype=torch.bfloat16)
        torch.nn.init.eye_(self.linear.weight)

    def forward(self, states, factor=1.0):
        return {"states": self.linear(states) * factor, "twice": states.float() * 2}


model = torch.nn.ModuleDict({"block": Block()})
with Recorder(model, sys.argv[1], stack=True, rank=1) as recorder:
    for step in (0, 10):
        with recorder.step(step):
            states = torch.tensor([[1.0, step]], dtype=torch.bfloat16, requires_grad=True)
            (model["block"](states, factor=3.0)["states"].sum()).backward()
