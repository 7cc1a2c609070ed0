"""Which tensors a model makes, and hooks that show them."""
import contextlib
import re

import torch

from .formats import head_of
from .routers import Routers


def first_tensor(value):
    """The first tensor of numbers, not indices, of what a module was given or made."""
    if isinstance(value, torch.Tensor):
        return unwrapped(value) if value.is_floating_point() or value.is_complex() else None
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, (tuple, list)):
        return next((found for part in value if (found := first_tensor(part)) is not None), None)
    return None


def unwrapped(tensor):
    """All that a module computes at once under torch.vmap and torch.func, where it is shown one part of it."""
    functorch = torch._C._functorch
    while functorch.is_batchedtensor(tensor) or functorch.is_gradtrackingtensor(tensor):
        tensor = functorch.get_unwrapped(tensor)
    return tensor


def embeddings_of(model):
    try:
        return model.get_input_embeddings()
    except (AttributeError, NotImplementedError):
        return None


def dense(tensor):
    return tensor if tensor.layout is torch.strided else tensor.to_dense()


def as_elements(tensor):
    """What is shown of a tensor: sparse ones whole, the parts of nested ones one behind the other, complex numbers as pairs."""
    tensor = tensor.values() if tensor.is_nested else dense(tensor)
    return torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor


class Names:
    """How modules are called as rows of a report: layers, embeddings, final norm and head have names of their own."""

    def __init__(self, model):
        self.base = getattr(model, getattr(model, "base_model_prefix", ""), model)
        self.modules = {module: name for name, module in model.named_modules()}
        self.compiled = getattr(model, "ulpscope_compiled", "")
        table = embeddings_of(model)
        self.embeddings = self.modules.get(table)
        self._vocabulary = getattr(table, "num_embeddings", None)
        self.head = self.modules.get(head_of(model))
        stack = self._stack(model)
        prefix = self.modules.get(stack, "")
        self.depth, layers = self._layers_below(prefix + "." if prefix else "")
        self.layers = re.compile(re.escape(layers) + r"\.(\d+)$" if layers else r"(?!)")
        self.inside = re.compile(re.escape(layers) + r"\.(\d+)\." if layers else r"(?!)")
        of_stack = [name for name, _ in stack.named_children()]
        norms = [name for name in of_stack if ("norm" in name.lower() or name.lower().startswith("ln_"))
                 and not name.endswith(("embedding", "embeddings"))]
        self.norm = ".".join(filter(None, (prefix, norms[-1]))) if norms else None

    def _stack(self, model):
        """What the layers that predict tokens belong to: the decoder where there is an encoder or a tower beside it."""
        try:
            decoder = model.get_decoder()
        except (AttributeError, NotImplementedError):
            return self.base
        return decoder if decoder in self.modules and decoder is not model else self.base

    def _layers_below(self, prefix):
        """(length, name) of the longest list of modules in no other list."""
        lists = {name: len(module) for module, name in self.modules.items() if isinstance(module, torch.nn.ModuleList)}
        outer = [(length, name) for name, length in lists.items()
                 if not any(name.startswith(other + ".") for other in lists)]
        return max([each for each in outer if each[1].startswith(prefix)] or outer, default=(0, ""))

    def is_table_of_tokens(self, module):
        """Some models look tokens up in several tables."""
        return isinstance(module, torch.nn.Embedding) and module.num_embeddings == self._vocabulary

    def is_layer(self, module):
        return self.layers.match(module) is not None

    def rows(self):
        """The modules that are rows, without those that torch.compile made something else of."""
        skipped = (torch.nn.ModuleList, torch.nn.ModuleDict)
        for module, name in self.modules.items():
            if name and module is not self.base and not isinstance(module, skipped) and not self.is_inside_compiled(module):
                yield name, module

    def is_inside_compiled(self, module):
        name = self.modules[module]
        return bool(name) if self.compiled == "model" else bool(self.compiled and self.inside.match(name))

    def site(self, module, which, row=None, call=1):
        """What a report calls the tensor of a module in a pass; later calls of the same module have their number."""
        layer = self.layers.match(module) or self.inside.match(module)
        name, level = row or module, "module"
        if row is None and self.is_layer(module):
            name, level = f"decoder.{layer.group(1)}", "layer"
        elif row is None and module in (self.embeddings, self.norm):
            name, level = "embeddings" if module == self.embeddings else "norm", "layer"
        elif row == "logits":
            level = "layer"
        name += f":{call}" if call > 1 else ""
        return {"name": name, "module": module, "layer": int(layer.group(1)) if layer else -1, "level": level, "pass": which}


def number_of(node):
    """When a node was made; those of leaves have the largest number."""
    number = node._sequence_nr()
    return -1 if number >= 1 << 63 else number


def edges_to(start, target):
    """(node, index of its output) of every edge of autograd's graph that leads to `target`, in the order of the graph."""
    found, seen, stack = [], set(), [start]
    oldest = number_of(target.node)  # what is older, as earlier pieces with a cache are, cannot lead there
    while stack:
        node = stack.pop()
        if node is None or node in seen or node == target.node or number_of(node) < oldest:
            continue
        seen.add(node)
        for position, (following, number) in enumerate(node.next_functions):
            if following == target.node and number == target.output_nr:
                found.append((node, position))
            else:
                stack.append(following)
    return found


