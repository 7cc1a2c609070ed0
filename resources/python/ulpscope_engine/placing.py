"""Which part of an operation's result is of the compared sequences, where a batch holds others, padding, or comes in pieces.

Nobody says it of operations: they fold sequences with heads, sum over tokens, or have as many keys as went before. So it is
tried: the reference computes a few tokens alone, and the same tokens in such a batch. What then can be cut and joined so that the
same numbers come out is known; what cannot has no row.
"""
import itertools
import math

import torch

SEQUENCES, POSITIONS = 2, 19  # of the tokens that are tried, unlike the extents of models
AMONG = 5  # sequences of the batch
LOOKED_AT = 4096  # elements of a tensor
ORDERS = 24  # of the factors of its dimensions, that are tried


class Look:
    """Some elements of a tensor, that tell whether another is the same but for rounding."""

    def __init__(self, tensor):
        self.shape = tensor.shape
        flat = tensor.reshape(-1)
        if flat.numel() > LOOKED_AT:
            flat = flat[torch.linspace(0, flat.numel() - 1, LOOKED_AT, dtype=torch.float64).long().to(flat.device)]
        self.elements = flat.double().cpu()

    def is_like(self, other, tolerance):
        if self.shape != other.shape:
            return False
        mine, others = self.elements, other.elements
        is_same = (mine == others) | (mine.isnan() & others.isnan())
        if is_same.all():
            return True
        if not (mine[~is_same].isfinite().all() and others[~is_same].isfinite().all()):
            return False
        size = mine[mine.isfinite()].norm()
        return bool((mine - others)[~is_same].norm() <= tolerance * size)


class Placed:
    """How the dimensions of a row are made up: each of "k", a constant, "b" sequences, "t" positions, in an order. "o": of all
    sequences, where it is one alone, since those that are padded alike have the same."""

    def __init__(self, orders):
        self.orders = orders  # by dimension, as "k", "btk", "tb"

    @property
    def joined(self):
        """The dimensions that hold positions."""
        return [number for number, order in enumerate(self.orders) if "t" in order]

    def cut(self, tensor, sequences, wide_rows, length, piece):
        """The numbers of the compared sequences, each order a dimension of its own; None: it has another shape."""
        shape, narrowed = [], []
        for extent, order in zip(tensor.shape, self.orders):
            factors = {"b": sequences, "o": sequences, "t": length}
            known = math.prod(factors[name] for name in order if name != "k")
            factors["k"] = extent // known
            if extent != math.prod(factors[name] for name in order):
                return None
            for name in order:
                if name in "bo":
                    narrowed.append((len(shape), wide_rows.start, wide_rows.stop - wide_rows.start if name == "b" else 1))
                elif name == "t":
                    narrowed.append((len(shape), piece.first, piece.last - piece.first))
                shape.append(factors[name])
        tensor = tensor.reshape(shape)
        for dimension, first, count in narrowed:
            tensor = tensor.narrow(dimension, first, count)
        return tensor

    def put_together(self, parts):
        """The parts of all pieces as one tensor; the last where they hold no positions."""
        whole = parts[-1]
        if len(parts) > 1 and self.joined:
            names = "".join(self.orders)
            whole = torch.cat(parts, names.index("t"))
        shape, number = [], 0
        for order in self.orders:
            shape.append(math.prod(whole.shape[number:number + len(order)]))
            number += len(order)
        return whole.reshape(shape)


def orders_of(shape, parts):
    """Ways in which the dimensions of a row may be made up, likely ones first: `shape` of the tokens alone, `parts` of
    (shape, piece) in the batch."""
    if any(len(part) != len(shape) for part, _ in parts):
        return
    found = []
    for number, extent in enumerate(shape):
        others = [(part[number], piece.end - piece.begin) for part, piece in parts]
        if all(other == extent for other, _ in others):
            found.append(["k"])
        elif extent == 1 and all(other == AMONG for other, _ in others):
            found.append(["o"])
        elif extent % SEQUENCES == 0 and all(other * SEQUENCES == extent * AMONG for other, _ in others):
            found.append(["bk", "kb"] if extent > SEQUENCES else ["b"])
        elif extent % POSITIONS == 0 and all(other * POSITIONS == extent * length for other, length in others):
            found.append(["tk", "kt"] if extent > POSITIONS else ["t"])
        elif all(other * SEQUENCES * POSITIONS == extent * AMONG * length for other, length in others):
            is_alone = extent == SEQUENCES * POSITIONS
            found.append(["bt", "tb"] if is_alone else ["btk", "kbt", "tbk", "ktb", "bkt", "tkb"])
        else:
            return
    for orders in itertools.islice(itertools.product(*found), ORDERS):
        placed = Placed(orders)
        if len(parts) == 1 or len(placed.joined) <= 1:
            yield placed


class Parts:
    """Of operations what each piece has made. What is added may be written over later."""

    def __init__(self, wide):
        self.wide, self._parts = wide, {}
        self.pieces = [each for each in wide.pieces if each.last > each.first]

    def add(self, key, piece, tensor):
        """(piece, tensor) of all pieces in their order, None as long as some lack."""
        if piece not in self.pieces:
            return None
        parts = self._parts.setdefault(key, {})
        parts[piece.index] = piece, tensor.clone() if len(self.pieces) > 1 and isinstance(tensor, torch.Tensor) else tensor
        if len(parts) < len(self.pieces):
            return None
        return [part for _, part in sorted(self._parts.pop(key).items())]

    def cut(self, placed, piece, tensor):
        return placed.cut(tensor, len(self.wide.ids), self.wide.rows, piece.end - piece.begin, piece)


class Rows:
    """Shows operations of a run as they are of the compared sequences. `places`: {(row, pass): Placed}."""

    def __init__(self, places):
        self._places, self.parts = places, None

    def begin(self, wide):
        self.parts = Parts(wide) if wide is not None else None

    def whole(self, key, tensor, piece):
        """(whether its place is known, what is to be shown now or None)"""
        if self.parts is None or piece is None:
            return True, tensor
        placed = self._places.get(key)
        part = placed and self.parts.cut(placed, piece, tensor)
        if part is None:
            return False, None
        made = self.parts.add(key, piece, part)
        return True, None if made is None else placed.put_together([part for _, part in made])
