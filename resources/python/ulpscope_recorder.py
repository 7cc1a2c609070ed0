"""Records forward and backward of modules, and of calls of torch's functions, of a PyTorch program for Ulpscope.

Copy this file into a project; it needs torch (2.1 or later) and nothing else.

    from ulpscope_recorder import Recorder
    with Recorder(model, "dump", modules=r"layers\\.\\d+\\.(mlp|self_attn)$", steps=range(0, 100, 10)) as recorder:
        for batch in batches:
            with recorder.step():
                model(**batch).loss.backward()

Nothing changes the numbers of the program: modules are observed by forward hooks, functions by a mode of torch
(TorchFunctionMode), gradients by hooks on the nodes that autograd makes anyway, so that the graph has no node more.
`dump` holds a folder step{N}/rank{R} with index.jsonl (one line a call, in the order of execution) and
tensors-{K}.safetensors.
"""
import atexit
import collections
import contextlib
import ctypes
import dis
import functools
import itertools
import json
import math
import os
import platform
import random
import re
import struct
import sys
import threading
import time
import warnings
import zlib

import torch
from torch.optim.optimizer import register_optimizer_step_pre_hook
from torch.overrides import TorchFunctionMode

SCHEMA = "ulpscope.recording/2"
_SCHEMA_WITH_WEIGHTS = "ulpscope.recording/3"
_FILE_BYTES = 1 << 30  # a file of tensors is closed when it is as large
_HEADER_BYTES = 1 << 18  # kept free at the front of a file for its header, which grows with the tensors
_MOST_BATCHES = 64  # that are kept for the step which follows
_QUEUE_BYTES = 1 << 30  # what waits to be written; the program waits beyond it
_CHUNK = {"cpu": 1 << 18, "cuda": 1 << 26}  # elements of which statistics are taken at once
_SAFETENSORS = {
    getattr(torch, name): stored for name, stored in (
        ("float64", "F64"), ("float32", "F32"), ("float16", "F16"), ("bfloat16", "BF16"), ("int64", "I64"),
        ("int32", "I32"), ("int16", "I16"), ("int8", "I8"), ("uint64", "U64"), ("uint32", "U32"), ("uint16", "U16"),
        ("uint8", "U8"), ("bool", "BOOL"), ("float8_e4m3fn", "F8_E4M3"), ("float8_e5m2", "F8_E5M2")) if hasattr(torch, name)}
_NEVER_CALLED = (torch.jit.ScriptModule, torch.nn.ModuleList, torch.nn.ModuleDict, torch.nn.ParameterList,
                 torch.nn.ParameterDict)
_WRAPPERS = re.compile(r"(^|\.)(_checkpoint_wrapped_module|_fsdp_wrapped_module|_orig_mod)(?=\.|$)")
_TASKS = ("tensor", "statistics", "crc32", "xor")
_LEVELS = ("L0", "L1", "mix")
_DATA_MODES = ("all", "forward", "backward", "input", "output")
# Functions that make elements of nothing or move them, and compute none.
_MOVES = set("""
    __getitem__ align_as align_to arange as_strided as_tensor atleast_1d atleast_2d atleast_3d bfloat16 bool byte
    cat cfloat char chunk clone column_stack concat concatenate contiguous cpu cuda detach detach_ diag diag_embed
    diagflat double dsplit dstack empty empty_like expand expand_as eye flatten float from_numpy full full_like half
    hsplit hstack int linspace logspace long moveaxis movedim narrow new_empty new_full new_ones new_tensor
    new_zeros ones ones_like permute pin_memory ravel repeat repeat_interleave requires_grad_ reshape reshape_as
    row_stack select split split_with_sizes squeeze stack swapaxes swapdims t tensor tensor_split tile to transpose
    tril tril_indices triu triu_indices type type_as unbind unflatten unfold unsafe_chunk unsafe_split
    unsafe_split_with_sizes unsqueeze view view_as view_as_complex view_as_real vsplit vstack zeros
    zeros_like""".split())
# Those that msprobe calls the core: products, norms, embeddings, attention; those of torch.distributed are, too.
_CORE = set("""
    _fused_adam_ _fused_adamw_ __matmul__ addbmm addbmm_ addmm addmm_ addmv addmv_ addr addr_ baddbmm baddbmm_ batch_norm
    bilinear bmm chain_matmul conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d embedding
    embedding_bag group_norm instance_norm layer_norm linear local_response_norm matmul mm multi_dot
    multi_head_attention_forward mv rms_norm scaled_dot_product_attention vecdot""".split())
# Functions that hand out no tensor; others are found when they are called.
_TELLS = set("""
    __bool__ __format__ __len__ __repr__ backward data_ptr dim element_size get_device is_complex is_contiguous
    is_floating_point item nelement ndimension numel numpy register_hook retain_grad share_memory_ size
    storage_offset stride tolist untyped_storage""".split())
_PRIVATE = {"_foreach_norm", "_fused_adam_", "_fused_adamw_"}  # those among torch's own that are recorded
_DISTRIBUTED = """
    send recv broadcast all_reduce reduce all_gather gather isend irecv scatter reduce_scatter all_to_all_single
    all_to_all all_gather_into_tensor reduce_scatter_tensor _all_gather_base _reduce_scatter_base
    batch_isend_irecv""".split()
_OPERATORS = "add and floordiv lshift matmul mul mod or pow rshift sub truediv xor".split()  # as BINARY_OP numbers them
_OLD_OPERATORS = dict(zip(  # before Python 3.11, behind BINARY_ and INPLACE_
    "ADD AND FLOOR_DIVIDE LSHIFT MATRIX_MULTIPLY MULTIPLY MODULO OR POWER RSHIFT SUBTRACT TRUE_DIVIDE XOR".split(),
    _OPERATORS))


