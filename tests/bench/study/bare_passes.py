#!/usr/bin/env python3
"""The five passes of the study benchmark in PyTorch alone: answers every line of standard input with
their seconds and the process's peak memory.

One float32 pass and four bfloat16 passes with weight gradients, in the formats of the study's
variants: plain, float32 LM head, float32 residual stream, both. transformers has neither of the last
two, so that the head and the layers of one bfloat16 model are told for each pass what to do.
"""

import argparse
import json
import os
import resource
import sys
import time
import types

import torch
import transformers
from torch.nn import functional


def in_float32_where_told(model):
    """Gives the model the switches `float32_head` and `float32_residual`."""
    model.float32_head = model.float32_residual = False
    head, embedding = model.lm_head, model.get_input_embeddings()
    plain_head = head.forward

    def project(x):
        return functional.linear(x.float(), head.weight.float()) if model.float32_head else plain_head(x)

    def layer(self, hidden_states, **others):
        attended, _ = self.self_attn(hidden_states=self.input_layernorm(hidden_states), **others)
        middle = hidden_states + attended.to(hidden_states.dtype)
        return middle + self.mlp(self.post_attention_layernorm(middle)).to(hidden_states.dtype)

    def norm(self, x):
        wide = x.float()
        wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.variance_epsilon)
        return self.weight * wide.to(self.weight.dtype)

    head.forward = project
    embedding.register_forward_hook(
        lambda _module, _input, output: output.float() if model.float32_residual else None)
    for each in model.model.layers:
        each.forward = types.MethodType(layer, each)
        for part in (each.input_layernorm, each.post_attention_layernorm):
            part.forward = types.MethodType(norm, part)
    model.model.norm.forward = types.MethodType(norm, model.model.norm)
    rotary = model.model.rotary_emb
    tables = rotary.forward
    rotary.forward = lambda x, *others, **named: tables(x.to(embedding.weight.dtype), *others, **named)


def one_pass(model, tokens, float32_head=False, float32_residual=False):
    model.float32_head, model.float32_residual = float32_head, float32_residual
    model.zero_grad(set_to_none=True)
    logits = model(tokens[:, :-1], use_cache=False).logits
    functional.cross_entropy(logits[0].float(), tokens[0, 1:]).backward()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model", help="GGUF file")
    parser.add_argument("--length", type=int, required=True)
    parser.add_argument("--threads", type=int, required=True)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    folder, name = os.path.split(arguments.model)
    generator = torch.Generator().manual_seed(0)
    tokens = torch.randint(0, 49152, (1, arguments.length + 1), generator=generator)

    def load(dtype):
        return transformers.AutoModelForCausalLM.from_pretrained(folder, gguf_file=name, dtype=dtype)

    reference, variant = load(torch.float32), load(torch.bfloat16)
    in_float32_where_told(variant)
    print("ready", flush=True)
    for _ in sys.stdin:
        begin = time.perf_counter()
        one_pass(reference, tokens)
        one_pass(variant, tokens)
        one_pass(variant, tokens, float32_head=True)
        one_pass(variant, tokens, float32_residual=True)
        one_pass(variant, tokens, float32_head=True, float32_residual=True)
        seconds = time.perf_counter() - begin
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        print(json.dumps({"seconds": seconds, "peak": peak}), flush=True)


if __name__ == "__main__":
    main()
