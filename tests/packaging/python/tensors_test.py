"""Tensors of studies and comparisons, mapped, of every type."""
import json
import sys
import unittest
from unittest import mock

import h5py
import numpy
import torch
from python_package import place, study_report

import ulpscope
from ulpscope.elements import Elements
from ulpscope.safetensors_file import write_tensors

FLOATS = [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2]
WHOLE = [torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool]


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
        with h5py.File(report.path.parent / "tensors.h5") as file, h5py.File(folder / "tensors.h5", "w") as packed:
            kept = file["/runs/bf16/forward/logits"]
            copy = packed.create_dataset("/runs/bf16/forward/logits", data=kept[()], compression="gzip")
            copy.attrs.update(kept.attrs)
        found = ulpscope.open(folder).tensor("bf16", "logits")
        self.assertTrue((found == report.tensor("bf16", "logits")).all())

    def test_refuses_with_a_remedy(self):
        report = study_report()
        with self.assertRaisesRegex(ulpscope.NotFound, r"no tensor 'nothing', forward; tensors\('bf16'\) lists them"):
            report.tensor("bf16", "nothing")
        with self.assertRaisesRegex(ulpscope.NotFound, "no run 'bf17'; runs are: reference, bf16, fp16"):
            report.tensor("bf17", "logits")
        with mock.patch.dict(sys.modules, {"h5py": None}):
            with self.assertRaisesRegex(ulpscope.MissingPackage, "pip install h5py"):
                report.tensor("bf16", "logits")
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
        with self.assertRaisesRegex(ulpscope.CorruptData, "outside of the folder tensors"):
            ulpscope.open(folder).tensor("bf16", "logits")


    def test_a_subsample_comes_flat_and_says_of_what(self):
        folder = place("sampled")
        folder.mkdir()
        (folder / "precision_report.json").write_bytes(study_report().path.read_bytes())
        with h5py.File(folder / "tensors.h5", "w") as file:
            dataset = file.create_dataset("/runs/bf16/forward/logits", data=numpy.arange(5, dtype="f4"))
            dataset.attrs.update({"name": "logits", "dtype": "float32", "full_shape": [3, 5], "sample_stride": 3})
        report = ulpscope.open(folder)
        self.assertEqual([(t.shape, t.stride) for t in report.tensors("bf16")], [((3, 5), 3)])
        self.assertEqual(report.tensor("bf16", "logits").tolist(), [0, 1, 2, 3, 4])


class DumpedTensors(unittest.TestCase):
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
        with self.assertRaisesRegex(ulpscope.NotFound, "--to safetensors"):
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
        for broken, message in ((content[:-1], "does not fit"), (content[:20], "longer than the file"),
                                (len(text).to_bytes(8, "little") + text + content[-32:], "does not fit"),
                                ((4).to_bytes(8, "little") + b"oops", "no JSON")):
            file.write_bytes(broken)
            with self.assertRaisesRegex(ulpscope.CorruptData, message):
                report.tensor("b", "w")


if __name__ == "__main__":
    unittest.main()
