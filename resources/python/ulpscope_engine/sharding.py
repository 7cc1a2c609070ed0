"""Whole tensors of a model that ranks divide: what a rank has of each row is found out by a pass over a few tokens."""
import torch
import torch.distributed as dist

from .recomputing import activations_kept
from .refused import Refused
from .watching import Names, Observation, parameter_site

EQUAL = 1e-3  # of the sum of magnitudes: ranks that compute the same need not have the same bits on every machine


def is_divided(tensor):
    return hasattr(tensor, "full_tensor")  # torch's DTensor


def local_of(tensor):
    """What this rank has of it; of tokens that another rank looks up in its part of a table zero, as torch makes it later."""
    if not is_divided(tensor):
        return tensor
    local = tensor.to_local()
    for mask in (getattr(placement, "mask_buffer", None) for placement in tensor.placements):
        if mask is not None and mask.data is not None:
            local = local.clone()
            mask.apply_mask(local)
    return local


def print_of(tensor):
    """Numbers by which ranks tell whether they have the same tensor."""
    flat = tensor.detach().double().flatten()
    places = torch.arange(flat.numel(), dtype=torch.float64, device=flat.device).cos()
    return [flat.abs().sum().item(), flat.sum().item(), (flat * places).sum().item()]


def are_equal(prints):
    scale = max(each[0] for each in prints)
    return not any(abs(one - other) > EQUAL * scale for each in prints[1:] for one, other in zip(each, prints[0]))


class Whole:
    """Every rank has all of it."""

    def of(self, tensor, _):
        return tensor if dist.get_rank() == 0 else None


class Sum:
    """Every rank has a part of the sum, which is made as python.reduce says."""

    def of(self, tensor, _):
        total = tensor.detach().clone(memory_format=torch.contiguous_format)
        dist.all_reduce(total)
        return total if dist.get_rank() == 0 else None