class Recorder:
    """Records while it is entered (`with`), or from start() to stop().

    model           torch.nn.Module; a DistributedDataParallel around it is looked through. Or several: a dict of them
                    or a list, whose keys or numbers stand in front of the names of their modules
    folder          of the dump; every rank writes a part of its own. What is there is never overwritten
    modules         regular expression that is searched in the modules' names; None: every module below the model.
                    Calls of functions are then those inside of such modules
    level           "L0": modules; "L1": calls of torch's functions; "mix": both
    task            "tensor": elements and statistics (maximum, minimum, mean, L2 norm, counts of NaN and infinities);
                    "statistics"; "crc32", "xor": statistics and that checksum of the elements
    backward        gradients that arrive at the outputs of a call and leave through its inputs, too
    parameters      "gradients": of the parameters of the chosen modules and of those below them, as they are when
                    an optimizer steps, or when the step ends; None: not. At level L1: not
    steps, ranks    numbers of the steps and ranks to record (a range, a set); None: all
    list            texts, or "name-regex(…)", of which one has to be found in the name of a call, as msprobe calls
                    it: "Module.model.norm.LlamaRMSNorm.forward.0", "Functional.linear.3.forward"; of a function also
                    in that of a module call around it, of a module with level="mix" as well
    scope           names of two such calls, or of modules: from the begin of the first to the end of the other
    data_mode       any of "forward", "backward", "input", "output"; what is not named of a pair is left out, unless
                    neither is. "all": everything
    tensor_list     texts as in `list`: with another task than "tensor", calls whose elements are kept
    moves           functions that move or make elements and compute none, too: view, cat, to, zeros …; "core": not
                    even others than products, norms, embeddings, attention and torch.distributed
    weights         the parameters of each module that is recorded, too, as they are when it is called
    max_bytes       of elements that this rank writes; from there on only statistics are kept
    statistics_only True is task="statistics"
    stack           record from where a module or function was called
    batches         what each torch.utils.data.DataLoader yields, and the gradients that it then has
    rank            None: of torch.distributed, else of the environment variable RANK, else 0
    """

    def __init__(self, model, folder, modules=None, *, level="L0", task="tensor", backward=True, parameters="gradients",
                 steps=None, ranks=None, list=None, scope=None, data_mode=("all",), tensor_list=None, moves=False,
                 weights=False, max_bytes=None, statistics_only=False, stack=False, batches=True, rank=None):
        self._task = "statistics" if statistics_only else _one_of("task", task, _TASKS)
        self._level = _one_of("level", level, _LEVELS)
        _one_of("parameters", parameters, (None, "gradients"))
        _one_of("moves", moves, (False, True, "core"))
        self.folder = os.fspath(folder)
        self._rank, self._world = _place() if rank is None else (int(rank), None)
        self._is_idle = ranks is not None and self._rank not in ranks
        self._passes, self._sides = _modes(data_mode)
        if not backward:
            self._passes = self._passes - {"backward"}
        self._modules, self._shares = _named(model), _shares(model)
        self._chosen = _chosen(self._modules, modules, level)
        if level == "L0":
            self._modules = self._chosen
        self._gives_gradients = parameters and level != "L1" and "backward" in self._passes
        self._parameters = _parameters_of(model, self._chosen) if self._gives_gradients else {}
        self._steps, self._max_bytes, self._stack, self._moves = steps, max_bytes, stack, moves
        self._weights = weights
        self._is_listed, self._keeps_elements = _finder("list", list), _finder("tensor_list", tensor_list)
        self._has_list, self._has_tensor_list = list is not None, tensor_list is not None
        self._scope = _scope_of(scope)
        self._pattern = modules
        self._handles, self._called, self._local = [], set(), threading.local()
        self._functions = self._patches = None
        self._step = self._open = self._writer = None
        self._next, self._bytes, self._used, self._closed, self._is_manual = 0, 0, False, False, False
        self._entries, self.tensors, self.bytes = 0, 0, 0  # what was recorded so far
        self._loads, self._batches = batches, collections.deque(maxlen=_MOST_BATCHES)
        self._is_within = False  # a step that was begun, whether or not it is recorded
        self._lock = threading.RLock()

    @classmethod
    def from_config(cls, model, config, **options):
        """By a config.json of msprobe's; `options` are those of Recorder and come first. What the file asks for and
        the recorder does not do is an error, or a warning where the recording is still what was asked for."""
        return cls(model, **dict(_options_of(config), **options))

    def add(self, model, name):
        """Records another model, too, which need not have been there before. `name` stands in front of the names of
        its modules."""
        modules = _named({name: model})
        chosen = {module: its for module, its in modules.items() if re.search(self._pattern or "", its)}
        self._chosen.update(chosen)
        if self._gives_gradients:
            for parameter, its in _parameters_of({name: model}, chosen).items():
                self._parameters.setdefault(parameter, its)
        modules = chosen if self._level == "L0" else modules
        self._shares = self._shares or _shares({name: model})
        self._modules.update(modules)
        if self._writer is not None and not self._is_idle and not self._closed:
            self._watch_modules(modules)

    def __enter__(self):
        self._begin_recording()
        if not self._is_idle:
            if self._steps is None:
                self._step = self._open = _Step(self, 0)  # of a program that never says step()
            self._watch_functions()
        return self

    def __exit__(self, kind, error, traceback):
        self.close(kind is None)
        return False

    def start(self):
        """Begins to record, or goes on after stop(); the first time with step 0. Beside `with`, as msprobe has it:
        start(), the step of a training, stop(), step(). The dump is complete after close(), or when Python ends."""
        if self._writer is None and not self._closed:
            self._begin_recording()
            self._is_manual = True
            atexit.register(self.close, False)
        if self._closed or not self._is_manual:
            raise RuntimeError("start() is for a Recorder that is neither closed nor entered by `with`")
        if self._is_idle or self._step is not None:
            return
        if self._open is None:
            self._begin_step(self._next)
        self._step = self._open
        self._watch_functions()

    def stop(self):
        """Calls from here on are not recorded; gradients of earlier ones are, until step()."""
        if not self._is_manual:
            raise RuntimeError("stop() is for a Recorder that was started")
        self._pause()

    def _pause(self):
        self._step = None
        self._leave_functions()

    def step(self, number=None):
        """`with recorder.step():` what runs inside is one step: `number`, or the one after the step before.
        After start(): the step ends; what start() begins next is step `number`, or the next one."""
        if self._writer is None or self._closed:
            raise RuntimeError("step() is for a Recorder that is entered (with Recorder(…) as recorder:) or started")
        if not self._is_manual:
            return self._one_step(number)
        self._pause()
        self._finish()
        self._next = self._next + 1 if number is None else int(number)
        return None

    @contextlib.contextmanager
    def _one_step(self, number):
        if self._used and self._open is not None:
            raise RuntimeError("step() inside of a step(); leave the first one before")
        if self._open is not None and self._open.is_begun and not self._used:
            if self._called:
                warnings.warn("modules ran before the first step(); they are recorded as step 0")
                self._next = 1
                self._batches.clear()
            else:
                self._open.discard()  # what a program prepares, where functions are recorded
                self._open = None
        self._finish()
        self._used = True
        number = self._next if number is None else int(number)
        self._next = number + 1
        self._begin_step(number)
        self._step = self._open
        try:
            yield number
        finally:
            self._finish()

    def close(self, raises=True):
        """Writes what is left and takes the hooks away. RuntimeError where the dump could not be written."""
        if self._writer is None or self._closed:
            return
        self._closed = True
        self._pause()
        self._finish()
        for handle in self._handles:
            handle.remove()
        if self._is_manual:
            atexit.unregister(self.close)
        self._writer.close()
        if self._writer.error is not None:
            message = f"{self.folder}: the recording is not complete: {self._writer.error!r}"
            if raises:
                raise RuntimeError(message) from self._writer.error
            warnings.warn(message)
        self._say_what_was_not_seen()

    def _say_what_was_not_seen(self):
        if self._is_idle:
            return
        if (self._has_list or self._scope) and not self._entries and self._writer.error is None:
            warnings.warn(f"{self.folder}: no call fits list and scope: nothing was recorded")
        unseen = [name for module, name in self._chosen.items() if module not in self._called]
        if unseen and not (self._level == "L1" and self._pattern is None):
            warnings.warn(f"{len(unseen)} chosen modules were never seen running ({', '.join(unseen[:3])}"
                          f"{', …' if len(unseen) > 3 else ''}): they are not used, their forward() is called "
                          "past hooks, or torch.compile compiled them, which the recorder does not see into; "
                          "record without torch.compile")

    def _begin_recording(self):
        if self._writer is not None or self._closed:
            raise RuntimeError("a Recorder records once; make another one")
        if not self._is_idle:
            self._refuse_earlier()
        self._writer = _Writer()
        if self._is_idle:
            return
        self._watch_modules(self._modules)
        if self._loads:
            self._handles.append(_Loaders(self._batch_comes))
        if self._gives_gradients:
            hook = lambda optimizer, args, kwargs: self._optimizer_steps(optimizer)
            self._handles.append(register_optimizer_step_pre_hook(hook))
            self._handles.append(_SkippedSteps(self._optimizer_steps))
        if self._level != "L0" and any(isinstance(module, torch.nn.MultiheadAttention) and not module.training
                                       for module in self._modules):
            warnings.warn("torch.nn.MultiheadAttention has a fast path in evaluation that it leaves while calls of "
                          "functions are recorded, so that last bits may differ; record it at level L0")

    def _watch_modules(self, modules):
        for module in modules:
            self._handles.append(module.register_forward_pre_hook(self._before, with_kwargs=True))
            self._handles.append(module.register_forward_hook(self._after, with_kwargs=True, always_call=True))

    def _takes_step(self, number):
        return not self._is_idle and self._writer.error is None and (self._steps is None or number in self._steps)

    def _watch_functions(self):
        if self._level == "L0" or self._functions is not None or self._is_idle:
            return
        self._functions = _Functions(self)
        self._patches = _Patches(self, self._functions)
        self._functions.__enter__()

    def _leave_functions(self):
        if self._functions is None:
            return
        functions, self._functions = self._functions, None
        self._patches.remove()
        functions.leave()

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
        if self._functions is not None:
            self._patches.give_up()
        step, self._open, self._step, self._is_within = self._open, None, None, False
        if step is None:
            return
        with self._guarded():
            if step.is_begun:
                self._parameter_gradients(step, self._parameters)
                step.gradients_of_batches()
            step.finish()

    def _guarded(self):
        """A defect or a full disk ends the recording and never the program."""
        return _Guard(self._fail)

    def _fail(self, error):
        self._step = self._open = None
        self._writer.fail(error)

    def _stack_of_calls(self):
        if not hasattr(self._local, "calls"):
            self._local.calls = []
        return self._local.calls

    def _before(self, module, args, kwargs):
        step = self._step
        if _is_compiling() or step is None:
            return
        if _is_capturing():
            warnings.warn("modules in the capture of a CUDA graph are not recorded")
            return
        has_graph = torch.is_grad_enabled()
        with self._guarded():
            self._called.add(module)
            call = _Call(step, self._modules[module], module, self._innermost())
            self._stack_of_calls().append(self._begin_call(call, has_graph, args, kwargs))
            # Autograd has threads of its own for devices, in which checkpointing runs modules again.
            if call.is_recomputed and self._functions is not None:
                call.functions = self._functions.in_thread()

    def _after(self, module, args, kwargs, output):
        if _is_compiling() or self._step is None:
            return
        calls = self._stack_of_calls()
        if not any(call.module is module for call in calls):
            return
        while calls[-1].module is not module:
            calls.pop().leave_thread()
        call = calls.pop()
        call.leave_thread()
        if call.step is not self._step:
            return
        failed = output is None and sys.exc_info()[0] is not None
        with self._guarded():
            self._end_call(call, None if failed else list(_leaves(output if _is_several(output) else (output,))))

    def _function_is_called(self, name, function, args, kwargs):
        """Calls it, and records that."""
        step, has_graph = self._step, torch.is_grad_enabled()
        # What a backward() in Python computes with is none of the forward calls.
        is_of_backward = (torch._C._current_graph_task_id() != -1 and not has_graph and
                          not name.startswith("Distributed."))
        if step is None or getattr(self._local, "is_inside", False) or is_of_backward:
            return function(*args, **kwargs)
        call = None
        with self._guarded():
            if not _is_capturing():
                call = self._begin_call(_Call(step, name, None, self._innermost()), has_graph, args, kwargs)
        self._local.is_inside, result, failed = True, None, True
        try:
            result = function(*args, **kwargs)
            failed = False
            return result
        finally:
            self._local.is_inside = False
            if call is not None and call.step is self._step:
                with self._guarded():
                    self._end_function(call, args, kwargs, result, failed)

    def _end_function(self, call, args, kwargs, result, failed):
        outputs = list(_leaves((result,)))
        if failed:
            self._end_call(call, None)
        elif call.name.startswith("Distributed."):
            tensors = [leaf for part in (args, kwargs) for leaf in _leaves(part) if isinstance(leaf[1], torch.Tensor)]
            works = [work for _, work in outputs if hasattr(work, "is_completed")]
            if works:
                self._patches.wait_for(works, call, tensors)
            else:
                self._end_call(call, tensors)
        elif call.name == "Tensor.__setitem__":
            self._end_call(call, [("0", args[0])])
        elif any(isinstance(value, torch.Tensor) for _, value in outputs):
            self._end_call(call, list(_leaves(result if _is_several(result) else (result,))))
        else:
            self._functions.forget(call.name)

    def _innermost(self):
        calls = self._stack_of_calls()
        return calls[-1] if calls and calls[-1].step is self._step else None

    def _begin_call(self, call, has_graph, args, kwargs):
        call.is_recorded = self._takes(call)
        if not call.is_recorded:
            return call
        call.id = next(call.step.ids)
        call.keeps = self._task == "tensor" or (
            self._has_tensor_list and self._keeps_elements(call.full_name) is not None)
        call.has_graph = has_graph and "backward" in self._passes
        inputs = list(_leaves(args)) + list(_leaves(kwargs))
        if "forward" in self._passes and "input" in self._sides:
            call.rows = call.step.rows(call.label, "input", inputs, call.keeps)
        if self._weights and call.module is not None and "forward" in self._passes:
            call.rows += call.step.rows(call.label, "parameter", call.module.named_parameters(recurse=False), call.keeps)
        if self._stack and not call.is_recomputed:
            call.stack = _frames()
        if call.has_graph:
            call.follow(inputs)
        return call

    def _takes(self, call):
        """By modules, list, scope and level. A call inside of a chosen or listed one is that as well, but for modules
        at level L0."""
        outer, is_module = call.outer, call.module is not None
        call.is_chosen = (call.module in self._chosen if is_module else self._pattern is None) or (
            outer is not None and outer.is_chosen)
        is_own = not self._has_list or self._is_listed(call.full_name)
        call.is_listed = is_own or (outer is not None and outer.is_listed)
        if self._scope and self._scope[0] in (call.full_name, call.name):
            call.step.is_in_scope = True
        is_listed = is_own if self._level == "L0" else call.is_listed
        is_taken = is_listed and (call.module in self._chosen if is_module else call.is_chosen)
        if not is_taken or (self._scope and not call.step.is_in_scope):
            return False
        if is_module:
            call.step.modules.add(call.name)
        return self._level in (("L0", "mix") if is_module else ("L1", "mix"))

    def _end_call(self, call, outputs):
        """`outputs`: (path, leaf); None where an exception ended the call."""
        if self._scope and self._scope[1] in (call.full_name, call.name):
            call.step.is_in_scope = False
        if not call.is_recorded:
            return
        self._entries += 1
        if "forward" in self._passes:
            if "output" in self._sides:
                call.rows += call.step.rows(call.label, "output", outputs or [], call.keeps)
            call.finish(outputs is None)
        if call.has_graph and outputs:
            call.watch(outputs, self._guarded, self._sides)

    def _optimizer_steps(self, optimizer):
        step = self._open
        if step is None:
            return
        with self._guarded():
            stepped = {parameter for group in optimizer.param_groups for parameter in group["params"]}
            # What a GradScaler leaves to a fused optimizer, which divides in its step.
            scale = getattr(optimizer, "grad_scale", None)
            self._parameter_gradients(step, {parameter: name for parameter, name in self._parameters.items()
                                             if getattr(parameter, "stepped", parameter) in stepped}, scale)

    def _batch_comes(self, batch):
        """From a data loader: of the step that runs, or else of the next one."""
        if not self._is_within and (self._used or self._is_manual or not self._called):
            self._batches.append(batch)
        if self._step is not None:
            with self._guarded():
                self._step.batch(batch)

    def _begin_step(self, number):
        self._open, self._is_within = _Step(self, number) if self._takes_step(number) else None, True
        for batch in self._batches if self._open is not None else ():
            with self._guarded():
                self._open.batch(batch)
        self._batches.clear()

    def _parameter_gradients(self, step, parameters, scale=None):
        rows = {}
        for parameter, (module, operation, name) in parameters.items():
            if parameter in step.parameters or not self._takes_gradients(step, module):
                continue
            if (gradient := parameter.grad) is not None:
                step.parameters.add(parameter)
                gradient = gradient if scale is None else gradient / scale.to(gradient.device)
                label = f"{module}.parameters"
                its = step.rows(label, "parameter_gradient", [(name, gradient)], self._task == "tensor")
                its[0].update(getattr(parameter, "place", {}))
                rows.setdefault((module, operation), []).extend(its)
        for (module, operation), its in rows.items():
            step.write({"id": next(step.ids), "order": next(step.order), "name": module, "class": operation,
                        "pass": "parameter_gradient", "call": 0, "tensors": its})

    def _takes_gradients(self, step, module):
        """Of modules that list and scope name, and of those below them."""
        if not self._has_list and not self._scope:
            return True
        return any(module == taken or module.startswith(taken + ".") for taken in step.modules)

    def _may_keep(self, size):
        """Whether `size` more bytes of elements are to be kept."""
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
        self.head = {"schema": _SCHEMA_WITH_WEIGHTS if recorder._weights else SCHEMA, "torch": torch.__version__, "python": platform.python_version(),
                     "step": number, "rank": recorder._rank, "world": recorder._world,
                     "statistics_only": recorder._task != "tensor", "task": recorder._task,
                     "level": recorder._level, "modules": recorder._pattern,
                     **recorder._shares,
                     "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
        self.files = _Files(os.path.join(recorder.folder, f"step{number}", f"rank{recorder._rank}"), self.head)
        self.ids, self.order = itertools.count(), itertools.count()
        self.calls, self.keys = collections.Counter(), collections.Counter()
        self.pending, self.parameters, self.loaded = {}, set(), []
        self.modules = set()  # names of those that were recorded
        self.lock, self.is_begun, self.is_open = threading.RLock(), False, True
        self.is_in_scope = False

    def count(self, *what):
        with self.lock:
            self.calls[what] += 1
            return self.calls[what] - 1

    def rows(self, label, role, leaves, keeps):
        return [row for path, value in leaves for row in self.row(f"{label}.{role}.{path}", role, path, value, keeps)]

    def row(self, key, role, path, value, keeps):
        row = {"role": role, "path": path}
        if not isinstance(value, torch.Tensor):
            return [dict(row, value=_text(value), **_type(value))]
        self.is_begun = True
        self.recorder.tensors += 1
        if hasattr(value, "to_local"):  # DTensor
            row["placements"] = [str(placement) for placement in value.placements]
            row["global_shape"] = list(value.shape)
            row["mesh"] = [value.device_mesh.size(axis) for axis in range(value.device_mesh.ndim)]
            row["coordinate"] = value.device_mesh.get_coordinate()
            value = value.to_local()
        row.update(dtype=str(value.dtype), shape=[] if value.is_nested else list(value.shape),
                   device=str(value.device), requires_grad=value.requires_grad)
        if not _is_readable(value):
            return [row]
        if value.is_complex():  # as pairs of reals
            value = torch.view_as_real(value.resolve_conj())
            row.update(dtype=str(value.dtype), shape=list(value.shape))
            row.get("global_shape", []).append(2)
        size = value.numel() * value.element_size()
        keeps = keeps and value.dtype in _SAFETENSORS and self.recorder._may_keep(size)
        self.recorder.bytes += size if keeps else 0
        snapshot = row["snapshot"] = _Snapshot(value.detach(), keeps, self.recorder._task)
        with self.lock:
            self.keys[key] += 1
            key = key if self.keys[key] == 1 else f"{key}#{self.keys[key]}"
        self.writer.put(lambda: self.files.keep(snapshot, key), snapshot.size)
        return [row]

    def write(self, entry):
        self.is_begun = True
        self.writer.put(lambda: self.files.line(entry), 0)

    def batch(self, batch):
        """As the output of the data loader."""
        recorder, call = self.recorder, self.count("data_loader")
        leaves = list(_leaves(batch if _is_several(batch) else (batch,)))
        tensors = [(path, value) for path, value in leaves if isinstance(value, torch.Tensor)]
        full_name = f"data_loader.forward.{call}"
        is_listed = not recorder._has_list or recorder._is_listed(full_name)
        if not tensors or not is_listed or recorder._scope or "forward" not in recorder._passes:
            return
        keeps = recorder._task == "tensor"
        rows = self.rows(full_name, "output", tensors, keeps) if "output" in recorder._sides else []
        number = next(self.ids)
        self.loaded.append((number, call, tensors))
        self.write({"id": number, "order": next(self.order), "name": "data_loader", "class": "DataLoader",
                    "pass": "forward", "call": call, "parent": None, "tensors": rows})

    def gradients_of_batches(self):
        """Those that the program asked for by requires_grad."""
        keeps = self.recorder._task == "tensor"
        for forward, call, tensors in self.loaded if "backward" in self.recorder._passes else ():
            gradients = [(path, tensor.grad) for path, tensor in tensors
                         if tensor.is_leaf and tensor.requires_grad and tensor.grad is not None]
            if gradients:
                rows = self.rows(f"data_loader.backward.{call}", "output_gradient", gradients, keeps)
                self.write({"id": next(self.ids), "order": next(self.order), "name": "data_loader",
                            "class": "DataLoader", "pass": "backward", "call": call, "parent": None,
                            "forward": forward, "tensors": rows})
        self.loaded = []

    def discard(self):
        self.is_open = False
        self.writer.put(self.files.remove, 0)

    def finish(self):
        with self.lock:
            for backward in list(self.pending.values()):
                backward.write()
            self.is_open = False
        if self.is_begun:
            self.writer.put(self.files.end, 0)


class _Call:
    """A call of a module's forward or of a function, from its begin to its end."""

    def __init__(self, step, name, module, outer):
        self.step, self.name, self.module, self.outer = step, name, module, outer
        self.id, self.is_recorded, self.is_chosen, self.is_listed = None, False, False, False
        # Of the calls around it the innermost that is recorded; the path of the innermost module, recorded or not.
        self.parent = None if outer is None else outer.id if outer.is_recorded else outer.parent
        self.place = name if module is not None else outer.place if outer is not None else ""
        # Activation checkpointing runs modules again inside of backward, where gradients are reduced, too.
        self.is_recomputed = torch._C._current_graph_task_id() != -1 and not name.startswith("Distributed.")
        self.call = step.count(name, self.is_recomputed)
        self.operation = None if module is None else _class_of(module)
        self.label = self.label_of("forward") + (".recomputed" if self.is_recomputed else "")
        self.rows, self.stack, self.inputs, self.first_node = [], None, {}, 0
        self.keeps = self.has_graph = False
        self.functions = None  # a mode that only this call has entered

    @property
    def full_name(self):
        """As msprobe calls it."""
        return self.label_of("forward") if self.module is None else (
            f"Module.{self.name}.{self.operation}.forward.{self.call}")

    def leave_thread(self):
        if self.functions is not None:
            self.functions.__exit__(None, None, None)
            self.functions = None

    def label_of(self, which):
        return f"{self.name}.{self.call}.{which}" if self.module is None else f"{self.name}.{which}.{self.call}"

    def head(self):
        """What the entries of a call and of its gradients have in common."""
        if self.module is None:
            return {"kind": "api", "name": self.name, "module": self.place}
        return {"name": self.name, "class": self.operation}

    def follow(self, inputs):
        """Notes the edges through which gradients will leave."""
        for path, value in inputs:
            if isinstance(value, torch.Tensor) and value.requires_grad:
                self.inputs.setdefault(_edge(value), path)
        self.first_node = torch._C._autograd._get_sequence_nr()

    def finish(self, failed):
        entry = {"id": self.id, "order": next(self.step.order), **self.head(), "pass": "forward", "call": self.call,
                 "parent": self.parent}
        if self.is_recomputed:
            entry["recomputed"] = True
        if failed:
            entry["failed"] = True
        if self.stack:
            entry["stack"] = self.stack
        self.step.write(dict(entry, tensors=self.rows))

    def watch(self, outputs, guarded, sides):
        """Hooks on the nodes that made the outputs, and on those that read the inputs."""
        edges = {}
        for path, value in outputs:
            if isinstance(value, torch.Tensor) and value.grad_fn is not None:
                edges.setdefault((value.grad_fn, value.output_nr), path)
        if not edges:
            return
        readers = self._readers({node for node, _ in edges}) if "output" in sides else []
        expected = collections.Counter(path for _, _, path in readers)
        edges = edges if "input" in sides else {}
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
        self.step, self.of, self.call, self.keeps = call.step, call.id, call.call, call.keeps
        self.head, self.label = call.head(), call.label_of("backward")
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
        return self.label + (f".again{self.passes}" if self.passes else "")

    def arrives(self, path, gradient):
        with self.step.lock:
            self._goes_on(path in self.arrived)
            self.arrived.add(path)
            if gradient is not None:
                self.rows += self.step.rows(self._label(), "output_gradient", [(path, gradient)], self.keeps)
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
            self.rows += self.step.rows(self._label(), "input_gradient", [(path, gradient)], self.keeps)

    def _end(self):
        if len(self.arrived) == len(self.outputs) and not any(self.missing.values()):
            self.write()

    def write(self):
        if self.id is None:
            return
        for path in list(self.sums):
            self._keep_sum(path)
        self.step.pending.pop(self.id, None)
        entry = {"id": self.id, "order": self.order, **self.head, "pass": "backward", "call": self.call, "parent": None,
                 "forward": self.of}
        if self.passes:
            entry["again"] = self.passes
        self.step.write(dict(entry, tensors=self.rows))
        self.passes += 1
        self._begin()


class _Functions(TorchFunctionMode):
    """Sees calls of torch's functions. While one runs the mode is off, so that what it calls is not seen."""

    def __init__(self, recorder):
        super().__init__()
        self._recorder, self._names, self._code = recorder, _function_names(recorder._moves), {}
        self._thread = threading.get_ident()

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if _is_compiling() or self._recorder is None:
            return function(*args, **kwargs)
        name = self._names.get(function)
        if name is None:
            return function(*args, **kwargs)
        with contextlib.suppress(LookupError):  # of an interpreter with other instructions
            name = self._as_written(name, sys._getframe(1))
        return self._recorder._function_is_called(name, function, args, kwargs)

    def _as_written(self, name, frame):
        """Tensor.__add__ of `a + b`, for which torch says Tensor.add: by the instruction that called it."""
        if not name.startswith("Tensor.") or name.endswith("__"):
            return name
        code = self._code.get(frame.f_code)
        if code is None:
            code = self._code[frame.f_code] = frame.f_code.co_code
        instruction, number = dis.opname[code[frame.f_lasti]], code[frame.f_lasti + 1]
        kind, _, operator = instruction.partition("_")
        if instruction == "BINARY_OP":
            if number < 2 * len(_OPERATORS):
                is_in_place = number >= len(_OPERATORS)
                return f"Tensor.__{'i' if is_in_place else ''}{_OPERATORS[number % len(_OPERATORS)]}__"
        elif kind in ("BINARY", "INPLACE") and operator in _OLD_OPERATORS:
            return f"Tensor.__{'i' if kind == 'INPLACE' else ''}{_OLD_OPERATORS[operator]}__"
        elif instruction == "COMPARE_OP" or kind == "UNARY":
            return f"Tensor.__{name[len('Tensor.'):]}__"
        return name

    def in_backward(self):
        """On while autograd runs, which functions of torch start: activation checkpointing then runs others again."""
        is_off = threading.get_ident() == self._thread and self not in _function_modes()
        return self if is_off else contextlib.nullcontext()

    def in_thread(self):
        """Enters the mode in a thread that lacks it; None: it is on."""
        return None if self in _function_modes() else self.__enter__()

    def forget(self, name):
        """It hands out no tensor."""
        self._names = {function: its for function, its in self._names.items() if its != name}

    def leave(self):
        if _function_modes()[-1:] == [self]:
            self.__exit__(None, None, None)
            return
        self._recorder = None
        warnings.warn("another mode of torch (such as torch.device) was entered while functions were recorded, and not "
                      "left; the recorder's own stays below it and does nothing")


class _Engine:
    """That of autograd, with the mode on."""

    def __init__(self, engine, functions):
        self._engine, self._functions = engine, functions

    def __getattr__(self, name):
        return getattr(self._engine, name)

    def run_backward(self, *args, **kwargs):
        with self._functions.in_backward():
            return self._engine.run_backward(*args, **kwargs)


class _Patches:
    """Sees functions of torch.distributed, which no mode sees, and waits for those that run beside the program."""

    def __init__(self, recorder, functions):
        self._recorder, self._places, self._waiting = recorder, [], {}
        variable = torch.autograd.Variable
        self._put(variable, "_execution_engine", _Engine(variable._execution_engine, functions))
        for name in ("__radd__", "__rmul__"):
            self._put(torch.Tensor, name, self._reflected(name, getattr(torch.Tensor, name), functions))
        if not torch.distributed.is_available():
            return
        for name in _DISTRIBUTED:
            for module in (torch.distributed, torch.distributed.distributed_c10d):
                if hasattr(module, name):
                    self._put(module, name, self._seen(f"Distributed.{name}", getattr(module, name)))
        work = torch._C._distributed_c10d.Work
        self._put(work, "wait", self._waited(work.wait))

    def _put(self, place, name, function):
        self._places.append((place, name, vars(place).get(name), function))
        setattr(place, name, function)

    def remove(self):
        for place, name, before, function in reversed(self._places):
            if getattr(place, name) is not function:
                continue
            if before is None:
                delattr(place, name)  # it came from a class above
            else:
                setattr(place, name, before)
        self.give_up()

    def give_up(self):
        """Ends what nobody has waited for: what it makes is not there yet."""
        for call in {call for _, _, call, _ in self._waiting.values()}:
            self._end(call, [])
        self._waiting.clear()

    def _seen(self, name, function):
        @functools.wraps(function)
        def seen(*args, **kwargs):
            return self._recorder._function_is_called(name, function, args, kwargs)
        return seen

    def _reflected(self, name, function, functions):
        """`2 * x`, of which a mode sees the same as of `x * 2`."""
        @functools.wraps(function)
        def reflected(tensor, other):
            if functions not in _function_modes():
                return function(tensor, other)
            return self._recorder._function_is_called(f"Tensor.{name}", function, (tensor, other), {})
        return reflected

    def wait_for(self, works, call, tensors):
        missing = {id(work) for work in works}
        for work in works:
            self._waiting[id(work)] = (work, missing, call, tensors)

    def _waited(self, wait):
        @functools.wraps(wait)
        def waited(work, *args, **kwargs):
            result = wait(work, *args, **kwargs)
            _, missing, call, tensors = self._waiting.pop(id(work), (None, set(), None, None))
            missing.discard(id(work))
            if call is not None and not missing:
                self._end(call, tensors)
            return result
        return waited

    def _end(self, call, tensors):
        if call.step.is_open:
            with self._recorder._guarded():
                self._recorder._end_call(call, tensors)


class _Loaders:
    """Hands on what data loaders yield, as a handle of which remove() ends that."""

    def __init__(self, comes):
        self._place = torch.utils.data.dataloader._BaseDataLoaderIter
        self._before = before = self._place.__next__

        @functools.wraps(before)
        def following(iterator):
            batch = before(iterator)
            comes(batch)
            return batch
        self._function = self._place.__next__ = following

    def remove(self):
        if self._place.__next__ is self._function:
            self._place.__next__ = self._before


class _SkippedSteps:
    """Tells of an optimizer whose step a GradScaler leaves out, as a handle of which remove() ends that."""

    def __init__(self, skipped):
        self._place = getattr(torch.amp, "GradScaler", torch.cuda.amp.GradScaler)
        self._before = before = self._place.step

        @functools.wraps(before)
        def step(scaler, optimizer, *args, **kwargs):
            taken = []
            hook = optimizer.register_step_pre_hook(lambda *_: taken.append(True))
            try:
                result = before(scaler, optimizer, *args, **kwargs)
            finally:
                hook.remove()
            if not taken:
                skipped(optimizer)
            return result
        self._function = self._place.step = step

    def remove(self):
        if self._place.step is self._function:
            self._place.step = self._before


class _Guard:
    """Around the recorder's own work: no graph, no modes of the program, and no error that leaves."""

    def __init__(self, fail):
        self._fail = fail

    def __enter__(self):
        self._had_grad = torch.is_grad_enabled()
        torch._C._set_grad_enabled(False)
        self._function = torch._C.DisableTorchFunction()
        self._function.__enter__()
        self._modes = _without_modes() if torch._C._len_torch_dispatch_stack() else None
        if self._modes is not None:
            self._modes.__enter__()

    def __exit__(self, kind, error, traceback):
        if self._modes is not None:
            self._modes.__exit__(None, None, None)
        self._function.__exit__(None, None, None)
        torch._C._set_grad_enabled(self._had_grad)
        if kind is None or not issubclass(kind, Exception):
            return False
        self._fail(error)
        return True


class _Snapshot:
    """A tensor as it was: statistics, and elements or their checksum where they are wanted."""

    def __init__(self, tensor, keeps, task):
        self.dtype, self.shape, self.place, self._keeps = tensor.dtype, list(tensor.shape), None, keeps
        self._sums = {"crc32": _crc32, "xor": _xor}.get(task)
        self.event = self.data = self.statistics = None
        if tensor.device.type == "cuda":
            self.statistics = _pinned(_statistics(tensor))
            self.data = _pinned(tensor) if keeps or self._sums else None
            self.event = torch.cuda.Event()
            self.event.record(torch.cuda.current_stream(tensor.device))
        else:
            self.data = tensor.to("cpu", copy=keeps, memory_format=torch.contiguous_format)
            if self._sums:
                self.data = self.data.contiguous()
            if not keeps:
                self.wait()
        self.size = 0 if self.data is None else self.data.numel() * self.data.element_size()

    def wait(self):
        if self.event is not None:
            self.event.synchronize()
            self.event = None
        if self.statistics is None:
            self.statistics = _statistics(self.data)
        if isinstance(self.statistics, torch.Tensor):
            self.statistics = _as_said(self.statistics.tolist(), math.prod(self.shape))
            sum_of_bytes = self._sums(self.data) if self._sums else None
            if sum_of_bytes is not None:
                self.statistics["checksum"] = sum_of_bytes
        if not self._keeps:
            self.data = None


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

    def remove(self):
        if self._index is not None:
            self.end()
        for name in [f"tensors-{number}.safetensors" for number in range(self._count)] + ["index.jsonl"]:
            with contextlib.suppress(FileNotFoundError):
                os.remove(os.path.join(self._folder, name))
        with contextlib.suppress(FileNotFoundError):
            os.rmdir(self._folder)

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
            content = _bytes_of(data)
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


def _one_of(option, value, known):
    if value not in known:
        raise ValueError(f"{option} is {value!r}; it may be {', '.join(map(repr, known))}")
    return value


def _modes(data_mode):
    """The passes and the sides of a call that are recorded."""
    given = {data_mode} if isinstance(data_mode, str) else set(data_mode)
    for mode in given:
        _one_of("data_mode", mode, _DATA_MODES)
    pairs = {"forward", "backward"}, {"input", "output"}
    return tuple(pair & given if "all" not in given and pair & given else pair for pair in pairs)


def _finder(option, texts):
    """Tells whether one of the texts is in a name."""
    if texts is not None and (isinstance(texts, str) or not all(isinstance(text, str) for text in texts)):
        raise ValueError(f"{option} is {texts!r}; it is a list of texts, or None")
    patterns = []
    for text in texts or ():
        regex = re.fullmatch(r"name-regex\((.*)\)", text)
        patterns.append(regex.group(1) if regex else re.escape(text))
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns)).search


