"""Records forward and backward of chosen modules of a PyTorch program for Ulpscope.

Copy this file into a project; it needs torch (2.1 or later) and nothing else.

    from ulpscope_recorder import Recorder
    with Recorder(model, "dump", modules=r"layers\\.\\d+\\.(mlp|self_attn)$", steps=range(0, 100, 10)) as recorder:
        for batch in batches:
            with recorder.step():
                model(**batch).loss.backward()

Nothing changes the numbers of the program: modules are observed by forward hooks, gradients by hooks on
the nodes that autograd makes anyway, so that the graph has no node more. `dump` holds a folder
step{N}/rank{R} with index.jsonl (one line a call, in the order of execution) and tensors-{K}.safetensors.
"""
import collections
import contextlib
import ctypes
import itertools
import json
import math
import os
import platform
import re
import struct
import sys
import threading
import time
import warnings

import torch
from torch.optim.optimizer import register_optimizer_step_pre_hook

SCHEMA = "ulpscope.recording/1"
_FILE_BYTES = 1 << 30  # a file of tensors is closed when it is as large
_HEADER_BYTES = 1 << 18  # kept free at the front of a file for its header, which grows with the tensors
_QUEUE_BYTES = 1 << 30  # what waits to be written; the program waits beyond it
_CHUNK = {"cpu": 1 << 18, "cuda": 1 << 26}  # elements of which statistics are taken at once
_SAFETENSORS = {
    getattr(torch, name): stored for name, stored in (
        ("float64", "F64"), ("float32", "F32"), ("float16", "F16"), ("bfloat16", "BF16"), ("int64", "I64"),
        ("int32", "I32"), ("int16", "I16"), ("int8", "I8"), ("uint8", "U8"), ("bool", "BOOL"),
        ("float8_e4m3fn", "F8_E4M3"), ("float8_e5m2", "F8_E5M2")) if hasattr(torch, name)
}
_NEVER_CALLED = (torch.jit.ScriptModule, torch.nn.ModuleList, torch.nn.ModuleDict, torch.nn.ParameterList,
                 torch.nn.ParameterDict)
_WRAPPERS = re.compile(r"(^|\.)(_checkpoint_wrapped_module|_fsdp_wrapped_module|_orig_mod)(?=\.|$)")


