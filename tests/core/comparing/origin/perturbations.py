"""Does `ulpscope-cli compare` name what is wrong? Real dumps of a random Llama of four layers by msprobe, each with one
thing wrong that users have had, compared by elements, by statistics and by checksums; healthy runs must stay quiet.

perturbations.py ULPSCOPE_CLI.
"""
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "support"))
try:
    import msprobe_runs
    import torch
except ImportError as error:
    sys.exit(f"{error}; `make setup-test` installs it")

CLI = sys.argv.pop(1)
SIZES = {"layers": 4, "hidden": 32, "intermediate": 64, "heads": 4, "key_value_heads": 2, "vocabulary": 64}
IDS = [[5, 17, 3, 60, 22, 9, 41, 8], [33, 2, 58, 14, 27, 50, 6, 19]]
HEAD = SIZES["hidden"] // SIZES["heads"]
BASES = {"elements": ([], "tensor"), "statistics": (["--recorded"], "tensor"), "checksums": ([], "md5")}


def llama(dtype=torch.float32, **options):
    return msprobe_runs.llama(dtype=dtype, **SIZES, **options)


def changed(change, **options):
    """Gives what makes a model with `change` made to its decoder."""
    def make():
        model = llama(**options)
        with torch.no_grad():
            change(model.model)
        return model
    return make


def scaled(name, factor):
    return changed(lambda model: model.get_parameter(name + ".weight").mul_(factor))


def with_element(name, value):
    def change(model):
        model.get_parameter(name + ".weight")[3, 5] = value
    return changed(change)


def wrong_attention_scale(model):
    model.layers[2].self_attn.scaling *= 1.25


def swapped_heads(model):
    weight = model.layers[1].self_attn.q_proj.weight
    weight[:2 * HEAD] = weight[:2 * HEAD].roll(HEAD, 0)


def dropped_residual(model):
    """The second residual connection of layer 2 is left out."""
    def forward(self, hidden_states, position_embeddings=None, **rest):
        attended, _ = self.self_attn(hidden_states=self.input_layernorm(hidden_states),
                                     position_embeddings=position_embeddings, **rest)
        return self.mlp(self.post_attention_layernorm(hidden_states + attended))
    model.layers[2].forward = types.MethodType(forward, model.layers[2])


def large_gate(model):
    """silu(gate) * up of layer 2 exceeds what float16 holds, and nothing else does."""
    model.layers[2].mlp.gate_proj.weight.mul_(4000)
    model.layers[2].mlp.up_proj.weight.mul_(4000)


GOLDEN = {"golden": llama, "golden_large": changed(large_gate)}
# What is wrong: the model, the golden run, and the module that is to blame, which another may lie in.
WRONG = {
    "weight x 1.05": (scaled("layers.2.mlp.down_proj", 1.05), "golden", "model.layers.2.mlp.down_proj"),
    "weight x 1.0005": (scaled("layers.1.self_attn.o_proj", 1.0005), "golden", "model.layers.1.self_attn.o_proj"),
    "weight of an MLP x 1.0005": (scaled("layers.1.mlp.down_proj", 1.0005), "golden", "model.layers.1.mlp.down_proj"),
    "NaN": (with_element("layers.2.mlp.up_proj", float("nan")), "golden", "model.layers.2.mlp.up_proj"),
    "infinity": (with_element("layers.1.mlp.gate_proj", float("inf")), "golden", "model.layers.1.mlp.gate_proj"),
    "attention scale": (changed(wrong_attention_scale), "golden", "model.layers.2.self_attn"),
    "rotary base": (lambda: llama(rope_parameters={"rope_type": "default", "rope_theta": 5000.0}), "golden",
                    "model.rotary_emb"),
    "swapped heads": (changed(swapped_heads), "golden", "model.layers.1.self_attn"),
    "dropped residual": (changed(dropped_residual), "golden", "model.layers.2"),
    "float16 overflow": (changed(large_gate, dtype=torch.float16), "golden_large", "model.layers.2.mlp"),
}
HEALTHY = {
    "repeat": llama,
    "bfloat16": lambda: llama(torch.bfloat16),
    "float16": lambda: llama(torch.float16),
}
# The entry to blame in dumps of other levels than mix; none of a healthy run. L0 holds modules alone. L1 holds calls of
# functions alone and says neither module nor parent: a decoder layer calls linear seven times, for q, k, v, o, gate, up
# and down, so that in layer 2 up is call 2 * 7 + 5 and down the next one; the weight is an argument of that call.
OTHER_LEVELS = {
    "L0": {"weight x 1.05": "Module.model.layers.2.mlp.down_proj.Linear.forward.0",
           "NaN": "Module.model.layers.2.mlp.up_proj.Linear.forward.0",
           "bfloat16": None},
    "L1": {"weight x 1.05": "Functional.linear.20.forward",
           "NaN": "Functional.linear.19.forward",
           "bfloat16": None},
}


class PerturbationsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        folder = pathlib.Path(cls.temporary.name)
        models = {**GOLDEN, **HEALTHY, **{name: its[0] for name, its in WRONG.items()}}
        kinds = {"tensor": ("tensor", "statistics"), "md5": ("statistics", "md5")}
        jobs = [(name, kind, "mix") for name in models for kind in kinds]
        jobs += [(name, "tensor", level) for level, entries in OTHER_LEVELS.items() for name in ("golden", *entries)]
        cls.dumps, waiting = {}, []
        while jobs or waiting:
            while jobs and len(waiting) < os.cpu_count():
                name, kind, level = jobs.pop()
                task, summary = kinds[kind]
                place = folder / level / kind / name.replace(" ", "_")
                waiting.append(((name, kind, level),
                                msprobe_runs.start(place, models[name], IDS, task, level, summary)))
            key, started = waiting.pop(0)
            cls.dumps[key] = msprobe_runs.finish(started)

    def compare(self, golden, name, basis, level="mix"):
        options, kind = BASES[basis]
        run = subprocess.run([CLI, "compare", self.dumps[golden, kind, level], self.dumps[name, kind, level],
                              "--format", "json", *options], capture_output=True, text=True, check=False)
        self.assertEqual(run.stderr, "")
        (unit,) = json.loads(run.stdout)["units"]
        return unit

    def test_what_is_wrong_is_named(self):
        for name, (_, golden, module) in WRONG.items():
            for basis in BASES:
                if name == "float16 overflow" and basis == "checksums":
                    continue  # of two dtypes no checksums agree
                with self.subTest(wrong=name, by=basis):
                    culprits = self.compare(golden, name, basis)["culprits"]
                    self.assertTrue(culprits, "nothing is named")
                    named = culprits[0]["module"] or culprits[0]["enclosing"][0]
                    self.assertTrue(named == module or named.startswith(module + "."),
                                    f"{module} is to blame, and named is {named} ({culprits[0]['entry']}): "
                                    f"{culprits[0]['reason']}")
                    self.assertEqual(culprits[0]["non_finite"], name in ("NaN", "infinity", "float16 overflow"))

    def test_calls_and_modules_alone_name_it_as_well(self):
        for level, entries in OTHER_LEVELS.items():
            for name, entry in entries.items():
                for basis in ("elements", "statistics"):
                    with self.subTest(level=level, run=name, by=basis):
                        unit = self.compare("golden", name, basis, level)
                        self.assertGreater(unit["paired_rows"], 300)
                        named = [culprit["entry"] for culprit in unit["culprits"]]
                        self.assertEqual(named[:1], [entry] if entry else [])
                        if entry:
                            self.assertEqual(unit["culprits"][0]["non_finite"], name == "NaN")

    def test_healthy_runs_stay_quiet(self):
        for name in HEALTHY:
            for basis in BASES:
                with self.subTest(run=name, by=basis):
                    unit = self.compare("golden", name, basis)
                    self.assertEqual([culprit["entry"] for culprit in unit["culprits"]], [])
                    self.assertGreater(unit["paired_rows"], 1000)
                    self.assertEqual(unit["identical"], name == "repeat" and basis != "statistics")


