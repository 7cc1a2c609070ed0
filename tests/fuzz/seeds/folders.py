"""What makes seeds of folders: their files as one input (tests/fuzz/fuzz_folder.h), and files of torch.save without
torch. bundle() writes those of target `folder`."""
import io
import pathlib
import struct
import sys
import zipfile

corpus = pathlib.Path(sys.argv[1]) / "folder"


def packed(files):
    content_of = {name: text.encode() if isinstance(text, str) else text for name, text in files.items()}
    return b"".join(f"{name}\n{len(content)}\n".encode() + content for name, content in content_of.items())


def bundle(path, files):
    (corpus / path).parent.mkdir(parents=True, exist_ok=True)
    (corpus / path).write_bytes(packed(files))


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
