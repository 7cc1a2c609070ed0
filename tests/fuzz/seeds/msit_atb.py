"""Writes dumps of an ATB model by msit: msit_atb.py tests/fuzz/corpus."""
import json

from folders import bundle

header = "$Version=1.0\n$Object.Count=1\n$Object.Length={}\nformat=2\ndtype={}\ndims={}\n{}$End=1\n"
atb = header.format(4, 0, "1", "$Object.data=0,4\n").encode() + bytes(4)
model = {"modelName": "M", "nodes": [{"opName": "A_0", "opType": "A", "nodes": [{"opName": "B_0", "opType": "B"}]},
                                     {"opName": "C_1", "opType": "C", "inTensors": ["x"], "outTensors": ["y"]}]}
bundle("msit_atb/atb.bundle", {"model/7/m.json": json.dumps(model), "tensors/0_7/0/0_A/0_B/after/outtensor0.bin": atb,
                               "tensors/0_7/0/0_A/before/intensor0.bin": atb, "tensors/0_7/1/1_C/after/outtensor0.bin": atb})
