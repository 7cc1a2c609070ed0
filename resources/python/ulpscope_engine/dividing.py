"""How the operations of a model that ranks divide are put together.

Nobody says it of operations. So it is tried: one rank computes a few tokens alone, and all ranks compute the same tokens. Where
what the ranks have gives the numbers of the one rank again it is known; what does not has no row.
"""
import json

import torch
import torch.distributed as dist
from torch.utils._python_dispatch import _disable_current_modes

from .placing import POSITIONS, Look
from .refused import Refused
from .running import PLAIN_PLAN
from .sharding import Shares, Sum, Whole, local_of
from .trying import Trial, tolerance_of

SEQUENCES = 5  # unlike the numbers of tensors that models pack into one
PACKED = 2, 3  # gate and up; queries, keys and values
# What a run of several ranks has in the place of the reference's.
OF_RANKS = ("ranks", "parallel", "launcher", "device", "threads", "lm_head", "rules", "compile", "quantization", "device_map")


def sequences_of(run):
    """Of the tokens that are tried."""
    return 2 * run["ranks"] if run["parallel"] == "fsdp" else SEQUENCES


def trial_of(listing, run):
    """The request of the reference, as ranks that divide the model as those of a run do compute it."""
    return listing | {key: run[key] for key in OF_RANKS} | {"wants": [], "batches": [], "kernels": False}


def layouts_of(model, parameters, request, part, known, alone=None):
    """{(row, pass): layout} of the operations of a run. `known`: by what was tried, as long as the processes of the ranks are there;
    `alone`: {(row, pass): Look} of one rank, which rank 0 has."""
    key = json.dumps(request["trial"], sort_keys=True)
    if key not in known:
        known[key] = Dividing(model, parameters, request, part, alone or {}).layouts()
    return known[key]


class Dividing:
    def __init__(self, model, parameters, request, part, alone):
        self._request = request["trial"] | {"group": request["group"]}
        self._sequences, self._tolerance = sequences_of(request), tolerance_of(request["trial"])
        self._model, self._parameters, self._part, self._alone = model, parameters, part, alone

    def layouts(self):
        shapes, told = {}, [None] * dist.get_world_size()
        self._try(lambda row, tensor, _: shapes.__setitem__(row, list(local_of(tensor).shape)))
        dist.all_gather_object(told, (shapes, {row: list(look.shape) for row, look in self._alone.items()}))
        wholes, each = told[0][1], [shapes for shapes, _ in told]
        common = set(wholes).intersection(*each)
        orders = [[row for row in shapes if row in common] for shapes in each]
        if any(order != orders[0] for order in orders):
            raise Refused("unsupported", f"python.ranks: {len(each)}: the ranks make the operations of this model in different orders, so "
                                         "that nobody puts them together; take capture.level: module")
        found = {}

        def see(row, tensor, _):
            if row in common:
                with _disable_current_modes():
                    found[row] = self._found(row, local_of(tensor), wholes[row], [shapes[row] for shapes in each])

        self._try(see)
        chosen = [found]
        dist.broadcast_object_list(chosen, 0)
        return {row: layout for row, layout in chosen[0].items() if layout is not None}

    def _try(self, seen):
        Trial(self._model, self._request, self._parameters, PLAIN_PLAN, seen, sequences=self._sequences, part=self._part)()

    def _found(self, row, tensor, whole, shapes):
        """The layout that gives the row of one rank; all ranks try the same ones."""
        likes = []
        for layout in self._layouts_like(whole, shapes):
            tried = layout.of(tensor, None)
            if tried is not None and Look(tried).is_like(self._alone[row], self._tolerance):
                likes.append(layout)
        return likes[0] if likes else None

    def _layouts_like(self, whole, shapes):
        if any(len(shape) != len(whole) for shape in shapes):
            return []
        different = [place for place in range(len(whole)) if any(shape[place] != whole[place] for shape in shapes)]
        if not different:
            return [Whole(), Sum()]
        extents = [shape[different[0]] for shape in shapes]
        if len(different) > 1 or sum(extents) != whole[different[0]] or 0 in extents:
            return []
        per_sequence = [self._sequences] if all(extent // self._sequences % POSITIONS for extent in extents) else []
        per_token = self._sequences * POSITIONS
        return [Shares(different[0], extents, blocks, blocks >= self._sequences)
                for blocks in (1, *PACKED, *per_sequence, per_token) if not any(extent % blocks for extent in extents)]
