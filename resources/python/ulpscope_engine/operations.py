"""Every operation that a pass makes, as torch dispatches it: what it gives, where it stands, and what it was made from."""
import bisect
import collections
import contextlib
import functools
import os
import sys

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode

from .refused import Refused

# What gives the numbers that it was given, in another place or another format: no rows, but followed.
MOVES = {"_to_copy", "clone", "copy", "copy_", "contiguous", "lift_fresh", "lift_fresh_copy", "detach_copy", "_pin_memory",
         "_reshape_copy", "set_", "resize_"}
# What gives numbers that depend on no tensor.
CONSTANTS = {"zeros_like", "ones_like", "full_like", "empty_like", "rand_like", "randn_like", "new_zeros", "new_ones",
             "new_full", "new_empty", "new_empty_strided", "fill", "fill_", "zero", "zero_"}
CASTS = {"_to_copy"}
# Of ranks, which hand each other what makes up the number of one rank.
COLLECTIVES = {"c10d", "_c10d_functional", "fsdp"}
# What torch.distributed puts around modules hands gradients on, as casts do.
HANDS_ON = CASTS | {"_ToTorchTensorBackward", "_FromTorchTensorBackward", "RedistributeBackward", "RegisterPostBackwardFunctionBackward"}
# What tells beside its result where that lay, for the backward pass.
MAXIMA = {"max", "min", "cummax", "cummin"}
TORCH = os.path.dirname(torch.__file__) + os.sep
DIVIDING = os.path.join(os.sep, "transformers", "distributed", "")  # what puts the parts of a model in the place of its modules
OWN = os.path.dirname((lambda: None).__code__.co_filename) + os.sep

Label = collections.namedtuple("Label", "name module line operation piece")  # of an operation of the forward pass


def tensors_in(value):
    """The tensors of what an operation was given or gave."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from tensors_in(part)
    elif isinstance(value, dict):
        yield from tensors_in(tuple(value.values()))


def is_number(tensor):
    return tensor.is_floating_point() and tensor.layout is torch.strided and tensor.numel() > 0


class Makers:
    """Of each storage the rows that made what it holds. Views share the storage of what they show."""

    def __init__(self):
        self._rows = {}

    @staticmethod
    def key(tensor):
        tensor = getattr(tensor, "_local_tensor", tensor)  # of torch's DTensor
        tensor = getattr(tensor, "elem", tensor)  # of a collective that need not be done yet
        try:
            return StorageWeakRef(tensor.untyped_storage())  # as long as it is held its number is given to no other
        except (NotImplementedError, RuntimeError):
            return None  # a tensor without a storage of its own

    def of(self, tensors):
        found = {}
        for tensor in tensors:
            found.update(dict.fromkeys(self._rows.get(self.key(tensor), ())))
        return tuple(found)

    def put(self, tensor, rows, keeps=False):
        """`keeps`: only a part of the storage was written."""
        key = self.key(tensor)
        if key is not None:
            self._rows[key] = tuple(dict.fromkeys((self._rows.get(key, ()) if keeps else ()) + tuple(rows)))

    def clear(self):
        self._rows.clear()


class Lines:
    """Where in the program an operation stands: the nearest line outside of torch."""

    def __init__(self):
        self._files = {}

    def here(self):
        frame = sys._getframe(2)
        while frame is not None:
            file = self._name(frame.f_code.co_filename)
            if file:
                return f"{file}:{frame.f_lineno}"
            frame = frame.f_back
        return ""

    def _name(self, path):
        """As one would import it where it is installed; empty: no program of a user's."""
        name = self._files.get(path)
        if name is None:
            if path.startswith((TORCH, OWN, "<")) or DIVIDING in path or os.path.basename(path) in ("contextlib.py", "functools.py"):
                name = ""
            else:
                roots = [root.rstrip(os.sep) + os.sep for root in sys.path if root and path.startswith(root)]
                packages = [root for root in roots if root.endswith(("site-packages" + os.sep, "dist-packages" + os.sep))]
                name = path[len(max(packages, key=len)):] if packages else path
            self._files[path] = name
        return name


