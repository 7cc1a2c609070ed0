#!/usr/bin/env python3
"""Installs minja, the C++ reading of chat templates (MIT), and the templates that tests render.
Usage: install_minja.py FOLDER

It is published within the source archive of llama-cpp-python alone; 0.3.16 is the last one with it.
Of the archive, whose checksum is verified, the header and the templates are kept."""
import hashlib
import json
import os
import pathlib
import shutil
import sys
import tarfile
import tempfile
import urllib.parse
import urllib.request

ARCHIVE = "llama_cpp_python-0.3.16.tar.gz"
SHA256 = "34ed0f9bd9431af045bb63d9324ae620ad0536653740e9bb163a2e1fcb973be6"
INSIDE = "llama_cpp_python-0.3.16/vendor/llama.cpp/"
HEADER = INSIDE + "vendor/minja/minja.hpp"
TEMPLATES = INSIDE + "models/templates/"


def open_url(url, **headers):
    return urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=180)


def archive_url():
    index = os.environ.get("PIP_INDEX_URL", "https://pypi.org/simple").rstrip("/") + "/llama-cpp-python/"
    with open_url(index, Accept="application/vnd.pypi.simple.v1+json") as answer:
        files = json.load(answer)["files"]
    for file in files:
        if file["filename"] == ARCHIVE:
            return urllib.parse.urljoin(index, file["url"])
    sys.exit(f"{index}: has no {ARCHIVE}")


def download(path):
    with open_url(archive_url()) as answer, path.open("wb") as file:
        shutil.copyfileobj(answer, file)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != SHA256:
        sys.exit(f"{ARCHIVE}: its SHA-256 is {digest}, not {SHA256}; nothing of it is installed")


def extract(archive, folder):
    (folder / "include" / "minja").mkdir(parents=True)
    (folder / "templates").mkdir()
    with tarfile.open(archive) as tar:
        for member in tar:
            name = pathlib.PurePosixPath(member.name).name
            if member.name == HEADER:
                target = folder / "include" / "minja" / name
            elif member.name.startswith(TEMPLATES) and name.endswith(".jinja"):
                target = folder / "templates" / name
            else:
                continue
            target.write_bytes(tar.extractfile(member).read())
    if not (folder / "include" / "minja" / "minja.hpp").exists():
        sys.exit(f"{ARCHIVE}: holds no {HEADER}")


def main():
    target = pathlib.Path(sys.argv[1])
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as name:
        scratch = pathlib.Path(name)
        download(scratch / ARCHIVE)
        extract(scratch / ARCHIVE, scratch / "minja")
        shutil.rmtree(target, ignore_errors=True)
        (scratch / "minja").rename(target)


main()