class Recorder:
    """Records while it is entered (`with`), once.

    model           torch.nn.Module; a DistributedDataParallel around it is looked through
    folder          of the dump; every rank writes a part of its own. What is there is never overwritten
    modules         regular expression that is searched in the modules' names; None: every module below the model
    backward        gradients that arrive at the outputs of a module and leave through its inputs, too
    parameters      "gradients": of the parameters of the chosen modules and of those below them, as they are when
                    an optimizer steps, or when the step ends; None: not
    steps           numbers of the steps to record (a range, a set); None: all
    max_bytes       of elements that this rank writes; from there on only statistics are kept
    statistics_only maximum, minimum, mean, L2 norm and counts of NaN and infinities, no elements
    stack           record from where a module was called
    rank            None: of torch.distributed, else of the environment variable RANK, else 0
    """

    def __init__(self, model, folder, modules=None, *, backward=True, parameters="gradients", steps=None,
                 max_bytes=None, statistics_only=False, stack=False, rank=None):
        if parameters not in (None, "gradients"):
            raise ValueError(f"parameters is {parameters!r}; it may be 'gradients' or None")
        self.folder = os.fspath(folder)
        self._rank, self._world = _place() if rank is None else (int(rank), None)
        self._modules = _chosen(model, modules)
        self._parameters = _parameters_of(model, self._modules) if parameters else {}
        self._backward, self._steps, self._max_bytes = backward, steps, max_bytes
        self._statistics_only, self._stack = statistics_only, stack
        self._pattern = modules
        self._handles, self._called, self._local = [], set(), threading.local()
        self._step = self._writer = None
        self._next, self._bytes, self._used, self._closed = 0, 0, False, False
        self._lock = threading.RLock()

    def __enter__(self):
        if self._writer is not None or self._closed:
            raise RuntimeError("a Recorder records once; make another one")
        self._refuse_earlier()
        self._writer = _Writer()
        for module in self._modules:
            self._handles.append(module.register_forward_pre_hook(self._before, with_kwargs=True))
            self._handles.append(module.register_forward_hook(self._after, with_kwargs=True, always_call=True))
        if self._parameters:
            hook = lambda optimizer, args, kwargs: self._optimizer_steps(optimizer)
            self._handles.append(register_optimizer_step_pre_hook(hook))
        if self._steps is None:
            self._step = _Step(self, 0)  # of a program that never says step()
        return self

    def __exit__(self, kind, error, traceback):
        self.close(kind is None)
        return False

    @contextlib.contextmanager
    def step(self, number=None):
        """What runs inside is one step: `number`, or the one after the step before."""
        if self._writer is None or self._closed:
            raise RuntimeError("step() is for a Recorder that is entered: with Recorder(…) as recorder:")
        if self._used and self._step is not None:
            raise RuntimeError("step() inside of a step(); leave the first one before")
        if self._step is not None and self._step.is_begun and not self._used:
            warnings.warn("modules ran before the first step(); they are recorded as step 0")
            self._next = 1
        self._finish()
        self._used = True
        number = self._next if number is None else int(number)
        self._next = number + 1
        if (self._steps is None or number in self._steps) and self._writer.error is None:
            self._step = _Step(self, number)
        try:
            yield number
        finally:
            self._finish()

    def close(self, raises=True):
        """Writes what is left and takes the hooks away. RuntimeError where the dump could not be written."""
        if self._writer is None or self._closed:
            return
        self._closed = True
        self._finish()
        for handle in self._handles:
            handle.remove()
        self._writer.close()
        if self._writer.error is not None:
            message = f"{self.folder}: the recording is not complete: {self._writer.error!r}"
            if raises:
                raise RuntimeError(message) from self._writer.error
            warnings.warn(message)
        unseen = [name for module, name in self._modules.items() if module not in self._called]
        if unseen:
            warnings.warn(f"{len(unseen)} chosen modules were never seen running ({', '.join(unseen[:3])}"
                          f"{', …' if len(unseen) > 3 else ''}): they are not used, their forward() is called "
                          "past hooks, or torch.compile compiled them, which the recorder does not see into; "
                          "record without torch.compile")

    def _refuse_earlier(self):
        try:
            earlier = [name for name in os.listdir(self.folder) if name.startswith("step")]
        except FileNotFoundError:
            return
        for name in earlier:
            part = os.path.join(self.folder, name, f"rank{self._rank}")
            if os.path.exists(part):
                raise FileExistsError(f"{part}: an earlier recording is there; delete it or name another folder")

    def _finish(self):
        step, self._step = self._step, None
        if step is None:
            return
        with self._guarded():
            if step.is_begun:
                self._parameter_gradients(step, self._parameters)
            step.finish()

    @contextlib.contextmanager
    def _guarded(self):
        """A defect or a full disk ends the recording and never the program."""
        try:
            with torch.no_grad(), _without_modes():
                yield
        except Exception as error:
            self._step = None
            self._writer.fail(error)

    def _stack_of_calls(self):
        if not hasattr(self._local, "calls"):
            self._local.calls = []
        return self._local.calls

    def _before(self, module, args, kwargs):
        step = self._step
        if torch.compiler.is_compiling() or step is None:
            return
        if _is_capturing():
            warnings.warn("modules in the capture of a CUDA graph are not recorded")
            return
        has_graph = self._backward and torch.is_grad_enabled()
        with self._guarded():
            self._called.add(module)
            calls = self._stack_of_calls()
            call = _Call(step, module, self._modules[module], calls[-1] if calls else None, has_graph)
            inputs = list(_leaves(args)) + list(_leaves(kwargs))
            call.rows = step.rows(call.label, "input", inputs)
            if self._stack and not call.is_recomputed:
                call.stack = _frames()
            if call.has_graph:
                call.follow(inputs)
            calls.append(call)

    def _after(self, module, args, kwargs, output):
        if torch.compiler.is_compiling() or self._step is None:
            return
        calls = self._stack_of_calls()
        if not any(call.module is module for call in calls):
            return
        while calls[-1].module is not module:
            calls.pop()
        call = calls.pop()
        if call.step is not self._step:
            return
        failed = output is None and sys.exc_info()[0] is not None
        with self._guarded():
            outputs = [] if failed else list(_leaves(output if _is_several(output) else (output,)))
            call.rows += call.step.rows(call.label, "output", outputs)
            call.finish(failed)
            if call.has_graph and not failed:
                call.watch(outputs, self._guarded)

    def _optimizer_steps(self, optimizer):
        step = self._step
        if step is None:
            return
        with self._guarded():
            stepped = {parameter for group in optimizer.param_groups for parameter in group["params"]}
            self._parameter_gradients(step, {p: name for p, name in self._parameters.items() if p in stepped})

    def _parameter_gradients(self, step, parameters):
        rows = {}
        for parameter, (module, operation, name) in parameters.items():
            if parameter.grad is not None and parameter not in step.parameters:
                step.parameters.add(parameter)
                label = f"{module}.parameters"
                rows.setdefault((module, operation), []).extend(
                    step.rows(label, "parameter_gradient", [(name, parameter.grad)]))
        for (module, operation), its in rows.items():
            step.write({"id": next(step.ids), "order": next(step.order), "name": module, "class": operation,
                        "pass": "parameter_gradient", "call": 0, "tensors": its})

    def _may_keep(self, size):
        """Whether `size` more bytes of elements are to be kept."""
        if self._statistics_only:
            return False
        with self._lock:
            if self._max_bytes is not None and self._bytes + size > self._max_bytes:
                if self._bytes <= self._max_bytes:
                    warnings.warn(f"{self.folder}: max_bytes is reached; from here on only statistics are kept")
                    self._bytes = self._max_bytes + 1
                return False
            self._bytes += size
            return True


