"""Mixtures of experts: which experts are chosen for each token, and of which tokens the rows are that experts are given.

A block is a module with a child that holds experts. While it computes, a function mode looks at its calls and changes nothing:
`topk` along the experts is the choice, and what is indexed by numbers of tokens has rows of these tokens.
"""
import torch
from torch.overrides import TorchFunctionMode

_CHOICES = {torch.topk, torch.Tensor.topk}
_INDEXED = {torch.Tensor.__getitem__, torch.index_select, torch.Tensor.index_select}
_REPEATED = {torch.repeat_interleave, torch.Tensor.repeat_interleave}
_LISTS = (torch.nn.ModuleList, torch.nn.ModuleDict)


def experts_of(module):
    """(name of the child that holds the experts, their number); None where a module has none."""
    for name, child in module.named_children():
        if "shared" in name.lower() or "expert" not in (name + type(child).__name__).lower():
            continue
        if "expert" not in name.lower() and experts_of(child) is not None:
            continue  # a block that is called after its experts
        first = next((part.shape[0] for part in child.parameters(recurse=False) if part.dim() > 1), 0)
        number = len(child) if isinstance(child, _LISTS) else int(getattr(child, "num_experts", first))
        if number > 1:
            return name, number
    return None


def numbers_in(index):
    """The numbers of rows by which a tensor is indexed; None where it is indexed by something else."""
    parts = [part for part in (index if isinstance(index, tuple) else (index,)) if part is not None]
    if len(parts) != 1 or not isinstance(parts[0], torch.Tensor):
        return None
    return parts[0] if parts[0].dim() == 1 and parts[0].dtype in (torch.int64, torch.int32) else None


class _Looking(TorchFunctionMode):
    """Tells a block of the calls that matter."""

    def __init__(self, block):
        super().__init__()
        self._block = block

    def __torch_function__(self, function, types, arguments=(), named=None):
        named = named or {}
        result = function(*arguments, **named)
        if function in _CHOICES:
            self._block.saw_choice(*arguments, result=result, **named)
        elif function in _INDEXED and len(arguments) >= 2 and not named:
            self._block.saw_rows(arguments[0], numbers_in(arguments[-1]))
        elif function in _REPEATED:
            self._block.saw_repeated(arguments[0], named.get("repeats", arguments[1] if len(arguments) > 1 else None))
        return result


