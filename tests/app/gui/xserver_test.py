"""The real window on a real X server: opens a report with keys, is looked at, and is closed with keys.

usage: xserver_test.py ULPSCOPE REPORT. Exits with 77 where no X server can be started; ctest counts that as skipped.
"""
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
PATIENCE = 120.0
SIZE = (1280, 800)


def read_picture(path: pathlib.Path) -> tuple[int, int, list[bytes]]:
    """Width, height and rows of blue, green, red, unused of what Xvfb shows (format of xwd)."""
    data = path.read_bytes()
    header = struct.unpack(">25I", data[:100])
    size, _, _, _, width, height, _, order, _, _, _, bits, stride = header[:13]
    colours = header[19]
    assert bits == 32 and order == 0, "expected 32 bits a pixel, little endian"
    start = size + colours * 12
    return width, height, [data[start + y * stride : start + y * stride + width * 4] for y in range(height)]


def colours_of(rows: list[bytes]) -> set[bytes]:
    return {row[x : x + 3] for row in rows[::2] for x in range(0, len(row), 8)}


def changed_part(before: list[bytes], after: list[bytes]) -> float:
    """Of one pixel in four along each row of two."""
    pairs = [(a[x : x + 3], b[x : x + 3]) for a, b in zip(before[::2], after[::2]) for x in range(0, len(a), 16)]
    return sum(a != b for a, b in pairs) / len(pairs)


class Screen:
    """An X server of its own, with a folder in which it keeps its picture."""

    def __init__(self, folder: pathlib.Path):
        read, write = os.pipe()
        self.process = subprocess.Popen(
            # Without -noreset it starts anew when the last client goes, and refuses whoever comes meanwhile.
            ["Xvfb", "-noreset", "-displayfd", str(write), "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24", "-fbdir", folder, "-nolisten", "tcp"],
            pass_fds=(write,),
            stderr=subprocess.DEVNULL,
        )
        os.close(write)
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        if not number:
            print("skipped: Xvfb does not start here")
            sys.exit(SKIPPED)
        self.display = f":{number}"
        self.picture = folder / "Xvfb_screen0"

    def close(self):
        self.process.terminate()
        self.process.wait(PATIENCE)


class User:
    """Presses keys, of which the X server makes events for whoever has the focus, and waits for what is to be seen then."""

    def __init__(self, program: subprocess.Popen, environment):
        self.program = program
        self.environment = environment

    def wait_for(self, what: str, condition):
        """Until `condition()` is true."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert self.program.poll() is None, f"waited for {what}; the program ended with {self.program.returncode}"
            assert time.monotonic() < end, f"waited {PATIENCE:.0f} s for {what}"
            time.sleep(0.05)

    def do(self, *arguments: str) -> str:
        done = subprocess.run(
            ["xdotool", *arguments], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=PATIENCE
        )
        return done.stdout.strip()

    def windows(self, name: str) -> list[str]:
        return self.do("search", "--onlyvisible", "--name", name).split()

    def focus(self, name: str):
        """There is no window manager that would do it. A window that has just appeared may refuse."""

        def has_focus() -> bool:
            windows = self.windows(name)
            if windows:
                self.do("windowfocus", windows[-1])
            return bool(windows) and self.do("getwindowfocus", "-f") == windows[-1]

        self.wait_for(f"a window '{name}' with the focus", has_focus)


def follow(user: User, screen: Screen, report: pathlib.Path):
    user.focus("^Ulpscope$")
    user.wait_for("the first picture", lambda: len(colours_of(read_picture(screen.picture)[2])) > 20)
    start = colours_of(read_picture(screen.picture)[2])
    user.do("key", "ctrl+o")
    user.focus("^Open a report or a study")
    user.do("type", "--delay", "4", str(report))
    user.do("key", "Return")
    user.focus(f"{report.parent.name} – Ulpscope")
    user.wait_for("the report", lambda: len(colours_of(read_picture(screen.picture)[2]) - start) > 100)
    width, height, overview = read_picture(screen.picture)
    assert (width, height) == SIZE
    user.do("key", "alt+2")
    user.wait_for("the depth chart", lambda: changed_part(overview, read_picture(screen.picture)[2]) > 0.03)
    user.do("key", "ctrl+q")
    assert user.program.wait(PATIENCE) == 0, f"exit code {user.program.returncode}"


def run(program: str, report: pathlib.Path):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        copy = folder / "smollm2_run" / "precision_report.json"
        copy.parent.mkdir()
        shutil.copy(report, copy)
        screen = Screen(folder)
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("QT_", "XDG_", "WAYLAND_"))}
        environment |= {"DISPLAY": screen.display, "QT_QPA_PLATFORM": "xcb", "HOME": name, "XDG_RUNTIME_DIR": name, "LC_ALL": "C.UTF-8"}
        log = open(folder / "log", "w+")
        window = subprocess.Popen([program], env=environment, stdout=log, stderr=log)
        try:
            follow(User(window, environment), screen, copy)
        except BaseException:
            log.seek(0)
            print(log.read(), file=sys.stderr)
            raise
        finally:
            window.kill()
            window.wait(PATIENCE)
            screen.close()


def main(program: str, report: str) -> int:
    for needed in ("Xvfb", "xdotool"):
        if shutil.which(needed) is None:
            print(f"{needed} is not installed; `make setup` installs it")
            return 1
    run(program, pathlib.Path(report))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
