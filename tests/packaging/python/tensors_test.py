"""Tensors of studies and comparisons, mapped, of every type."""
import json
import math
import os
import re
import shutil
import sys
import unittest
from unittest import mock

import h5py
import numpy
import torch
from python_package import FIXTURES, place, study_report

import ulpscope
from ulpscope.elements import Elements
from ulpscope.safetensors_file import write_tensors

FLOATS = [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2]
WHOLE = [torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool]


def linked_run(folder, run="fp16"):
    """Makes a tensors.h5 of one run and opens the file of that run, empty."""
    (folder / "tensors").mkdir()
    with h5py.File(folder / "tensors.h5", "w") as index:
        index[f"runs/{run}"] = h5py.ExternalLink(f"tensors/{run}.h5", f"/runs/{run}")
    file = h5py.File(folder / f"tensors/{run}.h5", "w")
    file.create_group(f"/runs/{run}").attrs["name"] = numpy.bytes_(run)
    return file


class StudyTensors(unittest.TestCase):
    def test_are_what_h5py_reads_and_nothing_is_copied(self):
        report = study_report()
        with h5py.File(report.path.parent / "tensors.h5") as file:
            for run, name in (("reference", "logits"), ("bf16", "logits"), ("fp16", "decoder.1")):
                path = {"decoder.1": "model.layers.1"}.get(name, name)
                expected = file[f"/runs/{run}/forward/{path}"][()]
                found = report.tensor(run, name)
                self.assertEqual(found.shape, expected.shape)
                self.assertTrue((found == expected).all())
        mapped = report.tensor("reference", "logits")
        self.assertIsInstance(mapped, numpy.memmap)
        self.assertFalse(mapped.flags.writeable)
        self.assertEqual(report.torch_tensor("bf16", "logits").dtype, torch.bfloat16)
        self.assertTrue((report.torch_tensor("bf16", "logits").float().numpy() == report.tensor("bf16", "logits")).all())

    def test_every_one_that_is_listed_can_be_read(self):
        report = study_report()
        listed = report.tensors("bf16")
        self.assertEqual({tensor.pass_ for tensor in listed}, {"forward", "backward", "parameter_gradient"})
        for tensor in listed:
            self.assertEqual(report.tensor("bf16", tensor.name, tensor.pass_).shape, tensor.shape)
        logits = next(tensor for tensor in listed if tensor.name == "logits")
        self.assertEqual((logits.dtype, logits.stride), ("bfloat16", 1))

    def test_a_file_that_was_packed_anew_is_read(self):
        folder = place("packed")
        folder.mkdir()
        report = study_report()
        (folder / "precision_report.json").write_bytes(report.path.read_bytes())
        with h5py.File(report.path.parent / "tensors.h5") as file, linked_run(folder) as packed:
            kept = file["/runs/fp16/forward/logits"]
            copy = packed.create_dataset("/runs/fp16/forward/logits", data=kept[()], compression="gzip")
            copy.attrs.update(kept.attrs)
        found = ulpscope.open(folder).tensor("fp16", "logits")
        self.assertTrue((found == report.tensor("fp16", "logits")).all())

    def test_refuses_with_a_remedy(self):
        report = study_report()
        with self.assertRaisesRegex(ulpscope.NotFound, r"no tensor 'nothing', forward, of 'bf16'; tensors\('bf16'\) lists them"):
            report.tensor("bf16", "nothing")
        with self.assertRaisesRegex(ulpscope.NotFound, "no run 'bf17'; runs are: reference, bf16, fp16"):
            report.tensor("bf17", "logits")
        with mock.patch.dict(sys.modules, {"pandas": None}):
            with self.assertRaisesRegex(ulpscope.MissingPackage, "pip install pandas"):
                report.to_pandas()
        with mock.patch.dict(sys.modules, {"pyarrow": None}):
            with self.assertRaisesRegex(ulpscope.MissingPackage, "pip install pyarrow"):
                report.to_arrow()

    def test_follows_no_link_out_of_the_folder(self):
        folder = place("leading_out")
        folder.mkdir()
        (folder / "precision_report.json").write_bytes(study_report().path.read_bytes())
        with h5py.File(folder / "tensors.h5", "w") as file:
            file["runs/bf16"] = h5py.ExternalLink(str(study_report().path.parent / "tensors/bf16.h5"), "/runs/bf16")
        with self.assertRaisesRegex(ulpscope.BadInput, "tensors.h5: .*; there are none"):
            ulpscope.open(folder).tensor("bf16", "logits")

    def test_a_run_without_tensors_says_how_to_keep_them(self):
        folder = place("kept_none")
        folder.mkdir()
        (folder / "precision_report.json").write_bytes(study_report().path.read_bytes())
        with self.assertRaisesRegex(ulpscope.NotFound, "capture.tensors: none"):
            ulpscope.open(folder).tensor("bf16", "logits")

    def test_a_subsample_comes_flat_and_says_of_what(self):
        folder = place("sampled")
        folder.mkdir()
        (folder / "precision_report.json").write_bytes(study_report().path.read_bytes())
        with linked_run(folder) as file:
            dataset = file.create_dataset("/runs/fp16/forward/logits", data=numpy.arange(5, dtype="f2"))
            texts = {"name": "logits", "module": "lm_head", "level": "layer", "dtype": "float16"}
            dataset.attrs.update({key: numpy.bytes_(value) for key, value in texts.items()})
            dataset.attrs.update({"layer": -1, "full_shape": [3, 5], "sample_stride": 3})
        report = ulpscope.open(folder)
        self.assertEqual([(t.shape, t.stride) for t in report.tensors("fp16")], [((3, 5), 3)])
        self.assertEqual(report.tensor("fp16", "logits").tolist(), [0, 1, 2, 3, 4])


