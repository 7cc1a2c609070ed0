"""The recorder beside hooks of torch itself."""
import contextlib
import glob
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import textwrap
import unittest
import warnings

MODULE = pathlib.Path(__file__).resolve().parents[2] / "resources" / "python"
sys.path.insert(0, str(MODULE))
try:
    import torch
    import transformers
    from safetensors.torch import load_file
except ImportError as error:
    sys.exit(f"{error}; `make setup-test` installs it")
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts
import ulpscope_recorder
from ulpscope_recorder import Recorder

IDS = torch.arange(10).reshape(2, 5) % 7


def llama(dtype=torch.float32, **options):
    torch.manual_seed(0)
    config = transformers.LlamaConfig(hidden_size=16, intermediate_size=24, num_hidden_layers=2, vocab_size=32,
                                      num_attention_heads=4, num_key_value_heads=2, **options)
    return transformers.LlamaForCausalLM(config).to(dtype)


def train(model, steps=2, step=contextlib.nullcontext):
    """Losses and parameters after it, to the bit."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    losses = []
    for _ in range(steps):
        with step():
            loss = model(input_ids=IDS, labels=IDS).loss
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        losses.append(loss.detach())
    return losses + [parameter.detach().clone() for parameter in model.parameters()]


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and torch.equal(
        a.reshape(-1).view(torch.uint8), b.reshape(-1).view(torch.uint8))


def nodes(loss):
    """How many there are in the graph of a loss."""
    seen, todo = set(), [loss.grad_fn]
    while todo:
        node = todo.pop()
        if node is not None and node not in seen:
            seen.add(node)
            todo += [below for below, _ in node.next_functions]
    return len(seen)


def train_in_parallel(rank, folder):
    """One of two ranks: a training without the recorder, then one with it."""
    torch.distributed.init_process_group("gloo", init_method=f"file://{folder}.store", rank=rank, world_size=2)
    trained = [torch.nn.parallel.DistributedDataParallel(llama()) for _ in range(2)]
    expected = train(trained[0])
    with Recorder(trained[1], folder, r"layers\.1\.mlp") as recorder:
        got = train(trained[1], step=recorder.step)
    torch.distributed.barrier()
    torch.distributed.destroy_process_group()
    assert all(map(same, expected, got))


class Dump:
    """What stands in the folder of a step, read by safetensors itself."""

    def __init__(self, folder, step=0, rank=0):
        self.folder = pathlib.Path(folder) / f"step{step}" / f"rank{rank}"
        self.lines = [json.loads(line) for line in (self.folder / "index.jsonl").read_text().splitlines()]
        self.entries = sorted((line for line in self.lines if "order" in line), key=lambda line: line["order"])
        self.tensors = {}
        for file in glob.glob(str(self.folder / "*.safetensors")):
            self.tensors.update(load_file(file))

    def entry(self, name, which="forward", call=0):
        return next(e for e in self.entries if (e["name"], e["pass"], e["call"]) == (name, which, call))

    def row(self, name, which, role, path="0", call=0):
        rows = self.entry(name, which, call)["tensors"]
        return next(row for row in rows if (row["role"], row["path"]) == (role, path))

    def tensor(self, *what, **how):
        return self.tensors[self.row(*what, **how)["key"]]


class RecorderTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = os.path.join(temporary.name, "dump")
        warnings.filterwarnings("error", module="ulpscope_recorder")
        self.addCleanup(warnings.resetwarnings)

    def test_gradients_of_a_step_that_a_gradient_scaler_leaves_out(self):
        model, step = torch.nn.Sequential(torch.nn.Linear(4, 2)), torch.amp.GradScaler.step
        optimizer, scaler = torch.optim.SGD(model.parameters()), torch.amp.GradScaler("cpu", init_scale=4.)
        with Recorder(model, self.folder) as recorder:
            for factor in (torch.inf, 1):
                with recorder.step():
                    scaler.scale(model(torch.ones(3, 4)).sum() * factor).backward()
                    scaler.step(optimizer)
                    scaler.update()
                    optimizer.zero_grad()
        self.assertIs(torch.amp.GradScaler.step, step)
        for number, expected in enumerate((torch.inf, 3.)):
            gradient = Dump(self.folder, number).tensor("0", "parameter_gradient", "parameter_gradient", "weight")
            self.assertTrue(same(gradient, torch.full((2, 4), expected)))

    def test_gradients_that_a_fused_optimizer_unscales_are_those_of_its_step(self):
        for fused in (False, True):
            model = torch.nn.Sequential(torch.nn.Linear(4, 2))
            optimizer = torch.optim.AdamW(model.parameters(), fused=fused)
            scaler = torch.amp.GradScaler("cpu", init_scale=4.)
            folder = os.path.join(os.path.dirname(self.folder), f"fused{fused}")
            with Recorder(model, folder) as recorder, recorder.step():
                scaler.scale(model(torch.ones(3, 4)).sum()).backward()
                scaler.step(optimizer)
            gradient = Dump(folder).tensor("0", "parameter_gradient", "parameter_gradient", "weight")
            self.assertTrue(same(gradient, torch.full((2, 4), 3.)), fused)

    def test_batches_of_a_data_loader_are_its_outputs(self):
        model = torch.nn.Sequential(torch.nn.Linear(4, 2))
        data = torch.utils.data.DataLoader(torch.arange(24.).reshape(6, 4), batch_size=2)
        loads = torch.utils.data.dataloader._BaseDataLoaderIter.__next__
        for option, name in ((True, "dump"), (False, "without")):
            folder = os.path.join(os.path.dirname(self.folder), name)
            with Recorder(model, folder, batches=option, steps=[0, 2]) as recorder:
                for batch in data:
                    batch.requires_grad_()
                    with recorder.step():
                        model(batch).sum().backward()
            for step in (0, 2) if option else ():
                dump = Dump(folder, step)
                self.assertTrue(same(dump.tensor("data_loader", "forward", "output"),
                                     torch.arange(24.).reshape(3, 2, 4)[step]))
                gradient = dump.tensor("data_loader", "backward", "output_gradient")
                self.assertTrue(same(gradient, dump.tensor("0", "backward", "input_gradient")))
                self.assertEqual([e["call"] for e in dump.entries if e["name"] == "data_loader"], [0, 0])
        self.assertNotIn("data_loader", {entry["name"] for entry in Dump(folder).entries})
        self.assertIs(torch.utils.data.dataloader._BaseDataLoaderIter.__next__, loads)

    def test_batches_inside_of_a_step_are_its_own(self):
        model = torch.nn.Sequential(torch.nn.Linear(4, 2))
        data = iter(torch.utils.data.DataLoader(torch.arange(24.).reshape(6, 4), batch_size=1))
        with Recorder(model, self.folder, steps=[1]) as recorder:
            for _ in range(2):
                with recorder.step():
                    for _ in range(2):
                        model(next(data))
        self.assertEqual([dump.tensor("data_loader", "forward", "output", call=call)[0, 0].item()
                          for dump in [Dump(self.folder, 1)] for call in range(2)], [8, 12])

    def test_a_model_that_comes_later_is_recorded_from_then_on(self):
        first, second = (torch.nn.Sequential(torch.nn.Linear(4, 4)) for _ in range(2))
        with Recorder({"first": first}, self.folder) as recorder:
            recorder.add(second, "second")
            second(first(torch.ones(1, 4))).sum().backward()
        names = {(entry["name"], entry["pass"]) for entry in Dump(self.folder).entries}
        self.assertLessEqual({("second.0", "forward"), ("second.0", "backward"), ("second.0", "parameter_gradient")}, names)

    def hooked(self, dtype, name):
        """What torch's hooks see of one module. One at a time: a full backward hook groups what autograd sums
        above its module in another way, so that hooks on several modules change the last bits."""
        seen, model = {}, llama(dtype)

        def forward(module, args, output):
            seen["forward", "output"] = (output[0] if isinstance(output, tuple) else output).detach().clone()

        def backward(module, leaving, arriving):
            seen["backward", "output_gradient"] = arriving[0].clone()
            if leaving and leaving[0] is not None:
                seen["backward", "input_gradient"] = leaving[0].clone()

        module = model.get_submodule(name)
        module.register_forward_hook(forward)
        module.register_full_backward_hook(backward)
        with warnings.catch_warnings(action="ignore"):
            model(input_ids=IDS, labels=IDS).loss.backward()
        return seen

    def test_values_and_gradients_are_those_of_torchs_own_hooks(self):
        for dtype in (torch.float32, torch.bfloat16):
            folder = f"{self.folder}-{dtype}"
            with Recorder(recorded := llama(dtype), folder, r"layers\.\d+"):
                recorded(input_ids=IDS, labels=IDS).loss.backward()
            dump, model, compared = Dump(folder), llama(dtype), 0
            model(input_ids=IDS, labels=IDS).loss.backward()
            for name in {entry["name"] for entry in dump.entries}:
                for (which, role), value in self.hooked(dtype, name).items():
                    self.assertTrue(same(dump.tensor(name, which, role), value), f"{dtype} {name} {role}")
                    compared += 1
            self.assertEqual(compared, 2 * (13 * 3 - 1))  # torch sees no gradient of self_attn's named arguments
            for name, parameter in model.named_parameters():
                if ".layers." in name:
                    module, _, weight = name.rpartition(".")
                    got = dump.tensor(module, "parameter_gradient", "parameter_gradient", weight)
                    self.assertTrue(same(got, parameter.grad), name)

    def test_gradients_of_named_arguments_are_those_of_a_graph_by_hand(self):
        class Named(torch.nn.Module):
            def forward(self, *, states, scale):
                return {"sum": states * scale + states.exp(), "none": None}

        class Outer(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.named = Named()

            def forward(self, x):
                y = x * 2
                return self.named(states=y, scale=3.0)["sum"] + y  # another use of y, outside of the module

        x = torch.tensor([1.0, 2.0], requires_grad=True)
        model = Outer()
        with Recorder(model, self.folder):
            model(x).sum().backward()
        dump = Dump(self.folder)
        self.assertTrue(same(dump.tensor("named", "backward", "input_gradient", "states"), 3 + (2 * x.detach()).exp()))
        self.assertTrue(same(dump.tensor("named", "backward", "output_gradient", "sum"), torch.ones(2)))
        self.assertEqual(dump.row("named", "forward", "input", "scale")["value"], "3.0")
        self.assertEqual(dump.row("named", "forward", "input", "scale")["type"], "float")
        self.assertTrue(dump.row("named", "forward", "output", "sum")["requires_grad"])

    def test_the_numbers_of_a_training_are_the_same_to_the_bit(self):
        for name, options in (("elements", {}), ("statistics", {"statistics_only": True}), ("stacks", {"stack": True})):
            with Recorder(recorded := llama(), f"{self.folder}-{name}", **options) as recorder:
                got = train(recorded, step=recorder.step)
            self.assertTrue(all(map(same, train(llama()), got)), name)

    def test_the_graph_has_no_node_more(self):
        plain = nodes(llama()(input_ids=IDS, labels=IDS).loss)
        with Recorder(model := llama(), self.folder):
            self.assertEqual(nodes(model(input_ids=IDS, labels=IDS).loss), plain)

    def test_the_order_is_that_of_execution_and_calls_know_the_enclosing_one(self):
        with Recorder(model := llama(), self.folder, r"layers\.\d+(\.mlp)?$"):
            model(input_ids=IDS, labels=IDS).loss.backward()
        dump = Dump(self.folder)
        inner = [(e["name"].removeprefix("model.layers."), e["pass"]) for e in dump.entries
                 if e["pass"] != "parameter_gradient"]
        self.assertEqual(inner, [("0.mlp", "forward"), ("0", "forward"), ("1.mlp", "forward"), ("1", "forward"),
                                 ("1.mlp", "backward"), ("1", "backward"), ("0.mlp", "backward"), ("0", "backward")])
        self.assertEqual(dump.entry("model.layers.1.mlp")["parent"], dump.entry("model.layers.1")["id"])
        self.assertEqual(dump.entry("model.layers.1.mlp", "backward")["forward"],
                         dump.entry("model.layers.1.mlp")["id"])
        self.assertEqual(dump.entry("model.layers.1.mlp")["class"], "LlamaMLP")

    def test_statistics_are_those_of_float64_and_count_what_is_not_finite(self):
        class Pass(torch.nn.Module):
            def forward(self, x):
                return x * 1

        model = torch.nn.Sequential(Pass())
        values = torch.randn(700_001, generator=torch.Generator().manual_seed(1)).to(torch.bfloat16)
        with Recorder(model, self.folder, statistics_only=True) as recorder:
            with recorder.step():
                model(values)
            for special in (float("nan"), float("inf")):
                with recorder.step():
                    model(torch.tensor([1.0, special, -float("inf"), special]))
            with recorder.step():
                model(torch.empty(0, 3))
        row = Dump(self.folder).row("0", "forward", "output")
        wide = values.double()
        self.assertEqual((row["max"], row["min"]), (wide.max().item(), wide.min().item()))
        self.assertAlmostEqual(row["mean"], wide.mean().item(), places=14)
        self.assertAlmostEqual(row["norm"], wide.norm().item(), places=8)
        self.assertNotIn("file", row)
        nan, infinite = (Dump(self.folder, step).row("0", "forward", "output") for step in (1, 2))
        self.assertEqual([nan[key] for key in ("max", "nan", "posinf", "neginf")], ["nan", 2, 0, 1])
        self.assertEqual([infinite[key] for key in ("max", "min", "mean", "nan", "posinf", "neginf")],
                         ["inf", "-inf", "nan", 0, 2, 1])
        self.assertNotIn("max", Dump(self.folder, 3).row("0", "forward", "output"))

    def test_types_come_back_as_they_were(self):
        class Several(torch.nn.Module):
            def forward(self, x):
                return {"all": [x.to(dtype) for dtype in ulpscope_recorder._SAFETENSORS],
                        "turned": x.reshape(2, 2).t(), "scalar": x.sum(), "complex": x.to(torch.complex64),
                        "turned_complex": torch.complex(x, x).reshape(2, 2).t().conj()}

        model = torch.nn.Sequential(Several())
        with Recorder(model, self.folder):
            out = model(torch.tensor([0.0, 1.0, 2.5, -3.0]).abs())
        dump = Dump(self.folder)
        for place, value in enumerate(out["all"]):
            self.assertTrue(same(dump.tensor("0", "forward", "output", f"all.{place}"), value), value.dtype)
        self.assertTrue(same(dump.tensor("0", "forward", "output", "turned"), out["turned"]))
        self.assertEqual(dump.tensor("0", "forward", "output", "scalar").shape, ())
        self.assertTrue(same(dump.tensor("0", "forward", "output", "complex"), torch.view_as_real(out["complex"])))
        self.assertTrue(same(dump.tensor("0", "forward", "output", "turned_complex"),
                             torch.view_as_real(out["turned_complex"].resolve_conj())))
        self.assertEqual(dump.row("0", "forward", "output", "complex")["dtype"], "torch.float32")

    def test_inputs_are_kept_as_they_were_before_the_module_changed_them(self):
        model = torch.nn.Sequential(torch.nn.ReLU(inplace=True))
        with Recorder(model, self.folder):
            model(torch.tensor([-1.0, 1.0]))
        self.assertEqual(Dump(self.folder).tensor("0", "forward", "input").tolist(), [-1, 1])

    def test_recomputed_calls_are_marked_and_gradients_the_same(self):
        class Net(torch.nn.Module):
            def __init__(self, mode):
                super().__init__()
                torch.manual_seed(0)
                self.block = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Tanh(), torch.nn.Linear(4, 4))
                self.mode = mode

            def forward(self, x):
                x = x * 1
                return self.block(x) if self.mode is None else checkpoint(self.block, x, use_reentrant=self.mode)

        x = torch.linspace(-1, 1, 8).reshape(2, 4).requires_grad_()
        dumps = []
        for mode in (None, False, True):
            folder = f"{self.folder}-{mode}"
            with Recorder(model := Net(mode), folder):
                model(x).square().sum().backward()
            dumps.append(Dump(folder))
        plain, *others = dumps
        for other in others:
            marked = [entry["name"] for entry in other.entries if entry.get("recomputed")]
            self.assertIn("block.0", marked)
            for name in ("block.0", "block.1", "block.2"):
                for what in (("output_gradient",), ("input_gradient",)):
                    self.assertTrue(same(plain.tensor(name, "backward", *what), other.tensor(name, "backward", *what)))
            self.assertTrue(other.lines[-1]["end"])

    def test_selective_checkpointing_does_not_see_the_recorder(self):
        seen = []

        def policy(context, operation, *args, **kwargs):
            seen.append(operation)
            return CheckpointPolicy.PREFER_RECOMPUTE

        def run(recorder):
            seen.clear()
            model = torch.nn.Sequential(torch.nn.Tanh(), torch.nn.Tanh())
            with recorder(model):
                checkpoint(model, torch.ones(2, requires_grad=True), use_reentrant=False,
                           context_fn=lambda: create_selective_checkpoint_contexts(policy)).sum().backward()
            return list(seen)

        self.assertEqual(run(lambda model: Recorder(model, self.folder)), run(contextlib.nullcontext))

    def test_parallel_ranks_record_what_was_reduced(self):
        torch.multiprocessing.spawn(train_in_parallel, (self.folder,), nprocs=2)
        first, second = (Dump(self.folder, 1, rank) for rank in range(2))
        weight = ("model.layers.1.mlp.up_proj", "parameter_gradient", "parameter_gradient", "weight")
        self.assertTrue(same(first.tensor(*weight), second.tensor(*weight)))
        self.assertEqual((second.lines[0]["rank"], second.lines[0]["world"]), (1, 2))

    def test_an_exception_leaves_a_dump_and_is_passed_on(self):
        class Fails(torch.nn.Module):
            def forward(self, x):
                raise KeyError("mine")

        model = torch.nn.Sequential(torch.nn.Linear(2, 2), Fails())
        with self.assertRaisesRegex(KeyError, "mine"):
            with Recorder(model, self.folder) as recorder:
                with recorder.step():
                    model(torch.ones(1, 2))
        dump = Dump(self.folder)
        self.assertEqual(dump.tensor("0", "forward", "input").tolist(), [[1, 1]])
        self.assertTrue(dump.entry("1")["failed"])
        self.assertEqual(dump.lines[-1], {"end": True, "entries": 2})
        self.assertFalse(model[0]._forward_hooks or model[0]._forward_pre_hooks)

    def test_a_killed_program_leaves_what_was_written(self):
        program = textwrap.dedent(f"""
            import os, signal, sys, time, torch
            sys.path.insert(0, {str(MODULE)!r})
            from ulpscope_recorder import Recorder
            model = torch.nn.Sequential(torch.nn.Linear(2, 2))
            with Recorder(model, {self.folder!r}):
                model(torch.ones(1, 2))
                time.sleep(1)
                os.kill(os.getpid(), signal.SIGKILL)
        """)
        ended = subprocess.run([sys.executable, "-c", program], check=False)
        self.assertEqual(ended.returncode, -signal.SIGKILL)
        self.assertEqual(Dump(self.folder).tensor("0", "forward", "input").tolist(), [[1, 1]])

    def test_steps_ranks_and_what_is_there(self):
        os.environ["RANK"] = "3"
        self.addCleanup(os.environ.pop, "RANK")
        model = torch.nn.Sequential(torch.nn.Linear(2, 2))
        with Recorder(model, self.folder, steps=range(0, 5, 2)) as recorder:
            model(torch.zeros(1, 2))  # outside of a step
            for number in range(4):
                with recorder.step():
                    model(torch.full((1, 2), float(number)))
        self.assertEqual(sorted(os.listdir(self.folder)), ["step0", "step2"])
        dump = Dump(self.folder, 2, 3)
        self.assertEqual(dump.tensor("0", "forward", "input").tolist(), [[2, 2]])
        self.assertEqual((dump.lines[0]["schema"], dump.lines[0]["rank"]), (ulpscope_recorder.SCHEMA, 3))
        with self.assertRaisesRegex(FileExistsError, "delete it or name another folder"):
            Recorder(model, self.folder).__enter__()

    def test_gradients_are_those_with_which_the_optimizer_steps(self):
        model = torch.nn.Sequential(torch.nn.Linear(2, 1, bias=False))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        with Recorder(model, self.folder) as recorder:
            with recorder.step():
                for _ in range(3):  # micro-batches
                    model(torch.ones(1, 2)).sum().backward()
                optimizer.step()
                optimizer.zero_grad()
        dump = Dump(self.folder)
        self.assertEqual(dump.tensor("0", "parameter_gradient", "parameter_gradient", "weight").tolist(), [[3, 3]])
        self.assertEqual([e["call"] for e in dump.entries if e["pass"] == "backward"], [0, 1, 2])

    def test_a_second_backward_through_one_graph_is_an_entry_of_its_own(self):
        model = torch.nn.Sequential(torch.nn.Linear(2, 1, bias=False))
        with Recorder(model, self.folder, parameters=None):
            loss = model(torch.ones(1, 2, requires_grad=True)).sum()
            loss.backward(retain_graph=True)
            (2 * loss).backward()
        gradients = [e for e in Dump(self.folder).entries if e["pass"] == "backward"]
        self.assertEqual([e.get("again") for e in gradients], [None, 1])
        self.assertEqual([e["tensors"][0]["max"] for e in gradients], [1, 2])

    def test_max_bytes_ends_elements_and_keeps_statistics(self):
        model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Tanh())
        with self.assertWarnsRegex(UserWarning, "max_bytes"):
            with Recorder(model, self.folder, max_bytes=20):
                model(torch.ones(1, 2))
        dump = Dump(self.folder)
        self.assertEqual(len(dump.tensors), 2)
        self.assertIn("norm", dump.row("1", "forward", "output"))

    def test_generation_with_a_cache_counts_its_calls(self):
        with Recorder(model := llama().eval(), self.folder, r"layers\.0\.mlp$"):
            model.generate(IDS[:1], max_new_tokens=3, min_new_tokens=3, do_sample=False)
        shapes = [e["tensors"][0]["shape"] for e in Dump(self.folder).entries]
        self.assertEqual(shapes, [[1, 5, 16], [1, 1, 16], [1, 1, 16]])

    def test_a_full_disk_ends_the_recording_and_not_the_program(self):
        model = torch.nn.Sequential(torch.nn.Linear(2, 2))
        pathlib.Path(self.folder).mkdir()
        (pathlib.Path(self.folder) / "step0").write_text("in the way")
        with self.assertRaisesRegex(RuntimeError, "not complete"):
            with Recorder(model, self.folder):
                self.assertEqual(model(torch.ones(1, 2)).shape, (1, 2))

    def test_files_roll_and_each_is_one_that_safetensors_reads(self):
        room, size = ulpscope_recorder._HEADER_BYTES, ulpscope_recorder._FILE_BYTES
        self.addCleanup(setattr, ulpscope_recorder, "_HEADER_BYTES", room)
        self.addCleanup(setattr, ulpscope_recorder, "_FILE_BYTES", size)
        for ulpscope_recorder._HEADER_BYTES, ulpscope_recorder._FILE_BYTES in ((256, size), (room, 50)):
            folder = f"{self.folder}-{ulpscope_recorder._FILE_BYTES}"
            model = torch.nn.Sequential(*(torch.nn.Tanh() for _ in range(9)))
            with Recorder(model, folder):
                model(torch.ones(5))
            dump = Dump(folder)
            self.assertGreater(len(list(dump.folder.glob("*.safetensors"))), 3)
            self.assertEqual(len(dump.tensors), 18)

    def test_what_cannot_be_seen_is_said(self):
        model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Tanh())
        with self.assertWarnsRegex(UserWarning, r"1 chosen modules were never seen running \(1\)"):
            with Recorder(model, self.folder):
                model[0](torch.ones(1, 2))
        with self.assertRaisesRegex(ValueError, "found in no name"):
            Recorder(model, self.folder, "layers")
        with self.assertWarnsRegex(UserWarning, "torch.compile"):
            Recorder(torch.nn.Sequential(torch.compile(model, backend="eager")), self.folder)


if __name__ == "__main__":
    unittest.main()