class _Step:
    """One step of this rank, while it is recorded."""

    def __init__(self, recorder, number):
        self.recorder, self.writer = recorder, recorder._writer
        self.head = {"schema": SCHEMA, "torch": torch.__version__, "python": platform.python_version(),
                     "step": number, "rank": recorder._rank, "world": recorder._world,
                     "statistics_only": recorder._statistics_only, "modules": recorder._pattern,
                     "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
        self.files = _Files(os.path.join(recorder.folder, f"step{number}", f"rank{recorder._rank}"), self.head)
        self.ids, self.order = itertools.count(), itertools.count()
        self.calls, self.keys = collections.Counter(), collections.Counter()
        self.pending, self.parameters = {}, set()
        self.lock, self.is_begun, self.is_open = threading.RLock(), False, True

    def count(self, *what):
        with self.lock:
            self.calls[what] += 1
            return self.calls[what] - 1

    def rows(self, label, role, leaves):
        return [row for path, value in leaves for row in self.row(f"{label}.{role}.{path}", role, path, value)]

    def row(self, key, role, path, value):
        row = {"role": role, "path": path}
        if not isinstance(value, torch.Tensor):
            return [dict(row, value=_text(value), **_type(value))]
        self.is_begun = True
        value = value.to_local() if hasattr(value, "to_local") else value
        row.update(dtype=str(value.dtype), shape=list(value.shape), device=str(value.device),
                   requires_grad=value.requires_grad)
        if not _is_readable(value):
            return [row]
        size = value.numel() * value.element_size()
        keeps = value.dtype in _SAFETENSORS and self.recorder._may_keep(size)
        snapshot = row["snapshot"] = _Snapshot(value.detach(), keeps)
        with self.lock:
            self.keys[key] += 1
            key = key if self.keys[key] == 1 else f"{key}#{self.keys[key]}"
        self.writer.put(lambda: self.files.keep(snapshot, key), snapshot.size)
        return [row]

    def write(self, entry):
        self.is_begun = True
        self.writer.put(lambda: self.files.line(entry), 0)

    def finish(self):
        with self.lock:
            for backward in list(self.pending.values()):
                backward.write()
            self.is_open = False
        if self.is_begun:
            self.writer.put(self.files.end, 0)


class _Call:
    """A call of a module's forward, from its begin to its end."""

    def __init__(self, step, module, name, parent, has_graph):
        self.step, self.module, self.name, self.has_graph = step, module, name, has_graph
        self.parent = parent.id if parent is not None and parent.step is step else None
        self.id = next(step.ids)
        # Activation checkpointing runs modules again inside of backward.
        self.is_recomputed = torch._C._current_graph_task_id() != -1
        self.call = step.count(name, self.is_recomputed)
        self.label = f"{name}.forward.{self.call}" + (".recomputed" if self.is_recomputed else "")
        self.rows, self.stack, self.inputs, self.first_node = [], None, {}, 0

    def follow(self, inputs):
        """Notes the edges through which gradients will leave."""
        for path, value in inputs:
            if isinstance(value, torch.Tensor) and value.requires_grad:
                self.inputs.setdefault(_edge(value), path)
        self.first_node = torch._C._autograd._get_sequence_nr()

    def finish(self, failed):
        entry = {"id": self.id, "order": next(self.step.order), "name": self.name,
                 "class": type(self.module).__name__, "pass": "forward", "call": self.call, "parent": self.parent}
        if self.is_recomputed:
            entry["recomputed"] = True
        if failed:
            entry["failed"] = True
        if self.stack:
            entry["stack"] = self.stack
        self.step.write(dict(entry, tensors=self.rows))

    def watch(self, outputs, guarded):
        """Hooks on the nodes that made the outputs, and on those that read the inputs."""
        edges = {}
        for path, value in outputs:
            if isinstance(value, torch.Tensor) and value.grad_fn is not None:
                edges.setdefault((value.grad_fn, value.output_nr), path)
        if not edges:
            return
        readers = self._readers({node for node, _ in edges})
        expected = collections.Counter(path for _, _, path in readers)
        backward = _Backward(self, list(edges.values()), expected)

        def arrives(place, path):
            def hook(gradients):
                if backward.step.is_open:
                    with guarded():
                        backward.arrives(path, gradients[place])
            return hook

        def leaves(place, path):
            def hook(inputs, outputs):
                if backward.step.is_open:
                    with guarded():
                        backward.leaves(path, inputs[place])
            return hook

        for (node, place), path in edges.items():
            node.register_prehook(arrives(place, path))
        for node, place, path in readers:
            node.register_hook(leaves(place, path))

    def _readers(self, nodes):
        """Nodes of this call that read an input: (node, place among its inputs, path of the input)."""
        borders = {node for node, _ in self.inputs}
        found, seen, nodes = [], set(nodes), list(nodes - borders) if borders else []
        while nodes:
            node = nodes.pop()
            for place, edge in enumerate(node.next_functions):
                below = edge[0]
                if edge in self.inputs:
                    found.append((node, place, self.inputs[edge]))
                elif below is not None and below not in seen and below not in borders:
                    # Nodes are numbered as they are made: smaller ones are of before the call.
                    if below._sequence_nr() >= self.first_node and below.next_functions:
                        seen.add(below)
                        nodes.append(below)
        return found


class _Backward:
    """Gradients of a call, until all have come. Holds no node, so that the graph is freed as ever."""

    def __init__(self, call, outputs, readers):
        self.step, self.name, self.of, self.call = call.step, call.name, call.id, call.call
        self.operation, self.parent = type(call.module).__name__, call.parent
        self.outputs, self.readers, self.passes = outputs, readers, 0
        self._begin()

    def _begin(self):
        self.id, self.order, self.rows, self.arrived = None, None, [], set()
        self.missing, self.sums = dict(self.readers), {}

    def _goes_on(self, is_again):
        if is_again:
            self.write()  # a second backward through the same graph
        if self.id is None:
            self.id = next(self.step.ids)
            self.step.pending[self.id] = self
        self.order = next(self.step.order)

    def _label(self):
        return f"{self.name}.backward.{self.call}" + (f".again{self.passes}" if self.passes else "")

    def arrives(self, path, gradient):
        with self.step.lock:
            self._goes_on(path in self.arrived)
            self.arrived.add(path)
            if gradient is not None:
                self.rows += self.step.rows(self._label(), "output_gradient", [(path, gradient)])
            self._end()

    def leaves(self, path, gradient):
        with self.step.lock:
            self._goes_on(self.missing[path] == 0)
            self.missing[path] -= 1
            if gradient is not None:
                earlier = self.sums.get(path)
                # As autograd adds them: in the order in which they come, in their own format.
                if earlier is not None:
                    self.sums[path] = earlier + gradient
                elif self.missing[path] == 0:
                    self.sums[path] = gradient
                else:
                    self.sums[path] = gradient.clone()
            if self.missing[path] == 0:
                self._keep_sum(path)
            self._end()

    def _keep_sum(self, path):
        gradient = self.sums.pop(path, None)
        if gradient is not None:
            self.rows += self.step.rows(self._label(), "input_gradient", [(path, gradient)])

    def _end(self):
        if len(self.arrived) == len(self.outputs) and not any(self.missing.values()):
            self.write()

    def write(self):
        if self.id is None:
            return
        for path in list(self.sums):
            self._keep_sum(path)
        self.step.pending.pop(self.id, None)
        entry = {"id": self.id, "order": self.order, "name": self.name, "class": self.operation, "pass": "backward",
                 "call": self.call, "parent": None, "forward": self.of}
        if self.passes:
            entry["again"] = self.passes
        self.step.write(dict(entry, tensors=self.rows))
        self.passes += 1
        self._begin()


class _Snapshot:
    """A tensor as it was: statistics, and elements where they are kept."""

    def __init__(self, tensor, keeps):
        self.dtype, self.shape, self.place = tensor.dtype, list(tensor.shape), None
        self.event = self.data = self.statistics = None
        if tensor.device.type == "cuda":
            self.statistics = _pinned(_statistics(tensor))
            self.data = _pinned(tensor) if keeps else None
            self.event = torch.cuda.Event()
            self.event.record(torch.cuda.current_stream(tensor.device))
        else:
            self.data = tensor.to("cpu", copy=keeps, memory_format=torch.contiguous_format)
            if not keeps:
                self.statistics, self.data = _statistics(self.data), None
        self.size = 0 if self.data is None else self.data.numel() * self.data.element_size()

    def wait(self):
        if self.event is not None:
            self.event.synchronize()
            self.event = None
        if self.statistics is None:
            self.statistics = _statistics(self.data)
        if isinstance(self.statistics, torch.Tensor):
            self.statistics = _named(self.statistics.tolist(), math.prod(self.shape))


class _Writer:
    """A thread that does what is put, in order; put() waits while too much is waiting."""

    def __init__(self):
        self.error, self._jobs, self._size, self._is_closed = None, collections.deque(), 0, False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._work, name="ulpscope_recorder", daemon=True)
        self._thread.start()

    def put(self, job, size):
        with self._changed:
            self._changed.wait_for(lambda: self._size == 0 or self._size + size <= _QUEUE_BYTES)
            self._jobs.append((job, size))
            self._size += size
            self._changed.notify_all()

    def fail(self, error):
        self.error = self.error or error

    def close(self):
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        self._thread.join()

    def _work(self):
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._jobs or self._is_closed)
                if not self._jobs:
                    return
                job, size = self._jobs.popleft()
            try:
                if self.error is None:
                    with torch.no_grad():
                        job()
            except Exception as error:
                self.fail(error)
            job = None
            with self._changed:
                self._size -= size
                self._changed.notify_all()


