"""Runs studies by ulpscope-cli and follows their events (docs/events.md)."""
from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import typing

from .errors import BadInput, Cancelled, UlpscopeError, call_file, error_of_code, error_of_exit
from .program import environment, find_program, said_by
from .report import Report, open as open_report
from .temporary import make_folder, remove_folder, remove_with

Event = dict[str, typing.Any]
_STUDY = "study.yaml"


class RunningStudy:
    """A study that runs. Iterate over it for its events; report() waits for its end.

        for event in ulpscope.start("study.yaml"):
            print(event["event"], event.get("run"), event.get("fraction"))
    """

    def __init__(self, arguments: list[str], temporary: pathlib.Path | None = None):
        self._temporary = temporary
        if temporary is not None:
            remove_with(self, temporary)  # where nobody asks for its report
        self._last: Event = {}
        self._said: list[str] = []
        # In a session of its own: Ctrl-C comes to this program alone, which then asks the study to end.
        self._process = subprocess.Popen([find_program(), "run", *arguments, "--progress", "jsonl", "--control"],
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                         encoding="utf-8", errors="replace", env=environment(), start_new_session=True)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        assert self._process.stderr is not None
        self._said.extend(self._process.stderr)

    def __iter__(self) -> typing.Iterator[Event]:
        """Yields each event as soon as it happens."""
        if self._process.stdout is None or self._process.stdout.closed:
            return
        for line in self._process.stdout:
            try:
                event = json.loads(line)
            except ValueError:
                continue  # a library that prints
            if isinstance(event, dict) and "event" in event:
                if event["event"] == "study_finished":
                    self._last = event
                yield event

    def cancel(self) -> None:
        """Asks the study to end at its next module; what is finished stays."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)

    def skip(self, variant: str) -> None:
        """Leaves a variant out, whether it waits or runs."""
        if self._process.stdin is None or self._process.stdin.closed or self._process.poll() is not None:
            raise BadInput(f"skip {variant}: the study has ended")
        self._process.stdin.write(f"skip {variant}\n")
        self._process.stdin.flush()

    def report(self) -> Report:
        """Waits for the end and opens the report. Raises what ended the study early; `error.report` is then what there
        is of it."""
        try:
            status = self._wait()
        except BaseException:  # Ctrl-C
            self.cancel()
            self._wait()
            raise
        path = self._last.get("report")
        report = open_report(path) if path else None
        if status == 0 and report is not None:
            return report
        raise self._error(status, report)

    def _wait(self) -> int:
        for _ in self:
            pass
        status = self._process.wait()
        self._listener.join()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        if self._temporary is not None:
            remove_folder(self._temporary)
        return status

    def _error(self, status: int, report: Report | None) -> Exception:
        code, message = self._last.get("error_code"), self._last.get("error") or said_by("".join(self._said))
        failed = {name: run.facts.get("error", run.status) for name, run in report.runs.items()
                  if run.status == "failed"} if report else {}
        if failed and not code:
            message = "; ".join(dict.fromkeys([*(f"{name}: {error}" for name, error in failed.items()), message]))
        if code:
            error: UlpscopeError = error_of_code(code, message)
        elif self._last.get("status") == "cancelled":
            error = Cancelled("the study was cancelled")
        else:
            error = error_of_exit(status, message)
        error.report = report
        if self._temporary is None:
            return error
        # Nothing of the author's lies beside the file that was written for this call.
        error.args = (re.sub(rf",? ?{re.escape(str(self._temporary))}/(?!{_STUDY})[^\s,;]*", "", str(error)),)
        return call_file(error, self._temporary / _STUDY, "study")


def start(study: str | os.PathLike[str] | dict[str, typing.Any], *, output: str | os.PathLike[str] | None = None,
          variants: str | typing.Sequence[str] = (), device: str | None = None, threads: int | None = None,
          resume: bool = False, overwrite: bool = False, **overrides: typing.Any) -> RunningStudy:
    """Starts a study and returns at once; otherwise as run()."""
    if resume and overwrite:
        raise BadInput("resume and overwrite: choose one")
    if isinstance(study, dict) and output is None and "output_dir" not in study:
        output = pathlib.Path("runs") / "study"
    arguments = []
    if output is not None:
        arguments += ["--output", os.fspath(output)]
    for key, value in overrides.items():
        # A text as JSON is YAML of the same meaning, whatever is in it.
        arguments += ["--set", f"{key.replace('__', '.')}={_json(value)}"]
    for variant in [variants] if isinstance(variants, str) else variants:
        arguments += ["--variant", variant]
    for option, chosen in (("--device", device), ("--threads", threads)):
        if chosen is not None:
            arguments += [option, str(chosen)]
    arguments += ["--resume"] * resume + ["--overwrite"] * overwrite
    path, temporary = _file_of(study)
    try:
        return RunningStudy([str(path), *arguments], temporary)
    except BaseException:
        if temporary is not None:
            remove_folder(temporary)
        raise


def run(study: str | os.PathLike[str] | dict[str, typing.Any], *,
        on_event: typing.Callable[[Event], None] | None = None, **options: typing.Any) -> Report:
    """Runs a study to its end and opens its report.

    study       path of a YAML file, or a dict of the same keys
    on_event    called with each event; without it, a terminal shows a line of progress
    output      folder of the results; default: the study's
    variants, device, threads, resume, overwrite: as the options of `ulpscope-cli run`
    any other   a key of the study and its value: `input__seed=1`, or `**{"input.seed": 1}`
    """
    running = start(study, **options)
    shows = on_event or (_show if sys.stderr.isatty() else None)
    try:
        for event in running:
            if shows is not None:
                shows(event)
    except BaseException:  # Ctrl-C, or what on_event raised
        running.cancel()
        with contextlib.suppress(UlpscopeError):
            running.report()
        raise
    return running.report()


def _file_of(study: typing.Any) -> tuple[pathlib.Path, pathlib.Path | None]:
    if not isinstance(study, dict):
        return pathlib.Path(study), None
    text = _json(study)  # JSON is YAML
    temporary = make_folder()
    path = temporary / _STUDY
    path.write_text(text, "utf-8")
    return path, temporary


def _json(value: typing.Any) -> str:
    def plain(part: typing.Any) -> typing.Any:
        if isinstance(part, os.PathLike):
            return os.fspath(part)
        if hasattr(part, "tolist"):  # of NumPy or torch
            return part.tolist()
        raise BadInput(f"{type(part).__name__}: is no value of a study; give texts, numbers, lists and dicts")
    return json.dumps(value, default=plain)


def _show(event: Event) -> None:
    kind = event["event"]
    if kind == "progress":
        sys.stderr.write(f"\r\033[K{event['fraction']:4.0%} {event['run']} {event['phase']} {event.get('site', '')}")
    elif kind == "run_finished":
        sys.stderr.write(f"\r\033[K{event['run']}: {event['status']}\n")
    elif kind == "message" and event["level"] != "info":
        sys.stderr.write(f"\r\033[K{event['level']}: {event['text']}\n")
    sys.stderr.flush()