def _scope_of(scope):
    if not scope:
        return None
    if isinstance(scope, str) or len(scope) != 2 or any(".backward" in name for name in scope):
        raise ValueError(f"scope is {scope!r}; it is two names of forward calls or modules: the first, the last")
    return tuple(scope)


def _models(model):
    """What stands in front of the names of the modules, and each model."""
    models = {"": model} if isinstance(model, torch.nn.Module) else model
    return [(str(name), each) for name, each in (models.items() if isinstance(models, dict) else enumerate(models))]


def _names(model):
    for front, each in _models(model):
        if type(each).__name__ in ("DistributedDataParallel", "DataParallel"):
            each = each.module
        for name, module in each.named_modules():
            name = _WRAPPERS.sub("", name).lstrip(".")
            yield ".".join(filter(None, (front, name))), module


def _named(model):
    if any(type(module).__name__ == "OptimizedModule" for _, each in _models(model) for module in each.modules()):
        warnings.warn("torch.compile compiled this model or a part of it: the recorder does not see modules inside of "
                      "compiled ones; record without torch.compile")
    # A script module has no hooks with arguments, a list is never called. What is wrapped comes after its wrapper, under the
    # same name.
    by_name = {name: module for name, module in _names(model) if name and not isinstance(module, _NEVER_CALLED)}
    return {module: name for name, module in by_name.items()}


