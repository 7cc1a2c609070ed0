"""The overlays of a report are what the viewers' own code reads: Model Explorer's classes of node data, and Netron's
reader of attachments. Usage: overlay_oracle.py ULPSCOPE_CLI REPORT model_explorer|netron. Needs build/deps/viewers,
where `make setup-test` puts both; Netron is skipped (77) without node."""
import importlib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import types

import gguf
import numpy as np
from safetensors.numpy import save_file

SKIPPED = 77
VIEWERS = pathlib.Path(__file__).resolve().parents[3] / "build/deps/viewers"
RUN = "bf16"
METRIC = "rms_rel"


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def check(condition, what):
    if not condition:
        sys.exit(f"not so: {what}")


def exported(cli, report, folder, kind, name, *more):
    path = folder / name
    run(cli, "report", report, "--format", kind, "--metric", METRIC, "-o", path, *more)
    return path


def numbers(report, direction):
    """Row -> number of the run, as the report has them."""
    rows = json.loads(pathlib.Path(report).read_text())["comparisons"][RUN]
    return {(row["name"], row["module"]): row[METRIC] for row in rows if row["pass"] == direction}


def node_data_classes():
    """Model Explorer's module without its package, which starts with a web server."""
    package = types.ModuleType("model_explorer")
    package.__path__ = [str(VIEWERS / "model_explorer")]
    sys.modules["model_explorer"] = package
    try:
        return importlib.import_module("model_explorer.node_data_builder")
    finally:
        del sys.modules["model_explorer"]


def check_model_explorer(cli, report, folder):
    builder = node_data_classes()
    for direction in ("forward", "backward"):
        path = exported(cli, report, folder, "model-explorer", f"{direction}.node_data.json", "--variant", RUN,
                        "--pass", direction)
        data = json.loads(path.read_text())
        # Fields that the classes do not have are errors.
        read = builder.GraphNodeData(
            name=data.pop("name"),
            results={node: builder.NodeDataResult(**result) for node, result in data.pop("results").items()},
            thresholds=[builder.ThresholdItem(**item) for item in data.pop("thresholds")])
        check(not data, f"fields that Model Explorer does not know: {list(data)}")
        ends = [item.value for item in read.thresholds]
        check(ends == sorted(ends), "the first threshold that is not passed gives the colour")
        rows = numbers(report, direction)
        check(rows, f"the report has rows {direction}")
        for (name, module), value in rows.items():
            check(read.results[name].value == value, f"{name} {direction}")
            if module and "[" not in name:
                check(module in read.results, f"{module} is a key")
        check(max(rows.values()) <= ends[-1], "every number has a colour")
    print("Model Explorer: ok")


def write_models(report, folder):
    """Weights under the names of the report's modules, as safetensors and as GGUF."""
    modules = {module for _, module in numbers(report, "forward") if module}
    ones = np.ones((2, 2), dtype=np.float32)
    save_file({f"{module}.weight": ones for module in modules}, folder / "model.safetensors")
    writer = gguf.GGUFWriter(folder / "model.gguf", "llama")
    for name in ("token_embd", "blk.0.ffn_down", "blk.1.ffn_down"):
        writer.add_tensor(f"{name}.weight", ones)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def check_netron(cli, report, folder):
    node = shutil.which("node")
    if node is None:
        print("skipped: there is no node to run Netron's JavaScript")
        sys.exit(SKIPPED)
    program = folder / "netron"
    shutil.copytree(VIEWERS / "netron", program, ignore=shutil.ignore_patterns("*.py"))
    shutil.copy(pathlib.Path(__file__).with_name("netron_reader.mjs"), program)
    (program / "package.json").write_text('{"type": "module"}')
    write_models(report, folder)
    attachment = exported(cli, report, folder, "netron", "report.attachment.json")
    shown = {name: json.loads(run(node, program / "netron_reader.mjs", folder / name, attachment))
             for name in ("model.safetensors", "model.gguf")}
    for name, seen in shown.items():
        check(seen["isTaken"], f"Netron takes the attachment for {name}")
        check("compared with" in seen["model"], "the model says what was compared")
    nodes = shown["model.safetensors"]["nodes"]
    for (name, module), value in numbers(report, "forward").items():
        if not module or "[" in name:
            continue
        label = f"{RUN} {METRIC}" if name == module else f"{RUN} {METRIC} of {name}"
        check(nodes[module].get(label) == value, f"{module}: {label} is {value}, not {nodes[module].get(label)}")
    embedding = next(value for (_, module), value in numbers(report, "forward").items()
                     if module == "model.embed_tokens")
    nodes = shown["model.gguf"]["nodes"]
    check(embedding in nodes["token_embd"].values(), "the embedding of a GGUF file shows its number")
    # docs/formats/overlays.md says so; when Netron gives them names of their own, its text has to follow.
    check(nodes.get("ffn_down") == {}, "nodes of GGUF blocks have no names of their own")
    print("Netron: ok")


def main():
    cli, report, viewer = sys.argv[1:]
    if not VIEWERS.is_dir():
        sys.exit(f"{VIEWERS} does not exist; `make setup-test` installs it")
    check_viewer = {"model_explorer": check_model_explorer, "netron": check_netron}[viewer]
    with tempfile.TemporaryDirectory() as name:
        check_viewer(cli, report, pathlib.Path(name))


main()
