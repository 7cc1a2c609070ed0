"""How partial sums of ranks are added: the order and the format of the sums is a lever."""
import contextlib
from unittest import mock

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as functional
from torch.distributed import distributed_c10d
from torch.utils._python_dispatch import _disable_current_modes

ORDERS = ("default", "rank_order", "reversed", "tree", "float32", "float64")


def added(parts, order):
    """The sum of one tensor of each rank.

    rank_order: ((r0 + r1) + r2) + …, each sum rounded to the format of the parts; reversed: begins with the last rank;
    tree: (r0 + r1) + (r2 + r3) …, pair by pair until one is left; float32, float64: in rank order in that format, rounded once.
    """
    if order == "tree":
        while len(parts) > 1:
            pairs = [first + second for first, second in zip(parts[::2], parts[1::2])]
            parts = pairs + ([parts[-1]] if len(parts) % 2 else [])
        return parts[0]
    wide = getattr(torch, order) if order in ("float32", "float64") else parts[0].dtype
    total, *others = (part.to(wide) for part in (parts[::-1] if order == "reversed" else parts))
    for part in others:
        total = total + part
    return total.to(parts[0].dtype)


def parts_of_ranks(tensor, group=None):
    """The tensor of each rank, bit for bit, in every format that torch has."""
    own = tensor.detach().contiguous().view(-1).view(torch.uint8)
    parts = [torch.empty_like(own) for _ in range(dist.get_world_size(group))]
    dist.all_gather(parts, own, group=group)
    return [part.view(tensor.dtype).view(tensor.shape) for part in parts]


class _Orders:
    """Collectives that add, in the place of those of torch."""

    def __init__(self, order):
        self._order, self._all_reduce, self._reduce_scatter = order, functional.all_reduce, functional.reduce_scatter_tensor
        self._in_place, self._scatter_in_place = distributed_c10d.all_reduce, distributed_c10d.reduce_scatter_tensor

    def _sum(self, tensor, group, is_mean):
        result = tensor.clone()  # whoever watches operations sees what is made of what, and not how it is added
        with _disable_current_modes():
            total = added(parts_of_ranks(tensor, group), self._order)
            return result.copy_(total / dist.get_world_size(group) if is_mean else total)

    def all_reduce(self, tensor, reduceOp, group, tag=""):
        if reduceOp not in ("sum", "avg"):
            return self._all_reduce(tensor, reduceOp, group, tag)
        return self._sum(tensor, _group_of(group, tag), reduceOp == "avg")

    def reduce_scatter_tensor(self, tensor, reduceOp, scatter_dim, group, tag=""):
        if reduceOp not in ("sum", "avg"):
            return self._reduce_scatter(tensor, reduceOp, scatter_dim, group, tag)
        group = _group_of(group, tag)
        total = self._sum(tensor, group, reduceOp == "avg")
        return total.chunk(dist.get_world_size(group), scatter_dim)[dist.get_rank(group)].contiguous()

    def all_reduce_in_place(self, tensor, op=dist.ReduceOp.SUM, group=None, async_op=False):
        if op not in (dist.ReduceOp.SUM, dist.ReduceOp.AVG) or async_op:
            return self._in_place(tensor, op, group, async_op)
        with torch.no_grad():
            tensor.copy_(self._sum(tensor, group, op == dist.ReduceOp.AVG))
        return None

    def reduce_scatter_in_place(self, output, input, op=dist.ReduceOp.SUM, group=None, async_op=False):
        if op not in (dist.ReduceOp.SUM, dist.ReduceOp.AVG) or async_op:
            return self._scatter_in_place(output, input, op, group, async_op)
        total = self._sum(input, group, op == dist.ReduceOp.AVG)
        with torch.no_grad():
            output.copy_(total.view(-1, *output.shape)[dist.get_rank(group)])
        return None


def _group_of(group, tag):
    return distributed_c10d._resolve_process_group(functional._resolve_group_name(group, tag))


@contextlib.contextmanager
def reducing(order):
    """Sums of ranks are added in this order within."""
    if order == "default":
        yield
        return
    orders = _Orders(order)
    with contextlib.ExitStack() as stack:
        for module, name, function in (
                (functional, "all_reduce", orders.all_reduce), (functional, "reduce_scatter_tensor", orders.reduce_scatter_tensor),
                (dist, "all_reduce", orders.all_reduce_in_place), (distributed_c10d, "all_reduce", orders.all_reduce_in_place),
                (dist, "reduce_scatter_tensor", orders.reduce_scatter_in_place),
                (distributed_c10d, "reduce_scatter_tensor", orders.reduce_scatter_in_place)):
            stack.enter_context(mock.patch.object(module, name, function))
        yield