def _chosen(modules, pattern, level):
    chosen = {module: name for module, name in modules.items() if re.search(pattern or "", name)}
    if not chosen and (pattern is not None or level == "L0"):
        some = ", ".join(itertools.islice(modules.values(), 5))
        raise ValueError(f"modules={pattern!r} is found in no name of a module; names here are {some}, …")
    return chosen


# fully_shard() and replicate() make a class of its own of that of each module: where among its bases that one stands.
_OWN_CLASS = {"": 0, "FSDPModule": 2, "ReplicateModule": 3, "DDP": 2}


def _made_by(kind):
    """The first of these bases; "": it is a class as any other."""
    maker = kind.__mro__[1] if len(kind.__mro__) > 3 else object
    return maker.__name__ if maker.__name__ in _OWN_CLASS and maker.__module__.startswith("torch.distributed.") else ""


def _is_fsdp_1(module):
    return type(module).__name__ == "FullyShardedDataParallel"


def _shares(model):
    """What the ranks have of a model, for the head of a recording. "data": the same parameters or parts of each, and data of
    their own; "tensor": parts of parameters (DTensor) and the same data; "mesh": both, with the places of this rank."""
    modules = [module for _, each in _models(model) for module in each.modules()]
    cut = [parameter for module in modules for parameter in module.parameters(recurse=False) if hasattr(parameter, "placements")]
    made = [(module, _made_by(type(module))) for module in modules]
    if any(by or _is_fsdp_1(each) or type(each).__name__ == "DistributedDataParallel" for each, by in made):
        groups = {each._get_fsdp_state()._fsdp_param_group for each, by in made if by not in ("", "DDP")} - {None}
        factors = {getattr(group, "gradient_divide_factor", None) for group in groups} - {None}
        shares = {"sharding": "data", **({"gradient_divisor": factors.pop()} if len(factors) == 1 else {})}
        data = max((group.mesh_info.mesh.ndim for group in groups), default=0)
        mesh = max((parameter.device_mesh for parameter in cut), key=lambda mesh: mesh.ndim, default=None)
        if data and mesh is not None and mesh.ndim > data:
            # FSDP 2 puts its dimensions before those of the parameters that it is given.
            here, own = mesh.get_coordinate(), mesh.mesh[tuple(mesh.get_coordinate())]
            with_data, dividing = mesh.mesh[(..., *here[data:])].flatten(), mesh.mesh[tuple(here[:data])].flatten()
            shares.update(sharding="mesh", data_rank=with_data.tolist().index(own), tensor_rank=dividing.tolist().index(own))
        return shares
    return {"sharding": "tensor"} if cut else {}


