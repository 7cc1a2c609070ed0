"""Studies: events, settings in place of the study's, ends of every kind."""
import gc
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import numpy
from python_package import EVENTS, ROOT, STUDY, environment, place, study_report

import ulpscope


class Studies(unittest.TestCase):
    def test_events_come_in_order_and_the_report_is_opened(self):
        report = study_report()
        kinds = [event["event"] for event in EVENTS]
        self.assertEqual((kinds[0], kinds[-1]), ("study_started", "study_finished"))
        started = [event["run"] for event in EVENTS if event["event"] == "run_started"]
        self.assertEqual(started, ["reference", "bf16", "fp16"])
        fractions = [event["fraction"] for event in EVENTS if event["event"] == "progress"]
        self.assertEqual(fractions, sorted(fractions))
        self.assertEqual(report.path, place("study") / "precision_report.json")

    def test_settings_take_the_place_of_the_studys(self):
        running = ulpscope.start(ROOT / "configs/tiny_random.yaml", output=place("set"), variants=["bf16"], threads=1,
                                 input__sequence_length=4, capture__tensors="none", **{"input.seed": 7})
        events = list(running)
        report = running.report()
        self.assertEqual(list(report.runs)[:2], ["reference", "bf16"])
        self.assertEqual(report.runs["bf16"].status, "finished")
        settings = report.content["study"]["effective"]["bf16"]
        self.assertEqual(report.content["provenance"]["sequence_length"], 4)
        self.assertEqual(report.content["provenance"]["input"], "random tokens, seed 7")
        self.assertEqual(settings["precision.compute_dtype"]["value"], "bfloat16")
        self.assertEqual(events[-1]["event"], "study_finished")
        with self.assertRaisesRegex(ulpscope.NotFound, "capture.tensors: full"):
            report.tensor("bf16", "logits")

    def test_refusals_are_typed(self):
        study_report()
        for kind, message, study, options in (
                (ulpscope.NotFound, "nothing.yaml", "nothing.yaml", {}),
                (ulpscope.BadInput, "did you mean 'input.seed'", STUDY, {"input__sed": 1}),
                (ulpscope.BadInput, "holds results already", STUDY, {"output": place("study")}),
                (ulpscope.BadInput, "choose one", STUDY, {"resume": True, "overwrite": True})):
            with self.assertRaisesRegex(kind, message):
                ulpscope.run(study, **{"output": place("refused"), **options})
        self.assertFalse(place("refused").exists())

    def test_a_study_of_a_dict_is_no_file_to_its_author(self):
        with self.assertRaises(ulpscope.BadInput) as caught:
            ulpscope.run({"model": {"path": "m"}, "variants": {"a": {"precision.compute_dtyp": "float16"}}})
        self.assertTrue(str(caught.exception).startswith("study: unknown key"), caught.exception)

    def test_a_study_of_a_dict_names_no_folder_of_its_own_and_leaves_none(self):
        place("tmp").mkdir()
        self.enterContext(mock.patch.object(tempfile, "tempdir", str(place("tmp"))))
        with self.assertRaises(ulpscope.NotFound) as caught:
            ulpscope.run({**STUDY, "model": {"path": "nowhere", "weights": "random"}}, output=place("nowhere"))
        self.assertIn("looked for nowhere", str(caught.exception))
        self.assertNotIn("ulpscope-", str(caught.exception))
        with self.assertRaisesRegex(ulpscope.BadInput, "object: is no value of a study"):
            ulpscope.run({**STUDY, "x": object()})
        with self.assertRaisesRegex(ulpscope.BadInput, "set: is no value of a study"):
            ulpscope.run(STUDY, input__seed={1})
        running = ulpscope.start({**STUDY, "input": {"sourc": "random"}}, output=place("dropped"))
        running._listener.join()
        del running
        gc.collect()
        self.assertEqual(list(place("tmp").iterdir()), [])

    def test_values_of_numpy_and_paths_are_values_of_a_study(self):
        study = {**STUDY, "model": {"path": pathlib.Path(STUDY["model"]["path"]), "weights": "random"}}
        report = ulpscope.run(study, output=place("of_numpy"), variants="bf16", input__seed=numpy.int64(3), threads=1)
        self.assertEqual(report.content["provenance"]["input"], "random tokens, seed 3")
        self.assertEqual(list(report.runs), ["reference", "bf16"])

    def test_an_error_of_the_users_own_code_is_none_of_a_device(self):
        hook = place("hook.py")
        hook.write_text("def refuse(model):\n    raise RuntimeError('boom')\n")
        study = {**STUDY, "engine": "python", "variants": {"bad": {"python.prepare": f"{hook}:refuse"}}}
        with self.assertRaisesRegex(ulpscope.RunFailed, "1 of 1 variants failed.*\n.*boom") as caught:
            ulpscope.run(study, output=place("boom"), threads=1)
        self.assertIs(type(caught.exception), ulpscope.RunFailed)
        self.assertEqual(caught.exception.report.runs["bad"].status, "failed")

    def test_a_cancelled_study_says_so_and_hands_on_what_there_is(self):
        running = ulpscope.start(STUDY, output=place("cancelled"), threads=1)
        for event in running:
            if event["event"] == "run_started":
                running.cancel()
        with self.assertRaises(ulpscope.Cancelled) as caught:
            running.report()
        self.assertEqual(list(caught.exception.report.runs), ["reference", "bf16", "fp16"])

    def test_what_a_listener_raises_ends_the_study(self):
        def listen(event):
            if event["event"] == "run_started":
                raise KeyError(event["run"])
        with self.assertRaisesRegex(KeyError, "reference"):
            ulpscope.run(STUDY, output=place("listener"), on_event=listen, threads=1)
        report = ulpscope.open(place("listener"))
        self.assertNotEqual(report.runs["fp16"].status, "finished")

    def test_ctrl_c_ends_the_study_as_well(self):
        program = (f"import ulpscope\nulpscope.run({STUDY!r}, output={str(place('interrupted'))!r}, threads=1,\n"
                   "             on_event=lambda event: print(event['event'], flush=True))\n")
        with subprocess.Popen([sys.executable, "-c", program], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as running:
            while "run_started" not in running.stdout.readline():
                self.assertIsNone(running.poll())
            running.send_signal(signal.SIGINT)
            _, said = running.communicate(timeout=60)
        self.assertEqual(running.returncode, -signal.SIGINT, said)
        self.assertIn("KeyboardInterrupt", said)
        report = ulpscope.open(place("interrupted"))
        self.assertEqual(report.runs["reference"].status, "cancelled")
        self.assertFalse((place("interrupted") / ".ulpscope.lock").exists())

    def test_a_program_that_is_not_there_is_named(self):
        with mock.patch.dict(os.environ, {"ULPSCOPE_CLI": "/nowhere/ulpscope-cli"}):
            with self.assertRaisesRegex(ulpscope.NotFound, "/nowhere/ulpscope-cli is no program"):
                ulpscope.run(STUDY)


if __name__ == "__main__":
    unittest.main()
