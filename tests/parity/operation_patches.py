"""Looks at the operations between the modules of a Llama of transformers.

What is patched computes what modeling_llama.py computes, in the same order, and shows it on the way;
the rest is read from the inputs of modules.
"""

import contextlib
import types

import torch
from transformers.models.llama import modeling_llama


class Operations:
    """Hands (name, tensor) to `show`, which watches the gradient where the tensor has one."""

    def __init__(self, model, show):
        self.model = model
        self.show = show
        self.attention = None  # the path of the attention that runs

    def norm(self, name):
        show = self.show

        def forward(self, x):
            dtype = x.dtype
            x = x.to(torch.float32)
            variance = x.pow(2).mean(-1, keepdim=True)
            show(name + ".variance", variance)
            x = x * torch.rsqrt(variance + self.variance_epsilon)
            normalized = x.to(dtype)
            show(name + ".normalized", normalized)
            return self.weight * normalized

        return forward

    def rotation(self, plain):
        def apply_rotary_pos_emb(q, k, cos, sin, *args, **kwargs):
            self.show(self.attention + ".rotary.cos", cos)
            self.show(self.attention + ".rotary.sin", sin)
            q, k = plain(q, k, cos, sin, *args, **kwargs)
            self.show(self.attention + ".rotary.query", q)
            self.show(self.attention + ".rotary.key", k)
            return q, k

        return apply_rotary_pos_emb

    def eager(self):
        def eager_attention_forward(module, query, key, value, mask, scaling, dropout=0.0, **_):
            key = modeling_llama.repeat_kv(key, module.num_key_value_groups)
            value = modeling_llama.repeat_kv(value, module.num_key_value_groups)
            scores = torch.matmul(query, key.transpose(2, 3)) * scaling
            self.show(self.attention + ".scores", scores)
            if mask is not None:
                scores = scores + mask
            weights = torch.softmax(scores, dim=-1, dtype=torch.float32).to(query.dtype)
            self.show(self.attention + ".softmax", weights)
            return torch.matmul(weights, value).transpose(1, 2).contiguous(), weights

        return eager_attention_forward

    def before(self, name):
        """What a module finds as its input, or the attention that is about to run."""
        shown = {
            "self_attn.o_proj": "self_attn.attn_output",
            "mlp.down_proj": "mlp.product",
            "post_attention_layernorm": "residual_mid",
        }

        def hook(_, args, kwargs):
            if name.endswith(".self_attn"):
                self.attention = name
            for module, operation in shown.items():
                if name.endswith("." + module):
                    path = name[: -len(module)] + operation
                    self.show(path, args[0] if args else kwargs["hidden_states"])

        return hook


@contextlib.contextmanager
def operations(model, show):
    watch = Operations(model, show)
    handles = []
    for name, module in model.named_modules():
        if isinstance(module, modeling_llama.LlamaRMSNorm):
            module.forward = types.MethodType(watch.norm(name), module)
        handles.append(module.register_forward_pre_hook(watch.before(name), with_kwargs=True))
    rotary = model.model.rotary_emb
    handles.append(
        rotary.register_forward_hook(
            lambda module, *_: show("model.rotary_emb.inv_freq", module.inv_freq)
        )
    )
    kept = modeling_llama.apply_rotary_pos_emb, modeling_llama.eager_attention_forward
    modeling_llama.apply_rotary_pos_emb = watch.rotation(kept[0])
    modeling_llama.eager_attention_forward = watch.eager()
    try:
        yield
    finally:
        modeling_llama.apply_rotary_pos_emb, modeling_llama.eager_attention_forward = kept
        for handle in handles:
            handle.remove()