class _FlatPart:
    """What this rank has of a parameter that FSDP 1 has put into a flat one: some of its elements, in their order."""

    def __init__(self, wrapper, number):
        self._handle, self._number = wrapper._handle, number
        flat = self._handle.flat_param
        own = flat._params[number] if flat._params is not None else flat
        self.stepped, self.requires_grad = own, own.requires_grad
        groups = [wrapper.process_group]
        between = getattr(wrapper, "_inter_node_pg", None)  # of HYBRID_SHARD
        if between is not None:
            groups.insert(0, between)
        self.place = {"placements": ["R"] * (len(groups) - 1) + ["S(0)"], "global_shape": list(flat._shapes[number]),
                      "mesh": [group.size() for group in groups], "coordinate": [group.rank() for group in groups]}

    @property
    def grad(self):
        flat, gradient = self._handle.flat_param, self._handle.sharded_grad
        part = flat._shard_param_infos[self._number]
        if gradient is None or (flat._is_grad_none_mask or [False] * (self._number + 1))[self._number]:
            return None
        if not part.in_shard:
            return gradient[:0]
        return gradient[part.offset_in_shard:part.offset_in_shard + part.numel_in_shard]


def _flat_parts(model, modules):
    """Those of FSDP 1 that belong to the modules: (part, module, name of the parameter)."""
    for _, each in _models(model):
        for wrapper in filter(_is_fsdp_1, each.modules()):
            handle = wrapper._handle
            for number, info in enumerate(handle.flat_param._param_infos if handle else ()):
                if handle.uses_sharded_strategy and info.module in modules:
                    yield _FlatPart(wrapper, number), info.module, info.param_name