class RankSum(torch.autograd.Function):
    """What all ranks hold is added up; the gradient of the sum is each one's."""
    @staticmethod
    def forward(_, part):
        total = part.clone()
        torch.distributed.all_reduce(total)
        return total

    @staticmethod
    def backward(_, gradient):
        return gradient


class RowParallelMlp(torch.nn.Module):
    """One rank's half of an MLP: `down` takes its columns of the hidden states, and the ranks add up."""
    def __init__(self, rank):
        super().__init__()
        torch.manual_seed(0)
        self.embedding = torch.nn.Embedding(SIZES["vocabulary"], 8)
        torch.manual_seed(1 + rank)
        self.up = torch.nn.Linear(8, 16)
        self.down = torch.nn.Linear(16, 8, bias=False)
        self.norm = torch.nn.LayerNorm(8)

    def forward(self, input_ids, **_):
        part = self.down(torch.nn.functional.silu(self.up(self.embedding(input_ids))))
        return types.SimpleNamespace(loss=self.norm(RankSum.apply(part)).square().sum())


def rank_dump(folder, name, factor):
    """A step of two processes that hold a half each, `down` of rank 1 times `factor`: the folder with both ranks."""
    def on(rank):
        def make():
            os.environ["GLOO_SOCKET_IFNAME"] = "lo"  # whatever the machine is called
            torch.distributed.init_process_group("gloo", init_method=f"file://{folder / name}.store", rank=rank,
                                                 world_size=2, timeout=datetime.timedelta(minutes=2))
            model = RowParallelMlp(rank)
            with torch.no_grad():
                model.down.weight.mul_(factor if rank == 1 else 1)
            return model
        return make

    folder.mkdir(parents=True, exist_ok=True)
    started = [msprobe_runs.start(folder / f"{name}_{rank}", on(rank), IDS, "statistics") for rank in range(2)]
    step = folder / name / "step0"
    step.mkdir(parents=True)
    for found in [msprobe_runs.finish(one) for one in started]:
        found.rename(step / found.name)
    return step


class RanksTest(unittest.TestCase):
    """A fault of one rank reaches the others through what the ranks add up."""

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        factors = {"golden": 1, "repeat": 1, "target": 1.05}
        cls.dumps = {name: rank_dump(pathlib.Path(temporary.name), name, factor) for name, factor in factors.items()}

    def compare(self, name):
        run = subprocess.run([CLI, "compare", self.dumps["golden"], self.dumps[name], "--format", "json"],
                             capture_output=True, text=True, check=False)
        self.assertEqual(run.stderr, "")
        comparison = json.loads(run.stdout)
        units = {unit["unit"]: unit["culprits"] for unit in comparison["units"]}
        self.assertEqual(sorted(units), ["step 0, rank 0", "step 0, rank 1"])
        return units, comparison["earliest"]

    def test_the_rank_with_the_wrong_weight_is_named(self):
        units, earliest = self.compare("target")
        (culprit,) = units["step 0, rank 1"]
        self.assertEqual(earliest, {"unit": "step 0, rank 1", "entry": culprit["entry"], "row": culprit["row"]})
        self.assertEqual(culprit["kind"], "source")
        self.assertTrue(culprit["enclosing"][0].startswith("Module.down."), culprit["enclosing"])
        self.assertAlmostEqual(culprit["error"], 0.05, places=6)

        # What both ranks add up differs on the other one as well, which is not to blame.
        (received,) = units["step 0, rank 0"]
        self.assertEqual((received["kind"], received["entry"]), ("received", "Distributed.all_reduce.0.forward"))
        self.assertGreater(received["error"], 0.01)
        self.assertEqual((received["remote"]["unit"], received["remote"]["origin"]),
                         ("step 0, rank 1", culprit["entry"]))

    def test_healthy_ranks_stay_quiet(self):
        units, earliest = self.compare("repeat")
        self.assertEqual([units["step 0, rank 0"], units["step 0, rank 1"], earliest], [[], [], None])


if __name__ == "__main__":
    unittest.main()