class Operations(TorchDispatchMode):
    """Sees the operations of a run while it is entered; `show(site, tensor, piece)` is called with what each gives, and the piece
    of the micro-batch whose it is.

    Of the backward pass an operation belongs to the one of the forward pass whose gradient it computes: autograd numbers its
    nodes as the forward pass makes them.
    """

    supports_higher_order_operators = True

    def __init__(self, model, names, show, records=True):
        super().__init__()
        if not hasattr(torch._C._autograd, "_get_sequence_nr") or not hasattr(torch._C, "_current_autograd_node"):
            raise Refused("unsupported", f"capture.level: op needs torch 2.2 or later, and {sys.executable} has "
                                         f"{torch.__version__}")
        self._names, self._show, self._records = names, show, records
        self._reserved = {"embeddings", "norm", "logits", "loss"} | set(names.modules.values())
        for name in names.modules.values():
            self._reserved |= {name + ".cos", name + ".sin"}  # as rows of rotary embeddings are called
        self._parameters = {parameter: name for name, parameter in model.named_parameters()}
        self._lines, self._makers, self._is_apart = Lines(), Makers(), False
        self.graph = {}  # {(row, pass): (what it was made from, line)}
        self._handles, self._compiled = [], {}
        for module in model.ulpscope_inner:
            self._compiled[names.modules[module]] = module, module.forward
            module.forward = functools.partial(self._run_compiled, module.forward)
        for module, name in names.modules.items():
            if names.is_inside_compiled(module):
                continue  # hooks would cut its graph in pieces
            self._handles.append(module.register_forward_pre_hook(lambda *_, name=name: self._enter(name), prepend=True))
            self._handles.append(module.register_forward_hook(lambda *_: self._leave()))
        self.begin()

    def begin(self):
        """Another micro-batch: all is counted anew. The graph is that of the first."""
        self._records = self._records and not self.graph
        self._stack, self._calls, self._counts = [("", "")], collections.Counter(), collections.Counter()
        self._piece = None
        self._labels = {}  # of operations that autograd has a node of, by its number
        self._changes, self._places = [0], [("", "", None)]  # from which number on nodes are of which module and piece
        self._makers.clear()
        self._backward = None

    def begin_piece(self, piece):
        """Another piece of the micro-batch, whose calls and operations are counted anew."""
        self._piece = piece
        self._calls.clear()
        self._change()

    def close(self):
        for handle in self._handles:
            handle.remove()
        for module, forward in self._compiled.values():
            module.forward = forward

    def note(self, site, tensor):
        """A row that no operation is, as what a module gives."""
        key = site["name"], site["pass"]
        sources = self._makers.of([tensor])
        is_known = sources or site["pass"] != "parameter_gradient"  # FSDP adds those of ranks where nobody sees it
        if self._records and site["pass"] != "optimizer" and is_known:
            self.graph.setdefault(key, (sources, ""))
        if site.get("module") in self._compiled:
            self._makers.put(tensor, [key])

    def _run_compiled(self, forward, *arguments, **named):
        """What torch.compile made runs as it is, which it does where no mode is: its operations are none of ours."""
        sources = self._makers.of(tensors_in((arguments, named)))
        with self._left():
            result = forward(*arguments, **named)
        for tensor in tensors_in(result):
            self._makers.put(tensor, sources)
        return result

    @contextlib.contextmanager
    def _left(self):
        self.__exit__(None, None, None)
        try:
            yield
        finally:
            self.__enter__()

    def _is_compiled(self, node):
        return bool(self._compiled) and self._place_of(node._sequence_nr())[0] in self._compiled

    def made(self, tensor, rows):
        """What made a tensor that no operation gave."""
        self._makers.put(tensor, rows)

    @contextlib.contextmanager
    def apart(self):
        """What is done is none of the model's: it is followed, and no row."""
        before, self._is_apart = self._is_apart, True
        try:
            yield
        finally:
            self._is_apart = before

    @contextlib.contextmanager
    def backward(self, root):
        """While autograd goes back from a tensor."""
        self._backward = Backward(root.grad_fn) if root.grad_fn is not None else None
        if self._backward is not None and self._compiled:
            self._backward.leave(self._is_compiled, self._left, self._makers)
        try:
            yield
        finally:
            if self._backward is not None:
                self._backward.close()
            self._backward = None

    def _enter(self, name):
        call = self._calls[name] = self._calls[name] + 1
        self._move_to((name, f"{name}:{call}" if call > 1 else name), True)

    def _leave(self):
        self._move_to(None, False)

    def _move_to(self, place, is_deeper):
        if is_deeper:
            self._stack.append(place)
        else:
            self._stack.pop()
        self._change()

    def _change(self):
        self._changes.append(torch._C._autograd._get_sequence_nr())
        self._places.append((*self._stack[-1], self._piece))

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        inputs, outputs = list(tensors_in((args, kwargs))), list(tensors_in(result))
        self._see(func, inputs, outputs)
        return result

    def _see(self, func, inputs, outputs):
        name = getattr(func, "overloadpacket", func).__name__
        is_moved = name in MOVES
        if getattr(func, "namespace", "aten") != "aten":
            name, is_moved = f"{func.namespace}.{name}", func.namespace in COLLECTIVES
        storages = {Makers.key(tensor) for tensor in inputs}
        mutates = bool(getattr(getattr(func, "_schema", None), "is_mutable", False))
        label = self._label(name, inputs)
        if outputs and not mutates and all(Makers.key(tensor) in storages for tensor in outputs):
            return  # views
        if name in CONSTANTS or not inputs:
            for tensor in outputs:
                self._makers.put(tensor, (), keeps=mutates and tensor.untyped_storage().nbytes() > tensor.nbytes)
            return
        sources = self._makers.of(inputs)
        rows = list(self._rows(func, label, inputs, outputs)) if label is not None and not is_moved else []
        for tensor in outputs:
            if name == "copy_":
                sources = self._makers.of(inputs[1:])
                self._makers.put(tensor, sources, keeps=tensor.untyped_storage().nbytes() > tensor.nbytes)
            else:
                self._makers.put(tensor, [rows[0][0]] if rows else sources)
        for (row, which), tensor in rows:
            self._makers.put(tensor, [(row, which)])
            if self._records:
                self.graph.setdefault((row, which), (sources, label.line))
            self._show(self._site(row, which, label.module), self._shown(tensor), label.piece)

    @staticmethod
    def _shown(tensor):
        tensor = tensor.detach()
        return tensor if tensor.is_floating_point() else tensor.double()

    def _site(self, row, which, module):
        layer = self._names.layers.match(module) or self._names.inside.match(module)
        return {"name": row, "module": module, "layer": int(layer.group(1)) if layer else -1, "level": "op", "pass": which}

    def _rows(self, func, label, inputs, outputs):
        """((row, pass), tensor) of each tensor that an operation gives and that is shown."""
        which = "forward" if torch._C._current_autograd_node() is None else "backward"
        takes_numbers = any(tensor.is_floating_point() for tensor in inputs)
        returns = getattr(getattr(func, "_schema", None), "returns", [])
        for number, tensor in enumerate(outputs):
            part = returns[number].name if number < len(returns) else ""
            is_choice = tensor.dtype == torch.int64 and takes_numbers and label.operation not in MAXIMA and (
                part == "indices" or len(outputs) == 1)
            if is_number(tensor) or (is_choice and tensor.numel() > 0):
                yield (label.name if number == 0 else f"{label.name}.{part or number}", which), tensor

    def _label(self, operation, inputs):
        """What an operation is called; None: it is none of the model's."""
        if self._is_apart:
            if self._makes_node(operation, inputs):
                self._labels.setdefault(torch._C._autograd._get_sequence_nr() - 1, None)
            return None
        if self._backward is not None and self._backward.is_between:
            return self._label_of_sum(operation)
        node = torch._C._current_autograd_node()
        if node is not None:
            return self._label_in(node, operation)
        module, place = self._stack[-1]
        label = Label(self._counted(place, operation, self._piece), module, self._lines.here(), operation, self._piece)
        if self._makes_node(operation, inputs):
            self._labels.setdefault(torch._C._autograd._get_sequence_nr() - 1, label)
        return label

    @staticmethod
    def _makes_node(operation, inputs):
        """Whether autograd has just made a node for an operation."""
        return torch.is_grad_enabled() and operation != "detach" and any(tensor.requires_grad for tensor in inputs)

    def _label_in(self, node, operation):
        """An operation of the backward pass, within a node of autograd's."""
        if hasattr(node, "variable"):
            return None  # adds to the gradient of a parameter
        forward = self._label_of(node)
        return forward and forward._replace(name=self._counted(forward.name, operation, forward.piece), operation=operation)

    def _label_of(self, node):
        """The operation of the forward pass that a node of autograd's belongs to; None: one that was done apart, or compiled."""
        number = node._sequence_nr()
        if self._is_compiled(node):
            return None
        if number not in self._labels:
            # Of functions in Python, whose operations autograd does not see.
            module, place, piece = self._place_of(number)
            self._labels[number] = Label(self._counted(place, node.name(), piece), module, "", node.name(), piece)
        return self._labels[number]

    def _place_of(self, number):
        """(module, module and call, piece) that a node of autograd's was made in."""
        return self._places[bisect.bisect_right(self._changes, number) - 1]

    def _label_of_sum(self, operation):
        """Between nodes autograd adds up gradients with respect to what several have read. The last sum is a row."""
        if operation not in ("add", "add_"):
            return None
        node = self._backward.next_sum(self._hands_on)
        if node is None:
            return None
        if hasattr(node, "variable"):
            name = self._parameters.get(node.variable, "")
            return Label(self._free(f"{name}.grad"), name.rpartition(".")[0], "", operation, None) if name else None
        forward = self._label_of(node)
        return forward and forward._replace(name=self._counted(forward.name, "grad", forward.piece), operation=operation)

    def _hands_on(self, node):
        label = self._label_of(node)
        return label is not None and label.operation in HANDS_ON

    def _counted(self, place, operation, piece):
        name = self._free(f"{place}.{operation}" if place else operation)
        count = self._counts[name, piece] = self._counts[name, piece] + 1
        return name if count == 1 else f"{name}:{count}"

    def _free(self, name):
        """Modules keep their names."""
        return name if name not in self._reserved else name + "()"