def _class_of(module):
    return type(module).__mro__[_OWN_CLASS[_made_by(type(module))]].__name__


def _parameters_of(model, modules):
    """Each parameter once: parameter -> (name of its module, class, its own name)."""
    names, found = {module: name for name, module in _names(model)}, {}
    modules = dict.fromkeys(module for top in modules for module in top.modules())
    parts = {(module, name): part for part, module, name in _flat_parts(model, modules)}
    flat = {part.stepped for part in parts.values()}
    own = ((module, name, parameter) for module in modules
           for name, parameter in module.named_parameters(recurse=False) if parameter not in flat)
    for module, name, parameter in itertools.chain(own, ((*place, part) for place, part in parts.items())):
        if parameter.requires_grad:
            found.setdefault(parameter, (names.get(module, ""), _class_of(module), name))
    return found


def _function_names(moves):
    """Functions that a mode of torch may see -> names as msprobe gives them. A function that torch and
    torch.nn.functional share is that of the latter, of which modules are made."""
    names = {}
    spaces = [("Tensor", torch.Tensor), ("Torch", torch), ("Torch", torch.linalg), ("Functional", torch.nn.functional)]
    for front, space in spaces:
        for name in dir(space):
            is_private = name.startswith("_") and not name.endswith("__") and name not in _PRIVATE
            is_left_out = name not in _CORE if moves == "core" else name in _MOVES and not moves
            if is_private or name in _TELLS or is_left_out:
                continue
            function = getattr(space, name, None)
            if not callable(function) or isinstance(function, type) or getattr(function, "__hash__", None) is None:
                continue
            # Of several names of one function that by which it calls itself.
            if not names.get(function, "").startswith(front) or name == getattr(function, "__name__", None):
                names[function] = f"{front}.{name}"
    if moves != "core":
        names[torch.lstm] = "VF.lstm"
    return names


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
    """Its elements are those of memory; none are there of fake tensors, and of those of torch.func."""
    return (tensor.layout == torch.strided and tensor.device.type != "meta" and not tensor.is_quantized and
            not tensor.is_nested and not isinstance(tensor, torch._subclasses.FakeTensor) and
            not torch._C._functorch.is_functorch_wrapped_tensor(tensor))


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


