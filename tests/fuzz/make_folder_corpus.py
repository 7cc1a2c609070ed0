"""Writes seeds that are folders of msprobe and of Fast-LLM, each as one input of folder_targets.h:
make_folder_corpus.py tests/fuzz/corpus (needs nothing beside Python)."""
import io
import json
import pathlib
import struct
import sys
import zipfile

folder = pathlib.Path(sys.argv[1])


def bundle(path, files):
    packed = b""
    for name, content in files.items():
        content = content.encode() if isinstance(content, str) else content
        packed += f"{name}\n{len(content)}\n".encode() + content
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_bytes(packed)


class Tensor:
    """float32 elements of one dimension, the only storage of their file."""

    def __init__(self, *values):
        self.values = values


def pickled(value):
    """Protocol 2, as torch.save writes it, without a memo."""
    if isinstance(value, Tensor):
        count = b"K" + bytes([len(value.values)])
        return (b"ctorch._utils\n_rebuild_tensor_v2\n((" + pickled("storage") + b"ctorch\nFloatStorage\n" + pickled("0")
                + pickled("cpu") + count + b"tQK\0" + count + b"\x85K\x01\x85\x89ccollections\nOrderedDict\n)RtR")
    if isinstance(value, dict):
        return b"}(" + b"".join(pickled(key) + pickled(each) for key, each in value.items()) + b"u"
    if isinstance(value, list):
        return b"](" + b"".join(map(pickled, value)) + b"e"
    if isinstance(value, str):
        return b"X" + struct.pack("<I", len(value.encode())) + value.encode()
    return b"G" + struct.pack(">d", value) if isinstance(value, float) else b"J" + struct.pack("<i", value)


def torch_file(value, *elements):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in (("data.pkl", b"\x80\x02" + pickled(value) + b"."), ("byteorder", b"little"),
                              ("data/0", struct.pack(f"<{len(elements)}f", *elements)), ("version", b"3\n")):
            archive.writestr(zipfile.ZipInfo("archive/" + name), content)
    return buffer.getvalue()


saved = torch_file(Tensor(1.5, -2.0), 1.5, -2.0)

module, call = "Module.model.mlp.Mlp.forward.0", "Functional.linear.0.forward"
tensor = {"type": "torch.Tensor", "dtype": "torch.float32", "shape": [2], "Max": 1.5, "Min": -2.0, "Mean": float("nan"),
          "Norm": 2.5, "requires_grad": True}


def dump_json(task, data):
    return json.dumps({"task": task, "level": "mix", "framework": "pytorch", "dump_data_dir": None, "data": data})


of_call = {"input_args": [tensor, {"type": "int", "value": 2}], "input_kwargs": {"bias": None},
           "output": [{**tensor, "data_name": call + ".output.0.pt"}]}
of_module = {"input_args": [], "input_kwargs": {"x": tensor}, "parameters": {"weight": tensor}, "output": [tensor]}
gradients = {"weight": [{**tensor, "md5": "00ff00ff"}]}
shared = {"0": [[call, module], ["File x.py, line 1, in f", "File y.py, line 2, in g"]]}
construct = {call: module, module: "Module.model.Model.forward.0", "Module.model.Model.forward.0": None}
process = "step0/rank0/"
bundle("folder/msprobe/version_26.bundle", {
    process + "dump.json": dump_json("tensor", {call: of_call, module: of_module,
                                                "Module.model.mlp.Mlp.parameters_grad.0": gradients}),
    process + "stack.json": json.dumps(shared), process + "construct.json": json.dumps(construct),
    process + f"dump_tensor_data/{call}.output.0.pt": saved})
bundle("folder/msprobe/version_8.bundle", {
    "rank/dump.json": dump_json("statistics", {call: of_call, "Module.model.mlp.Mlp.parameters_grad": gradients}),
    "rank/stack.json": json.dumps({call: ["File x.py, line 1, in f"]}),
    "rank/construct.json": json.dumps({call: [module, 0], module: [None, 0]})})
