"""Writes logs of torchtitan: torchtitan.py tests/fuzz/corpus."""
from folders import bundle


def block(key, shape, *more):
    stats = [f"Shape: torch.Size([{shape}]), Dtype: torch.float32", "L2 norm: 2.5e+00", "Min: -inf", "Max: nan", "Mean: 0.0"]
    return "".join(f"{line}\n" for line in [f"[{key}]", *("  " + line for line in [*stats, *more]), ""])


def log(count, *blocks):
    return f"Total captured activations: {count}\nExcluded ops dispatched: view\n{'=' * 80}\n\n" + "".join(blocks)


first = block("layers.0.wq/op_0_mm", "2, 3", "Output hash: 1.5e+00", "Input hashes: 3.2e+01, 0.5", "Location: a/b.py:3")
second = block("Llama3Model.layers.0/op_1_add_", "", "Output hash: 1.0, 2.0", "Input hashes: 1.5e+00, nan",
               "Input producers: layers.0.wq/op_0_mm;", "Phase: backward")
bundle("torchtitan/run.bundle", {"a/numerics/rank_0_activations.log": log(2, first, second),
                                 "b/numerics/rank_1_activations.log": log(9, first)})
bundle("torchtitan/file.bundle", {"rank_0_activations.log": log(3, second, "[<none>/op_0__fused_adam_]\n  Input hashes: 1.0\n")})
bundle("torchtitan/wrong.bundle", {"rank_x_activations.log": log("x", "[]\n[/op_]\n", block("op_3", "0, 5"), "[a]  Shape: ["),
                                   "rank_1_activations.log": "[a/op_0_mm]\n"})