def _function_modes():
    return torch.overrides._get_current_function_mode_stack()


def _is_compiling():
    return torch.compiler.is_compiling() or torch._C._get_tracing_state() is not None


def _is_capturing():
    return torch.cuda.is_initialized() and torch.cuda.is_current_stream_capturing()


def _without_modes():
    """Outside of what the program does to operations: selective checkpointing, counters of operations."""
    from torch.utils._python_dispatch import _disable_current_modes
    return _disable_current_modes()


def _bytes_of(data):
    return memoryview((ctypes.c_char * (data.numel() * data.element_size())).from_address(data.data_ptr()))


def _crc32(data):
    """As msprobe has it under the name of md5."""
    return f"{zlib.crc32(_bytes_of(data) if data.numel() else b''):08x}"


def _xor(data):
    """Of words of eight bytes, the last one filled up with zeros; none of scalars and of no elements."""
    if data.dim() == 0 or data.numel() == 0:
        return None
    words = data.reshape(-1).as_strided((data.numel(),), (1,)).view(torch.uint8)  # of one element torch keeps any stride
    words = torch.nn.functional.pad(words, (0, -len(words) % 8)).view(torch.int64)
    while len(words) > 1:
        half = len(words) // 2
        rest = words[2 * half:]
        words = torch.cat([words[:half] ^ words[half:2 * half], rest]) if len(rest) else words[:half] ^ words[half:]
    return f"0x{words.item() & 0xffffffffffffffff:016x}"


