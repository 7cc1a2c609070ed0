"""How large the code of the programs is: lines and files by room, the largest folder, and the classes with most methods.

usage: code_sizes.py [CHECKOUT]

Lines are those of .h, .cpp and .cu without blank ones and comments. Methods are what a header declares in the body of a
class; constructors count, signals do not.
"""
import argparse
import collections
import pathlib
import re

PROGRAMS = ("app", "core", "runner", "views")
SUFFIXES = (".h", ".cpp", ".cu")
SECTION = re.compile(r"\b(public|private|protected|signals|Q_SIGNALS)\b[^:]*$")
CLASS = re.compile(r"\b(class|struct)\s+(\w+)[^;{}()]*\{")
NO_METHOD = re.compile(r"\s*(friend|using|static_assert|Q_\w+)\b")


def code_of(text: str) -> str:
    return re.sub(r"/\*.*?\*/", "", re.sub(r"(?m)^\s*//.*$", "", text), flags=re.DOTALL)


def lines_of(text: str) -> int:
    return sum(1 for line in code_of(text).splitlines() if line.strip())


def methods_of(code: str, at: int, is_struct: bool) -> tuple[int, int]:
    """Public and all methods of the class whose body begins at `at`."""
    section, depth, declared = ("public" if is_struct else "private"), 1, ""
    found: collections.Counter[str] = collections.Counter()
    for character in code[at:]:
        if character == "{":
            depth += 1
        ends = (character == "{" and depth == 2) or (character == ";" and depth == 1)
        if ends:
            if "(" in declared and not NO_METHOD.match(declared):
                found[section] += 1
            declared = ""
        elif character == "}":
            depth -= 1
            if depth == 0:
                break
        elif character == ":" and depth == 1 and (named := SECTION.search(declared)):
            section, declared = named.group(1), ""
        elif depth == 1:
            declared += character
    return found["public"], sum(found.values())


def main(checkout: pathlib.Path) -> None:
    files = [
        file for top in PROGRAMS for file in sorted((checkout / top).rglob("*"))
        if file.suffix in SUFFIXES and file.is_file()
    ]
    lines: collections.Counter[str] = collections.Counter()
    counts: collections.Counter[str] = collections.Counter()
    folders: collections.Counter[str] = collections.Counter()
    classes = []
    for file in files:
        place = file.relative_to(checkout)
        text = file.read_text()
        room = "/".join(place.parts[:-1][:2])
        lines[room] += lines_of(text)
        counts[room] += 1
        folders[place.parent.as_posix()] += 1
        if file.suffix == ".h":
            code = re.sub(r"//.*", "", code_of(text))
            for found in CLASS.finditer(code):
                public, every = methods_of(code, found.end(), found.group(1) == "struct")
                classes.append((public, every, found.group(2), place.as_posix()))
    print("lines  files  room")
    for room in sorted(lines):
        print(f"{lines[room]:6} {counts[room]:5}  {room}")
    print(f"{lines.total():6} {counts.total():5}  all\n")
    for folder, count in folders.most_common(3):
        print(f"{count} files in {folder}")
    print()
    for public, every, name, place in sorted(classes, reverse=True)[:5]:
        print(f"{public} public methods of {every}: {name} ({place})")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[1])
    main(parser.parse_args().checkout)
