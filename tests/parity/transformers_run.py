"""One forward and backward pass of a transformers model, observed without touching its graph.

Every tensor is keyed as the engine names it: (row name, pass). Hooks on outputs and on autograd
nodes only read, so the numbers are those of the unmodified model.
"""

import contextlib
import os
import re
import sys
from collections import OrderedDict

import lever_patches
import operation_patches
import optimizer_run
import torch
import transformers

LAYER = re.compile(r"model\.layers\.(\d+)$")


@contextlib.contextmanager
def float64_modeling(model, oracle):
    """fp64_patch() of the oracle, undone at the end."""
    names = {type(m).__module__ for m in model.modules()}
    saved = {n: sys.modules[n].torch for n in names if hasattr(sys.modules[n], "torch")}
    to_float = torch.Tensor.float
    try:
        oracle.fp64_patch(model)
        yield
    finally:
        torch.Tensor.float = to_float
        for name, value in saved.items():
            sys.modules[name].torch = value


def load(folder, run, weights=None):
    """A model as the run's plan means it. `weights` gives a state dict that replaces the file's."""
    dtype = getattr(torch, run["compute"])
    kwargs = {"attn_implementation": run["attention"]}
    loaded = torch.float32 if run["cast"] == "module" or dtype == torch.float64 else dtype
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=loaded, **kwargs)
    if run["cast"] == "module" and dtype != torch.float64:
        model = model.to(dtype)
    model.eval()
    return model


def multiply_in_float8(model):
    """The recipe of torchao, gradients in float8_e5m2."""
    sys.path.append(os.path.join(os.path.dirname(sys.prefix), "quantizers"))
    import torchao.float8 as float8

    sys.path.pop()
    config = float8.Float8LinearConfig.from_recipe_name("tensorwise")
    float8.convert_to_float8_training(model, config=config, module_filter_fn=lambda module, name: name != "lm_head")


def patch(model, run, oracle):
    if run["residual"] != run["compute"]:
        oracle.patch_fp32_residual(model)
    if run["lm_head"] != run["compute"]:
        oracle.patch_fp32_lm_head(model)


class Observer:
    def __init__(self, model):
        self.model = model
        self.values = OrderedDict()
        self.inputs = {}
        self.outputs = {}
        self.handles = []
        for name, module in model.named_modules():
            if name and not isinstance(module, torch.nn.ModuleList) and name != "model":
                self._watch(name, module)

    def _watch(self, name, module):
        def before(_, args, kwargs):
            x = args[0] if args else kwargs.get("hidden_states")
            if LAYER.match(name):
                self._total(row_of(name), x)
            self.inputs[name] = x

        def after(_, args, output):
            if name == "model.rotary_emb":
                self.values["model.rotary_emb.cos", "forward"] = output[0].detach()
                self.values["model.rotary_emb.sin", "forward"] = output[1].detach()
                return
            value = output[0] if isinstance(output, tuple) else output
            if name == "lm_head":
                self.values["logits", "forward"] = value.detach()
                self._total("logits", value)
                self._own("lm_head", self.inputs[name], value)
                return
            self.values[row_of(name), "forward"] = value.detach()
            if name == "model.embed_tokens":
                if not value.requires_grad:
                    value.requires_grad_(True)
            elif not LAYER.match(name):
                self._own(row_of(name), self.inputs[name], value)

        self.handles.append(module.register_forward_pre_hook(before, with_kwargs=True))
        self.handles.append(module.register_forward_hook(after))

    def _total(self, row, tensor):
        def hook(gradient):
            self.values[row, "backward"] = gradient.detach().clone()

        tensor.register_hook(hook)

    def _own(self, row, source, result):
        """Adds up, in order of execution, what the module's operations send to its input."""
        edge = torch.autograd.graph.get_gradient_edge(source)
        for node, position in edges_to(result.grad_fn, edge):

            def hook(grad_inputs, _, position=position):
                part = grad_inputs[position]
                known = self.values.get((row, "backward"))
                self.values[row, "backward"] = part.clone() if known is None else known + part

            node.register_hook(hook)

    def operation(self, name, tensor):
        self.values[name, "forward"] = tensor.detach()
        if tensor.requires_grad:
            self._total(name, tensor)

    def run(self, tokens, loss_dtype=torch.float32, documents=None):
        inputs, labels = tokens[:, :-1], tokens[:, 1:]
        packed = {}
        if documents:
            positions, labels = packed_documents(tokens, *documents)
            packed = dict(position_ids=positions)
        logits = self.model(input_ids=inputs, use_cache=False, **packed).logits
        precise = logits if logits.dtype == torch.float64 else logits.to(loss_dtype)
        loss = torch.nn.functional.cross_entropy(
            precise.reshape(-1, precise.shape[-1]), labels.reshape(-1)
        )
        self.values["loss", "forward"] = loss.detach()
        loss.backward()
        for name, parameter in self.model.named_parameters():
            if parameter.grad is not None:
                self.values[name, "parameter_gradient"] = parameter.grad
        for handle in self.handles:
            handle.remove()
        return self.values


