"""Fails when an item model has no test under Qt's model tester (tests/support/window/model_checks.h).

usage: check_models.py ROOT
"""
import pathlib
import re
import sys

QT_MODEL = r"Q(?:Abstract(?:Item|Table|List|Proxy)Model|SortFilterProxyModel|IdentityProxyModel|StandardItemModel|StringListModel)"
CLASS = re.compile(rf"^\s*class\s+(\w+)(?:\s+final)?\s*:\s*public\s+(?:{QT_MODEL}|RowTableModel<\w+>)", re.M)
ALIAS = re.compile(r"^\s*using\s+(\w+)\s*=\s*RowTableModel<", re.M)
CHECKS = "ModelChecks"


def models_of(root: pathlib.Path) -> dict[str, str]:
    """Name of the class or alias -> file that declares it."""
    found = {}
    for folder in ("views", "app"):
        for file in sorted((root / folder).rglob("*.[hc]*")):
            text = file.read_text()
            for name in CLASS.findall(text) + ALIAS.findall(text):
                found[name] = file.relative_to(root).as_posix()
    return found


def main(root: pathlib.Path) -> int:
    models = models_of(root)
    if not models:
        print("no item models found: has the pattern grown old?")
        return 1
    tests = [text for file in (root / "tests").rglob("*_test.cpp") if CHECKS in (text := file.read_text())]
    untested = [
        f"{file}: {name}: no test holds it and {CHECKS}"
        for name, file in models.items()
        if not any(re.search(rf"\b{name}\b", text) for text in tests)
    ]
    print("\n".join(untested), end="\n" if untested else "")
    return bool(untested)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
