#!/usr/bin/env python3
"""Installs minja, the C++ reading of chat templates (MIT), and the templates that tests render.
Usage: install_minja.py FOLDER

It is published within the source archive of llama-cpp-python alone; 0.3.16 is the last one with it.
Of the archive, whose checksum is verified, the header and the templates are kept."""
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

VERSION = "0.3.16"
SHA256 = "34ed0f9bd9431af045bb63d9324ae620ad0536653740e9bb163a2e1fcb973be6"
INSIDE = f"llama_cpp_python-{VERSION}/vendor/llama.cpp/"
HEADER = INSIDE + "vendor/minja/minja.hpp"
TEMPLATES = INSIDE + "models/templates/"


def download(folder):
    """With pip, as all that comes from PyPI; it also refuses an archive of another checksum."""
    requirements = folder / "requirements.txt"
    requirements.write_text(f"llama-cpp-python=={VERSION} --hash=sha256:{SHA256}\n")
    pip = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--require-hashes"]
    what = ["--no-deps", "--no-binary", "llama-cpp-python", "-d", folder, "-r", requirements]
    subprocess.run(pip + what, check=True)
    return folder / f"llama_cpp_python-{VERSION}.tar.gz"


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
        sys.exit(f"{archive.name}: holds no {HEADER}")


def main():
    target = pathlib.Path(sys.argv[1])
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as name:
        scratch = pathlib.Path(name)
        extract(download(scratch), scratch / "minja")
        shutil.rmtree(target, ignore_errors=True)
        (scratch / "minja").rename(target)


main()
