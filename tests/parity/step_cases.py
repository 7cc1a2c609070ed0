"""Documents packed into a sequence and the losses that look at them."""

import random

from cases import BASE, fast_llm, plan

SPANS = [[0, 5], [20, 23], [29, 30]]
# name: documents, padding, ranges without labels
LAYOUTS = {
    "one": ([49], 0, []),
    "packed": ([20, 9, 20], 0, SPANS),
    "padded": ([20, 9, 15], 5, SPANS),
}
# name: terms in the order in which gradients are added
LOSSES = {
    "ce": [dict(type="cross_entropy")],
    "z": [dict(type="z_loss", weight=0.001)],
    "grpo": [dict(type="grpo")],
    "gspo": [dict(type="gspo", epsilon_low=0.1, epsilon_high=0.3)],
    "gspo_length_weighted": [dict(type="gspo_length_weighted")],
    "sum": [
        dict(type="cross_entropy", weight=0.1),
        dict(type="gspo_length_weighted", epsilon_low=0.1, epsilon_high=0.3),
        dict(type="z_loss", weight=0.001),
    ],
}
WIDTH = 49

PACKED_PLANS = [
    plan(compute, attention=attention)
    for compute in ("float32", "bfloat16", "float16")
    for attention in ("eager", "sdpa")
]
FAST_LLM_PLANS = [
    fast_llm("float32"),
    fast_llm("float32", attention="eager"),
    fast_llm("bfloat16"),
    fast_llm("bfloat16", "float32"),
    fast_llm("bfloat16", None, "float32"),
    fast_llm("bfloat16", "float32", "float32", "eager"),
]


def tokens_of(vocabulary, layout, seed):
    lengths, padding, unlabelled = LAYOUTS[layout]
    drawn = random.Random(seed)
    tokens = [drawn.randrange(vocabulary) for _ in range(WIDTH - padding)] + [-100] * padding
    advantages, old = [], []
    for length in lengths + ([padding] if padding else []):
        advantages += [drawn.gauss(0, 1)] * length
        old += [drawn.gauss(-5.5, 0.5) for _ in range(length)]
    return dict(
        batch=1,
        length=WIDTH - 1,
        tokens=tokens,
        documents=lengths,
        padding=padding,
        unlabelled=unlabelled,
        advantages=advantages,
        old_log_probabilities=old,
        layout=layout,
    )


def packed_runs():
    """Cross-entropy, as transformers computes it of packed sequences."""
    fields = tokens_of(BASE["vocab_size"], "packed", 1)
    return [plan | fields for plan in PACKED_PLANS]


def fast_llm_runs():
    return [
        plan | tokens_of(BASE["vocab_size"], layout, 2) | dict(loss=LOSSES[loss], loss_name=loss)
        for layout in LAYOUTS
        for loss in LOSSES
        for plan in FAST_LLM_PLANS
    ]