class _Files:
    """The files of a step; of the writer's thread alone."""

    def __init__(self, folder, head):
        self._folder, self._head, self._index = folder, head, None
        self._open, self._count, self._entries = {}, 0, 0

    def keep(self, snapshot, key):
        snapshot.wait()
        if snapshot.data is None:
            return
        # A file holds elements of one size, so that each tensor is aligned without gaps.
        size = snapshot.data.element_size()
        file = self._open.get(size)
        if file is None or not file.has_room(key, snapshot):
            if file is not None:
                file.close()
            os.makedirs(self._folder, exist_ok=True)
            file = self._open[size] = _TensorFile(self._folder, f"tensors-{self._count}.safetensors")
            self._count += 1
        snapshot.place = {"file": file.name, "key": key, "data": file.append(key, snapshot)}
        snapshot.data = None

    def line(self, entry):
        for row in entry["tensors"]:
            snapshot = row.pop("snapshot", None)
            if snapshot is not None:
                row.update(snapshot.statistics)
                row.update(snapshot.place or {})
        self._entries += 1
        self._write(entry)

    def end(self):
        for file in self._open.values():
            file.close()
        self._write({"end": True, "entries": self._entries})
        self._index.close()

    def _write(self, what):
        if self._index is None:
            os.makedirs(self._folder, exist_ok=True)
            self._index = open(os.path.join(self._folder, "index.jsonl"), "x", encoding="utf-8")
            self._write(self._head)
        self._index.write(json.dumps(what, allow_nan=False, separators=(",", ":")) + "\n")
        self._index.flush()


