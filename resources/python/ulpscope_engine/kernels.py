"""Which kernels torch.compile made, and for which rows they ran: those of the compiled layers, or of the whole model.

Inductor writes each graph that it compiles as a program in Python, which calls its kernels one after the other and says of what
operations they were made. Which graph runs is seen where torch calls it, whether it was just made or comes from a cache.
"""
import bisect
import contextlib
import os
import re
import sys

import torch

_KERNEL = re.compile(r"\s*(?:[\w, ]+ = )?(?:(cpp_\w+|triton_\w+)(?:\.run)?|(extern_kernels\.\w+|torch\.ops\.[\w.]+))\(")
_ORIGIN = re.compile(r"# .*Original ATen: \[(.*?)\]")
_DEFINED = re.compile(r"(?m)^(\w+) = async_compile\.")


def kernels_in(program, place):
    """The kernels that a program of inductor's calls: 'name [operations; file]'. On the CPU the name alone says the operations."""
    made, found, origin = set(_DEFINED.findall(program)), [], ""
    for line in program[program.find("def call("):].splitlines():
        if line.startswith("def ") and found:
            break  # what measures the program
        if told := _ORIGIN.search(line):
            origin = told.group(1)
        elif called := _KERNEL.match(line):
            own, other = called.groups()
            if own in made or other:
                about = "; ".join(filter(None, (origin, place if own else "")))
                name = own or other.removeprefix("torch.ops.")
                found.append(f"{name} [{about}]" if about else name)
                origin = ""
    return list(dict.fromkeys(found))


def file_of(function, depth=4):
    """Where the program of a compiled graph lies, which torch may have wrapped; empty: not found."""
    function = getattr(function, "__func__", function)
    path = getattr(function, "__globals__", {}).get("__file__", "")
    if "async_compile" in getattr(function, "__globals__", {}) or "extern_kernels" in getattr(function, "__globals__", {}):
        return path
    for cell in (getattr(function, "__closure__", None) or ()) if depth else ():
        inner = cell.cell_contents
        if callable(inner) and (found := file_of(inner, depth - 1)):
            return found
    return ""


class Kernels:
    """Sees the compiled graphs of a run while it is entered."""

    def __init__(self, model, names):
        self._names, self._handles, self._programs = names, [], {}
        self._running, self._calls = [], {}
        self._rows = {"forward": {}, "backward": {}}  # {row: kernels}
        self._changes, self._places = [0], [None]  # from which number of autograd's nodes on they are of which row
        whole = names.compiled == "model"
        for module, name in names.modules.items():
            if module is model if whole else names.is_layer(name):
                self._handles.append(module.register_forward_pre_hook(lambda *_, name=name: self._enter(name)))
                self._handles.append(module.register_forward_hook(lambda *_: self._leave()))

    def begin(self, is_first_piece=True):
        """Another micro-batch, or piece of it: the last ones are shown."""
        self._calls.clear()
        self._rows["forward"].clear()
        if is_first_piece:
            self._rows["backward"].clear()

    @contextlib.contextmanager
    def watching(self):
        from torch._inductor.output_code import CompiledFxGraph
        call = CompiledFxGraph.__call__

        def watched(graph, inputs):
            self._see(graph)
            return call(graph, inputs)

        CompiledFxGraph.__call__ = watched
        try:
            yield
        finally:
            CompiledFxGraph.__call__ = call
            for handle in self._handles:
                handle.remove()

    def record(self):
        """As Ulpscope reads it."""
        names = {}
        rows = {which: {row: [names.setdefault(kernel, len(names)) for kernel in kernels] for row, kernels in shown.items()}
                for which, shown in self._rows.items()}
        return {"names": list(names)} | rows

    def _enter(self, name):
        call = self._calls[name] = self._calls.get(name, 0) + 1
        row = "logits" if self._names.compiled == "model" else self._names.site(name, "forward", call=call)["name"]
        self._running.append(row)
        self._change(row)

    def _leave(self):
        self._running.pop()
        self._change(self._running[-1] if self._running else None)

    def _change(self, row):
        self._changes.append(torch._C._autograd._get_sequence_nr())
        self._places.append(row)

    def _see(self, graph):
        node = torch._C._current_autograd_node()
        if node is None:
            which, row = "forward", self._running[-1] if self._running else None
        else:
            which, row = "backward", self._places[bisect.bisect_right(self._changes, node._sequence_nr()) - 1]
        if row is not None:
            shown = self._rows[which].setdefault(row, {})
            shown.update(dict.fromkeys(self._kernels_of(graph)))

    def _kernels_of(self, graph):
        key = id(graph)
        if key not in self._programs:
            path = file_of(graph.current_callable)
            place = os.sep.join(path.split(os.sep)[-2:])
            self._programs[key] = graph, kernels_in(getattr(graph, "source_code", "") or "", place)
        return self._programs[key][1]


def kernels_seen(model, names):
    """Of a model that inductor compiles; None where there are none, or this torch does not show them."""
    shows = hasattr(torch._C, "_current_autograd_node") and hasattr(torch._C._autograd, "_get_sequence_nr")
    if not names.compiled or model.ulpscope_backend != "inductor" or not shows:
        return None
    try:
        from torch._inductor.output_code import CompiledFxGraph  # noqa: F401
    except ImportError:
        print("torch._inductor shows no compiled graphs: no kernels are recorded", file=sys.stderr)
        return None
    return Kernels(model, names)