def packed_documents(tokens, lengths, unlabelled):
    """Positions of the inputs, from 0 in each document, and labels without its first token."""
    positions = torch.cat([torch.arange(length) for length in lengths])[None, :-1]
    labels = tokens.clone()
    begin = 0
    for length in lengths:
        labels[:, begin] = -100
        begin += length
    for first, end in unlabelled:
        labels[:, first:end] = -100
    return positions.to(tokens.device), labels[:, 1:]


def row_of(module):
    match = LAYER.match(module)
    if match:
        return "decoder." + match.group(1)
    return {"model.embed_tokens": "embeddings", "model.norm": "norm"}.get(module, module)


def edges_to(start, target):
    """(node, index of its output) of every autograd edge that leads to `target`."""
    found, seen, stack = [], set(), [start]
    while stack:
        node = stack.pop()
        if node is None or node in seen or node == target.node:
            continue
        seen.add(node)
        for position, (following, number) in enumerate(node.next_functions):
            if following == target.node and number == target.output_nr:
                found.append((node, position))
            else:
                stack.append(following)
    return found


@contextlib.contextmanager
def float32_products(precision):
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision(precision)
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


def reference(folder, run, oracle, device="cpu"):
    with float32_products(run.get("float32_products", "highest")):
        return passes(folder, run, oracle, device)


def passes(folder, run, oracle, device):
    if "batch_plan" in run:
        import batch_run

        return batch_run.reference(folder, run, device)
    model = load(folder, run).to(device)
    if "float8" in run:
        multiply_in_float8(model)
    patch(model, run, oracle)
    if not run["parameter_gradients"]:
        for parameter in model.parameters():
            parameter.requires_grad_(False)
    tokens = torch.tensor(run["tokens"], device=device).view(run["batch"], run["length"] + 1)
    if run["compute"] == "float64":
        with float64_modeling(model, oracle):
            values = Observer(model).run(tokens)
        return optimizer_run.add_step(values, folder, run) if "optimizer" in run else values
    if lever_patches.has_levers(run):
        return with_levers(model, folder, run, tokens)
    if run["level"] == "op":
        observer = Observer(model)
        with operation_patches.operations(model, observer.operation):
            return observer.run(tokens)
    documents = (run["documents"], run["unlabelled"]) if "documents" in run else None
    values = Observer(model).run(tokens, documents=documents)
    return optimizer_run.add_step(values, folder, run) if "optimizer" in run else values


def with_levers(model, folder, run, tokens):
    lever_patches.round_weights(model, folder, run)
    with lever_patches.levers(model, run):
        loss_dtype = lever_patches.format_of(run, "loss_dtype")
        return lever_patches.cast_gradients(Observer(model).run(tokens, loss_dtype), run)