class Shares:
    """Every rank has some of a dimension, of each of the blocks that the dimension is made of. What is of tokens is as long as
    there are tokens, and `counts_tokens`: there are as many blocks."""

    def __init__(self, dimension, extents, blocks=1, counts_tokens=False):
        self._dimension, self._extents, self._blocks, self._counts_tokens = dimension, extents, blocks, counts_tokens

    def of(self, tensor, _):
        place, known = self._dimension, self._extents[dist.get_rank()]
        here = tensor.shape[place]
        extents = self._extents if here == known else [extent * here // known for extent in self._extents]
        blocks = self._blocks * here // known if self._counts_tokens else self._blocks
        shape = list(tensor.shape)
        parts = gathered(tensor, [[*shape[:place], extent, *shape[place + 1:]] for extent in extents])
        if parts is None or blocks == 1:
            return parts and torch.cat(parts, place)
        return torch.cat([part.unflatten(place, (blocks, -1)) for part in parts], place + 1).flatten(place, place + 1)


class Unknown:
    def __init__(self, whole, shapes):
        self._whole, self._shapes = whole, shapes

    def of(self, _, site):
        raise Refused("invalid argument", f"python.ranks: {site['name']} ({site['pass']}) is {self._whole} on one rank and "
                                          f"{' and '.join(map(str, self._shapes))} on the ranks, which is no division that Ulpscope "
                                          "puts together; leave the row out with capture.exclude")


def gathered(tensor, shapes):
    """The tensors of all ranks on rank 0, elsewhere None."""
    own = tensor.detach().contiguous().view(-1).view(torch.uint8)
    sizes = [torch.Size(shape).numel() * tensor.element_size() for shape in shapes]
    padded = torch.nn.functional.pad(own, (0, max(sizes) - own.numel()))
    parts = [torch.empty_like(padded) for _ in sizes] if dist.get_rank() == 0 else None
    if max(sizes) > 0:
        dist.gather(padded, parts, dst=0)
    return parts and [part[:size].view(tensor.dtype).view(shape) for part, size, shape in zip(parts, sizes, shapes)]


def full_of(tensor):
    """What torch's full_tensor() gives, on rank 0; also of parameters packed of several, each of which is divided, of which torch
    2.11 says that it cannot."""
    placement = tensor.placements[0]
    packed = getattr(placement, "split_factor", 0)
    if len(tensor.placements) > 1 or not packed:
        full = tensor.full_tensor()
        return full if dist.get_rank() == 0 else None
    local = tensor.to_local()
    shapes = [None] * dist.get_world_size()
    dist.all_gather_object(shapes, list(local.shape))
    parts = gathered(local, shapes)
    return parts and torch.cat([piece for pieces in zip(*(part.chunk(packed, placement.dim) for part in parts)) for piece in pieces],
                               placement.dim)


def layout_of(whole, shapes, prints, is_keyed):
    """What ranks have of a tensor of shape `whole`. Rows of experts are as many as tokens that chose them."""
    first, begin = shapes[0], 1 if is_keyed else 0
    if any(len(shape) != len(whole) for shape in shapes):
        return Unknown(whole, shapes)
    different = [place for place in range(begin, len(whole)) if any(shape[place] != whole[place] for shape in shapes)]
    if not different:
        return Whole() if are_equal(prints) else Sum()
    place = different[0]
    extents = [shape[place] for shape in shapes]
    is_understood = len(different) == 1 and sum(extents) == whole[place] and all(
        shape[:place] + shape[place + 1:] == first[:place] + first[place + 1:] for shape in shapes)
    return Shares(place, extents) if is_understood else Unknown(whole, shapes)


class Part:
    """What one process does of a run of several ranks."""

    def __init__(self, sites):
        self._shapes = {(site["name"], site["pass"]): site["shape"] for site in sites if "shape" in site}
        self._layouts = {}
        self.operations = {}  # {(row, pass): layout}, of all that can be put together

    def learn(self, model, module, tokens):
        """Before the first run of a model that was loaded: what the ranks have of each row."""
        if not hasattr(module, "ulpscope_layouts"):
            module.ulpscope_layouts = self._learnt(model, module, tokens)
        self._layouts = module.ulpscope_layouts

    def _learnt(self, model, module, tokens):
        seen, names = {}, Names(module)

        def see(site, tensor, _, keys):
            if not is_divided(tensor):
                seen[site["name"], site["pass"]] = (list(tensor.shape), print_of(tensor), keys is not None)

        observation = Observation(module, names, lambda site: True, see, True)
        try:
            with torch.enable_grad(), activations_kept():
                model.any_loss(module, tokens).backward()
            observation.end()
            for name, parameter in module.named_parameters():
                if parameter.grad is not None:
                    site = parameter_site(names, name)
                    self._shapes[site["name"], site["pass"]] = list(parameter.shape)
                    see(site, parameter.grad, None, None)
        finally:
            observation.close()
            module.zero_grad(set_to_none=True)
        ranks = [None] * dist.get_world_size()
        dist.all_gather_object(ranks, seen)
        layouts = {}
        for key, (_, _, is_keyed) in seen.items():
            each = [rank.get(key) for rank in ranks]
            if all(each) and key in self._shapes:
                layouts[key] = layout_of(self._shapes[key], [part[0] for part in each], [part[1] for part in each], is_keyed)
        return layouts

    def batches(self, messages):
        """What this rank computes of the micro-batches of a run."""
        return messages

    def whole(self, site, tensor, keys=None):
        """The tensor of the whole model on rank 0; None on the others, which all call this."""
        if is_divided(tensor):
            return full_of(tensor)
        layout = self._layouts.get((site["name"], site["pass"]), Whole())
        return layout.of(tensor, site)

    def operation(self, row, tensor):
        """(whether its layout is known, the tensor of the whole model on rank 0, else None)"""
        layout = self.operations.get(row)
        return layout is not None, layout and layout.of(local_of(tensor), None)

    def all(self, tensor):
        """Logits of all sequences, on rank 0."""
        return tensor

    def choices(self, *tensors):
        """Of routers, likewise."""
        return tensors

    def handed(self, gradient, logits):
        """What of the gradient of all logits, which rank 0 has, is that of this rank's."""
        return shared(torch.empty_like(logits) if gradient is None else gradient)


class SequencesPart(Part):
    """The same where ranks divide the sequences of each micro-batch, and put parameters together for each layer (FSDP 2)."""

    def __init__(self, sites):
        super().__init__(sites)
        self._axes = {(site["name"], site["pass"]): site.get("axes") for site in sites}
        self._width = 0

    def learn(self, model, module, tokens):
        for part in module.modules():
            if hasattr(part, "set_gradient_divide_factor"):
                # Gradients are sums over the ranks: the loss is that of all sequences.
                part.set_gradient_divide_factor(1.0)
                part.set_force_sum_reduction_for_comms(True)

    def batches(self, messages):
        return [self._share(message) for message in messages]

    def _share(self, message):
        ranks, rank = dist.get_world_size(), dist.get_rank()
        if message["positions"] or message["padding"]:
            raise Refused("invalid argument", "python.parallel: fsdp: input.documents and input.padding make of several sequences one, which "
                                              "ranks cannot divide; take tensor")
        if message["batch"] % ranks:
            raise Refused("invalid argument", f"python.ranks: {ranks} does not divide the {message['batch']} sequences of a micro-batch, as "
                                              "python.parallel: fsdp does; set input.micro_batch_size")
        self._width = message["batch"] // ranks
        length = message["length"] + 1
        ids = message["ids"][rank * self._width * length:(rank + 1) * self._width * length]
        return message | {"ids": ids, "batch": self._width}

    def whole(self, site, tensor, keys=None):
        if is_divided(tensor):
            return full_of(tensor)
        if keys is not None:
            raise Refused("invalid argument", f"python.parallel: fsdp: {site['name']} has rows of experts, which are not put together of "
                                              "several ranks; leave it out with capture.exclude, or take tensor")
        axes = self._axes.get((site["name"], site["pass"]))
        if axes is None:
            raise Refused("invalid argument", f"python.parallel: fsdp: which part of {site['name']} is of which sequences is not known; leave "
                                              "it out with capture.exclude")
        return Whole().of(tensor, site) if axes[0] == "table" else self.all(tensor)

    def all(self, tensor):
        parts = gathered(tensor, [tensor.shape] * dist.get_world_size())
        return parts and torch.cat(parts)

    def choices(self, *tensors):
        return [self.all(tensor) for tensor in tensors]

    def handed(self, gradient, logits):
        ranks = dist.get_world_size()
        whole = torch.empty((ranks * len(logits), *logits.shape[1:]), dtype=logits.dtype, device=logits.device)
        return shared(whole if gradient is None else gradient)[dist.get_rank() * len(logits):][:len(logits)]


def shared(tensor):
    """The same numbers on all ranks, which are those of rank 0."""
    raw = tensor.contiguous().view(-1).view(torch.uint8)
    dist.broadcast(raw, 0)
    return raw.view(tensor.dtype).view(tensor.shape)


class Alone:
    """Of a run on one rank."""

    def learn(self, model, module, tokens):
        pass

    def batches(self, messages):
        return messages

    def whole(self, site, tensor, keys=None):
        return tensor

    def operation(self, row, tensor):
        return True, tensor

    def all(self, tensor):
        return tensor

    def choices(self, *tensors):
        return tensors

    def handed(self, gradient, logits):
        return gradient


def part_of(run, sites):
    return (SequencesPart if run["parallel"] == "fsdp" else Part)(sites)
