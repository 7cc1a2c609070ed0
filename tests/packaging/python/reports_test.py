"""Reports as rows and tables, beside the file itself and numbers that NumPy computes."""
import json
import math
import unittest

import numpy
import pyarrow
from python_package import ROOT, place, study_report

import ulpscope
from ulpscope.rows import row_of


class Reports(unittest.TestCase):
    def test_rows_hold_what_the_file_says(self):
        report = study_report()
        content = json.loads(report.path.read_text())
        self.assertEqual(list(report.runs), ["reference", "bf16", "fp16"])
        self.assertEqual(report.reference, "reference")
        self.assertTrue(report.runs["reference"].is_reference)
        self.assertEqual(report.runs["bf16"].loss, content["runs"]["bf16"]["loss"])
        rows = report.rows("bf16")
        self.assertEqual([row.name for row in rows], [row["name"] for row in content["comparisons"]["bf16"]])
        self.assertEqual(rows[3]["ulp.mean"], content["comparisons"]["bf16"][3]["ulp"]["mean"])
        self.assertEqual(list(rows[3].metrics), content["metrics"])
        backward = report.runs["bf16"].rows("backward")
        self.assertEqual({row.pass_ for row in backward}, {"backward"})
        self.assertEqual(report.row("logits", run="fp16").dtype, "float16")

    def test_metrics_are_those_of_the_elements(self):
        report = study_report()
        row = report.row("logits", run="bf16")
        a, b = (report.tensor(run, "logits").astype(numpy.float64) for run in ("reference", "bf16"))
        self.assertAlmostEqual(row["rms_diff"], math.sqrt(((b - a) ** 2).mean()), delta=1e-12)
        self.assertAlmostEqual(row["max_diff"], abs(b - a).max(), delta=1e-12)
        self.assertEqual(row.count, a.size)

    def test_pandas_and_arrow_hold_every_row_and_metric(self):
        report = study_report()
        frame, table = report.to_pandas(), report.to_arrow()
        count = len(report.rows("bf16")) + len(report.rows("fp16"))
        self.assertEqual((len(frame), table.num_rows), (count, count))
        self.assertEqual(list(frame.columns), table.column_names)
        for metric in report.metrics:
            self.assertEqual(table.schema.field(metric).type, pyarrow.float64())
        logits = frame[(frame["run"] == "bf16") & (frame["name"] == "logits") & (frame["pass"] == "forward")].iloc[0]
        row = report.row("logits", run="bf16")
        self.assertEqual(logits["rms_rel"], row["rms_rel"])
        self.assertEqual(list(logits["shape"]), list(row.shape))
        self.assertEqual(table.column("rms_rel").to_pylist()[5], report.rows("bf16")[5]["rms_rel"])
        self.assertEqual(table.schema.field("shape").type, pyarrow.list_(pyarrow.int64()))

    def test_whole_numbers_of_any_size_are_floats(self):
        row = row_of("a", {"name": "w", "pass": "forward", "max_diff": 2 ** 60, "ulp": {"mean": 3},
                           "spread": {"max_diff": {"sd": 0}}, "gain_error": 1}, ["max_diff", "ulp.mean"])
        for value in (*row.metrics.values(), row.spread["max_diff"]["sd"], row.gain_error):
            self.assertIsInstance(value, float)
        self.assertEqual(row.metrics, {"max_diff": 2.0 ** 60, "ulp.mean": 3.0})

    def test_other_tables(self):
        report = study_report()
        summary = report.to_pandas("summary")
        cell = summary[(summary["quantity"] == "rms_rel") & (summary["run"] == "bf16") &
                       (summary["column"] == "forward.logits")]["value"].item()
        self.assertEqual(cell, report.row("logits", run="bf16")["rms_rel"])
        runs = report.to_arrow("runs").to_pylist()
        self.assertEqual([run["status"] for run in runs], ["finished"] * 3)
        findings = ulpscope.open(ROOT / "resources/example").to_pandas("findings")
        self.assertEqual(len(findings), len(json.loads((ROOT / "resources/example/precision_report.json").read_text())["findings"]))
        with self.assertRaisesRegex(ulpscope.BadInput, "no table 'row'; choose rows"):
            report.to_pandas("row")

    def test_a_report_of_several_samples_has_its_spread(self):
        content = json.loads(study_report().path.read_text())
        row = content["comparisons"]["bf16"][0]
        row["spread"] = {"rms_rel": {"sd": 0.5, "min": "NaN", "max": 2}}
        row["rms_rel"] = "Infinity"
        folder = place("spread")
        folder.mkdir()
        (folder / "precision_report.json").write_text(json.dumps(content))
        report = ulpscope.open(folder)
        self.assertEqual(report.rows("bf16")[0]["rms_rel"], math.inf)
        frame = report.to_pandas()
        self.assertEqual(frame["rms_rel_sd"][0], 0.5)
        self.assertTrue(math.isnan(frame["rms_rel_min"][0]))
        self.assertTrue(math.isnan(frame["rms_rel_max"][1]))

    def test_refuses_what_is_no_report(self):
        folder = place("broken")
        folder.mkdir()
        for text, kind, message in (("{", ulpscope.CorruptData, "no JSON"),
                                    ('{"schema": "ulpscope.report/2"}', ulpscope.BadInput, "this version reads")):
            (folder / "precision_report.json").write_text(text)
            with self.assertRaisesRegex(kind, message):
                ulpscope.open(folder)
        with self.assertRaisesRegex(ulpscope.NotFound, "no such file"):
            ulpscope.open(folder / "nowhere")
        with self.assertRaisesRegex(ulpscope.BadInput, "name one: bf16, fp16"):
            study_report().rows()
        with self.assertRaisesRegex(ulpscope.NotFound, "compared were: bf16, fp16"):
            study_report().rows("reference")

    def test_figures_are_drawn_and_written(self):
        report = study_report()
        figure = report.figure("depth", metric="rms_rel", pass_="forward", variant="bf16", size=(600, 300))
        self.assertIn("<svg", figure._repr_svg_())
        self.assertIn('viewBox="0 0 624 ', figure.svg)  # a margin of 12 on each side
        self.assertIn("bf16", figure.svg)
        self.assertNotIn("fp16", figure.svg)
        self.assertIsNone(figure._repr_png_())
        file = figure.save(place("depth.csv"))
        self.assertIn("bf16", file.read_text())
        picture = report.figure("summary", format="png", variant=["bf16", "fp16"])
        self.assertTrue(picture._repr_png_().startswith(b"\x89PNG"))
        self.assertIsNone(picture._repr_svg_())
        with self.assertRaisesRegex(ulpscope.BadInput, "depht"):
            report.figure("depht")._repr_svg_()
        self.assertIn("bf16", report.text("--summary"))
        self.assertIn("<html", report.export(place("r.html")).read_text())


if __name__ == "__main__":
    unittest.main()