def rows_agree(test, report, run, reference, most=None):
    """Every row of a comparison, or the first ones, has the elements that its numbers were computed from."""
    count = 0
    for row in report.rows(run)[:most]:
        a, b = (report.torch_tensor(side, row.name, row.pass_) for side in (reference, run))
        test.assertEqual((str(b.dtype), b.numel()), (f"torch.{row.dtype}", row.count), row)
        if "rms_diff" in row.metrics and not math.isnan(row["rms_diff"]) and row.compared == row.count > 0:
            difference = b.double().reshape(-1) - a.double().reshape(-1)
            rms = (difference ** 2).mean().sqrt().item()
            test.assertAlmostEqual(row["rms_diff"], rms, delta=1e-12 + 1e-9 * rms, msg=row)
            count += 1
    return count


class DumpedTensors(unittest.TestCase):
    def test_of_msprobe_are_those_of_torch_load_and_nothing_is_copied(self):
        folder = FIXTURES / "msprobe/v26_tensor_L0_bf16"
        report = ulpscope.open(folder / "target")
        (run,) = report.runs
        listed = report.tensors(run)
        self.assertEqual([(t.name, t.pass_) for t in listed], [(row.name, row.pass_) for row in report.rows()])
        for tensor in listed:
            report.tensor(run, tensor.name, tensor.pass_)
        places = [found["place"] for found in report._stored._found.values()]
        self.assertEqual(len(places), len(listed))
        types = set()
        for tensor, place_ in zip(listed, places):
            self.assertTrue(place_["file"].startswith(f"{folder}/target/proc"), place_)
            expected = torch.load(place_["file"], weights_only=True)
            found = report.torch_tensor(run, tensor.name, tensor.pass_)
            self.assertEqual((found.dtype, found.shape), (expected.dtype, expected.shape), tensor)
            self.assertTrue(torch.equal(found, expected), tensor)
            types.add(found.dtype)
        self.assertLessEqual({torch.bfloat16, torch.int64}, types)
        whole = next(tensor for tensor in listed if tensor.dtype == "int64")
        self.assertIsInstance(report.tensor(run, whole.name, whole.pass_), numpy.memmap)

    def test_of_msprobe_have_the_numbers_of_their_comparison(self):
        report = ulpscope.compare(FIXTURES / "msprobe/v26_tensor_L0_w/golden", FIXTURES / "msprobe/v26_tensor_L0_bf16/target")
        (run,) = (name for name in report.runs if name != report.reference)
        self.assertGreater(rows_agree(self, report, run, report.reference), 100)

    def test_of_msit_in_several_tokens_and_packed_otherwise(self):
        folder = FIXTURES / "msprobe/msit_full"
        report = ulpscope.compare(folder / "golden", folder / "my")
        units = [run for run in report.runs if report.content["comparisons"].get(run)]
        self.assertGreater(len(units), 1)
        self.assertGreater(rows_agree(self, report, units[1], f"{report.reference}: {units[1]}", 24), 15)
        first = report.tensors(f"{report.reference}: {units[0]}")[0]
        self.assertEqual(report.rows(units[0])[0].name, first.name)
        with self.assertRaisesRegex(ulpscope.BadInput, f"several units; name one: '{report.reference}: {units[0]}'"):
            report.tensor(report.reference, report.rows(units[0])[0].name)

    def test_that_are_gone_broken_or_were_never_recorded_say_so(self):
        folder = place("msprobe")
        shutil.copytree(FIXTURES / "msprobe/v26_tensor_L0_bf16/target", folder)
        report = ulpscope.open(folder)
        (run,) = report.runs
        first, second, third = report.rows()[:3]
        report.tensor(run, first.name, first.pass_)
        report.tensor(run, second.name, second.pass_)  # from here on the places of all are known
        files = [report._stored._found[(run, row.name, row.pass_)]["place"]["file"] for row in (first, second, third)]
        os.remove(files[0])
        with self.assertRaisesRegex(ulpscope.NotFound, rf"holds no elements of '{re.escape(first.name)}', forward: .* or its file is gone"):
            report.tensor(run, first.name, first.pass_)
        content = open(files[1], "rb").read()
        for broken in (content[:len(content) // 2], b"", b"no zip archive"):
            with open(files[1], "wb") as file:
                file.write(broken)
            with self.assertRaisesRegex(ulpscope.BadInput, f"{files[1]}: .*"):
                report.tensor(run, second.name, second.pass_)
        torch.save(torch.arange(3), files[2])  # another one in its place is what is there now
        self.assertEqual(report.tensor(run, third.name, third.pass_).tolist(), [0, 1, 2])
        statistics = ulpscope.open(FIXTURES / "msprobe/v26_stat_w/target")
        row = statistics.rows()[0]
        with self.assertRaisesRegex(ulpscope.NotFound, r"statistics or checksums alone were recorded \(msprobe: task tensor"):
            statistics.tensor(row.run, row.name, row.pass_)
        shutil.rmtree(folder)
        with self.assertRaisesRegex(ulpscope.NotFound, str(folder)):
            report.tensor(run, third.name, third.pass_)

    def test_that_lie_in_no_file_as_they_are_are_unpacked(self):
        for side in "ab":
            place(f"packed_{side}").mkdir()
            numpy.savez_compressed(place(f"packed_{side}") / "x.npz", w=numpy.arange(6.0).reshape(2, 3) + (side == "b"), s=numpy.float32(2))
        report = ulpscope.compare(place("packed_a"), place("packed_b"))
        (run,) = (name for name in report.runs if name != report.reference)
        names = {row.name.split("/")[-1]: row.name for row in report.rows()}
        found = report.tensor(run, names["w"])
        self.assertIsInstance(found, numpy.memmap)
        self.assertEqual(found.tolist(), [[1, 2, 3], [4, 5, 6]])
        self.assertEqual(report.tensor(report.reference, names["s"]).shape, ())

    def test_are_found_in_folders_of_files(self):
        torch.manual_seed(0)
        for side in "ab":
            folder = place(f"files_{side}")
            (folder / "layer").mkdir(parents=True)
            numpy.save(folder / "layer/w.npy", numpy.arange(6.0).reshape(2, 3) + (side == "b"))
            write_tensors(folder / "x.safetensors", {"u": Elements.of(torch.ones(3), "u"), "v": Elements.of(torch.zeros(2), "v")})
        report = ulpscope.compare(place("files_a"), place("files_b"))
        self.assertEqual([row.name for row in report.rows()], ["layer/w", "x/u", "x/v"])
        run = report.rows()[0].run
        self.assertEqual(report.tensor(run, "layer/w").tolist(), [[1, 2, 3], [4, 5, 6]])
        self.assertEqual(report.tensor(report.reference, "layer/w")[1, 2], 5)
        self.assertEqual(report.tensor(run, "x/u").tolist(), [1, 1, 1])
        with self.assertRaisesRegex(ulpscope.NotFound, "no tensor 'layer/u', forward"):
            report.tensor(run, "layer/u")

    def test_are_found_in_the_steps_of_a_recording(self):
        linear = torch.nn.Sequential(torch.nn.Linear(3, 2))
        inputs = [torch.full((1, 3), value) for value in (1.0, 2.0)]
        for side in "ab":
            with ulpscope.recorder.Recorder(linear, place(f"steps_{side}")) as recorder:
                for value in inputs:
                    with recorder.step():
                        linear(value)
        report = ulpscope.compare(place("steps_a"), place("steps_b"))
        for step, value in enumerate(inputs):
            run = next(run for run in report.runs if run.startswith(f"step {step}"))
            self.assertEqual(report.tensor(run, "0[input]").tolist(), value.tolist())
            self.assertTrue((report.tensor(run, "0") == linear(value).detach().numpy()).all())


class ElementsOfEveryType(unittest.TestCase):
    def test_go_into_a_file_and_come_back_to_the_bit(self):
        torch.manual_seed(0)
        tensors = {str(dtype): (torch.randn(3, 5) * 4).to(dtype) for dtype in FLOATS}
        tensors |= {str(dtype): torch.arange(15).reshape(3, 5).to(dtype) for dtype in WHOLE}
        tensors |= {"scalar": torch.tensor(2.5), "empty": torch.zeros(0, 4), "turned": torch.arange(6.).reshape(2, 3).t()}
        report = ulpscope.compare(tensors, tensors)
        self.assertLessEqual(set(tensors) - {"empty"}, {row.name for row in report.rows()})
        for name, tensor in tensors.items():
            found = report.torch_tensor("b", name)
            self.assertEqual((found.dtype, found.shape), (tensor.dtype, tensor.shape), name)
            self.assertTrue(torch.equal(found.contiguous().reshape(-1).view(torch.uint8),
                                        tensor.contiguous().reshape(-1).view(torch.uint8)), name)
            if tensor.dtype.itemsize > 1 and tensor.numel() > 0 and tensor.dtype is not torch.bfloat16:
                self.assertIsInstance(report.tensor("b", name), numpy.memmap, name)

    def test_float8_has_the_numbers_of_torch(self):
        patterns = torch.arange(256, dtype=torch.uint8)
        for dtype in (torch.float8_e4m3fn, torch.float8_e5m2):
            expected = patterns.view(dtype).float().numpy()
            found = Elements.of(patterns.view(dtype), "x").numbers()
            self.assertTrue(numpy.array_equal(found, expected, equal_nan=True), dtype)
            self.assertTrue((numpy.signbit(found) == numpy.signbit(expected))[~numpy.isnan(found)].all())

    def test_a_broken_file_is_refused(self):
        folder = place("broken_tensors")
        report = ulpscope.compare({"w": numpy.ones(4)}, {"w": numpy.ones(4)}, output=folder)
        file = folder / "b" / "tensors.safetensors"
        content = file.read_bytes()
        size = int.from_bytes(content[:8], "little")
        header = json.loads(content[8:8 + size])
        header["w"]["shape"] = [5]
        text = json.dumps(header).encode()
        for broken in (content[:-1], content[:20], len(text).to_bytes(8, "little") + text + content[-32:],
                       (4).to_bytes(8, "little") + b"oops"):
            file.write_bytes(broken)
            with self.assertRaisesRegex(ulpscope.BadInput, "tensors.safetensors: "):
                report.tensor("b", "w")


if __name__ == "__main__":
    unittest.main()
