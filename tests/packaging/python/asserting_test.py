"""Assertions and the plug-in of pytest: what passes, what fails, and the table that says why."""
import concurrent.futures
import json
import math
import shutil
import subprocess
import sys
import textwrap
import unittest
import warnings

import numpy
import torch
from python_package import STUDY, environment, place, study_report

import ulpscope
from ulpscope import pytest_plugin

A = {"w": torch.tensor([1.0, 2.0, 4.0]), "v": torch.tensor([1.0])}


def failures(b, rules=None, a=None):
    try:
        ulpscope.assert_close(A if a is None else a, b, rules=rules)
    except ulpscope.NotClose as error:
        return error
    return None


class Assertions(unittest.TestCase):
    def test_the_usual_tolerances_are_those_of_torch(self):
        torch.manual_seed(0)
        for dtype in (torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int32):
            r = (torch.randn(50).abs() * 8 + 4).to(dtype)
            for factor in (0.0, 0.5, 0.98, 1.1, 3.0):
                tolerance = {torch.float64: 1e-7, torch.float32: 1.3e-6, torch.float16: 1e-3, torch.bfloat16: 1.6e-2}
                v = (r.double() * (1 + factor * tolerance.get(dtype, 1.0))).to(dtype)
                try:
                    torch.testing.assert_close(v, r)
                    expected = True
                except AssertionError:
                    expected = False
                self.assertEqual(failures({"x": v}, a={"x": r}) is None, expected, (dtype, factor))

    def test_says_which_rule_which_tensor_breaks(self):
        error = failures({"w": torch.tensor([1.0, 2.0, 4.5]), "v": torch.tensor([1.0])}, ["rms_rel <= 0.01", "cosine >= 0.9"])
        self.assertEqual(len(error.failures), 1)
        tensor, pass_, rule, value = error.failures[0]
        self.assertEqual((tensor, pass_, rule), ("w", "forward", "rms_rel at most 0.01"))
        self.assertEqual(value, f"{0.5 / math.sqrt(21):.3g}")
        lines = str(error).splitlines()
        self.assertEqual(lines[0], "1 of 2 tensors are not as close as the rules ask")
        self.assertEqual(lines[1].split(), ["tensor", "pass", "rule", "is"])
        self.assertEqual(lines[2].split()[:2], ["w", "forward"])
        self.assertEqual(error.report.row("w")["max_diff"], 0.5)

    def test_shapes_missing_tensors_and_nan_fail_unless_a_rule_names_them(self):
        short, absent = {**A, "w": torch.ones(2)}, {"w": A["w"]}
        nan = {**A, "w": torch.tensor([1.0, math.nan, 4.0])}
        for b, name in ((short, "w"), (absent, "v"), (nan, "w")):
            self.assertIn(name, [failure[0] for failure in failures(b, ["max_diff <= 100"]).failures], name)
        self.assertIsNone(failures(nan, ["max_diff <= 100", {"metric": "non_finite", "comparison": "<=", "value": 1}]))

    def test_shapes_and_layouts_are_compared_as_they_are(self):
        torch.manual_seed(0)
        square, oblong, batch = torch.randn(4, 4), torch.randn(3, 5), torch.randn(4, 4, 8)
        for a, b in (({"x": batch}, {"x": batch.transpose(0, 1)}), ({"x": torch.randn(2, 5, 4)}, {"x": torch.randn(5, 2, 4)}),
                     ({"x": oblong}, {"x": oblong.t()}), ({"x": torch.ones(2, 3)}, {"x": torch.ones(3, 2)}),
                     ({"x": torch.ones(1, 4)}, {"x": torch.ones(4)}), ({"x": torch.ones(2, 1, 4)}, {"x": torch.ones(2, 4)}),
                     ({"a.weight": oblong, "b.weight": square}, {"a.weight": oblong.t(), "b.weight": square.t()}),
                     ({"qkv_proj.weight": torch.cat([square] * 3)}, {f"{n}_proj.weight": square for n in "qkv"}),
                     ({"lm_head.weight": torch.ones(100, 8)}, {"lm_head.weight": torch.ones(128, 8)})):
            for rules in (None, ["max_diff <= 0"]):
                self.assertIsNotNone(failures(b, rules, a), (list(a), rules))
            self.assertIsNone(failures(a, a=a))
        shapes = failures({"x": torch.ones(4)}, ["shape <= 0"], {"x": torch.ones(1, 4)})
        self.assertEqual(shapes.failures, [("x", "forward", "shape at most 0", "1")])

    def test_files_are_brought_to_the_same_layout_as_on_the_command_line(self):
        for side, value in (("rows", numpy.ones((2, 3), "f4")), ("columns", numpy.ones((3, 2), "f4"))):
            place(side).mkdir()
            numpy.save(place(side) / "weight.npy", value)
        self.assertEqual(ulpscope.assert_close(place("rows"), place("columns")).row("weight")["max_diff"], 0)

    def test_whole_numbers_are_equal_to_the_last_bit(self):
        for dtype in (torch.int64, torch.uint64):
            large = torch.tensor([2**60, 5]).to(dtype)
            self.assertIsNone(failures({"h": large.clone()}, a={"h": large}))
            error = failures({"h": (large.long() + torch.tensor([1, 0])).to(dtype)}, a={"h": large})
            self.assertEqual(error.failures, [("h", "forward", "equal_fraction at least 1, int64", "0.5")])

    def test_what_was_not_compared_is_not_close(self):
        torch.manual_seed(0)
        model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Tanh(), torch.nn.Linear(4, 4))
        warnings.filterwarnings("ignore", ".*max_bytes is reached")
        self.addCleanup(warnings.resetwarnings)
        for options, rules in (({"max_bytes": 120}, None), ({"max_bytes": 120}, ["rms_rel <= 0.01"]), ({"task": "statistics"}, None)):
            with self.assertRaisesRegex(ulpscope.NotClose, r"not judged: the elements of \d tensors were not compared, and the rules ask for them: .*1\[input\], forward; 1, forward"):
                ulpscope.assert_close(model, model, torch.randn(2, 4), rules=rules, backward=False, **options)
        # What these rules ask for was recorded.
        ulpscope.assert_close(model, model, torch.randn(2, 4), rules=["stat.norm_rel <= 0"], backward=False, task="statistics")
        ulpscope.assert_close(model, model, torch.randn(2, 4), rules=["checksum_equal >= 1"], backward=False, task="crc32")

    def test_complex_and_unsigned_tensors_inside_of_modules_are_compared(self):
        class Complex(torch.nn.Module):
            def __init__(self, factor):
                super().__init__()
                self.seen, self.factor = torch.nn.Identity(), factor

            def forward(self, x):
                self.seen((x * 0 + self.factor).to(torch.uint16))
                return self.seen(torch.complex(x, x * self.factor)).real

        with self.assertRaises(ulpscope.NotClose) as caught:
            ulpscope.assert_close(Complex(1), Complex(2), torch.ones(2, 4))
        report = caught.exception.report
        self.assertEqual({failure[0] for failure in caught.exception.failures if failure[1] == "forward"},
                         {"seen[input]", "seen", "seen#1[input]", "seen#1"})
        self.assertEqual((report.row("seen").dtype, report.row("seen")["max_diff"]), ("int32", 1))
        self.assertEqual((report.row("seen#1").shape, report.row("seen#1")["max_diff"]), ((2, 4, 2), 1))

    def test_nothing_asked_is_no_success(self):
        self.assertIn("no rule asks anything", str(failures(A, [{"metric": "rms_rel", "comparison": "<=", "value": 1, "match": "z"}])))
        self.assertTrue(failures({"z": A["w"]}, ["rms_rel <= 1"]))

    def test_rules_by_name_file_and_dict(self):
        file = place("rules.yaml")
        file.write_text("rules:\n  - {metric: max_diff, comparison: '<', value: 0.1}\n")
        off = {**A, "v": torch.tensor([1.25])}
        for rules in (file, str(file), "max_diff < 0.1", "sglang", [{"metric": "max_diff", "comparison": "<", "value": 0.1}]):
            self.assertEqual([failure[0] for failure in failures(off, rules).failures], ["v"], rules)
            self.assertIsNone(failures(A, rules))
        for rules, message in (("nonsense", "no rules 'nonsense'"), (["rms_rel 0.1"], "write METRIC"), (["rms_rel <= x1"], "no number"),
                               (["rms_rl <= 1"], "^rules: .*rms_rl")):
            with self.assertRaisesRegex(ulpscope.BadInput, message):
                ulpscope.assert_close(A, A, rules=rules)

    def test_runs_of_a_study_are_judged_by_their_report(self):
        report = study_report()
        worst = max(row["rms_rel"] for row in report.rows("bf16") if not math.isnan(row["rms_rel"]))
        runs = report.runs
        self.assertIs(ulpscope.assert_close(runs["bf16"], rules=f"rms_rel <= {worst * 1.001}"), report)
        self.assertIs(ulpscope.assert_close(runs["reference"], runs["bf16"], rules=f"rms_rel <= {worst * 1.001}"), report)
        with self.assertRaises(ulpscope.NotClose) as caught:
            ulpscope.assert_close(runs["bf16"], rules=f"rms_rel <= {worst * 0.999}")
        expected = {(row.name, row.pass_) for row in report.rows("bf16") if row["rms_rel"] > worst * 0.999}
        self.assertEqual({failure[:2] for failure in caught.exception.failures}, expected)
        self.assertIn(str(report.path), str(caught.exception))
        with self.assertRaises(ulpscope.NotClose) as caught:
            ulpscope.assert_close(runs["bf16"], runs["fp16"], rules="max_diff <= 0")
        a, b = (report.tensor(run, "logits").astype(numpy.float64) for run in ("bf16", "fp16"))
        self.assertIn(("logits", "forward", "max_diff at most 0", f"{abs(b - a).max():.3g}"), caught.exception.failures)
        with self.assertRaisesRegex(ulpscope.BadInput, "without b"):
            ulpscope.assert_close(runs["reference"])

    def test_runs_that_kept_no_elements_are_not_judged_by_them(self):
        report = ulpscope.run(STUDY, output=place("without_tensors"), variants="bf16", threads=1, capture__tensors="none")
        worst = max(row["max_diff"] for row in report.rows())
        with self.assertRaisesRegex(ulpscope.NotClose, r"^not judged: the elements of \d+ tensors were not compared, and the rules "
                                                       r"ask for them: .*, forward; .* and \d+ more\n"):
            ulpscope.assert_close(report, rules=[{"metric": "allclose", "rtol": 1.0, "atol": worst / 2}])
        self.assertIs(ulpscope.assert_close(report, rules=[{"metric": "allclose", "rtol": 0, "atol": worst}]), report)

    def test_a_run_that_did_not_finish_is_no_success(self):
        folder = place("unfinished")
        shutil.copytree(study_report().path.parent, folder)
        file = folder / "precision_report.json"
        content = json.loads(file.read_text())
        content["runs"]["bf16"] |= {"status": "failed", "error": "out of memory"}
        file.write_text(json.dumps(content))
        report = ulpscope.open(folder)
        for judged in (report, report.runs["bf16"]):
            with self.assertRaises(ulpscope.NotClose) as caught:
                ulpscope.assert_close(judged, rules="rms_rel <= 1e9")
            self.assertIn("not judged: bf16 did not finish: failed: out of memory", str(caught.exception))
            self.assertEqual(caught.exception.failures, [])
        self.assertIs(ulpscope.assert_close(report.runs["fp16"], rules="rms_rel <= 1e9"), report)

    def test_long_tables_are_cut(self):
        a = {f"t{i}": numpy.ones(2) for i in range(30)}
        error = failures({name: value + 1 for name, value in a.items()}, ["max_diff <= 0.5"], a)
        self.assertEqual(len(error.failures), 30)
        self.assertIn("… and 10 more", str(error))