class _TensorFile:
    """A safetensors file that is complete after every tensor: its header has room to grow."""

    def __init__(self, folder, name):
        self.name, self._end, self._file = name, 0, open(os.path.join(folder, name), "xb", buffering=0)
        head = b'{"__metadata__":{"format":"pt"}}'
        self._header = 8 + len(head) - 1  # where the last brace stands
        self._file.write(struct.pack("<Q", _HEADER_BYTES) + head.ljust(_HEADER_BYTES))

    def has_room(self, key, snapshot):
        return (self._header + len(self._entry(key, snapshot)) <= 8 + _HEADER_BYTES and
                (self._end == 0 or self._end + snapshot.size <= _FILE_BYTES))

    def append(self, key, snapshot):
        """Where the elements lie in the file: [offset, bytes]."""
        begin, data = 8 + _HEADER_BYTES + self._end, snapshot.data
        if snapshot.size:
            content = memoryview((ctypes.c_char * snapshot.size).from_address(data.data_ptr()))
            self._file.seek(begin)
            while len(content):
                content = content[self._file.write(content):]
        entry = self._entry(key, snapshot)
        self._file.seek(self._header)
        self._file.write(entry)
        self._header += len(entry) - 1
        self._end += snapshot.size
        return [begin, snapshot.size]

    def close(self):
        self._file.close()

    def _entry(self, key, snapshot):
        value = {"dtype": _SAFETENSORS[snapshot.dtype], "shape": snapshot.shape,
                 "data_offsets": [self._end, self._end + snapshot.size]}
        return f",{json.dumps(key)}:{json.dumps(value, separators=(',', ':'))}}}".encode()


