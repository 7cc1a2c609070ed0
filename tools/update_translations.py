"""Brings resources/translations/*.ts up to date with the sources of the window; --check fails where they are not.

    python3 tools/update_translations.py           # update; new strings are marked unfinished
    python3 tools/update_translations.py --check   # what the test runs

Files that translate outside a class have a structure with Q_DECLARE_TR_FUNCTIONS(context), whose name is the file's
and ends with Words. lupdate takes that name for the context: it is given copies of the sources in which these calls
name the context themselves.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[1]
TRANSLATIONS = ROOT / "resources/translations"
SOURCES = ("app/gui", "views")
STRING = r'"(?:[^"\\]|\\.)*"'
# Sentences are written in the core, which knows no Qt; the window translates them.
CORE = "core"
NOOP = re.compile(rf'ULP_TR_NOOP\(\s*((?:{STRING}\s*)+)\)')
WORDS = re.compile(r"(?:class|struct) (\w+) \{[^}]*?Q_DECLARE_TR_FUNCTIONS\(([\w:]+)\)", re.S)
# Patterns of sentences, and words that are one: those that lack the mark are English in every language.
PATTERN = re.compile(rf'({STRING})(\s*,\s*\{{\}}\s*\}})?')
COMMENT = re.compile(r"^\s*//.*$", re.M)
# What lupdate says of strings that will not be found at run time; the rest is its own trouble with C++20.
LOST = re.compile(r"without context|lacks Q_OBJECT")
PLACEHOLDER = re.compile(r"%L?\d+|%n")


def find_tool(name: str) -> str:
    for folder in (None, "/usr/lib/qt6/bin", "/usr/lib/qt6/libexec"):
        found = shutil.which(name, path=folder)
        if found:
            return found
    raise SystemExit(f"{name} is missing; install the package qt6-l10n-tools")


def sources() -> list[pathlib.Path]:
    return sorted(
        file for folder in SOURCES for file in (ROOT / folder).rglob("*") if file.suffix in {".cpp", ".h"}
    )


def with_contexts(text: str) -> str:
    """The same source, where lupdate sees the context of each string."""
    for name, context in WORDS.findall(text):
        text = re.sub(rf"\b{name}::tr\(", f'QCoreApplication::translate("{context}", ', text)
    return text.replace("static_cast<int>(", "int(")  # as the number of a plural it takes the string away


def strings_of_core() -> str:
    """The strings that the core marks for the window, written as lupdate understands them."""
    lines = []
    for file in sorted((ROOT / CORE).rglob("*.cpp")):
        for text in NOOP.findall(file.read_text()):
            lines.append(f'QT_TRANSLATE_NOOP("ulp::Findings", {" ".join(text.split())});')
    return "\n".join(lines) + "\n"


def unmarked(text: str) -> list[str]:
    """The strings of a source of the core that look like sentences and are not marked."""
    strings = PATTERN.findall(NOOP.sub("", COMMENT.sub("", text)))
    return [string for string, noPlaces in strings if noPlaces or re.search("%[1-9]", string)]


def unmarked_patterns():
    for file in sorted((ROOT / CORE).rglob("*")):
        if file.suffix in {".cpp", ".h"}:
            for string in unmarked(file.read_text()):
                yield f"{file.relative_to(ROOT)}: without ULP_TR_NOOP: {string}"


def is_english(ts: pathlib.Path) -> bool:
    """English needs a file for its plurals alone, and that is made: "%n key(s)" is "1 key", "2 keys", once."""
    return ts.stem.endswith("_en")


def fill_plurals(ts: pathlib.Path) -> None:
    tree = ElementTree.parse(ts)
    for message in tree.getroot().iter("message"):
        source, translation = message.findtext("source"), message.find("translation")
        if translation.attrib.pop("type", None) is None:
            continue  # it may have been put into better words
        for form in list(translation):
            translation.remove(form)
        for ending in (r"", r"\1"):
            form = ElementTree.SubElement(translation, "numerusform")
            form.text = re.sub(r"\((s|es)\)", ending, source)
    ElementTree.indent(tree, "    ")
    text = ElementTree.tostring(tree.getroot(), encoding="unicode")
    ts.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{text}\n')


def update(ts: pathlib.Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "core.cpp").write_text(strings_of_core())
        for file in sources():
            copy = folder / file.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(with_contexts(file.read_text()))
        command = [
            find_tool("lupdate"), *(["-pluralonly"] if is_english(ts) else []), "-silent", "-locations", "none",
            "-no-obsolete", "-no-ui-lines", "-extensions", "cpp,h", "-I", name, name, "-ts", str(ts),
        ]
        done = subprocess.run(command, capture_output=True, text=True)
        lost = [line for line in done.stderr.splitlines() if LOST.search(line)]
        if done.returncode != 0 or lost:
            raise SystemExit("\n".join(lost) or done.stderr)
    if is_english(ts):
        fill_plurals(ts)


def messages(ts: pathlib.Path):
    """(context, source, forms, finished) for each string."""
    for context in ElementTree.parse(ts).getroot().iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            forms = [form.text or "" for form in translation.iter("numerusform")] or [translation.text or ""]
            yield context.findtext("name"), message.findtext("source"), forms, translation.get("type") is None


def faults(source: str, form: str):
    """What a translation gets wrong that a program can see."""
    if not form.strip():
        yield "is empty"
    if sorted(PLACEHOLDER.findall(source)) != sorted(PLACEHOLDER.findall(form)):
        yield "has other placeholders"
    if re.search(r"&\w", source) and not re.search(r"&\w", form):
        yield "has lost its mnemonic"
    if source.endswith("…") != form.endswith("…"):
        yield "differs in the trailing …"
    if source[:1] == " " and form[:1] not in (" ", "（", "，"):
        yield "has lost its leading space"


def complaints(ts: pathlib.Path):
    with tempfile.TemporaryDirectory() as folder:
        fresh = pathlib.Path(folder) / ts.name
        shutil.copy(ts, fresh)
        update(fresh)
        known = {(context, source) for context, source, _, _ in messages(ts)}
        current = {(context, source) for context, source, _, _ in messages(fresh)}
        for context, source in sorted(current - known):
            yield f"{ts.name}: missing, run tools/update_translations.py: {context}: {source!r}"
        for context, source in sorted(known - current):
            yield f"{ts.name}: no longer in the sources: {context}: {source!r}"
        for context, source, forms, finished in messages(ts):
            if not finished:
                yield f"{ts.name}: not translated: {context}: {source!r}"
            for form in forms if finished else []:
                for fault in faults(source, form):
                    yield f"{ts.name}: {context}: {source!r}: the translation {form!r} {fault}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing, fail where something is to be done")
    files = sorted(TRANSLATIONS.glob("*.ts"))
    if parser.parse_args().check:
        found = [*unmarked_patterns(), *(complaint for ts in files for complaint in complaints(ts))]
        print("\n".join(found), end="\n" if found else "")
        return bool(found)
    for ts in files:
        update(ts)
        unfinished = sum(not finished for _, _, _, finished in messages(ts))
        print(f"{ts.relative_to(ROOT)}: {unfinished} to translate")
    return 0


if __name__ == "__main__":
    sys.exit(main())
