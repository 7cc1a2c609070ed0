"""Writes tensor logs of Fast-LLM: fast_llm_tensor_logs.py tests/fuzz/corpus."""
from folders import Tensor, bundle, torch_file


def log(name, **more):
    return {"name": name, "shape": [2], "dtype": "float32", "min": -2.0, "max": 1.5, "mu": -0.25, "step": 1, **more}


bundle("fast_llm_tensor_logs/run.bundle", {
    "bf16/runs/0/artifacts/0/tensor_logs_train_1.pt": torch_file(
        [log("Global decoder.3 fw: decoder.3 output", tensor=Tensor(1.5, -2.0)), log("Global : head.logits.grad"),
         log("Global gradient: decoder.0.norm_1.weight", shape=[2, 2], samples=Tensor(1.5, -2.0), step=2)], 1.5, -2.0)})
bundle("fast_llm_tensor_logs/file.bundle", {"tensor_logs_none.pt": torch_file([log("no colon", samples=Tensor(1.5)), log("no colon")], 1.5)})
bundle("fast_llm_tensor_logs/wrong.bundle", {
    "tensor_logs_1.pt": torch_file(
        [log(" bw:", shape=[2**31 - 1, 2**31 - 1, 2**31 - 1, -1], samples=Tensor(1.5), step=0.0),
         {"shape": []}, log(7, dtype=7, tensor="none", samples=[Tensor(1.5)]), log(":.grad", shape="x")], 1.5)})