def _place():
    if torch.distributed.is_available() and torch.distributed.is_initialized():
        return torch.distributed.get_rank(), torch.distributed.get_world_size()
    world = os.environ.get("WORLD_SIZE", "")
    rank = os.environ.get("RANK", "")
    return int(rank) if rank.isdigit() else 0, int(world) if world.isdigit() else None


def _names(model):
    if type(model).__name__ in ("DistributedDataParallel", "DataParallel"):
        model = model.module
    for name, module in model.named_modules():
        yield _WRAPPERS.sub("", name).lstrip("."), module


def _chosen(model, pattern):
    by_name, matches = {}, re.compile(pattern or ".").search
    if any(type(module).__name__ == "OptimizedModule" for module in model.modules()):
        warnings.warn("torch.compile compiled this model or a part of it: the recorder does not see modules inside of "
                      "compiled ones; record without torch.compile")
    for name, module in _names(model):
        # A script module has no hooks with arguments, a list is never called. What is wrapped comes after its wrapper,
        # under the same name.
        if name and matches(name) and not isinstance(module, _NEVER_CALLED):
            by_name[name] = module
    if not by_name:
        some = ", ".join(itertools.islice((name for name, _ in _names(model) if name), 5))
        raise ValueError(f"modules={pattern!r} is found in no name of a module; names here are {some}, …")
    return {module: name for name, module in by_name.items()}


def _parameters_of(model, modules):
    """Each parameter once: parameter -> (name of its module, class, its own name)."""
    names, found = {module: name for name, module in _names(model)}, {}
    for top in modules:
        for module in top.modules():
            for name, parameter in module.named_parameters(recurse=False):
                if parameter.requires_grad:
                    found.setdefault(parameter, (names.get(module, ""), type(module).__name__, name))
    return found


def _is_several(value):
    return isinstance(value, (tuple, list, dict)) or hasattr(value, "__dataclass_fields__")


