"""What goes through a model for a micro-batch: its sequences among others, padded, in pieces with a cache."""
import contextlib
import dataclasses

import torch

from .caches import cache_of
from .refused import Refused


@dataclasses.dataclass(frozen=True)
class Piece:
    """Positions that go through the model at once."""

    index: int
    begin: int
    end: int
    first: int  # [first, last) of its own are those of the sequences
    last: int


class WideBatch:
    """Of a plan as core/engine/batch_plan.h has it, which the native engine follows likewise."""

    def __init__(self, batch, plan, vocabulary, padding_token, cache=""):
        self._own, length = batch.inputs.shape
        self._place, self._prompt, self._padding = plan["place"], plan["prompt"], plan["padding"]
        others = max(plan["among"] - self._own, 0)
        self.is_cached = plan["chunk_length"] > 0 or self._prompt > 0
        self._cache_dtype, self._cache = getattr(torch, plan["cache_dtype"]) if plan["cache_dtype"] else None, cache
        first = self._padding if plan["padded_left"] else 0
        before_gap = self._prompt if self._prompt and not plan["padded_left"] else length
        places = torch.arange(length) + first
        places[before_gap:] += self._padding
        width = length + self._padding
        padded = torch.full((self._own, width), padding_token)
        padded[:, places] = batch.inputs
        drawn = torch.randint(0, vocabulary, (others, width), generator=torch.Generator().manual_seed(plan["seed"]))
        self.ids = torch.cat([drawn[:self._place], padded, drawn[self._place:]])
        self.mask, self.positions = None, None
        if self._padding:
            self.mask = torch.ones_like(self.ids)
            self.mask[self.rows] = 0
            self.mask[self.rows, places] = 1
            counted = self.mask.cumsum(-1) - 1
            self.positions = counted.masked_fill(self.mask == 0, 0)
        elif batch.positions is not None:
            self.positions = batch.positions
        elif self.is_cached:
            self.positions = torch.arange(width)[None]
        self.pieces = list(self._pieces_of(plan["chunk_length"], width, torch.isin(torch.arange(width), places)))

    def _pieces_of(self, chunk, width, is_shown):
        together = self._prompt + self._padding if self._prompt else width
        begin = index = 0
        while begin < width:
            end = min(begin + (chunk or together), together) if begin < together else begin + 1
            shown = is_shown[begin:end].nonzero().flatten().tolist()
            yield Piece(index, begin, end, shown[0] if shown else 0, shown[-1] + 1 if shown else 0)
            begin, index = end, index + 1

    @property
    def rows(self):
        """The sequences of the micro-batch among all."""
        return slice(self._place, self._place + self._own)

    @property
    def is_alone(self):
        return len(self.ids) == self._own and not self._padding

    def arguments(self, piece):
        found = {"input_ids": self.ids[:, piece.begin:piece.end]}
        if self.positions is not None:
            found["position_ids"] = self.positions[:, piece.begin:piece.end]
        if self.mask is not None:
            found["attention_mask"] = self.mask[:, :piece.end]
        return found

    def cache(self, model):
        return cache_of(model, self._cache_dtype, self._cache, self.ids.shape[1])

    def first_chosen(self):
        """The first position whose token is chosen behind a prompt."""
        return self._prompt + self._padding

    def choose(self, piece, tokens):
        self.ids[self.rows, piece.begin] = tokens


class EmptyPadding:
    """Embeds padding at the end of sequences to zeros."""

    def __init__(self, names):
        self._name = names.embeddings
        module = next((module for module, name in names.modules.items() if name == self._name), None)
        self._present = None
        self._handle = module.register_forward_hook(self._after) if module is not None and self._name else None

    def begin(self, present):
        self._present = present
        if present is not None and self._handle is None:
            raise Refused("invalid argument", "input.padding: which module embeds the tokens of this model is not known")

    def close(self):
        if self._handle is not None:
            self._handle.remove()

    def _after(self, _, arguments, output):
        return output if self._present is None else output * self._present.to(output.device)[:, None]


def pieces_through(model, wide, forward, apart=contextlib.nullcontext):
    """(piece, logits of the sequences in it), one piece after another; `forward` is given the arguments of the model, `apart` is
    entered where something is done to what it made."""
    cached = wide.cache(model) | {"use_cache": True} if wide.is_cached else {"use_cache": False}
    for piece in wide.pieces:
        logits = forward(piece, wide.arguments(piece) | cached)
        with apart():
            shown = logits if wide.is_alone else logits[wide.rows, piece.first:piece.last]
        yield piece, shown


def chosen_tokens(model, wide, forward, chose):
    """Behind the prompts of a batch the tokens with the highest logits, [sequences, count], the one at the end included; calls
    `chose` with each."""
    chosen, last, following = [], None, pieces_through(model, wide, forward)
    for piece in wide.pieces:
        if piece.begin >= wide.first_chosen():
            chosen.append(last.argmax(-1))
            wide.choose(piece, chosen[-1])
            chose()
        _, logits = next(following)
        last = logits[:, -1] if logits.shape[1] else last
    chosen.append(last.argmax(-1))
    chose()
    return torch.stack(chosen, 1)


