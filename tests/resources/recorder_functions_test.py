"""The recorder's calls of functions, and what of a program is chosen to be recorded."""
import json
import math
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import threading
import textwrap
import unittest
import warnings
import zlib

from recorder_test import IDS, MODULE, Dump, llama, nodes, same, train

import torch
import ulpscope_recorder
from torch.utils.checkpoint import checkpoint
from ulpscope_recorder import Recorder

F = torch.nn.functional


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.up, self.down = torch.nn.Linear(4, 6), torch.nn.Linear(6, 4, bias=False)

    def forward(self, x):
        return x + self.down(F.silu(self.up(x)))


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = Block(), Block()

    def forward(self, x):
        return self.second(self.first(x) * 2)


X = torch.linspace(-1, 1, 8).reshape(2, 4)


def names_of(folder, step=0, rank=0):
    """In the order of execution, as msprobe writes them but for the classes of modules."""
    return [f"{e['name']}.{e['call']}.{e['pass']}" if e.get("kind") == "api" else f"{e['name']}.{e['pass']}.{e['call']}"
            for e in Dump(folder, step, rank).entries]


class RecorderFunctionsTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = os.path.join(temporary.name, "dump")
        warnings.filterwarnings("error", module="ulpscope_recorder")
        self.addCleanup(warnings.resetwarnings)

    def record(self, work, model=None, folder=None, **options):
        with Recorder(model or Net(), folder or self.folder, **{"level": "L1", **options}):
            work()
        return Dump(folder or self.folder)

    def names(self, work, **options):
        folder = tempfile.mkdtemp(dir=os.path.dirname(self.folder)) + "/dump"
        self.record(work, folder=folder, **options)
        return names_of(folder)

    def test_calls_are_named_and_counted_as_msprobe_does(self):
        def work():
            x, y = torch.ones(2, 2), torch.full((2, 2), 2.0)
            z = x + y
            z = x.add(y)
            z += y
            z = torch.add(x, y)
            z = 1 - z @ x
            z = -z / y < x
            F.cross_entropy(x, y)  # what it calls is not seen
            torch.linalg.vector_norm(x)
            x[0] = 3
            x.view(4), x[1], x.size(), torch.equal(x, y), x.sum().item(), z.any()

        self.assertEqual(self.names(work), [f"{name}.forward" for name in (
            "Tensor.__add__.0", "Tensor.add.0", "Tensor.__iadd__.0", "Torch.add.0", "Tensor.__matmul__.0",
            "Tensor.__rsub__.0", "Tensor.__neg__.0", "Tensor.__truediv__.0", "Tensor.__lt__.0",
            "Functional.cross_entropy.0", "Torch.vector_norm.0", "Tensor.__setitem__.0", "Tensor.sum.0",
            "Tensor.any.0")])
        self.assertIn("Tensor.view.0.forward", self.names(work, moves=True))

    def test_rows_hold_what_went_in_and_came_out_and_the_gradients(self):
        weight, x = torch.randn(3, 2, requires_grad=True), torch.randn(4, 2, requires_grad=True)

        def work():
            out = F.linear(x, weight)
            values = out.exp().max(dim=1)
            values.values.sum().backward()

        dump = self.record(work)
        out = F.linear(x, weight)
        arriving = torch.autograd.grad(out.exp().max(dim=1).values.sum(), out, retain_graph=True)[0]
        leaving = torch.autograd.grad(out, (x, weight), arriving)
        self.assertTrue(same(dump.tensor("Functional.linear", "forward", "input", "1"), weight.detach()))
        self.assertTrue(same(dump.tensor("Functional.linear", "forward", "output"), out.detach()))
        self.assertTrue(same(dump.tensor("Functional.linear", "backward", "output_gradient"), arriving))
        for path, expected in enumerate(leaving):
            self.assertTrue(same(dump.tensor("Functional.linear", "backward", "input_gradient", str(path)), expected))
        self.assertEqual(dump.row("Tensor.max", "forward", "input", "dim")["value"], "1")
        self.assertEqual(dump.row("Tensor.max", "forward", "output", "1")["dtype"], "torch.int64")

    def test_in_place_calls_show_what_was_before_and_what_is_after(self):
        x = torch.tensor([1.0, 2.0])
        dump = self.record(lambda: (x.add_(1), x.__setitem__(0, 7), torch.mul(x, 2, out=x)))
        for name, before, after in (("Tensor.add_", [1, 2], [2, 3]), ("Tensor.__setitem__", [2, 3], [7, 3]),
                                    ("Torch.mul", [7, 3], [14, 6])):
            self.assertEqual(dump.tensor(name, "forward", "input").tolist(), before)
            self.assertEqual(dump.tensor(name, "forward", "output").tolist(), after)

    def test_modules_are_the_parents_of_calls(self):
        model = Net()
        dump = self.record(lambda: model(X).sum().backward(), model, level="mix")
        block, up, linear = dump.entry("second"), dump.entry("second.up"), dump.entry("Functional.linear", call=2)
        self.assertEqual((linear["parent"], linear["module"]), (up["id"], "second.up"))
        self.assertEqual(up["parent"], block["id"])
        self.assertEqual(dump.entry("Tensor.__add__", call=1)["parent"], block["id"])
        self.assertIsNone(dump.entry("Tensor.sum")["parent"])
        self.assertEqual(dump.entry("Functional.linear", "backward", 2)["forward"], linear["id"])
        alone = self.record(lambda: model(X), model, folder=self.folder + "-L1")
        self.assertEqual({entry.get("kind") for entry in alone.entries}, {"api"})
        self.assertEqual(alone.entry("Functional.linear", call=2)["module"], "second.up")
        self.assertIsNone(alone.entry("Functional.linear", call=2)["parent"])

    def test_the_numbers_of_a_training_and_its_graph_are_the_same(self):
        expected = train(llama())
        for name, options in (("L1", {}), ("mix", {"level": "mix", "stack": True}), ("crc32", {"task": "crc32"})):
            with Recorder(recorded := llama(), f"{self.folder}-{name}", **{"level": "L1", **options}) as recorder:
                got = train(recorded, step=recorder.step)
            self.assertTrue(all(map(same, expected, got)), name)

        plain = nodes(llama()(input_ids=IDS, labels=IDS).loss)
        with Recorder(model := llama(), self.folder, level="mix"):
            self.assertEqual(nodes(model(input_ids=IDS, labels=IDS).loss), plain)

    def test_modules_list_and_scope_choose(self):
        model = Net()
        run = lambda: model(X)
        self.assertEqual(self.names(run, model=model, modules=r"^first\.up"), ["Functional.linear.0.forward"])
        self.assertEqual(self.names(run, model=model, list=["silu", "name-regex(linear\\.[13])"]),
                         ["Functional.silu.0.forward", "Functional.linear.1.forward", "Functional.silu.1.forward",
                          "Functional.linear.3.forward"])
        self.assertEqual(self.names(run, model=model, level="mix", list=["second.down"]),
                         ["Functional.linear.3.forward", "second.down.forward.0"])
        self.assertEqual(self.names(run, model=model, level="L0", list=["Module.first.Block.", "up.Linear"]),
                         ["first.up.forward.0", "first.forward.0", "second.up.forward.0"])
        scope = ("Functional.linear.1.forward", "Functional.linear.2.forward")
        self.assertEqual(self.names(run, model=model, scope=scope),
                         ["Functional.linear.1.forward", "Tensor.__add__.0.forward", "Tensor.__mul__.0.forward",
                          "Functional.linear.2.forward"])
        scope = ("first.down", "Module.first.down.Linear.forward.0")
        self.assertEqual(self.names(run, model=model, level="mix", scope=scope),
                         ["Functional.linear.1.forward", "first.down.forward.0"])
        with self.assertWarnsRegex(UserWarning, "no call fits list and scope"):
            with Recorder(model, self.folder, list=["conv"]):
                model(X)
        self.assertEqual(self.names(run, model=model, level="mix", list=["Module.first.Block."]),
                         ["Functional.linear.0.forward", "first.up.forward.0", "Functional.silu.0.forward",
                          "Functional.linear.1.forward", "first.down.forward.0", "Tensor.__add__.0.forward",
                          "first.forward.0"])
        for options in ({"list": "silu"}, {"scope": "first"}, {"scope": ("a.0.backward", "b.0.forward")},
                        {"level": "L2"}, {"task": "md5"}, {"data_mode": ["inputs"]}):
            with self.assertRaisesRegex(ValueError, next(iter(options))):
                Recorder(model, self.folder, **options)

    def test_reflected_operators_are_called_as_msprobe_calls_them(self):
        before = torch.Tensor.__rmul__
        x = X.clone().requires_grad_()
        run = lambda: (2 * x + 1, 1 + x * 2, x * x)
        with Recorder(torch.nn.Module(), self.folder, level="L1"):
            got = run()
        self.assertTrue(all(map(same, got, run())))
        dump = Dump(self.folder)
        self.assertEqual([entry["name"] for entry in dump.entries if entry["pass"] == "forward"], [
            "Tensor.__rmul__", "Tensor.__add__", "Tensor.__mul__", "Tensor.__radd__", "Tensor.__mul__"])
        self.assertTrue(same(dump.tensor("Tensor.__rmul__", "forward", "output"), 2 * X))
        self.assertEqual(dump.row("Tensor.__rmul__", "forward", "input", "1")["value"], "2")
        self.assertIs(torch.Tensor.__rmul__, before)
        self.assertNotIn("__rmul__", vars(torch.Tensor))

    def test_data_mode_leaves_passes_and_sides_out(self):
        model, x = Net(), X.clone().requires_grad_()
        roles = {}
        for mode in ("all", "forward", "backward", "input", ("forward", "output"), ("backward", "input")):
            folder = f"{self.folder}-{mode}"
            dump = self.record(lambda: model(x).sum().backward(), model, folder, level="mix",
                               data_mode=(mode,) if isinstance(mode, str) else mode, parameters=None)
            roles[mode] = {row["role"] for entry in dump.entries for row in entry["tensors"]}
        forward, backward = {"input", "output"}, {"output_gradient", "input_gradient"}
        self.assertEqual(roles, {"all": forward | backward, "forward": forward, "backward": backward,
                                 "input": {"input", "output_gradient"}, ("forward", "output"): {"output"},
                                 ("backward", "input"): {"output_gradient"}})

    def test_checksums_are_of_the_bytes(self):
        values = torch.randn(5, 6).to(torch.bfloat16)[:, ::2]
        model = torch.nn.Sequential(torch.nn.Tanh())
        content = bytes(values.contiguous().reshape(-1).view(torch.uint8).tolist())
        words = struct.unpack("<4Q", content.ljust(32, b"\0"))
        for task, expected in (("crc32", f"{zlib.crc32(content):08x}"),
                               ("xor", f"0x{words[0] ^ words[1] ^ words[2] ^ words[3]:016x}")):
            dump = self.record(lambda: model(values), model, f"{self.folder}-{task}", task=task, level="L0")
            row = dump.row("0", "forward", "input")
            self.assertEqual(row["checksum"], expected)
            self.assertEqual(row["max"], values.max().item())
            self.assertNotIn("file", row)
            self.assertEqual((dump.lines[0]["task"], dump.lines[0]["statistics_only"]), (task, True))

    def test_elements_of_some_calls_are_kept_beside_statistics(self):
        model = Net()
        dump = self.record(lambda: model(X), model, task="statistics", tensor_list=["linear.1"])
        self.assertIn("file", dump.row("Functional.linear", "forward", "output", call=1))
        self.assertNotIn("file", dump.row("Functional.linear", "forward", "output", call=0))

    def test_start_stop_and_step_record_as_in_msprobe(self):
        model = Net()
        recorder = Recorder(model, self.folder, level="mix", steps={0, 2})
        with self.assertRaisesRegex(RuntimeError, "entered"):
            recorder.step()
        for _ in range(4):
            recorder.start()
            loss = model(X).sum()
            recorder.stop()
            model(X)  # between
            recorder.start()
            loss.backward()
            recorder.stop()
            recorder.step()
        recorder.close()
        recorder.close()
        self.assertEqual(sorted(os.listdir(self.folder)), ["step0", "step2"])
        self.assertEqual(names_of(self.folder, 2), names_of(self.folder, 0))
        self.assertIn("Functional.linear.3.backward", names_of(self.folder))
        self.assertNotIn("Functional.linear.4.forward", names_of(self.folder))
        self.assertEqual(torch.overrides._get_current_function_mode_stack(), [])
        self.assertFalse(any(module._forward_hooks for module in model.modules()))
        with self.assertRaisesRegex(RuntimeError, "closed"):
            recorder.start()

    def test_what_a_program_prepares_before_its_first_step_is_not_kept(self):
        model = Net()
        with Recorder(model, self.folder, level="mix") as recorder:
            x = X * 2
            with recorder.step():
                model(x)
        self.assertEqual(os.listdir(self.folder), ["step0"])
        self.assertEqual(names_of(self.folder)[0], "Functional.linear.0.forward")
        self.assertTrue(Dump(self.folder).lines[-1]["end"])

    def test_what_was_started_and_never_closed_is_whole_when_python_ends(self):
        program = textwrap.dedent(f"""
            import sys, torch
            sys.path.insert(0, {str(MODULE)!r})
            from ulpscope_recorder import Recorder
            model = torch.nn.Sequential(torch.nn.Linear(2, 2))
            recorder = Recorder(model, {self.folder!r}, level="mix")
            recorder.start()
            model(torch.ones(1, 2))
        """)
        subprocess.run([sys.executable, "-c", program], check=True)
        self.assertEqual(Dump(self.folder).lines[-1], {"end": True, "entries": 2})

    def test_other_ranks_record_nothing(self):
        model = Net()
        with Recorder(model, self.folder, ranks={1}, rank=0, level="mix") as recorder:
            with recorder.step():
                model(X)
        self.assertFalse(os.path.exists(self.folder))
        with Recorder(model, self.folder, ranks=range(2), rank=1):
            model(X)
        self.assertEqual(os.listdir(self.folder + "/step0"), ["rank1"])

    def test_functions_that_checkpointing_runs_again_are_marked(self):
        model, x = torch.nn.Module(), X.clone().requires_grad_()
        model.block = Block()
        model.forward = lambda x: checkpoint(model.block, x, use_reentrant=False)
        dump = self.record(lambda: model(x).sum().backward(), model, level="mix")
        again = [(entry["name"], entry["call"]) for entry in dump.entries if entry.get("recomputed")]
        self.assertIn(("Functional.silu", 0), again)
        linear = next(e for e in dump.entries if e["name"] == "Functional.linear" and e.get("recomputed"))
        around = next(e for e in dump.entries if e["name"] == "block.up" and e.get("recomputed"))
        self.assertEqual(linear["parent"], around["id"])
        expected = torch.autograd.grad(model.block(x).sum(), x)[0]
        self.assertTrue(same(x.grad, expected))

    def test_functions_that_run_again_in_a_thread_of_autograd_are_recorded(self):
        for is_reentrant in (False, True):
            model, x = torch.nn.Module(), X.clone().requires_grad_()
            model.block = Block()
            model.forward = lambda x: checkpoint(model.block, x, use_reentrant=is_reentrant)

            def step():
                loss = model(x).sum()
                thread = threading.Thread(target=loss.backward)  # as autograd has one for each GPU
                thread.start()
                thread.join()

            dump = self.record(step, model, self.folder + str(is_reentrant), level="mix")
            again = {entry["name"] for entry in dump.entries if entry.get("recomputed")}
            self.assertLessEqual({"Functional.silu", "Functional.linear", "block.up"}, again)
            recomputed = {entry["id"] for entry in dump.entries if entry.get("recomputed")}
            silu = next(e for e in dump.entries if e["name"] == "Functional.silu" and e["pass"] == "backward")
            self.assertEqual(silu["forward"] in recomputed, is_reentrant)

    def test_parameters_are_those_of_the_call(self):
        model = Net()
        optimizer = torch.optim.SGD(model.parameters(), lr=1.)
        with Recorder(model, self.folder, modules="up$", weights=True) as recorder:
            before = model.first.up.weight.detach().clone()
            with recorder.step():
                model(X).sum().backward()
                optimizer.step()
        dump = Dump(self.folder)
        self.assertTrue(same(dump.tensor("first.up", "forward", "parameter", "weight"), before))
        self.assertFalse(same(before, model.first.up.weight.detach()))
        self.assertEqual([row["path"] for row in dump.entry("first.up")["tensors"]][:3], ["0", "weight", "bias"])
        self.assertEqual(dump.lines[0]["schema"], "ulpscope.recording/3")

    def test_gradients_of_parameters_are_those_of_listed_modules(self):
        for level, number in (("L0", 0), ("mix", 1)):
            model = Net()
            dump = self.record(lambda: model(X).sum().backward(), model, f"{self.folder}-{number}", level=level,
                               list=["first.up.Linear"])
            self.assertEqual([entry["name"] for entry in dump.entries if entry["pass"] == "parameter_gradient"], ["first.up"])
        model = Net()
        dump = self.record(lambda: model(X).sum().backward(), model, f"{self.folder}-scope", level="L0",
                           scope=("second.up", "second.down"))
        self.assertEqual({entry["name"] for entry in dump.entries if entry["pass"] == "parameter_gradient"},
                         {"second.up", "second.down"})

    def test_what_a_backward_in_python_computes_is_no_forward_call(self):
        class Double(torch.autograd.Function):
            @staticmethod
            def forward(context, x):
                return x * 2

            @staticmethod
            def backward(context, gradient):
                return gradient.mul(2)

        names = self.names(lambda: Double.apply(X.clone().requires_grad_()).sum().backward())
        self.assertEqual(names, ["Tensor.__mul__.0.forward", "Tensor.sum.0.forward", "Tensor.sum.0.backward"])

    def test_an_exception_is_passed_on_and_its_call_marked(self):
        with self.assertRaisesRegex(RuntimeError, "shapes cannot be multiplied"):
            self.record(lambda: torch.matmul(torch.ones(2, 3), torch.ones(2, 3)))
        self.assertTrue(Dump(self.folder).entry("Torch.matmul")["failed"])
        self.assertEqual(torch.overrides._get_current_function_mode_stack(), [])

    def test_several_models_have_names_in_front(self):
        models = {"actor": Net(), "critic": torch.nn.parallel.DataParallel(Net())}
        dump = self.record(lambda: [model(X).sum().backward() for model in models.values()], models, level="mix")
        names = {entry["name"] for entry in dump.entries}
        self.assertLessEqual({"actor", "actor.first.up", "critic", "critic.second"}, names)
        self.assertEqual(dump.entry("actor.first.up")["class"], "Linear")
        pair = self.record(lambda: models["actor"](X), [models["actor"], Net()], self.folder + "-list", level="L0",
                           modules="^0")
        self.assertIn("0.first", {entry["name"] for entry in pair.entries})

    def test_other_modes_of_torch_are_left_as_they_are(self):
        model = Net()
        with Recorder(model, self.folder, level="L1"):
            with torch.device("meta"):
                self.assertEqual(torch.ones(2).add(1).device.type, "meta")
                model(X)
        self.assertIn("Functional.linear.3.forward", names_of(self.folder))
        recorder, other = Recorder(model, self.folder + "-left", level="L1"), torch.device("cpu")
        recorder.start()
        other.__enter__()
        with self.assertWarnsRegex(UserWarning, "another mode of torch"):
            recorder.stop()
        other.__exit__(None, None, None)
        self.assertEqual(model(X).shape, X.shape)
        torch.overrides._pop_mode()
        recorder.close()

    def test_unusual_programs_run_as_ever_and_are_recorded(self):
        model, x = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Tanh()), torch.randn(3, 4)

        def in_inference():
            with torch.inference_mode():
                return model(x) + 1

        def in_autocast():
            with torch.autocast("cpu", dtype=torch.bfloat16):
                model(x).sum().backward()
            return model[0].weight.grad

        def of_fake_tensors():
            with torch._subclasses.fake_tensor.FakeTensorMode():
                torch.nn.Linear(3, 3)(torch.ones(2, 3))
            return x

        def twice_differentiated():
            first = torch.autograd.grad(model(x).sum(), model[0].weight, create_graph=True)[0]
            first.square().sum().backward()
            return model[0].weight.grad

        works = {
            "fake": of_fake_tensors, "inference": in_inference, "autocast": in_autocast,
            "twice": twice_differentiated,
            "vmap": lambda: torch.vmap(lambda row: row.sin() * 2)(x),
            "func.grad": lambda: torch.func.grad(lambda all: all.sin().sum())(x),
            "meta": lambda: (torch.ones(2, device="meta") + 1, x)[1],
            "sparse": lambda: torch.sparse.mm(x.to_sparse(), x.t()),
            "nested": lambda: (torch.nested.nested_tensor([x, x[:1]]) * 2).unbind()[0],
            "complex": lambda: (torch.fft.fft(x) * 1j).real + 1, "empty": lambda: torch.empty(0, 3) @ torch.empty(3, 2),
            "expanded": lambda: x.expand(2, 3, 4).mul(2),
            "lstm": lambda: (torch.manual_seed(0), torch.nn.LSTM(4, 2)(x))[1][0],
            "traced": lambda: torch.jit.trace(model, x)(x), "symbolic": lambda: torch.fx.symbolic_trace(model)(x),
            "compiled": lambda: torch.compile(lambda value: value.sin() + 1, backend="eager")(x)}
        with warnings.catch_warnings(action="ignore"):
            for name, work in works.items():
                model.zero_grad()
                expected = work().detach().clone()
                for task in ("tensor", "crc32"):
                    model.zero_grad()
                    with Recorder(model, f"{self.folder}-{name}-{task}", level="mix", task=task):
                        got = work().detach()
                    self.assertTrue(torch.equal(got, expected), name)

    def test_the_fast_path_of_attention_is_warned_of(self):
        model = torch.nn.Sequential(torch.nn.MultiheadAttention(4, 2)).eval()
        with self.assertWarnsRegex(UserWarning, "fast path"):
            self.record(lambda: model[0](X, X, X), model)

    def test_seeds_make_the_same_numbers(self):
        state = torch.are_deterministic_algorithms_enabled()
        self.addCleanup(torch.use_deterministic_algorithms, state)
        drawn = []
        for _ in range(2):
            ulpscope_recorder.seed_all(7, deterministic=True)
            drawn.append((random.random(), torch.rand(3).tolist()))
        self.assertEqual(*drawn)
        self.assertTrue(torch.are_deterministic_algorithms_enabled())
        self.assertEqual(os.environ["PYTHONHASHSEED"], "7")
        with self.assertRaisesRegex(ValueError, "seed"):
            ulpscope_recorder.seed_all(-1)


