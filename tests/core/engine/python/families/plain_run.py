"""One forward and backward pass of a model of transformers, as it is, with hooks that are written down here alone.

Every tensor is keyed by (module, what, number of the call in the pass): "output", "gradient" (what the module's own operations
send to its first input, added up in the order of the graph's execution), "whole gradient" (with respect to the first input of a
layer, and to the logits), "cos" and "sin"; parameters by (name, "parameter", 1). "logits" are those that the loss sees; what the
head gives is there beside them where the model scales or caps it.
"""
import torch


def tensor_in(value):
    """The first tensor of floating-point numbers, depth first."""
    if torch.is_tensor(value):
        return value if value.is_floating_point() or value.is_complex() else None
    if isinstance(value, dict):
        value = list(value.values())
    for part in value if isinstance(value, (list, tuple)) else ():
        if (found := tensor_in(part)) is not None:
            return found
    return None


class PlainRun:
    def __init__(self, model, layers):
        self.model, self.layers = model, layers
        self.values, self.calls, self.open, self.handles = {}, {}, [], []
        self.head, self.of_head = model.get_output_embeddings(), None
        self.embedding = model.get_input_embeddings()
        skipped = (torch.nn.ModuleList, torch.nn.ModuleDict)
        base = getattr(model, model.base_model_prefix, None)
        for name, module in model.named_modules():
            if name and module is not base and not isinstance(module, skipped):
                self.handles.append(module.register_forward_pre_hook(self.before(name), with_kwargs=True))
                self.handles.append(module.register_forward_hook(self.after(name), with_kwargs=True))

    def is_layer(self, name):
        front, _, number = name.rpartition(".")
        return front == self.layers and number.isdigit()

    def before(self, name):
        def hook(module, arguments, named):
            # The stream of numbers, not masks or positions, where a module is given it by name.
            source = tensor_in([arguments, named.get("hidden_states"), named])
            call = self.calls[name] = self.calls.get(name, 0) + 1
            if self.is_layer(name) and source is not None and source.requires_grad:
                source.register_hook(self.keep((name, "whole gradient", call)))
            self.open.append((source, call))

        return hook

    def after(self, name):
        def hook(module, arguments, named, output):
            source, call = self.open.pop()
            if "rotary" in type(module).__name__.lower() and isinstance(output, tuple) and len(output) == 2:
                for part, tensor in zip(("cos", "sin"), output):
                    self.keep((name, part, call))(tensor)
                return
            result = tensor_in(output)
            if result is None:
                return
            self.keep((name, "output", call))(result)
            if module is self.embedding and not result.requires_grad:
                result.requires_grad_(True)
            if module is self.head:
                self.of_head = (name, "output", call), result
            is_watched = module is not self.embedding and not self.is_layer(name)
            if is_watched and source is not None and source is not result and source.requires_grad and result.requires_grad:
                self.watch_graph((name, "gradient", call), source, result)

        return hook

    def keep(self, key):
        def hook(tensor):
            # Complex numbers are pairs in a report.
            self.values[key] = (torch.view_as_real(tensor) if tensor.is_complex() else tensor).detach().clone()

        return hook

    def watch_graph(self, key, source, result):
        target = torch.autograd.graph.get_gradient_edge(source)
        seen, rest = set(), [result.grad_fn]
        while rest:
            node = rest.pop()
            if node is None or node in seen or node == target.node:
                continue
            seen.add(node)
            for place, (behind, number) in enumerate(node.next_functions):
                if behind == target.node and number == target.output_nr:
                    node.register_hook(self.add_to(key, place))
                else:
                    rest.append(behind)

    def add_to(self, key, place):
        def hook(gradients, _):
            if gradients[place] is not None:
                part = gradients[place].detach()
                self.values[key] = self.values[key] + part if key in self.values else part.clone()

        return hook

    def run(self, tokens):
        inputs, labels = tokens[:, :-1], tokens[:, 1:]
        given = dict(input_ids=inputs, use_cache=False)
        if self.model.config.is_encoder_decoder:
            given["decoder_input_ids"] = inputs
        logits = self.model(**given).logits
        self.keep(("logits", "output", 1))(logits)
        logits.register_hook(self.keep(("logits", "whole gradient", 1)))
        key, result = self.of_head
        # Where it is widened alone, float32 leaves it as it is, and what there is in float32 says which rows a study has.
        if result is logits or result.dtype != logits.dtype:
            del self.values[key]
        # The worker computes the loss, on the CPU.
        loss = torch.nn.functional.cross_entropy(logits.cpu().float().flatten(0, 1), labels.cpu().flatten())
        loss.backward()
        for handle in self.handles:
            handle.remove()
        for name, parameter in self.model.named_parameters():
            if parameter.grad is not None:
                self.values[name, "parameter", 1] = parameter.grad
        return loss.item(), self.values


def run_of(kind, folder, options, layers, tokens, widens=False):
    """(loss, tensors, model) of the checkpoint in a folder, loaded with these options; `widens`: all of it is float32."""
    model = kind.from_pretrained(folder, **options).eval()
    model = model.float() if widens else model
    return *PlainRun(model, layers).run(tokens), model


@torch.no_grad()
def cached_run(kind, folder, options, tokens, prompt, make_cache):
    """{row: tensor} of layers and logits of a prompt and the positions behind it, one by one."""
    model = kind.from_pretrained(folder, **options).eval()
    inputs, rows = tokens[:, :-1], {}
    for number, layer in enumerate(model.model.layers):
        layer.register_forward_hook(
            lambda _, given, output, name=f"decoder.{number}": rows.setdefault(name, []).append(tensor_in(output))
        )
    width = inputs.shape[1]
    cache = make_cache(model, width)
    for begin, end in [(0, prompt)] + [(position, position + 1) for position in range(prompt, width)]:
        places = torch.arange(begin, end)[None]
        given = dict(input_ids=inputs[:, begin:end], position_ids=places, past_key_values=cache, use_cache=True)
        rows.setdefault("logits", []).append(model(**given).logits)
    return {name: torch.cat(parts, 1) for name, parts in rows.items()}