bundle("folder/msprobe/structure.bundle", {
    "proc7/dump.json": dump_json("structure", {}), "proc7/stack.json": json.dumps(shared)[:-30],
    # In a circle, and around themselves.
    "proc7/construct.json": json.dumps({call: module, module: call, "Torch.x.0.forward": "Torch.x.0.forward"})})
bundle("folder/msprobe/outside.bundle", {
    process + "dump.json": dump_json("tensor", {call: {"output": [
        {**tensor, "shape": [2**62, 8, -1], "data_name": "../../../x.pt"}, {**tensor, "data_name": "short.pt"}]}})[:-2],
    process + "stack.json": "[]", process + "construct.json": json.dumps([call]),
    process + "dump_tensor_data/short.pt": saved[:-40]})

atb = "$Version=1.0\n$Object.Count=1\n$Object.Length={}\nformat=2\ndtype={}\ndims={}\n$Object.data=0,{}\n$End=1\n"
headings = ("Device and PID,Execution Count,Op Name,Op Type,Op Id,Input/Output,Index,Dtype,Format,Shape,"
            "Max,Min,Mean,Norm,Tensor Path\n")
table = (headings + "0_7,3,Layer/Mlp,L/M,0_1,output,0,float,nd,1x2,2,nan,-inf,N/A,"
         "/x/atb_dump_data/data/0_7/3/0_Layer/1_Mlp/after/outtensor0.bin\n"
         "0_7,3,Gone,Gone,9,input,0,bf16,nd,\"(2, 3)\",2,2,2,2,N/A\n")
data = "atb_dump_data/data/0_7/3/"
bundle("folder/msprobe_atb/tensors.bundle", {
    data + "statistic.csv": table,
    data + "0_Layer/1_Mlp/after/outtensor0.bin": atb.format(4, 0, "1", 4).encode() + bytes(4),
    data + "0_Layer/before/intensor0.bin": "$Version=1.0\n$Object.Count=0\nformat=2\ndtype=0\ndims=1\n"
                                           "data=../1_Mlp/after/outtensor0.bin\n$End=1\n"})
bundle("folder/msprobe_atb/statistics.bundle", {data + "statistic.csv": table, "atb_dump_data/data/1_8/3/statistic.csv": headings})
bundle("folder/msprobe_atb/outside.bundle", {
    data + "statistic.csv": table.replace("Layer/Mlp", "Layer").replace("0_7,3,Gone", "0_7,3"),
    data + "0_Layer/after/outtensor0.bin": atb.format(2**63, 40, f"{2**62},4", 1).encode(),
    data + "0_Layer/after/outtensor1.bin": "$Version=1.0\ndtype=0\ndims=1\ndata=../../../../../../etc/passwd\n$End=1\n"})


def log(name, **more):
    return {"name": name, "shape": [2], "dtype": "float32", "min": -2.0, "max": 1.5, "mu": -0.25, "step": 1, **more}


bundle("folder/fast_llm_tensor_logs/run.bundle", {
    "bf16/runs/0/artifacts/0/tensor_logs_train_1.pt": torch_file(
        [log("Global decoder.3 fw: decoder.3 output", tensor=Tensor(1.5, -2.0)), log("Global : head.logits.grad"),
         log("Global gradient: decoder.0.norm_1.weight", shape=[2, 2], samples=Tensor(1.5, -2.0), step=2)], 1.5, -2.0)})
bundle("folder/fast_llm_tensor_logs/file.bundle", {"tensor_logs_none.pt": torch_file([log("no colon", samples=Tensor(1.5)), log("no colon")], 1.5)})
bundle("folder/fast_llm_tensor_logs/wrong.bundle", {
    "tensor_logs_1.pt": torch_file(
        [log(" bw:", shape=[2**31 - 1, 2**31 - 1, 2**31 - 1, -1], samples=Tensor(1.5), step=0.0),
         {"shape": []}, log(7, dtype=7, tensor="none", samples=[Tensor(1.5)]), log(":.grad", shape="x")], 1.5)})
