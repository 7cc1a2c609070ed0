"""Checkpoints whose weights are quantised already, made of one that is not: tensors are packed here, as the descriptions of the
formats have it."""
import json
import os

import torch
from safetensors.torch import load_file, save_file

# What a family's layers are at least, since kernels take groups of 32.
WIDE = dict(hidden_size=64, intermediate_size=96, head_dim=16)
GROUP = 32
AWQ_ORDER = [0, 2, 4, 6, 1, 3, 5, 7]
FP4 = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)


def is_product(name, tensor):
    return name.endswith("proj.weight") and tensor.dim() == 2


def rewritten(folder, quantization, convert, chosen=is_product):
    """Replaces tensors of a checkpoint by what `convert` makes of them, {end of the name: tensor}; the others are bfloat16."""
    path = os.path.join(folder, "model.safetensors")
    tensors = {}
    for name, tensor in load_file(path).items():
        if chosen(name, tensor):
            for end, part in convert(tensor).items():
                tensors[name.removesuffix(".weight") + end] = part.contiguous()
        else:
            tensors[name] = tensor.bfloat16()
    save_file(tensors, path, metadata={"format": "pt"})
    place = os.path.join(folder, "config.json")
    with open(place, encoding="utf-8") as file:
        config = json.load(file)
    with open(place, "w", encoding="utf-8") as file:
        json.dump(config | {"quantization_config": quantization}, file)


def groups_of_four_bits(weight):
    """(numbers from 0 to 15 [in, out], zeros [groups, out], scales [groups, out]) of a weight [out, in]."""
    grouped = weight.t().unflatten(0, (-1, GROUP))
    low, high = grouped.amin(1), grouped.amax(1)
    scales = ((high - low) / 15).half()
    zeros = (-low / scales.float()).round().clamp(1, 15)
    numbers = (grouped / scales.float()[:, None] + zeros[:, None]).round().clamp(0, 15)
    return numbers.flatten(0, 1).int(), zeros.int(), scales


def packed(numbers, order=range(8)):
    """Of the last dimension eight numbers of four bits in each of 32."""
    parts = numbers.long().unflatten(-1, (-1, 8))[..., list(order)]
    words = (parts << torch.arange(8) * 4).sum(-1)
    return torch.where(words >= 1 << 31, words - (1 << 32), words).int()


def gptq(folder):
    def convert(weight):
        numbers, zeros, scales = groups_of_four_bits(weight)
        return {".qweight": packed(numbers.t()).t(), ".qzeros": packed(zeros - 1), ".scales": scales,
                ".g_idx": (torch.arange(weight.shape[1]) // GROUP).int()}

    rewritten(folder, {"quant_method": "gptq", "bits": 4, "group_size": GROUP, "desc_act": False, "sym": False,
                       "checkpoint_format": "gptq"}, convert)


def awq(folder):
    def convert(weight):
        numbers, zeros, scales = groups_of_four_bits(weight)
        return {".qweight": packed(numbers, AWQ_ORDER), ".qzeros": packed(zeros, AWQ_ORDER), ".scales": scales}

    rewritten(folder, {"quant_method": "awq", "bits": 4, "group_size": GROUP, "zero_point": True, "version": "gemm"}, convert)


def scheme(weights, activations=None, form="pack-quantized"):
    return {"quant_method": "compressed-tensors", "format": form, "quantization_status": "compressed", "ignore": ["lm_head"],
            "config_groups": {"group_0": {"targets": ["Linear"], "weights": weights, "input_activations": activations,
                                          "output_activations": None, "format": form}}}


def four_bits_packed(folder):
    def convert(weight):
        grouped = weight.unflatten(1, (-1, GROUP))
        scales = (grouped.abs().amax(-1) / 7.5).bfloat16()
        numbers = (grouped / scales.float()[..., None]).round().clamp(-8, 7) + 8
        return {".weight_packed": packed(numbers.flatten(1)), ".weight_scale": scales,
                ".weight_shape": torch.tensor(weight.shape)}

    rewritten(folder, scheme({"num_bits": 4, "type": "int", "symmetric": True, "strategy": "group", "group_size": GROUP}), convert)


def eight_bits_with_activations(folder):
    def convert(weight):
        scales = (weight.abs().amax(1, keepdim=True) / 127).bfloat16()
        return {".weight": (weight / scales.float()).round().clamp(-128, 127).to(torch.int8), ".weight_scale": scales}

    rewritten(folder, scheme({"num_bits": 8, "type": "int", "symmetric": True, "strategy": "channel"},
                             {"num_bits": 8, "type": "int", "symmetric": True, "strategy": "token", "dynamic": True},
                             "int-quantized"), convert)


def eight_bit_floats(folder):
    def convert(weight):
        scales = (weight.abs().amax(1, keepdim=True) / 448).bfloat16()
        return {".weight": (weight / scales.float()).to(torch.float8_e4m3fn), ".weight_scale": scales}

    rewritten(folder, scheme({"num_bits": 8, "type": "float", "symmetric": True, "strategy": "channel"},
                             {"num_bits": 8, "type": "float", "symmetric": True, "strategy": "token", "dynamic": True},
                             "float-quantized"), convert)


def fp8(folder):
    def convert(weight):
        blocks = weight.unflatten(0, (-1, GROUP)).unflatten(2, (-1, GROUP))
        scales = blocks.abs().amax((1, 3)) / 448
        numbers = (blocks / scales[:, None, :, None]).to(torch.float8_e4m3fn)
        return {".weight": numbers.view(torch.uint8).flatten(2, 3).flatten(0, 1).view(torch.float8_e4m3fn), ".weight_scale_inv": scales}

    rewritten(folder, {"quant_method": "fp8", "activation_scheme": "dynamic", "weight_block_size": [GROUP, GROUP]}, convert)


def mxfp4(folder):
    def convert(weight):
        grouped = weight.transpose(1, 2).unflatten(2, (-1, GROUP))  # [experts, out, groups, 32]
        exponents = (grouped.abs().amax(-1) / 6).log2().ceil().clamp(-127, 127)
        scaled = grouped / exponents.exp2()[..., None]
        nearest = (scaled.abs()[..., None] - torch.tensor(FP4)).abs().argmin(-1) + 8 * (scaled < 0)
        low, high = nearest[..., 0::2], nearest[..., 1::2]
        return {"_blocks": (low | high << 4).to(torch.uint8), "_scales": (exponents + 127).to(torch.uint8)}

    rewritten(folder, {"quant_method": "mxfp4", "modules_to_not_convert": ["model.layers.*.self_attn", "model.layers.*.mlp.router",
                                                                         "model.embed_tokens", "lm_head"]},
              convert, lambda name, _: name.endswith(("experts.gate_up_proj", "experts.down_proj")))