class Observation:
    """Hooks on a model while they are wanted; `show(site, tensor, piece, keys)` is called with each tensor as it is made, the
    piece of the micro-batch that made it, and the keys of its rows where these are by experts; `chose(router's site, block's row,
    chosen experts, scores, piece)` when a router has chosen."""

    def __init__(self, model, names, wants, show, has_backward, chose=lambda *_: None):
        self._names, self._wants, self._show, self._has_backward, self._told = names, wants, show, has_backward, chose
        self._handles, self._calls, self._piece = [], {}, None
        self._missing = []  # gradients that experts without tokens do not get: (site, empty tensor, piece)
        self._heads = None  # what the head gives while the whole model runs: (tensor, number of the call)
        self.routers = Routers(names.modules, self._choose)
        self.adding = contextlib.nullcontext  # around what is computed here
        for name, module in names.rows():
            self._watch(name, module)
        if names.head is not None:
            self._handles.append(model.register_forward_pre_hook(self._begin_model))
            self._handles.append(model.register_forward_hook(self._end_model))

    def begin(self, piece=None):
        """Another micro-batch, or piece of it: calls are counted anew."""
        self._calls.clear()
        self._piece = piece

    def end(self):
        """The passes of a micro-batch are done: experts that no token has chosen had no gradient."""
        for site, empty, piece in self._missing:
            self._show(site, empty, piece, empty.new_empty(0, dtype=torch.int64))
        self._missing.clear()

    def close(self):
        self.routers.close()
        for handle in self._handles:
            handle.remove()

    def _tell(self, site, tensor, keys=None):
        if self._wants(site):
            self._show(site, as_elements(tensor.detach()), self._piece, keys)

    def _choose(self, block):
        with self.adding():
            self._tell_choice(block)

    def _tell_choice(self, block):
        self._told(self._names.site(block.router, "forward"), self._names.site(block.name, "forward")["name"], block.chosen,
                   block.scores, self._piece)
        for module, row, value, source in block.unchosen():
            self._tell(self._names.site(module, "forward", row), value, value.new_empty(0, dtype=torch.int64))
            site = self._names.site(module, "backward", row)
            if source is not None and self._wants(site):
                self._missing.append((site, source, self._piece))

    def _begin_model(self, *_):
        self._heads = []

    def _end_model(self, _, arguments, output):
        """The logits are what the model gives, which may scale or cap what its head gives: that is then a row of its own."""
        heads, self._heads = self._heads, None
        logits = getattr(output, "logits", None)
        if not isinstance(logits, torch.Tensor):  # a model of the user's own
            for value, call in heads:
                self._tell_logits(value, call)
            return
        for value, call in heads:
            if value is not logits:
                self._tell(self._names.site(self._names.head, "forward", call=call), value)
        call = self._calls[""] = self._calls.get("", 0) + 1
        self._tell_logits(logits, call)

    def _tell_logits(self, logits, call):
        self._tell(self._names.site(self._names.head, "forward", "logits", call), logits)
        self._total(self._names.site(self._names.head, "backward", "logits", call), logits)

    def _watch(self, name, module):
        names, calls = self._names, []
        is_head, is_layer = name == names.head, names.is_layer(name)

        def before(_, arguments, named):
            source = first_tensor((arguments, named.get("hidden_states"), named))
            call = self._calls[name] = self._calls.get(name, 0) + 1
            if is_layer:
                self._total(names.site(name, "backward", call=call), source)
            calls.append((source, call))

        def after(_, arguments, named, output):
            source, call = calls.pop()
            if isinstance(output, tuple) and len(output) == 2 and "rotary" in type(module).__name__.lower():
                for part, tensor in zip((".cos", ".sin"), output):
                    self._tell(names.site(name, "forward", name + part, call), tensor)
                return
            value = first_tensor(output)
            if value is None:
                return
            with self.adding():
                row, keys = self.routers.row(name, value, source if self._has_backward else None)
            call = 1 if keys is not None else call
            backward = names.site(name, "backward", row, call)
            if is_head and self._heads is not None:
                self._heads.append((value, call))
            elif is_head:  # a function of the user's calls it by itself
                self._tell_logits(value, call)
            else:
                self._tell(names.site(name, "forward", row, call), value, keys)
            if name == names.embeddings or names.is_table_of_tokens(module):
                if self._has_backward and not value.requires_grad:
                    value.requires_grad_(True)
            if name != names.embeddings and not is_layer:
                self._own(backward, source, value, keys)

        self._handles.append(module.register_forward_pre_hook(before, with_kwargs=True))
        self._handles.append(module.register_forward_hook(after, with_kwargs=True))

    def _total(self, site, tensor):
        """The whole gradient with respect to a tensor."""
        if tensor is not None and tensor.requires_grad and self._wants(site):
            tensor.register_hook(
                lambda gradient, piece=self._piece: self._show(site, as_elements(gradient.detach()), piece, None))

    def _own(self, site, source, result, keys):
        """What the operations of a module send to its input, added up in the order in which they run."""
        if source is None or result is source or not (source.requires_grad and result.requires_grad) or not self._wants(site):
            return
        edges = edges_to(result.grad_fn, torch.autograd.graph.get_gradient_edge(source))
        parts, piece = {"missing": len(edges), "sum": None}, self._piece

        def arrive(gradient):
            if gradient is not None:
                with self.adding():
                    parts["sum"] = gradient if parts["sum"] is None else parts["sum"] + gradient
            parts["missing"] -= 1
            if parts["missing"] == 0 and parts["sum"] is not None:
                self._show(site, as_elements(parts["sum"].detach()), piece, keys)
                parts["sum"] = None

        for node, position in edges:
            node.register_hook(lambda gradients, _, position=position: arrive(gradients[position]))


def parameter_site(names, name):
    module = name.rpartition(".")[0]
    return dict(names.site(module, "parameter_gradient", name), level="module")