class DocumentationTest(unittest.TestCase):
    def test_its_programs_run(self):
        text = (MODULE.parents[1] / "docs/recording.md").read_text()
        programs = re.findall(r"```python\n(.*?)```", text, re.S)
        self.assertEqual(len(programs), 2)
        self.addCleanup(torch.use_deterministic_algorithms, torch.are_deterministic_algorithms_enabled())
        self.addCleanup(os.chdir, os.getcwd())
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            for program in programs:
                model = llama()
                exec(program, {"model": model, "batches": [{"input_ids": IDS, "labels": IDS}] * 2,
                               "optimizer": torch.optim.SGD(model.parameters(), lr=0.1)})
            self.assertIn("model.layers.1.mlp.backward.0", names_of("dump"))
            self.assertIn("Functional.linear.14.forward", names_of("dump_mix", 1))
            gradient = Dump("dump_mix", 1).row("lm_head", "parameter_gradient", "parameter_gradient", "weight")
            self.assertGreater(gradient["norm"], 0)
            os.chdir("/")


class ConfigTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.place = pathlib.Path(temporary.name)

    def options(self, **given):
        file = self.place / "config.json"
        file.write_text(json.dumps({"task": "statistics", "dump_path": "there", "rank": [], "step": [], **given}))
        return ulpscope_recorder._options_of(file)

    def test_keys_become_options(self):
        self.assertEqual(self.options(level="mix", rank=[0, "2-4"], step=[5], async_dump=True, precision="high",
                                      statistics={"scope": [], "list": ["linear"], "data_mode": ["forward"],
                                                  "summary_mode": "md5", "tensor_list": ["relu"]}),
                         {"task": "crc32", "level": "mix", "stack": True, "weights": True, "moves": True, "folder": "there",
                          "ranks": {0, 2, 3, 4}, "steps": {5}, "list": ["linear"], "data_mode": ["forward"],
                          "tensor_list": ["relu"]})
        self.assertEqual(self.options(task="tensor", extra_info=False, risk_level="ALL", tensor={"scope": ["a", "b"]}),
                         {"task": "tensor", "level": "L1", "stack": False, "weights": False, "moves": True,
                          "folder": "there", "scope": ["a", "b"]})
        for risk, moves in (("ALL", True), ("FOCUS", False), ("CORE", "core"), (None, False)):
            self.assertEqual(self.options(risk_level=risk)["moves"], moves)

    def test_what_is_not_done_is_said_by_its_key(self):
        for given, key in (({"task": "nan_check"}, "task"), ({"level": "L2"}, "level"),
                           ({"risk_level": "HIGH"}, "risk_level"),
                           ({"statistics": {"summary_mode": "sha"}}, "summary_mode"),
                           ({"dump_path": ""}, "dump_path")):
            with self.assertRaisesRegex(ValueError, f"config.json: {key}"):
                self.options(**given)
        with self.assertWarnsRegex(UserWarning, "config.json: dump_enable, slice: the recorder does not know them"):
            self.options(dump_enable=True, statistics={"slice": [{"dim": 0}]})

    def test_a_recorder_is_made_of_it(self):
        self.options(level="L1", dump_path=str(self.place / "dump"), statistics={"list": ["silu"]})
        model = Net()
        with Recorder.from_config(model, self.place / "config.json", stack=False):
            model(X)
        dump = Dump(self.place / "dump")
        self.assertEqual(names_of(self.place / "dump"), ["Functional.silu.0.forward", "Functional.silu.1.forward"])
        self.assertTrue(math.isfinite(dump.row("Functional.silu", "forward", "input")["norm"]))
        self.assertNotIn("stack", dump.entries[0])


if __name__ == "__main__":
    unittest.main()