def axes_of(shape, sequences, length):
    """(kind, dimension of positions) of a tensor, None where it has none. "flat": sequences and positions are one dimension;
    "table": the same for every sequence that is padded alike; "pairs": of positions and keys, which is the last dimension."""
    if not shape or sequences == 1:
        return None
    if shape[0] == sequences * length:
        return "flat", 1
    dimension = next((each for each, extent in enumerate(shape) if each and extent == length), None)
    if dimension is None or shape[0] not in (1, sequences):
        return None
    if dimension == len(shape) - 2 and shape[-1] == length:
        return "pairs", dimension
    return "table" if shape[0] == 1 else "tokens", dimension


class ComparedRows:
    """Cuts what a run shows down to the sequences of the micro-batch, and puts together what comes in pieces."""

    def __init__(self, axes, show, chose):
        self._axes, self._show, self._chose, self._wide, self._parts = axes, show, chose, None, {}

    def begin(self, wide):
        self._wide = wide
        self._parts.clear()

    def __call__(self, site, tensor, piece, keys=None):
        if self._wide is None or piece is None:
            self._show(site, tensor, keys)
            return
        key = site["name"], site["pass"]
        if keys is not None:
            numbers, count = self._numbers(piece)
            numbers = numbers.to(keys.device)
            mine = numbers[keys % len(numbers)]
            keys = keys // len(numbers) * count + mine
            if (joined := self._joined(key, piece, [tensor[mine >= 0], keys[mine >= 0]])) is not None:
                self._show(site, *joined)
            return
        axes = self._axes.get(key)
        if axes is None:
            self._refuse(site)
        shown = [each for each in self._wide.pieces if each.last > each.first]
        if piece not in shown:
            return
        kind, dimension = axes
        tensor = self._cut(tensor, kind, dimension, piece, site)
        if len(shown) == 1:
            self._show(site, tensor)
            return
        parts = self._parts.setdefault(key, {})
        parts[piece.index] = tensor
        if len(parts) == len(shown):
            del self._parts[key]
            joined = torch.cat([parts[each.index] for each in shown], dimension)
            self._show(site, joined.flatten(0, 1) if kind == "flat" else joined)

    def chose(self, router, row, chosen, scores, piece):
        """As what a router has chosen for the tokens of a piece."""
        if self._wide is not None and piece is not None:
            numbers, _ = self._numbers(piece)
            numbers = numbers.to(chosen.device)
            joined = self._joined((router["name"], row), piece, [part[numbers >= 0] for part in (chosen, scores, numbers)])
            if joined is None:
                return
            order = joined[2].argsort()
            chosen, scores = joined[0][order], joined[1][order]
        self._chose(router, row, chosen, scores)

    def _numbers(self, piece):
        """Of each token of a piece its number among those of the micro-batch, -1 of others; how many these are."""
        shown = [(each.last - each.first, each.index) for each in self._wide.pieces]
        length, before = sum(count for count, _ in shown), sum(count for count, index in shown if index < piece.index)
        own = self._wide.rows.stop - self._wide.rows.start
        numbers = torch.full((len(self._wide.ids), piece.end - piece.begin), -1)
        mine = torch.arange(before, before + piece.last - piece.first)
        numbers[self._wide.rows, piece.first:piece.last] = torch.arange(own)[:, None] * length + mine
        return numbers.flatten(), own * length

    def _joined(self, key, piece, parts):
        """Tensors of rows of all pieces behind each other; None as long as some lack."""
        all_parts = self._parts.setdefault(key, {})
        all_parts[piece.index] = parts
        if len(all_parts) < len(self._wide.pieces):
            return None
        del self._parts[key]
        return [torch.cat([all_parts[each.index][i] for each in self._wide.pieces]) for i in range(len(parts))]

    @staticmethod
    def _refuse(site):
        raise Refused("invalid argument", f"{site['name']} ({site['pass']}): which part of it is of the compared sequences is not "
                                          "known, so that batch.* and input.generate cannot be followed; leave it out with "
                                          "capture.exclude")

    def _cut(self, tensor, kind, dimension, piece, site):
        length, sequences = piece.end - piece.begin, len(self._wide.ids)
        if kind == "flat":
            if len(tensor) != sequences * length:
                self._refuse(site)
            tensor = tensor.unflatten(0, (sequences, length))
            tensor = tensor[self._wide.rows, piece.first:piece.last]
            return tensor.flatten(0, 1) if sum(each.last > each.first for each in self._wide.pieces) == 1 else tensor
        if tensor.shape[dimension] != length:
            if site["pass"] != "forward" or tensor.shape[dimension] != piece.end:
                self._refuse(site)
            tensor = tensor.narrow(dimension, piece.begin, length)  # of all positions so far
        if kind == "pairs" and tensor.shape[-1] == piece.end:
            if len(self._wide.pieces) > 1:
                self._refuse(site)
            tensor = tensor[..., piece.first:piece.last]
        if kind == "table":
            tensor = tensor[self._wide.rows][:1] if len(tensor) > 1 else tensor
        else:
            tensor = tensor[self._wide.rows]
        return tensor.narrow(dimension, piece.first, piece.last - piece.first)
