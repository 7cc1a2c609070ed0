#!/usr/bin/env python3
"""Modules of the Python engine by themselves, where no study reaches them: programs for GPUs, and GPUs that are not here.

    engine_modules_test.py
"""
import contextlib
import os
import pathlib
import sys
import tempfile
import types
import unittest
import warnings
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[5]
sys.path.insert(0, str(ROOT / "resources/python"))
os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()
os.environ["TORCHINDUCTOR_VEC_ISA_OK"] = "0"  # compiles nothing to find out what the processor can

import torch  # noqa: E402
import torch.utils.checkpoint  # noqa: E402
from ulpscope_engine import (  # noqa: E402
    batches, dividing, formats, kernels, levers, placing, ranks, recomputing, reduce, refused, server, sharding, watching)

TRITON = """
triton_poi_fused_add_mul_0 = async_compile.triton('triton_poi_fused_add_mul_0', '''
def triton_poi_fused_add_mul_0(in_ptr0, out_ptr0, xnumel, XBLOCK : tl.constexpr):
''', device_str='cuda')

def call(args):
    arg0_1, = args
        # Topologically Sorted Source Nodes: [y], Original ATen: [aten.mul, aten.add]
        stream0 = get_raw_stream(0)
        triton_poi_fused_add_mul_0.run(arg0_1, buf0, 32, stream=stream0)
        # Topologically Sorted Source Nodes: [z], Original ATen: [aten.mm]
        extern_kernels.mm(buf0, arg0_1, out=buf1)
        buf2 = torch.ops.aten._flash_attention_forward.default(buf1)
        triton_poi_fused_add_mul_0.run(buf1, buf0, 32, stream=stream0)

def benchmark_compiled_module(times=10, repeat=10):
    extern_kernels.bmm(buf0)
"""


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up = torch.nn.Linear(8, 8)

    def forward(self, numbers):
        return torch.nn.functional.silu(self.up(numbers)) + 1


