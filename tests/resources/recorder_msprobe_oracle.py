"""Does the recorder see what msprobe sees? The same training step of a random Llama, recorded by both: names, numbers
and order of calls, and every tensor to the bit; and Ulpscope compares the one dump with the other.

recorder_msprobe_oracle.py ULPSCOPE_CLI"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
try:
    import msprobe_runs
    import torch
except ImportError as error:
    sys.exit(f"{error}; `make setup-test` installs it")
from recorder_test import Dump, same
from ulpscope_recorder import Recorder

CLI = sys.argv.pop(1)
SIZES = {"layers": 2, "hidden": 32, "intermediate": 64, "heads": 4, "key_value_heads": 2, "vocabulary": 64}
IDS = [[5, 17, 3, 60, 22, 9, 41, 8], [33, 2, 58, 14, 27, 50, 6, 19]]
# msprobe dumps gradients of the node that made a result, of which a call of these functions makes several: what arrives
# is the same, what leaves is not that of the call's inputs.
SEVERAL_NODES = ("Functional.linear", "Torch.matmul", "Functional.cross_entropy", "Functional.embedding")
ROLES = {("forward", "input_args"): "input", ("forward", "input_kwargs"): "input", ("forward", "output"): "output",
         ("backward", "input"): "output_gradient", ("backward", "output"): "input_gradient"}


def llama():
    return msprobe_runs.llama(attn_implementation="eager", **SIZES)


def leaves(value, path=()):
    """(path, leaf) of what dump.json holds of an argument or result."""
    if isinstance(value, dict) and "type" in value:
        yield path, value
    elif isinstance(value, (dict, list)):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(part, (*path, str(key)))


class MsprobeOracle(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.place = pathlib.Path(temporary.name)
        cls.msprobe = {level: msprobe_runs.dump(cls.place / "msprobe" / level, llama, IDS, "tensor", level)
                       for level in ("L1", "mix")}
        cls.sums = msprobe_runs.dump(cls.place / "msprobe/md5", llama, IDS, "statistics", "L1", "md5")
        for name, options in (("L1", {"level": "L1"}), ("mix", {"level": "mix", "weights": True}),
                              ("md5", {"level": "L1", "task": "crc32"}), ("wrong L1", {"level": "L1"}),
                              ("wrong mix", {"level": "mix"}), ("wrong md5", {"level": "L1", "task": "crc32"})):
            model, ids = llama(), torch.as_tensor(IDS)
            if name.startswith("wrong"):
                with torch.no_grad():
                    model.model.layers[1].mlp.down_proj.weight.mul_(1.0005)
            with Recorder(model, cls.place / "ours" / name, **options):
                model(input_ids=ids, labels=ids, use_cache=False).loss.backward()

    def theirs(self, folder):
        return json.loads((folder / "dump.json").read_text())["data"]

    def ours(self, name):
        """Entries by the name that msprobe gives them, in order."""
        dump = Dump(self.place / "ours" / name)
        entries = {}
        for entry in dump.entries:
            if entry["pass"] != "parameter_gradient":
                path = (entry["name"], str(entry["call"]), entry["pass"]) if entry.get("kind") == "api" else (
                    "Module", entry["name"], entry["class"], entry["pass"], str(entry["call"]))
                entries[".".join(path)] = entry
        return dump, entries

    def test_calls_are_the_same_in_the_same_order(self):
        for level, folder in self.msprobe.items():
            theirs = [name for name in self.theirs(folder) if ".parameters_grad" not in name]
            _, ours = self.ours(level)
            # Its list of functions lacks the minus in front; a dropout of 0 it takes for no call in the backward pass.
            more = [name for name in ours if name not in theirs]
            self.assertTrue(all(name.startswith(("Tensor.__neg__", "Functional.dropout")) for name in more), more)
            for which in (".forward", ".backward"):
                expected = [name for name in theirs if which in name]
                self.assertGreater(len(expected), 30)
                if which == ".forward":
                    self.assertEqual([name for name in ours if name in expected], expected, level)
                self.assertLessEqual(set(expected), set(ours))

    def test_every_tensor_is_the_same_to_the_bit(self):
        folder = self.msprobe["L1"]
        dump, ours = self.ours("L1")
        compared = 0
        for name, entry in self.theirs(folder).items():
            rows = {(row["role"], row["path"]): row for row in ours[name]["tensors"]}
            function, _, which = name.rsplit(".", 2)
            for part, value in entry.items():
                role = ROLES.get((which, part))
                if role is None or (role == "input_gradient" and function in SEVERAL_NODES):
                    continue
                for path, leaf in leaves(value):
                    if "data_name" in leaf:
                        row = rows[role, ".".join(path)]
                        expected = torch.load(folder / "dump_tensor_data" / leaf["data_name"])
                        self.assertTrue(same(dump.tensors[row["key"]], expected), f"{name} {role} {path}")
                        compared += 1
                        if expected.dtype == torch.float32:
                            self.assertEqual(row["max"], float(leaf["Max"]) if leaf["Max"] != float("-inf") else "-inf")
        self.assertGreater(compared, 300)

    def test_parameters_are_those_that_it_dumps(self):
        folder = self.msprobe["mix"]
        dump, ours = self.ours("mix")
        compared = 0
        for name, entry in self.theirs(folder).items():
            for path, leaf in leaves(entry.get("parameters", {})):
                row = next(row for row in ours[name]["tensors"] if (row["role"], row["path"]) == ("parameter", *path))
                expected = torch.load(folder / "dump_tensor_data" / leaf["data_name"])
                self.assertTrue(same(dump.tensors[row["key"]], expected), name)
                compared += 1
        self.assertEqual(compared, len(list(llama().parameters())))

    def test_checksums_are_those_of_its_md5(self):
        _, ours = self.ours("md5")
        compared = 0
        for name, entry in self.theirs(self.sums).items():
            function, _, which = name.rsplit(".", 2)
            rows = {(row["role"], row["path"]): row for row in ours[name]["tensors"]}
            for part, value in entry.items():
                role = ROLES.get((which, part))
                if role is not None and not (role == "input_gradient" and function in SEVERAL_NODES):
                    for path, leaf in leaves(value):
                        if leaf.get("md5") and leaf["type"] == "torch.Tensor":
                            got = rows[role, ".".join(path)]["checksum"]
                            self.assertEqual(got, leaf["md5"], f"{name} {role} {path}")
                            compared += 1
        self.assertGreater(compared, 300)

    def compare(self, theirs, ours):
        run = subprocess.run([CLI, "compare", theirs, self.place / "ours" / ours, "--format", "json"],
                             capture_output=True, text=True, check=False)
        self.assertEqual(run.stderr, "")
        (unit,) = json.loads(run.stdout)["units"]
        return unit

    def test_a_wrong_weight_is_named(self):
        for name in ("L1", "mix", "md5"):
            first = self.compare(self.place / "ours" / name, f"wrong {name}")["culprits"][0]
            self.assertEqual((first["entry"], first["row"], first["module"]), (
                "Functional.linear.13.forward", "Functional.linear.13.forward.input.1", "model.layers.1.mlp.down_proj"))

    def test_ulpscope_compares_the_two(self):
        # What leaves cross_entropy is of another node.
        unit = self.compare(self.msprobe["L1"], "L1")
        self.assertEqual([culprit["row"] for culprit in unit["culprits"]],
                         ["Functional.cross_entropy.0.backward.output.0"])
        self.assertGreater(unit["by_elements"], 300)
        self.assertGreater(self.compare(self.sums, "md5")["by_checksums"], 300)


if __name__ == "__main__":
    unittest.main()
