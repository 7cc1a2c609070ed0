"""Comparisons of what is in memory, beside numbers that NumPy and torch compute."""
import collections
import copy
import gc
import math
import unittest
import warnings

import numpy
import torch
from python_package import place, study_report

import ulpscope


def model():
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.GELU(), torch.nn.Linear(16, 4))


class Dicts(unittest.TestCase):
    def test_have_the_metrics_of_their_elements(self):
        torch.manual_seed(0)
        a = {"layers": [{"w": torch.randn(32, 16)}, {"w": torch.randn(5)}], "x": numpy.arange(4.0), "none": None}
        b = {"layers": [{"w": a["layers"][0]["w"].bfloat16()}, {"w": a["layers"][1]["w"].to(torch.float8_e5m2)}],
             "x": numpy.array([0.0, 1.0, 2.5, 3.0])}
        report = ulpscope.compare(a, b, names=("full", "half"))
        self.assertEqual((report.reference, list(report.runs)), ("full", ["full", "half"]))
        self.assertEqual([row.name for row in report.rows()], ["layers.0.w", "layers.1.w", "x"])
        for row, one, other in zip(report.rows(), (a["layers"][0]["w"], a["layers"][1]["w"], torch.tensor(a["x"])),
                                   (b["layers"][0]["w"], b["layers"][1]["w"], torch.tensor(b["x"]))):
            r, v = one.double(), other.double()
            self.assertAlmostEqual(row["rms_rel"], (((v - r) ** 2).mean().sqrt() / (r ** 2).mean().sqrt()).item(), delta=1e-12)
            self.assertAlmostEqual(row["max_diff"], (v - r).abs().max().item(), delta=1e-12)
            self.assertAlmostEqual(row["cosine"], (torch.dot(r.flatten(), v.flatten()) / r.norm() / v.norm()).item(), delta=1e-12)
        self.assertEqual(report.row("layers.1.w").dtype, "float8_e5m2")
        self.assertEqual(report.row("x").worst[0], {"index": [2], "reference": 2.0, "variant": 2.5})

    def test_temporary_files_go_with_the_report(self):
        report = ulpscope.compare({"w": torch.ones(3)}, {"w": torch.ones(3)})
        folder, mapped = report.path.parent.parent, report.tensor("b", "w")
        self.assertTrue(folder.is_dir())
        del report
        gc.collect()
        self.assertFalse(folder.exists())
        self.assertEqual(mapped.tolist(), [1, 1, 1])

    def test_are_kept_where_it_is_said(self):
        report = ulpscope.compare({"w": numpy.ones(3)}, {"w": numpy.zeros(3)}, output=place("kept"))
        self.assertEqual(ulpscope.open(place("kept/report")).row("w")["rms_rel"], report.row("w")["rms_rel"])
        self.assertEqual(report.row("w")["rms_rel"], 1.0)
        with self.assertRaisesRegex(ulpscope.BadInput, "is not empty"):
            ulpscope.compare({"w": numpy.ones(3)}, {"w": numpy.ones(3)}, output=place("kept"))

    def test_one_element_may_have_any_stride(self):
        one = torch.randn(1, 5)
        report = ulpscope.compare({"x": one[:, 0]}, {"x": one[:, 1]})
        self.assertEqual((report.tensor("a", "x").tolist(), report.tensor("b", "x").tolist()), (one[:, 0].tolist(), one[:, 1].tolist()))

    def test_refuses_what_is_no_tensor(self):
        for wrong, message in (({"w": "text"}, "'w': holds <U4"), ({}, "holds no tensor"),
                               ({"w": torch.ones(2, dtype=torch.complex64)}, "complex64"),
                               ({"a": {"b": 1.0}, "a.b": 2.0}, "two tensors are called 'a.b'")):
            with self.assertRaisesRegex(ulpscope.UlpscopeError, message):
                ulpscope.compare(wrong, {"w": torch.ones(2)})
        with self.assertRaisesRegex(ulpscope.BadInput, "int: is neither"):
            ulpscope.compare(3, {"w": torch.ones(2)})
        with self.assertRaisesRegex(ulpscope.BadInput, "unknown option: level"):
            ulpscope.compare({"w": torch.ones(2)}, {"w": torch.ones(2)}, level="mix")


