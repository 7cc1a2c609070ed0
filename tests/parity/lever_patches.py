"""The levers of single operations, written with torch operations into a Llama of transformers.

Each patch casts what the operation reads to the lever's format and leaves the result in it; whoever
reads the result casts it in turn. What a run does not name stays as transformers has it.
"""

import contextlib
import types

import torch
from transformers.models.llama import modeling_llama

# Set where the run says so, else by the compute dtype.
WIDE = ("norm_statistics_dtype", "softmax_dtype", "loss_dtype")
KNOWN = ("compute_dtype", "residual_dtype", "lm_head_dtype")


def has_levers(run):
    return any(key not in KNOWN for key in run["formats"])


def format_of(run, key):
    default = "float32" if key in WIDE else run["compute"]
    return getattr(torch, run["formats"].get(key, default))


def patch_norms(model, run):
    statistics = format_of(run, "norm_statistics_dtype")
    output = format_of(run, "norm_output_dtype")

    def forward(self, x):
        x = x.to(statistics)
        normalised = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.variance_epsilon)
        return self.weight.to(output) * normalised.to(output)

    for module in model.modules():
        if isinstance(module, modeling_llama.LlamaRMSNorm):
            module.forward = types.MethodType(forward, module)


def patch_linears(model):
    """An operand of another format is cast inside the module, so that its input is what came."""

    def forward(self, x):
        return torch.nn.functional.linear(x.to(self.weight.dtype), self.weight, self.bias)

    for module in model.modules():
        if isinstance(module, torch.nn.Linear):
            module.forward = types.MethodType(forward, module)


def patch_mlps(model, run):
    wanted = format_of(run, "activation_dtype")

    def forward(self, x):
        return self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x).to(wanted))

    for module in model.modules():
        if isinstance(module, modeling_llama.LlamaMLP):
            plain = module.act_fn.forward
            module.act_fn.forward = lambda x, plain=plain: plain(x.to(wanted))
            module.forward = types.MethodType(forward, module)


def patch_head(model, run):
    logits = format_of(run, "logits_dtype")
    plain = model.lm_head.forward
    model.lm_head.forward = lambda x: plain(x).to(logits)


def patch_tables(model, run):
    wanted = format_of(run, "rotary_table_dtype")
    rotary = model.model.rotary_emb
    plain = rotary.forward

    def forward(x, position_ids):
        # transformers rounds the tables to the type of x.
        return plain(torch.empty(0, dtype=wanted, device=position_ids.device), position_ids)

    rotary.forward = forward


def rotation(run):
    wanted = format_of(run, "rotary_dtype")

    def apply_rotary_pos_emb(q, k, cos, sin, unsqueeze_dim=1):
        cos = cos.unsqueeze(unsqueeze_dim).to(wanted)
        sin = sin.unsqueeze(unsqueeze_dim).to(wanted)
        q, k = q.to(wanted), k.to(wanted)
        rotate_half = modeling_llama.rotate_half
        return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin

    return apply_rotary_pos_emb


def attention(run):
    scores_dtype = format_of(run, "attention_scores_dtype")
    softmax_dtype = format_of(run, "softmax_dtype")
    compute = getattr(torch, run["compute"])

    def eager_attention_forward(module, query, key, value, mask, scaling, dropout=0.0, **_):
        key = modeling_llama.repeat_kv(key, module.num_key_value_groups).to(scores_dtype)
        value = modeling_llama.repeat_kv(value, module.num_key_value_groups).to(compute)
        scores = torch.matmul(query.to(scores_dtype), key.transpose(2, 3)) * scaling
        scores = scores + mask
        weights = torch.softmax(scores, dim=-1, dtype=softmax_dtype).to(compute)
        return torch.matmul(weights, value).transpose(1, 2).contiguous(), weights

    return eager_attention_forward


@contextlib.contextmanager
def levers(model, run):
    patch_norms(model, run)
    patch_linears(model)
    patch_mlps(model, run)
    patch_head(model, run)
    patch_tables(model, run)
    kept = modeling_llama.apply_rotary_pos_emb, modeling_llama.eager_attention_forward
    modeling_llama.apply_rotary_pos_emb = rotation(run)
    modeling_llama.eager_attention_forward = attention(run)
    try:
        yield
    finally:
        modeling_llama.apply_rotary_pos_emb, modeling_llama.eager_attention_forward = kept


def round_weights(model, folder, run):
    """Parameters rounded from the file to the weights dtype, then to the compute dtype."""
    import transformers

    stored = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    with torch.no_grad():
        for mine, theirs in zip(model.parameters(), stored.parameters()):
            mine.copy_(theirs.to(format_of(run, "weights_dtype")))


def cast_gradients(values, run):
    wanted = format_of(run, "gradient_dtype")
    for key in values:
        if key[1] == "parameter_gradient":
            values[key] = values[key].to(wanted)
    return values