def _leaves(value, path="", depth=0):
    """(path, leaf) of nested containers: "0", "past.1", "hidden_states"."""
    if _is_several(value) and not isinstance(value, type) and depth < 16:
        if isinstance(value, dict):
            items = value.items()
        elif hasattr(value, "_fields"):
            items = zip(value._fields, value)
        elif isinstance(value, (tuple, list)):
            items = enumerate(value)
        else:
            items = ((name, getattr(value, name, None)) for name in value.__dataclass_fields__)
        for key, part in items:
            yield from _leaves(part, f"{path}.{key}" if path else str(key), depth + 1)
    elif value is not None:
        yield path, value


def _text(value):
    """What is said of an argument that is no tensor."""
    if value is None or isinstance(value, (bool, int, float, str)):
        text = str(value)
        return text if len(text) <= 200 else text[:200] + "…"
    return str(value) if isinstance(value, (torch.dtype, torch.device)) else f"<{type(value).__name__}>"


def _type(value):
    """What Python calls the class of an argument whose text says its value."""
    if isinstance(value, (bool, int, float, str)):
        return {"type": type(value).__name__}
    return {"type": str(type(value))[8:-2]} if isinstance(value, (torch.dtype, torch.device)) else {}


def _is_readable(tensor):
    return (tensor.layout == torch.strided and tensor.device.type != "meta" and not tensor.is_complex() and
            not tensor.is_quantized and not tensor.is_nested)


def _edge(tensor):
    if tensor.grad_fn is not None:
        return tensor.grad_fn, tensor.output_nr
    with torch.enable_grad():
        return tensor.expand_as(tensor).grad_fn.next_functions[0]


def _frames():
    frames, frame = [], sys._getframe(1)
    while frame is not None and len(frames) < 64:
        file = frame.f_code.co_filename
        if file != __file__ and not file.endswith(("nn/modules/module.py", "contextlib.py")):
            frames.append(f"{file}:{frame.f_lineno} {frame.f_code.co_name}")
        frame = frame.f_back
    return frames


def _is_capturing():
    return torch.cuda.is_available() and torch.cuda.is_initialized() and torch.cuda.is_current_stream_capturing()


@contextlib.contextmanager
def _without_modes():
    """Outside of what the program does to operations: selective checkpointing, counters of operations."""
    if torch._C._len_torch_dispatch_stack() == 0:
        yield
        return
    from torch.utils._python_dispatch import _disable_current_modes
    with _disable_current_modes():
        yield


def _pinned(tensor):
    target = torch.empty(tensor.shape, dtype=tensor.dtype, pin_memory=True)
    return target.copy_(tensor, non_blocking=True)


def _statistics(tensor):
    """Maximum, minimum, sum, sum of squares, counts of NaN, +inf, -inf, in float64; no elements: empty."""
    if tensor.numel() == 0:
        return torch.empty(0, dtype=torch.float64)
    chunk = _CHUNK.get(tensor.device.type, 1 << 26)
    parts = torch.stack([_statistics_of_part(part.double()) for part in tensor.reshape(-1).split(chunk)])
    if len(parts) == 1:
        return parts[0]
    return torch.cat([parts[:, 0].amax()[None], parts[:, 1].amin()[None], parts[:, 2:].sum(0)])


def _statistics_of_part(part):
    low, high = torch.aminmax(part)
    total = part.sum()
    if part.device.type == "cpu" and math.isfinite(total):
        none = torch.zeros_like(total)
        return torch.stack([high, low, total, torch.dot(part, part), none, none, none])
    counts = [is_so(part).sum().double() for is_so in (torch.isnan, torch.isposinf, torch.isneginf)]
    return torch.stack([high, low, total, torch.dot(part, part), *counts])


def _named(values, count):
    if not values:
        return {}
    high, low, total, squares = values[:4]
    named = {"max": high, "min": low, "mean": total / count, "norm": math.sqrt(squares) if squares >= 0 else squares}
    named = {name: value if math.isfinite(value) else str(value) for name, value in named.items()}
    return dict(named, nan=int(values[4]), posinf=int(values[5]), neginf=int(values[6]))