class Modules(unittest.TestCase):
    def test_forward_and_gradients_are_those_of_torch(self):
        a, b = model(), model().bfloat16()
        batch = torch.randn(3, 8)
        report = ulpscope.compare(a, b, batch)
        outputs = a(batch), b(batch.bfloat16())
        for one in outputs:
            one.sum().backward()
        expected = {("2", "forward"): outputs, ("0.weight", "parameter_gradient"): (a[0].weight.grad, b[0].weight.grad),
                    ("2.bias", "parameter_gradient"): (a[2].bias.grad, b[2].bias.grad)}
        run = report.rows()[0].run
        for (name, pass_), (r, v) in expected.items():
            r, v = r.detach().double(), v.detach().double()
            self.assertAlmostEqual(report.row(name, pass_)["rms_diff"], ((v - r) ** 2).mean().sqrt().item(), delta=1e-9)
            self.assertTrue((report.tensor(run, name, pass_) == v.float().numpy()).all(), name)
            self.assertTrue((report.tensor("a", name, pass_) == r.float().numpy()).all(), name)
        self.assertEqual({row.pass_ for row in report.rows()}, {"forward", "backward", "parameter_gradient"})
        for row in report.rows():
            self.assertEqual(report.tensor(run, row.name, row.pass_).shape, row.shape, row)

    def test_leave_the_modules_as_they_were(self):
        a = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(0.5), torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4))
        a[0].weight.grad = kept = torch.ones(4, 4)
        state = torch.get_rng_state()
        report = ulpscope.compare(a, copy.deepcopy(a), {"input": torch.randn(2, 4)})
        torch.set_rng_state(state)
        self.assertEqual(a[3].running_mean.tolist(), [0.0] * 4)
        self.assertEqual(a[3].num_batches_tracked.item(), 0)
        self.assertTrue(all(row["equal_fraction"] == 1 for row in report.rows()))  # dropout drew the same
        self.assertIs(a[0].weight.grad, kept)
        self.assertIsNone(a[2].weight.grad)
        self.assertFalse(a[0]._forward_hooks)

    def test_what_the_whole_module_returns_and_has_itself_is_compared(self):
        class Root(torch.nn.Module):
            def __init__(self, shift):
                super().__init__()
                torch.manual_seed(0)
                self.lin, self.shift = torch.nn.Linear(4, 4), torch.nn.Parameter(torch.tensor(shift))

            def forward(self, x):
                return self.lin(x) + self.shift

        report = ulpscope.compare(Root(1.0), Root(101.0), torch.ones(2, 4))
        self.assertAlmostEqual(report.row("module")["max_diff"], 100, delta=1e-4)
        self.assertEqual(report.row("module[input]")["max_diff"], 0)
        self.assertEqual(report.row("module.shift", "parameter_gradient")["max_diff"], 0)
        self.assertEqual(report.tensor("a", "module.shift", "parameter_gradient"), 8)
        wrapped = torch.nn.ModuleDict({"module": torch.nn.Linear(2, 2)})
        wrapped.forward = lambda x: wrapped["module"](x) * 2
        report = ulpscope.compare(wrapped, wrapped, torch.ones(1, 2), backward=False)
        self.assertEqual(report.tensor("a", "module_").tolist(), (2 * report.tensor("a", "module")).tolist())

    def test_of_what_is_compiled_the_whole_is_compared(self):
        scripted, other = (torch.jit.script(torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Tanh())) for _ in range(2))
        self.assertEqual(ulpscope.compare(scripted, scripted, torch.ones(2, 4)).row("module")["max_diff"], 0)
        self.assertGreater(ulpscope.compare(scripted, other, torch.ones(2, 4)).row("module")["max_diff"], 0)
        compiled = torch.compile(model(), backend="eager")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.assertEqual(ulpscope.compare(compiled, compiled, torch.ones(2, 8)).row("module")["max_diff"], 0)
            with self.assertRaisesRegex(ulpscope.BadInput, "a: OptimizedModule: nothing was recorded: no chosen module ran"):
                ulpscope.compare(compiled, compiled, torch.ones(2, 8), modules="^2$")

    def test_a_module_that_returns_no_tensor_is_refused(self):
        class Result:
            def __init__(self, value):
                self.value = value

        class Returning(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.lin = torch.nn.Linear(4, 4)

            def forward(self, x):
                return Result(self.lin(x))

        with self.assertRaisesRegex(ulpscope.BadInput, "a: Returning returns Result, in which no tensor is found"):
            ulpscope.compare(Returning(), Returning(), torch.ones(2, 4))

    def test_buffers_that_are_replaced_or_expanded_are_put_back(self):
        class Moving(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.lin = torch.nn.Linear(4, 4)
                self.register_buffer("mean", torch.zeros(4))
                self.register_buffer("one", torch.full((1,), math.nan).expand(4))
                self.register_buffer("later", None)

            def forward(self, x):
                y = self.lin(x + self.mean)
                self.mean = 0.9 * self.mean + 0.1 * y.mean(0).detach()
                self.later = self.mean
                return y

        moving = Moving()
        mean, one = moving.mean, moving.one
        report = ulpscope.assert_close(moving, moving, torch.randn(3, 4))
        self.assertTrue(all(row["equal_fraction"] == 1 for row in report.rows()))
        self.assertIs(moving.mean, mean)
        self.assertIs(moving.one, one)
        self.assertIsNone(moving.later)
        self.assertEqual(mean.tolist(), [0.0] * 4)

    def test_each_side_has_objects_of_the_batch_of_its_own(self):
        class Cached(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.lin = torch.nn.Linear(4, 4)

            def forward(self, x, cache):
                cache["seen"].append(self.lin(x))
                return sum(cache["seen"].tensors)

        class Seen:
            def __init__(self):
                self.tensors = []

            def append(self, tensor):
                self.tensors.append(tensor)

        cached, seen = Cached(), Seen()
        report = ulpscope.assert_close(cached, copy.deepcopy(cached), (torch.randn(2, 4), {"seen": seen}))
        self.assertEqual(report.row("module")["max_diff"], 0)
        self.assertEqual(seen.tensors, [])

    def test_a_batch_may_be_a_named_tuple(self):
        class Adding(torch.nn.Module):
            def forward(self, x, y):
                return x + y

        pair = collections.namedtuple("Pair", "x y")
        report = ulpscope.compare(Adding(), Adding(), pair(torch.ones(2), torch.ones(2)))
        self.assertEqual(report.tensor("a", "module").tolist(), [2, 2])

    def test_random_numbers_go_on_as_if_nothing_had_been(self):
        linear = model_of_one()
        torch.manual_seed(5)
        expected = torch.rand(3)
        torch.manual_seed(5)
        ulpscope.compare(linear, linear, torch.ones(2, 3), backward=False)
        self.assertTrue(torch.equal(torch.rand(3), expected))

    def test_a_loss_and_options_of_the_recorder(self):
        a = model()
        report = ulpscope.compare(a, a, torch.randn(3, 8), loss=lambda output: (output ** 2).mean(), modules="^2$")
        self.assertEqual({row.module for row in report.rows()}, {"2"})
        output = a(torch.zeros(3, 8))
        self.assertEqual(report.row("2[output gradient]", "backward").count, output.numel())
        without = ulpscope.compare(a, a, torch.randn(3, 8), backward=False)
        self.assertEqual({row.pass_ for row in without.rows()}, {"forward"})
        with self.assertRaisesRegex(ulpscope.BadInput, "compared on a batch"):
            ulpscope.compare(a, a)

    def test_a_single_module(self):
        linear = model_of_one()
        report = ulpscope.compare(linear, linear, torch.ones(2, 3))
        self.assertIn(("module", "forward"), {(row.name, row.pass_) for row in report.rows()})


class Runs(unittest.TestCase):
    def test_of_a_study_are_compared_with_each_other(self):
        study = study_report()
        report = ulpscope.compare(study.runs["bf16"], study.runs["fp16"])
        a, b = (study.tensor(run, "logits").astype(numpy.float64) for run in ("bf16", "fp16"))
        self.assertAlmostEqual(report.row("logits")["rms_diff"], math.sqrt(((b - a) ** 2).mean()), delta=1e-12)
        run = report.rows()[0].run
        self.assertTrue((report.tensor(run, "logits") == b).all())
        self.assertTrue((report.tensor(report.reference, "logits") == a).all())
        with self.assertRaisesRegex(ulpscope.BadInput, "name one of its runs"):
            ulpscope.compare(study, study)


def model_of_one():
    return torch.nn.Linear(3, 2)


if __name__ == "__main__":
    unittest.main()
