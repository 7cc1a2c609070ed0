"""One pass of Fast-LLM's arithmetic, by the executable specification of the fixtures.

Takes a model in Hugging Face's names and layout and gives its tensors keyed as the engine names
them: (row name, pass).
"""

import functools
import json
import os

import fixtures
import torch
from safetensors.torch import load_file


def read_config(folder):
    with open(os.path.join(folder, "config.json")) as file:
        config = json.load(file)
    heads = config["num_attention_heads"]
    rope = config.get("rope_parameters") or config
    return dict(
        heads=heads,
        head_groups=config["num_key_value_heads"],
        head_size=config.get("head_dim") or config["hidden_size"] // heads,
        theta=rope["rope_theta"],
        eps=config["rms_norm_eps"],
        num_blocks=config["num_hidden_layers"],
        tied=config["tie_word_embeddings"],
    )


# Fast-LLM's name: Hugging Face's, joined row by row.
LAYER = {
    "norm_1": ["input_layernorm"],
    "norm_2": ["post_attention_layernorm"],
    "mixer.query": ["self_attn.q_proj"],
    "mixer.key_value": ["self_attn.k_proj", "self_attn.v_proj"],
    "mixer.dense": ["self_attn.o_proj"],
    "mlp.layer_1": ["mlp.gate_proj", "mlp.up_proj"],
    "mlp.layer_2": ["mlp.down_proj"],
}
OUTSIDE = {
    "embeddings.word_embeddings_weight": ["model.embed_tokens.weight"],
    "head.final_norm.weight": ["model.norm.weight"],
    "head.output_weights": ["lm_head.weight"],
}


def names(blocks):
    table = dict(OUTSIDE)
    for block in range(blocks):
        for theirs, ours in LAYER.items():
            for kind in ("weight", "bias"):
                table[f"decoder.{block}.{theirs}.{kind}"] = [
                    f"model.layers.{block}.{name}.{kind}" for name in ours
                ]
    return table


def transposed(name):
    return name.endswith("mlp.layer_2.weight")


def to_fast_llm(stored, blocks):
    weights = {}
    for theirs, ours in names(blocks).items():
        if ours[0] in stored:
            weight = torch.cat([stored[name].float() for name in ours])
            weights[theirs] = weight.t().contiguous() if transposed(theirs) else weight
    return weights


def prepared(oracle, run):
    tokens = torch.tensor(run["tokens"])
    padding = run.get("padding", 0)
    lengths = run.get("documents", [len(tokens)]) + ([padding] if padding else [])
    policy = [
        torch.tensor(run[name], dtype=torch.float32) if name in run else None
        for name in ("advantages", "old_log_probabilities")
    ]
    return oracle.preprocess(
        tokens, lengths, len(tokens) - padding, run.get("unlabelled", []), *policy
    )


def term(oracle, one):
    """(name, weight, function) of a summand of the loss."""
    functions = {
        "cross_entropy": oracle.ce_loss,
        "z_loss": oracle.z_loss,
        "grpo": oracle.grpo_loss,
        "gspo": functools.partial(oracle.gspo_loss, version=1),
        "gspo_length_weighted": functools.partial(oracle.gspo_loss, version=2),
    }
    epsilons = {
        key.replace("epsilon", "eps"): value
        for key, value in one.items()
        if key.startswith("epsilon")
    }
    function = functools.partial(functions[one["type"]], **epsilons)
    return one["type"], one.get("weight", 1), function


def reference(folder, run, _):
    oracle = fixtures.fast_llm_reference()
    cfg = read_config(folder)
    stored = load_file(os.path.join(folder, "model.safetensors"))
    batch = prepared(oracle, run)
    gradients = run["formats"].get("gradient_dtype", "float32")
    logs, _, _ = oracle.run(
        to_fast_llm(stored, cfg["num_blocks"]),
        cfg,
        batch,
        [term(oracle, one) for one in run.get("loss", [dict(type="cross_entropy")])],
        compute=run["compute"],
        full_precision_residual=run["residual"] != run["compute"],
        fp32_lm_head=run["lm_head"] != run["compute"],
        full_precision_gradients=gradients == "float32",
        attn="backup" if run["attention"] == "eager" else "sdpa_dense",
    )
    return rename(logs, cfg["num_blocks"], getattr(torch, gradients), stored)


def rename(logs, blocks, gradient_dtype, stored):
    values = {
        ("embeddings", "forward"): logs["Global embeddings fw: embeddings output"][None],
        ("norm", "forward"): logs["Global : head.final_norm"][None],
        ("norm", "backward"): logs[f"Global head bw: decoder.{blocks - 1} output"][None],
        ("logits", "forward"): logs["Global : head.logits"][None],
        ("logits", "backward"): logs["Global : head.logits.grad"][None],
        ("loss", "forward"): logs["Global head fw: head output"][0],
    }
    for block in range(blocks):
        row = f"decoder.{block}"
        before = "embeddings" if block == 0 else f"decoder.{block - 1}"
        values[row, "forward"] = logs[f"Global {row} fw: {row} output"][None]
        values[row, "backward"] = logs[f"Global {row} bw: {before} output"][None]
    for theirs, ours in names(blocks).items():
        gradient = logs.get(f"Global gradient: {theirs}")
        if gradient is None:
            continue
        gradient = gradient.to(gradient_dtype)
        gradient = gradient.t() if transposed(theirs) else gradient
        parts = gradient.split([stored[name].shape[0] for name in ours])
        for name, part in zip(ours, parts):
            values[name, "parameter_gradient"] = part
    return values