def _pinned(tensor):
    return torch.empty(tensor.shape, dtype=tensor.dtype, pin_memory=True).copy_(tensor, non_blocking=True)


def _statistics(tensor):
    """Maximum, minimum, sum, sum of squares, counts of NaN, +inf, -inf, in float64; no elements: empty."""
    if tensor.numel() == 0:
        return torch.empty(0, dtype=torch.float64)
    chunk = _CHUNK.get(tensor.device.type, 1 << 26)
    flat = tensor.reshape(-1)
    if len(flat) <= chunk:
        return _statistics_of_part(flat)
    parts = torch.stack([_statistics_of_part(flat[begin:begin + chunk]) for begin in range(0, len(flat), chunk)])
    return torch.cat([parts[:, 0].amax()[None], parts[:, 1].amin()[None], parts[:, 2:].sum(0)])


def _statistics_of_part(part):
    wide = part.double()
    low, high = torch.aminmax(part if part.dtype == torch.float32 else wide)
    total = wide.sum()
    numbers = [high.double(), low.double(), total, torch.dot(wide, wide)]
    if part.device.type == "cpu" and math.isfinite(total):
        none = torch.zeros_like(total)
        return torch.stack([*numbers, none, none, none])
    counts = [is_so(wide).sum().double() for is_so in (torch.isnan, torch.isposinf, torch.isneginf)]
    return torch.stack([*numbers, *counts])


def _as_said(values, count):
    if not values:
        return {}
    high, low, total, squares = values[:4]
    named = {"max": high, "min": low, "mean": total / count, "norm": math.sqrt(squares) if squares >= 0 else squares}
    named = {name: value if math.isfinite(value) else str(value) for name, value in named.items()}
    return dict(named, nan=int(values[4]), posinf=int(values[5]), neginf=int(values[6]))


def seed_all(seed=1234, deterministic=False):
    """Gives Python, NumPy (where the program has it) and torch this seed. `deterministic`: torch takes algorithms that
    give the same bits again, and refuses those that cannot."""
    if not 0 <= int(seed) < 1 << 32:
        raise ValueError(f"seed is {seed!r}; it may be 0 to {(1 << 32) - 1}")
    random.seed(seed)
    os.environ["PYTHONHASHSEED"] = str(seed)  # of programs that this one starts
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(deterministic)
    if torch.cuda.is_available():
        torch.cuda.manual_seed_all(seed)
        torch.backends.cudnn.deterministic = True
        torch.backends.cudnn.benchmark = False
        os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"


def _options_of(config):
    """Options of Recorder for what a config.json of msprobe's says."""
    with open(config, encoding="utf-8") as file:
        given = json.load(file)
    task = given.pop("task", None) or "statistics"
    more = given.pop(task, None) or {}
    refuse = lambda key, value, known: _one_of(f"{os.fspath(config)}: {key}", value, known)
    refuse("task", task, ("tensor", "statistics"))
    summary = refuse("summary_mode", more.pop("summary_mode", None) or "statistics", ("statistics", "md5", "xor"))
    options = {"task": "tensor" if task == "tensor" else {"md5": "crc32"}.get(summary, summary),
               "level": refuse("level", given.pop("level", None) or "L1", _LEVELS),
               "stack": bool(given.pop("extra_info", True))}
    risk = refuse("risk_level", given.pop("risk_level", None) or "FOCUS", ("ALL", "FOCUS", "CORE"))
    options["weights"] = options["level"] != "L1"
    if not given.get("dump_path"):
        raise ValueError(f"{os.fspath(config)}: dump_path: is missing")
    options["folder"] = given.pop("dump_path")
    for key, option in (("rank", "ranks"), ("step", "steps")):
        if numbers := given.pop(key, None):
            options[option] = set(itertools.chain.from_iterable(map(_range_of, numbers)))
    for key in ("list", "scope", "data_mode", "tensor_list"):
        if value := more.pop(key, None):
            options[key] = value
    # Where calls are named, msprobe asks for no level of risk.
    options["moves"] = True if {"list", "scope"} & set(options) else {"ALL": True, "FOCUS": False, "CORE": "core"}[risk]
    given.pop("async_dump", None)  # writing never waits
    given.pop("precision", None)  # statistics are those of float64
    ignored = [key for key, value in itertools.chain(given.items(), more.items())
               if value not in (None, "", [], {}, False) and key not in ("tensor", "statistics")]
    if ignored:
        warnings.warn(f"{os.fspath(config)}: {', '.join(ignored)}: the recorder does not know "
                      f"{'it' if len(ignored) == 1 else 'them'} and records without")
    return options


def _range_of(number):
    """3 or "3-5", as msprobe writes ranks and steps."""
    first, _, last = str(number).partition("-")
    return range(int(first), int(last or first) + 1)
