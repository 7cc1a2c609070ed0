"""Fails where code calls a function of the standard library that throws for what a file or a folder is like.

Folders change while they are listed, files go, the working folder is deleted: functions of std::filesystem are given an
error code. Numbers in texts are read by core/base/text/parse_number.h, which says what is wrong.
"""
import pathlib
import re
import sys

FOLDERS = ("app", "core", "runner", "views")
SUFFIXES = {".h", ".cpp", ".cu", ".cuh"}
# Functions that throw unless their last argument is an error code.
FUNCTIONS = (
    "absolute canonical copy copy_file copy_symlink create_directories create_directory create_directory_symlink "
    "create_hard_link create_symlink current_path directory_entry directory_iterator equivalent exists file_size "
    "hard_link_count is_directory is_empty is_other is_regular_file is_symlink last_write_time permissions proximate "
    "read_symlink recursive_directory_iterator relative remove remove_all rename resize_file space status "
    "symlink_status temp_directory_path weakly_canonical"
).split()
CALL = re.compile(r"\b(?:std::filesystem|fs)::(" + "|".join(FUNCTIONS) + r")\b(?:\s+\w+)?\s*([({])")
LOOP = re.compile(r"for \([^;()]*:\s*(?:std::filesystem|fs)::(?:recursive_)?directory_iterator\b")
NUMBER = re.compile(r"\bstd::sto(?:i|l|ll|ul|ull|f|d|ld)\b")
ENTRY = re.compile(r"(?:\.|->)(file_size|hard_link_count|is_(?:directory|regular_file|symlink)|last_write_time)\(\)")
DECLARED = re.compile(r"\bstd::error_code&?\s+(\w+)|\b(?:std::filesystem|fs)::file_status\s+(\w+)")
COMMENT = re.compile(r"//[^\n]*")


def arguments(text: str, opening: int) -> list[str]:
    """What stands between the bracket at `opening` and its end, split at its commas."""
    depth, begin, found = 0, opening + 1, []
    for at in range(opening, len(text)):
        if text[at] in "([{":
            depth += 1
        elif text[at] in ")]}":
            depth -= 1
            if depth == 0:
                return [part for part in (*found, text[begin:at].strip()) if part]
        elif text[at] == "," and depth == 1:
            found.append(text[begin:at].strip())
            begin = at + 1
    return found


def complaints(relative: str, source: str):
    text = COMMENT.sub(lambda comment: " " * len(comment[0]), source)
    harmless = {name for pair in DECLARED.findall(text) for name in pair if name}

    def place(found: re.Match) -> str:
        return f"{relative}:{text.count(chr(10), 0, found.start()) + 1}"

    for found in CALL.finditer(text):
        given = arguments(text, found.end() - 1)
        # Without arguments an iterator is the end; a status was asked for with an error code itself.
        is_end = not given and found[1].endswith("directory_iterator")
        is_status = bool(given) and re.match(r"(?:std::filesystem|fs)::(?:symlink_)?status\(", given[-1])
        if not is_end and not is_status and (not given or given[-1].lstrip("*") not in harmless):
            yield f"{place(found)}: {found[1]}() throws; give it a std::error_code"
    for found in LOOP.finditer(text):
        yield f"{place(found)}: such a loop throws where the folder changes; call increment() with a std::error_code"
    for found in ENTRY.finditer(text):
        yield f"{place(found)}: {found[1]}() of a folder's entry throws; give it a std::error_code"
    for found in NUMBER.finditer(text):
        yield f"{place(found)}: {found[0]} throws; use core/base/text/parse_number.h"


def main(root: pathlib.Path) -> int:
    failed = False
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in SUFFIXES:
                for complaint in complaints(file.relative_to(root).as_posix(), file.read_text()):
                    print(complaint)
                    failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
