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