class Stack(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList(Layer() for _ in range(2))

    def forward(self, numbers):
        for layer in self.layers:
            numbers = layer(numbers)
        return numbers


class KernelsOfPrograms(unittest.TestCase):
    def test_a_program_for_a_gpu(self):
        self.assertEqual(kernels.kernels_in(TRITON, "ab/cab.py"), [
            "triton_poi_fused_add_mul_0 [aten.mul, aten.add; ab/cab.py]",
            "extern_kernels.mm [aten.mm]",
            "aten._flash_attention_forward.default",
            "triton_poi_fused_add_mul_0 [ab/cab.py]",
        ])  # fmt: skip

    def test_what_a_compiled_layer_runs(self):
        model = levers.finished(Stack(), formats.PLAIN | {"compile": "layers", "compile_backend": "inductor",
                                                          "compile_mode": "default"})
        seen = kernels.kernels_seen(model, watching.Names(model))
        with seen.watching(), torch.no_grad():
            for _ in range(2):
                seen.begin()
                model(torch.ones(3, 8))
        record = seen.record()
        self.assertEqual(set(record["forward"]), {"decoder.0", "decoder.1"})
        self.assertEqual(record["backward"], {})
        self.assertEqual(record["forward"]["decoder.0"], record["forward"]["decoder.1"])
        names = [record["names"][place] for place in record["forward"]["decoder.0"]]
        made = [name for name in names if name.startswith("cpp_fused_") and "silu" in name]
        self.assertEqual(len(made), 1, names)
        place = made[0].partition("[")[2].rstrip("]")
        self.assertTrue(os.path.isfile(os.path.join(os.environ["TORCHINDUCTOR_CACHE_DIR"], place)), place)
        self.assertTrue(any("aten.addmm" in name for name in names), names)

    def test_none_where_nothing_is_compiled_by_inductor(self):
        for how in ({}, {"compile": "layers", "compile_backend": "eager", "compile_mode": "default"}):
            model = levers.finished(Stack(), formats.PLAIN | how)
            self.assertIsNone(kernels.kernels_seen(model, watching.Names(model)))


class Compiling(unittest.TestCase):
    """By torch.compile, with a back end that counts."""

    HOW = {"compile": "layers", "compile_mode": "default"}

    def model_of(self, layer=Layer, count=12):
        model = Stack()
        model.layers = torch.nn.ModuleList(layer() for _ in range(count))
        self.calls = []

        def counting(graph, _):
            def called(*inputs):
                self.calls.append(inputs)
                return graph(*inputs)
            return called

        return levers.finished(model, formats.PLAIN | self.HOW | {"compile_backend": counting})

    def calls_of(self, model, lengths):
        """How often compiled programs ran, and what is said of the run."""
        self.calls.clear()
        notes = []
        with levers.compiled_anew(model, self.HOW, notes):
            for length in lengths:
                for gradients in (True, False):
                    with torch.set_grad_enabled(gradients):
                        model(torch.ones(length, 8))
        return len(self.calls), notes

    def test_every_call_of_a_layer_is_compiled_whatever_ran_before(self):
        model = self.model_of()
        for lengths in ([24], [8, 8, 8], [4] * 6, [7, 5, 3], [24]):
            self.assertEqual(self.calls_of(model, lengths), (2 * 12 * len(lengths), []))

    def test_a_run_gets_the_program_of_its_lengths_whatever_ran_before(self):
        model, symbols = self.model_of(count=1), []
        for lengths in ([24], [8, 4], [24]):
            self.calls_of(model, lengths)
            symbols.append([sum(isinstance(one, (int, torch.SymInt)) for one in inputs) for inputs in self.calls])
        self.assertEqual(symbols[0], symbols[2])  # a length that varies becomes an argument
        self.assertNotEqual(symbols[0], symbols[1][-2:])

    def test_a_store_that_is_full_is_an_error(self):
        model = self.model_of()
        with mock.patch.object(levers, "PROGRAMS_OF_MODULE", 0), \
                self.assertRaisesRegex(refused.Refused, "python.compile: layers: one function of the model needs more than 0 programs"):
            self.calls_of(model, [24])

    def test_what_is_left_uncompiled_is_told(self):
        class Broken(Layer):
            def forward(self, numbers):
                torch._dynamo.graph_break()
                return super().forward(numbers)

        class Left(Layer):
            @torch.compiler.disable
            def forward(self, numbers):
                return super().forward(numbers)

        _, notes = self.calls_of(self.model_of(Broken), [24])
        self.assertEqual(len(notes), 1)
        self.assertRegex(notes[0], "python.compile: layers: torch.compile left parts of the model as they are: .*graph_break")
        calls, notes = self.calls_of(self.model_of(Left), [24])
        self.assertEqual(calls, 0)
        self.assertEqual(notes, ["python.compile: layers: torch.compile compiled nothing, and all ran as it is; TORCH_COMPILE_DISABLE=1 "
                                 "and TORCHDYNAMO_DISABLE=1 ask for that"])


class Gpus(unittest.TestCase):
    def test_the_peak_is_that_of_all_of_them(self):
        def tensor(name):
            return types.SimpleNamespace(device=torch.device(name))

        model = types.SimpleNamespace(
            parameters=lambda: [tensor("cuda:1"), tensor("cpu"), tensor("cuda:0")], buffers=lambda: [tensor("cuda:1")])
        with mock.patch.multiple(torch.cuda, synchronize=mock.DEFAULT, reset_peak_memory_stats=mock.DEFAULT,
                                 max_memory_allocated=lambda device: 100 + device.index) as patched:
            gpus = levers.gpus_of(model)
            levers.begin_measuring(gpus)
            self.assertEqual(levers.peak_bytes(gpus), 201)
        self.assertEqual(patched["synchronize"].call_args_list, 2 * [mock.call(gpu) for gpu in gpus])

    def test_errors_say_what_is_lost(self):
        self.assertEqual(server.code_of(torch.cuda.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB")),
                         "out of memory")
        self.assertEqual(server.code_of(RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling cublasCreate")),
                         "out of memory")
        self.assertEqual(server.code_of(RuntimeError("CUDA error: device-side assert triggered")), "device error")
        self.assertEqual(server.code_of(RuntimeError("mat1 and mat2 shapes cannot be multiplied")), "model")

    def test_the_head_of_a_device_map_gets_its_forward_back(self):
        model = torch.nn.Sequential(torch.nn.Linear(4, 4))
        model.get_output_embeddings = lambda: model[0]
        model[0].forward = moved = lambda numbers: numbers * 2
        with formats.head_in(model, torch.float64):
            self.assertEqual(model[0](torch.ones(1, 4)).dtype, torch.float64)
        self.assertIs(model[0].forward, moved)

    def test_a_device_map_that_is_none_is_refused(self):
        with mock.patch.dict(sys.modules, {"accelerate": types.ModuleType("accelerate")}):
            levers.check_device_map("auto")
            levers.check_device_map("cpu")
            with self.assertRaisesRegex(refused.Refused, "python.device_map: nonsense: it is no device, and none of auto, balanced"):
                levers.check_device_map("nonsense")

    def test_the_efficient_kernel_gets_keys_of_every_head(self):
        place = types.SimpleNamespace(use_gqa_in_sdpa=lambda mask, key, value: True)
        with mock.patch.dict(sys.modules, {"transformers.integrations.sdpa_attention": place}):
            with formats.kernel_of("sdpa_efficient"):
                self.assertFalse(place.use_gqa_in_sdpa(None, None, None))
            with formats.kernel_of("sdpa_flash"):
                self.assertTrue(place.use_gqa_in_sdpa(None, None, None))
        with mock.patch.dict(sys.modules, {"transformers.integrations.sdpa_attention": None}), formats.kernel_of("sdpa_efficient"):
            pass

    def test_convolutions_follow_the_precision_of_products(self):
        run = {"deterministic": False, "threads": torch.get_num_threads(), "attention": "eager"}
        before = torch.backends.cudnn.allow_tf32
        for precision, expected in (("highest", False), ("high", True)):
            with formats.settings_of(run | {"float32_products": precision}):
                self.assertEqual(torch.backends.cudnn.allow_tf32, expected)
        self.assertEqual(torch.backends.cudnn.allow_tf32, before)


class Padding(unittest.TestCase):
    def test_a_model_without_known_embeddings_is_refused(self):
        padding = batches.EmptyPadding(watching.Names(Stack()))
        padding.begin(None)
        with self.assertRaisesRegex(Exception, "input.padding: which module embeds"):
            padding.begin(torch.ones(3, dtype=torch.bool))


class Ranks(unittest.TestCase):
    def test_parts_are_added_in_the_order_that_is_named(self):
        # 1 vanishes beside 2^24 in float32, as 2 does not.
        parts = [torch.tensor(number) for number in (16777216.0, 1.0, 1.0, -16777216.0, 1.0)]
        for order, total in (("rank_order", 1.0), ("reversed", 3.0), ("tree", 2.0), ("float32", 1.0), ("float64", 3.0)):
            self.assertEqual(reduce.added(parts, order).item(), total, order)
        self.assertEqual(reduce.added([torch.tensor(number) for number in (16777216.0, 2.0, 1.0, 1.0)], "tree").item(), 16777220.0)
        halves = [torch.tensor(number, dtype=torch.bfloat16) for number in (256.0, 1.0, 1.0)]
        self.assertEqual(reduce.added(halves, "rank_order").item(), 256.0)
        self.assertEqual(reduce.added(halves, "float32").item(), 258.0)
        self.assertEqual(reduce.added(halves, "float32").dtype, torch.bfloat16)

    def test_what_ranks_have_of_a_row(self):
        same, other = [3.0, 1.0, 0.5], [3.0, -1.0, 0.5]
        self.assertIsInstance(sharding.layout_of([2, 8], [[2, 8], [2, 8]], [same, same], False), sharding.Whole)
        self.assertIsInstance(sharding.layout_of([2, 8], [[2, 8], [2, 8]], [same, other], False), sharding.Sum)
        self.assertIsInstance(sharding.layout_of([2, 7], [[2, 4], [2, 3]], [same, other], False), sharding.Shares)
        self.assertIsInstance(sharding.layout_of([9, 8], [[5, 4], [5, 4]], [same, other], True), sharding.Shares)
        unknown = sharding.layout_of([2, 8], [[2, 3], [2, 3]], [same, other], False)
        with self.assertRaisesRegex(refused.Refused, r"python.ranks: x \(forward\) is \[2, 8\] on one rank"):
            unknown.of(None, {"name": "x", "pass": "forward"})

    def test_commands_of_launchers(self):
        run = {"ranks": 4, "launcher": "env -u A {command} {ranks}"}
        command = ranks.command_of(run)
        self.assertEqual(command[:3] + command[-1:], ["env", "-u", "A", "4"])
        self.assertEqual(command[3:-1], [sys.executable, "-u", "-c", ranks.BEGIN])
        self.assertIn("--nproc-per-node=4", ranks.command_of(run | {"launcher": "torchrun"}))
        with mock.patch.dict(os.environ, {"PATH": "/nowhere"}), self.assertRaisesRegex(refused.Refused, "srun: is not there"):
            ranks.command_of(run | {"launcher": "srun"})


class Dividing(unittest.TestCase):
    """Operations of two ranks, as rank 0 puts them together."""

    @contextlib.contextmanager
    def ranks_that_have(self, parts):
        def gathered(_, shapes):
            self.assertEqual([list(part.shape) for part in parts], shapes)
            return parts

        with mock.patch.object(sharding, "gathered", gathered), mock.patch.multiple(
                sharding.dist, get_rank=lambda: 0, all_reduce=lambda total: total.add_(parts[1])):
            yield

    def divided(self, alone):
        trial = {"dtype": "float32", "autocast": "", "rules": [], "quantization": ""}
        request = {"ranks": 2, "parallel": "tensor", "group": 1, "trial": trial}
        return dividing.Dividing(None, [], request, None, {row: placing.Look(tensor) for row, tensor in alone.items()})

    def layout(self, whole, *parts):
        with self.ranks_that_have(parts):
            return self.divided({"row": whole})._found("row", parts[0], list(whole.shape), [list(part.shape) for part in parts])

    def of(self, layout, *parts):
        with self.ranks_that_have(parts):
            return layout.of(parts[0], None)

    def test_what_gives_the_numbers_of_one_rank_is_found(self):
        whole = torch.rand(4, 6)
        self.assertIsInstance(self.layout(whole, whole, whole), sharding.Whole)
        self.assertIsInstance(self.layout(whole, whole - 1, torch.ones(4, 6)), sharding.Sum)
        self.assertIsNone(self.layout(whole, whole + 1, whole + 1))
        self.assertIsNone(self.layout(whole, whole[:, :3], whole[:, 2:5]))
        self.assertIsNone(self.layout(whole, whole[:2, :3], whole[2:, 3:]))
        uneven = self.layout(whole, whole[:, :4], whole[:, 4:])
        self.assertTrue(torch.equal(self.of(uneven, whole[:, :4], whole[:, 4:]), whole))

    def test_heads_that_are_folded_with_sequences_are_put_together_for_any_number_of_sequences(self):
        def folded(sequences):
            heads = torch.rand(sequences, 4, 3)
            return [part.flatten(0, 1) for part in (heads, heads[:, :2], heads[:, 2:])]

        layout = self.layout(*folded(dividing.SEQUENCES))
        whole, *parts = folded(3)
        self.assertTrue(torch.equal(self.of(layout, *parts), whole))

    def test_tensors_that_are_packed_into_one_are_put_together_each(self):
        def packed(rows):
            tensors = torch.rand(rows, 2, 8)
            return [part.flatten(1) for part in (tensors, tensors[..., :4], tensors[..., 4:])]

        layout = self.layout(*packed(5))
        whole, *parts = packed(7)
        self.assertTrue(torch.equal(self.of(layout, *parts), whole))

    def test_ranks_that_make_operations_in_other_orders_are_refused(self):
        def others(told, own):
            told[:] = [own, ({"b": [2], "a": [2]}, {})]

        divided = self.divided({"a": torch.ones(2), "b": torch.ones(2)})
        divided._try = lambda seen: [seen(row, torch.ones(2), None) for row in "ab"]
        with mock.patch.multiple(dividing.dist, get_world_size=lambda: 2, all_gather_object=others), \
                self.assertRaisesRegex(refused.Refused, "python.ranks: 2: .*different orders.*take capture.level: module"):
            divided.layouts()


PLAN = {"among": 0, "place": 0, "seed": 0, "padding": 0, "padded_left": True, "chunk_length": 0, "prompt": 0, "cache_dtype": ""}


def wide_batch(**plan):
    batch = types.SimpleNamespace(inputs=torch.arange(12).view(2, 6), positions=None)
    return batches.WideBatch(batch, PLAN | plan, 97, 0)


class Recomputing(unittest.TestCase):
    """Activation checkpointing that is left out beside that of torch."""

    def gradients(self, is_kept, use_reentrant, is_frozen=False):
        torch.manual_seed(0)
        table, inner, outer = torch.nn.Embedding(19, 16), torch.nn.Linear(16, 16), torch.nn.Linear(16, 16)
        table.requires_grad_(not is_frozen)
        notes = []
        with recomputing.activations_kept(notes) if is_kept else contextlib.nullcontext():
            x = table(torch.arange(12).view(2, 6))
            # Read twice inside and once outside, so that the order in which gradients are added shows.
            x = x + torch.utils.checkpoint.checkpoint(lambda x: inner(x).sigmoid() * outer(x), x, use_reentrant=use_reentrant)
            (x.square().sum() * table.weight.new_tensor(0.37, requires_grad=True)).backward()
        self.assertEqual(len(notes), is_kept)
        return [None if each.grad is None else each.grad.tolist() for each in (table.weight, inner.weight, outer.weight)]

    def test_gradients_are_those_of_torch(self):
        for use_reentrant in (True, False):
            plain = self.gradients(False, use_reentrant)
            self.assertNotIn(None, plain)
            self.assertEqual(self.gradients(True, use_reentrant), plain)

    def test_what_reads_nothing_with_a_graph_has_none(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.assertEqual(self.gradients(False, True, is_frozen=True), [None] * 3)
        self.assertEqual(self.gradients(True, True, is_frozen=True), [None] * 3)


class RowsOfBatches(unittest.TestCase):
    """Of modules: what is shown of tensors whose axes are known from a pass over two sequences of nineteen tokens."""

    def shown(self, wide, shape, made, which="forward"):
        shown, site = [], {"name": "row", "pass": which}
        axes = batches.axes_of(shape, 2, 19)
        rows = batches.ComparedRows({("row", which): axes}, lambda site, tensor, keys=None: shown.append(tensor), None)
        rows.begin(wide)
        for piece in wide.pieces:
            rows(site, made(piece), piece)
        return shown[0]

    def test_scores_are_cut_in_queries_and_keys(self):
        whole = torch.randn(2, 4, 8, 8)
        shown = self.shown(wide_batch(padding=2), (2, 4, 19, 19), lambda _: whole)
        self.assertTrue(torch.equal(shown, whole[:, :, 2:, 2:]))
        with self.assertRaisesRegex(batches.Refused, "row .forward.: .*capture.exclude"):
            self.shown(wide_batch(chunk_length=4), (2, 4, 19, 19), lambda piece: whole[:, :, piece.begin:piece.end, :piece.end])

    def test_what_a_piece_makes_of_all_positions_so_far(self):
        whole = torch.randn(2, 6, 3)  # as DeepSeek's keys of its cache
        shown = self.shown(wide_batch(chunk_length=4), (2, 19, 3), lambda piece: whole[:, :piece.end])
        self.assertTrue(torch.equal(shown, whole))
        with self.assertRaisesRegex(batches.Refused, "row .backward."):
            self.shown(wide_batch(chunk_length=4), (2, 19, 3), lambda piece: whole[:, :piece.end], "backward")


class Orders(unittest.TestCase):
    """Of operations: in which order a dimension was folded is told by the numbers."""

    def test_folded_dimensions_are_cut_and_joined(self):
        wide = wide_batch(among=4, place=1, padding=2, chunk_length=3)
        parts = placing.Parts(wide)
        sequences = torch.randn(4, 8, 5)
        for order, fold in (("btk", lambda part: part.reshape(-1)), ("tbk", lambda part: part.transpose(0, 1).reshape(-1)),
                            ("kbt", lambda part: part.permute(2, 0, 1).reshape(-1))):
            placed = placing.Placed([order])
            cut = [parts.cut(placed, piece, fold(sequences[:, piece.begin:piece.end])) for piece in parts.pieces]
            self.assertTrue(torch.equal(placed.put_together(cut), fold(sequences[1:3, 2:])), order)

    def test_likely_orders_come_first_and_others_are_none(self):
        piece = types.SimpleNamespace(begin=0, end=23)
        orders = [list(placed.orders) for placed in placing.orders_of((38, 7), [((115, 7), piece)])]
        self.assertEqual(orders, [["bt", "k"], ["tb", "k"]])
        self.assertEqual(list(placing.orders_of((19, 7), [((21, 7), piece)])), [])
        self.assertEqual([list(placed.orders) for placed in placing.orders_of((1, 19), [((5, 23), piece)])], [["o", "t"]])


if __name__ == "__main__":
    unittest.main()
