"""Writes safetensors files whose tensors begin at multiples of 64 bytes.

The engine and transformers read weights where they lie in the file. Products of a matrix and one row round in another
order on some processors (MKL on those of AMD) when the matrix does not begin at a multiple of 16 bytes, and Fast-LLM's
specification copies the weights to where they do.
"""
import os

ALIGNMENT = 64


def align(folder: str) -> None:
    """Pads the header of model.safetensors with blanks, which the format allows."""
    path = os.path.join(folder, "model.safetensors")
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header = file.read(length)
        tensors = file.read()
    header += b" " * (-(8 + length) % ALIGNMENT)
    with open(path, "wb") as file:
        file.write(len(header).to_bytes(8, "little") + header + tensors)
