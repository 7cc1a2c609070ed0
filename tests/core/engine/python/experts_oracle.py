"""Prints what routers choose in bfloat16 beside float32, by plain hooks on models of transformers:
experts_oracle.py FOLDER VOCABULARY LENGTH SAMPLES, of one sequence each; a line of JSON a router."""
import json
import math
import sys

import torch
import transformers

folder, (vocabulary, length, count) = sys.argv[1], map(int, sys.argv[2:])
transformers.utils.logging.set_verbosity_error()
torch.set_num_threads(1)


def model_in(dtype):
    torch.manual_seed(0)
    config = transformers.AutoConfig.from_pretrained(folder)
    model = transformers.AutoModelForCausalLM.from_config(config, attn_implementation="sdpa").eval()
    for parameter in model.parameters():
        parameter.data = parameter.data.to(dtype)
    return model


def choice_scores(router, logits):
    """What the model's topk compares."""
    if hasattr(router, "e_score_correction_bias"):
        scores = logits.sigmoid() + router.e_score_correction_bias
        groups = scores.view(len(scores), router.num_group, -1).topk(2, -1)[0].sum(-1).topk(router.topk_group, -1)[1]
        allowed = torch.zeros(len(scores), router.num_group).scatter_(1, groups, 1).bool()
        return scores.masked_fill(~allowed.repeat_interleave(scores.shape[1] // router.num_group, 1), -math.inf)
    return logits if "GptOss" in type(router).__name__ else torch.softmax(logits.float(), -1)


def run(model, tokens):
    routers, outputs, handles = {}, {}, []
    for name, module in model.named_modules():
        if "Router" in type(module).__name__:
            handles.append(module.register_forward_hook(lambda m, _, out, name=name: routers.update(
                {name: (out[2].sort(-1)[0], choice_scores(m, out[0]))})))
            block = model.get_submodule(name.rpartition(".")[0])
            handles.append(block.register_forward_hook(lambda _, __, out, name=name: outputs.update(
                {name: (out[0] if isinstance(out, tuple) else out).double().flatten(0, -2)})))
    with torch.no_grad():
        model(input_ids=tokens, use_cache=False)
    for handle in handles:
        handle.remove()
    return routers, outputs


def error(difference, reference):
    return [(difference ** 2).mean().sqrt().item(), (reference ** 2).mean().sqrt().item()] if len(reference) else []


reference, variant = model_in(torch.float32), model_in(torch.bfloat16)
samples = []
sequences = torch.randint(0, vocabulary, (count, length + 1), generator=torch.Generator().manual_seed(0))
for tokens in sequences[:, None, :-1]:
    samples.append((run(reference, tokens), run(variant, tokens)))
for name in samples[0][0][0]:
    flips, margins, changed, differences, references = [], [], 0, [], []
    for (ref, ref_out), (var, var_out) in samples:
        chosen, scores = ref[name]
        other = var[name][0]
        for token in range(len(chosen)):
            mine, theirs = set(chosen[token].tolist()), set(other[token].tolist())
            flips.append(int(mine != theirs))
            changed += len(mine - theirs)
            rest = [s for e, s in enumerate(scores[token].double().tolist()) if e not in mine and s > -math.inf]
            last = min(scores[token].double()[e].item() for e in mine)
            margins.append(math.floor(math.log2(last - max(rest))) if rest and last > max(rest) else None)
        differences.append(var_out[name] - ref_out[name])
        references.append(ref_out[name])
    flipped = torch.tensor(flips).bool()
    difference, scale = torch.cat(differences), torch.cat(references)
    print(json.dumps({"router": name, "flips": flips, "changed": changed, "margins": margins,
                      "same": error(difference[~flipped], scale[~flipped]),
                      "other": error(difference[flipped], scale[flipped])}))