class Block:
    """One block and what it did when it was called last."""

    def __init__(self, name, module):
        self.name = name
        child, self._number = experts_of(module)
        self._holder = getattr(module, child)
        self._inside = f"{name}.{child}." if name else f"{child}."
        self._looking, self._running = None, []
        self._begin(0)

    def _begin(self, tokens):
        self.tokens, self.chosen, self.scores, self.router = tokens, None, None, self.name
        self._rows, self._linear = None, self.name
        self._expert, self._is_assigned, self._keys = -1, False, None
        # By template, the module's name with {} for the expert: experts that have shown a row, no rows of it and of its gradient.
        self._shown = {}

    def holds(self, name):
        return name.startswith(self._inside) or name == self._inside[:-1]

    # What its calls tell

    def enter(self, arguments, named):
        if getattr(torch.compiler, "is_compiling", bool)():
            return  # a compiler sees the calls, and nobody else
        source = next((part for part in (*arguments, *named.values()) if isinstance(part, torch.Tensor)), None)
        if source is not None and source.dim() > 1 and self._looking is None:
            self._begin(source.numel() // max(source.shape[-1], 1))
            self._looking = _Looking(self)
            self._looking.__enter__()

    def leave(self):
        if self._looking is not None:
            self._looking.__exit__(None, None, None)
        self._looking, self._running = None, []

    def begin_part(self, name):
        self._running.append(name)

    def end_part(self, name, result):
        if self._running:
            self._running.pop()
        if isinstance(result, torch.Tensor) and result.shape[-1:] == (self._number,):
            self._linear = name
        elif isinstance(result, tuple) and self.chosen is None:
            self._take_choice(name, [part for part in result if isinstance(part, torch.Tensor)])

    def _take_choice(self, name, parts):
        """Of a router that chooses in another way and gives the numbers of experts beside scores of all."""
        chosen = [part for part in parts if part.dtype == torch.int64 and part.numel() % max(self.tokens, 1) == 0]
        scores = [part for part in parts if part.is_floating_point() and part.numel() == self.tokens * self._number]
        if chosen and scores and chosen[0].shape[-1] < self._number:
            self.chosen = chosen[0].detach().reshape(self.tokens, -1)
            self.scores, self.router = scores[0].detach().reshape(self.tokens, -1), name

    def saw_choice(self, input, k, dim=-1, *_, result, **__):
        width = input.shape[-1] if input.dim() > 1 else 0
        if width >= self._number and input.numel() == self.tokens * width and dim in (-1, input.dim() - 1):
            self.chosen = result[1].detach().reshape(self.tokens, -1)
            self.scores = input.detach().reshape(self.tokens, -1)
            self.router = self._running[-1] if self._running else self._linear
            self._rows, self._expert, self._keys = None, -1, None

    def saw_rows(self, source, numbers):
        is_of_tokens = isinstance(source, torch.Tensor) and source.dim() > 1 and source.is_floating_point()
        if self.chosen is None or numbers is None or not is_of_tokens or isinstance(source, torch.nn.Parameter):
            return
        if source.numel() == self.tokens * source.shape[-1]:
            self._take(numbers.detach().long())

    def saw_repeated(self, source, times):
        is_of_tokens = isinstance(source, torch.Tensor) and source.dim() == 2 and source.shape[0] == self.tokens
        if self.chosen is not None and is_of_tokens and isinstance(times, int):
            self._take(torch.arange(self.tokens, device=source.device).repeat_interleave(times))

    def _take(self, rows):
        self._rows, self._is_assigned, self._keys = rows, False, None

    # Whose rows a module inside shows

    def row(self, name, value, source):
        """Of what a module inside gives: (name of the row or None for that of the module, keys of its rows); keys are None where
        the rows are not by experts. A key is the number of the expert × that of the tokens + the number of the token. `source`:
        what gets a gradient, or None."""
        if self.chosen is None or self._rows is None or value.dim() < 1 or value.shape[0] != len(self._rows):
            return None, None
        is_inside = name.startswith(self._inside)
        if isinstance(self._holder, _LISTS):
            expert, _, rest = name[len(self._inside):].partition(".") if is_inside else ("", "", "")
            if not expert.isdigit():
                return None, None
            return None, self._of_one(f"{self._inside}{{}}.{rest}".rstrip("."), int(expert), value, source)
        is_whole = len(self._rows) == self.chosen.numel() and not self._is_looped()
        if is_whole and (is_inside or len(self._rows) != self.tokens):
            return None, self._all_keys()
        if is_inside and self._assigned() >= 0:
            return f"{name}[{self._expert}]", self._of_one(name, self._expert, value, source)
        return None, None

    def _is_looped(self):
        how = getattr(getattr(self._holder, "config", None), "_experts_implementation", "")
        return how in ("eager", None)

    def is_single(self, name):
        return isinstance(self._holder, _LISTS) and name.startswith(self._inside)

    def width(self):
        return self.scores.shape[-1]

    def _of_one(self, template, expert, value, source):
        shown = self._shown.setdefault(template, [set(), None, None])
        shown[0].add(expert)
        has_gradient = source is not None and source.requires_grad and value.requires_grad
        shown[1:] = [value.new_empty((0, *value.shape[1:])), source.new_empty((0, *source.shape[1:])) if has_gradient else None]
        return self._rows + expert * self.tokens

    def _assigned(self):
        """The expert that a loop over all experts is at."""
        if not self._is_assigned:
            self._is_assigned = True
            rows = self._rows.sort().values
            for expert in range(self._expert + 1, self.width()):
                if torch.equal((self.chosen == expert).any(-1).nonzero()[:, 0], rows):
                    self._expert = expert
                    return expert
            self._expert = self.width()
        return self._expert if self._expert < self.width() else -1

    def _all_keys(self):
        """Keys where all pairs of tokens and experts lie in one tensor, sorted by expert or as they were chosen."""
        if self._keys is None:
            order = self._rows.argsort(stable=True)
            if not torch.equal(self._rows[order], torch.arange(self.tokens, device=order.device).repeat_interleave(
                    self.chosen.shape[-1])):
                return None
            experts = torch.empty_like(self._rows)
            experts[order] = self.chosen.sort(-1).values.flatten()
            if (experts.diff() < 0).any():
                experts[order] = self.chosen.flatten()
            self._keys = self._rows + experts * self.tokens
        return self._keys

    def unchosen(self):
        """(module, name of its row or None, no rows of its result, no rows of its gradient or None) where no token has chosen an
        expert."""
        for template, (experts, value, source) in self._shown.items():
            for expert in sorted(set(range(self._number)) - experts):
                is_module = "{}" in template
                module, row = (template.format(expert), None) if is_module else (template, f"{template}[{expert}]")
                yield module, row, value, source


class Routers:
    """All blocks of a model, with hooks on them while they are wanted; `chose(block)` is called when one is done."""

    def __init__(self, modules, chose):
        self._blocks, self._of, self._chose, self._handles = [], {}, chose, []
        for module, name in modules.items():
            if experts_of(module) is not None and not any(block.holds(name) for block in self._blocks):
                self._watch(Block(name, module), name, module, modules)

    def _watch(self, block, name, module, modules):
        self._blocks.append(block)
        self._handles.append(module.register_forward_pre_hook(lambda _, *given: block.enter(*given), with_kwargs=True))
        for part, inner in modules.items():
            if inner.startswith(f"{name}." if name else "") and inner != name:
                self._of[inner] = block
                if not block.holds(inner):
                    self._handles.append(part.register_forward_pre_hook(lambda *_, inner=inner: block.begin_part(inner)))
                    self._handles.append(part.register_forward_hook(
                        lambda _, __, result, inner=inner: block.end_part(inner, result)))
        self._handles.append(module.register_forward_hook(lambda *_: self._end(block)))

    def _end(self, block):
        block.leave()
        if block.chosen is not None:
            self._chose(block)

    def close(self):
        for block in self._blocks:
            block.leave()
        for handle in self._handles:
            handle.remove()

    def row(self, name, value, source):
        block = self._of.get(name)
        return (None, None) if block is None else block.row(name, value, source)

    def is_of_expert(self, name):
        """A parameter of one among a list of experts: without tokens it has no gradient, which is one of zeros."""
        module = name.rpartition(".")[0]
        return module in self._of and self._of[module].is_single(module)