class PytestPlugin(unittest.TestCase):
    def test_a_test_file_runs_by_pytest(self):
        folder = place("tests_of_a_user")
        folder.mkdir()
        (folder / "test_model.py").write_text(textwrap.dedent("""
            import numpy
            A = {"w": numpy.float32([1.0, 2.0])}
            def test_close(ulpscope_compare):
                assert ulpscope_compare(A, A).row("w")["rms_rel"] == 0
            def test_far(ulpscope_compare):
                ulpscope_compare(A, {"w": numpy.float32([1.0, 3.0])})
            def test_rules(ulpscope_compare):
                ulpscope_compare(A, {"w": numpy.float32([1.0, 3.0])}, rules=["max_diff <= 1"])
            """))
        command = [sys.executable, "-m", "pytest", "-p", "ulpscope.pytest_plugin", "-p", "no:cacheprovider", "-q", "test_model.py",
                   "--ulpscope-reports", "kept"]
        done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("1 failed, 2 passed", done.stdout)
        self.assertIn("1 of 1 tensors are not as close as the rules ask", done.stdout)
        self.assertRegex(done.stdout, r"E +w +forward +allclose, rtol 1.3e-06, atol 1e-05, float32 +1\b")
        self.assertNotIn("comparing.py", done.stdout)  # how it works is nobody's concern
        report = ulpscope.open(folder / "kept/test_model.py_test_far/report")
        self.assertEqual(report.row("w")["max_diff"], 1)

    def test_reports_and_rules_are_of_the_folder_that_pytest_was_started_in(self):
        folder = place("tests_that_move")
        folder.mkdir()
        (folder / "rules.yaml").write_text("rules:\n  - {metric: max_diff, comparison: '<=', value: 1}\n")
        (folder / "test_model.py").write_text(textwrap.dedent("""
            import numpy, pytest
            @pytest.mark.parametrize("x", [1, 2, 3], ids=["é" * 300, "a b", "a/b"])
            def test_moves(ulpscope_compare, tmp_path, monkeypatch, x):
                monkeypatch.chdir(tmp_path)
                ulpscope_compare({"w": numpy.float32([1.0])}, {"w": numpy.float32([2.0])})
            """))
        command = [sys.executable, "-m", "pytest", "-p", "ulpscope.pytest_plugin", "-p", "no:cacheprovider", "-q", "test_model.py",
                   "--ulpscope-reports", "kept", "--ulpscope-rules", "rules.yaml", "-o",
                   "disable_test_id_escaping_and_forfeit_all_rights_to_community_support=True"]
        done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        kept = sorted(path.name for path in (folder / "kept").iterdir())
        self.assertEqual(kept[:2], ["test_model.py_test_moves_a_b", "test_model.py_test_moves_a_b.1"], kept)
        self.assertRegex(kept[2], "^test_model.py_test_moves_é{50,}-[0-9a-f]{12}$")

    def test_a_folder_is_claimed_by_one_of_several_at_once(self):
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            claimed = list(pool.map(lambda _: pytest_plugin._claimed(place("claimed/test")), range(40)))
        self.assertEqual({folder.name for folder in claimed}, {"test", *(f"test.{number}" for number in range(1, 40))})


if __name__ == "__main__":
    unittest.main()