class Backward:
    """Which sums autograd makes between the nodes of a graph."""

    def __init__(self, root):
        self._nodes, self._edges, self._handles = [root], [], []
        numbers = {root: 0}
        self._missing = collections.Counter()  # gradients that have not come yet, by (node, number of its output)
        while len(self._edges) < len(self._nodes):
            node, edges = self._nodes[len(self._edges)], []
            for following, output in node.next_functions:
                if following is None:
                    edges.append(None)
                    continue
                if following not in numbers:
                    numbers[following] = len(self._nodes)
                    self._nodes.append(following)
                edges.append((numbers[following], output))
                self._missing[edges[-1]] += 1
            self._edges.append(edges)
        self._readers = dict(self._missing)
        self._there, self._sums = set(), collections.deque()
        self.is_between = True  # no node is at work
        for number, node in enumerate(self._nodes):
            self._handles.append(node.register_prehook(self._begins))
            self._handles.append(node.register_hook(lambda sent, _, number=number: self._sent(number, sent)))

    def close(self):
        for handle in self._handles:
            handle.remove()
        self._nodes.clear()

    def leave(self, is_left, left, makers):
        """Around nodes whose operations are none of the model's."""
        for node in filter(is_left, self._nodes):
            entered = {}

            def begins(gradients, entered=entered):
                entered["sources"] = makers.of(tensors_in(gradients))
                entered["left"] = left()
                entered["left"].__enter__()

            def ends(sent, _, entered=entered):
                entered["left"].__exit__(None, None, None)
                for tensor in tensors_in(sent):
                    makers.put(tensor, entered["sources"])

            self._handles += [node.register_prehook(begins), node.register_hook(ends)]

    def _begins(self, _):
        self.is_between = False

    def _sent(self, number, gradients):
        """A node is done: what it sends is added to what others have sent, in this order."""
        self.is_between = True
        self._sums.clear()
        for edge, gradient in zip(self._edges[number], gradients):
            if edge is None:
                continue
            self._missing[edge] -= 1
            if gradient is None:
                continue
            if edge in self._there:
                self._sums.append((edge, self._missing[edge] == 0))
            self._there.add(edge)

    def next_sum(self, hands_on):
        """The node whose whole gradient the sum that is made now is; None: it is a part, or that of a cast among others."""
        if not self._sums:
            return None
        edge, is_whole = self._sums.popleft()
        while is_whole and not hasattr(self._nodes[edge[0]], "variable") and hands_on(self._nodes[edge[0]]):
            edge = self._edges[edge[0]][0]
            is_whole = edge is not None and self._readers[edge] == 1
        return self._nodes[edge[0]] if is_whole else None
