"""Writes dumps of msprobe: msprobe.py tests/fuzz/corpus."""
import json

from folders import Tensor, bundle, torch_file

saved = torch_file(Tensor(1.5, -2.0), 1.5, -2.0)

module, call = "Module.model.mlp.Mlp.forward.0", "Functional.linear.0.forward"
tensor = {"type": "torch.Tensor", "dtype": "torch.float32", "shape": [2], "Max": 1.5, "Min": -2.0, "Mean": float("nan"),
          "Norm": 2.5, "requires_grad": True}


def dump_json(task, data):
    return json.dumps({"task": task, "level": "mix", "framework": "pytorch", "dump_data_dir": None, "data": data})


of_call = {"input_args": [tensor, {"type": "int", "value": 2}], "input_kwargs": {"bias": None},
           "output": [{**tensor, "data_name": call + ".output.0.pt"}]}
of_module = {"input_args": [], "input_kwargs": {"x": tensor}, "parameters": {"weight": tensor}, "output": [tensor]}
gradients = {"weight": [{**tensor, "md5": "00ff00ff"}]}
shared = {"0": [[call, module], ["File x.py, line 1, in f", "File y.py, line 2, in g"]]}
construct = {call: module, module: "Module.model.Model.forward.0", "Module.model.Model.forward.0": None}
process = "step0/rank0/"
bundle("msprobe/version_26.bundle", {
    process + "dump.json": dump_json("tensor", {call: of_call, module: of_module,
                                                "Module.model.mlp.Mlp.parameters_grad.0": gradients}),
    process + "stack.json": json.dumps(shared), process + "construct.json": json.dumps(construct),
    process + f"dump_tensor_data/{call}.output.0.pt": saved})
bundle("msprobe/version_8.bundle", {
    "rank/dump.json": dump_json("statistics", {call: of_call, "Module.model.mlp.Mlp.parameters_grad": gradients}),
    "rank/stack.json": json.dumps({call: ["File x.py, line 1, in f"]}),
    "rank/construct.json": json.dumps({call: [module, 0], module: [None, 0]})})
bundle("msprobe/structure.bundle", {
    "proc7/dump.json": dump_json("structure", {}), "proc7/stack.json": json.dumps(shared)[:-30],
    # In a circle, and around themselves.
    "proc7/construct.json": json.dumps({call: module, module: call, "Torch.x.0.forward": "Torch.x.0.forward"})})
bundle("msprobe/outside.bundle", {
    process + "dump.json": dump_json("tensor", {call: {"output": [
        {**tensor, "shape": [2**62, 8, -1], "data_name": "../../../x.pt"}, {**tensor, "data_name": "short.pt"}]}})[:-2],
    process + "stack.json": "[]", process + "construct.json": json.dumps([call]),
    process + "dump_tensor_data/short.pt": saved[:-40]})
