"""Fails where code outside a plug-in spells the plug-in's id (ARCHITECTURE.md, recipes: one file or folder each).

The id of a plug-in is the name of its file or folder, with '_' also written '-' or once '.'; a file of several metrics
is called what stands in front of the dot of their ids. Strings of the product are looked at, not comments; tests and
documentation may name what they like.
"""
import collections
import pathlib
import re
import sys

FOLDERS = ("app", "core", "runner", "views")
SUFFIXES = {".h", ".cpp", ".cu", ".cuh"}
# Kind -> folder of its plug-ins, and what ends the names of its files or folders.
KINDS = {
    "metric": ("core/numerics/metrics/plugins", ".cpp"),
    "finding rule": ("core/analysis/findings/plugins", ".cpp"),
    "importer": ("core/dumps/importers/plugins", ".cpp"),
    "exporter": ("core/dumps/exporters/plugins", ".cpp"),
    "comparator": ("core/compat/plugins", ".cpp"),
    "format": ("core/report/formats/plugins", ".cpp"),
    "family": ("core/engine/families/plugins", ".cpp"),
    "loss": ("core/engine/losses/plugins", ".cpp"),
    "view": ("views/plugins", "/"),
    "command": ("app/cli/commands", "_command.cpp"),
}
# One file, several ids: what its own code says.
SEVERAL = {"quantiles": ("p50", "p90", "p99", "p999")}
# Kinds whose ids are mostly everyday words, with what stands in front of a word that means the plug-in.
WORDS = {
    "view": re.compile(r"(?:offerView|raiseView|find|host)\(\s*(?:QStringLiteral|QLatin1String)\(\s*$"),
    "command": re.compile(r"add_subcommand\(\s*$"),
}
# Ids of these kinds that are no everyday words: they mean the plug-in wherever they stand.
PLAIN = {"heatmap", "levers", "config_diff", "log_probabilities", "bookmarks"}
# Formats that are also what commands print by themselves.
PRINTED = {"text", "json"}
# Who may name plug-ins of a kind all the same: a file, or all below a folder, and why.
ALLOWED = {
    "metric": {
        "app/cli/commands/": "diverge judges by one metric",
        "app/cli/print/": "tables for terminals choose their columns",
        "core/analysis/": "curves and rules are defined on one metric each",
        "core/comparing/verdict/": "a report of one dump holds what was recorded",
        "core/comparing/measure/": "values that are no function of Moments are put in where they are known",
        "core/report/contents/": "the metrics of a report where the user chose none",
        "core/report/files/": "fields of Fast-LLM's file, and the summary of ours",
        "core/report/summary/": "the noise floor is defined on one metric",
        "views/charts/depth/": "marks of number formats are relative errors",
        "views/framework/document/": "the metric that is shown first",
        "views/plugins/details/": "elements that a dump counted are listed once",
        "views/plugins/dump/": "its columns are what was recorded",
    },
    "finding rule": {
        "views/plugins/details/": "it shows the proof of this rule",
        "views/plugins/experts/": "it shows the proof of this rule",
        "views/plugins/heatmap/": "it shows the proof of this rule",
        "views/plugins/log_probabilities/": "it shows the proof of these rules",
    },
    "importer": {
        "core/analysis/rules/": "sets of rules are named after tools",
        "core/dumps/exporters/plugins/msprobe.cpp": "whether names that msprobe itself wrote are kept",
        "core/dumps/importers/plugins/msprobe_atb.cpp": "the tool that records, not its dumps of PyTorch",
    },
    "exporter": {
        "core/analysis/rules/": "sets of rules are named after tools",
        "core/dumps/importers/plugins/msprobe": "the tool that records",
    },
    "comparator": {
        "core/analysis/rules/": "sets of rules are named after tools",
        "core/dumps/importers/plugins/msit_": "the tool that records",
    },
    "view": {
        "core/report/": "fields of the report and of the file of bookmarks",
    },
    "format": {
        "app/cli/commands/": "what commands print by themselves; pages with charts; the extension .tex",
        "app/gui/exports/export_report.cpp": "pages with charts are drawn, not written",
        "views/framework/exports/": "what spreadsheets take from the clipboard",
        "views/printing/": "pages with charts are drawn, not written",
    },
    "family": {
        "core/analysis/studies/": "outlines models before any is opened, for patterns of rules",
        "core/text/loading/": "kinds of tokenizers in GGUF files",
    },
    "loss": {
        "core/engine/loss_plan.h": "the default",
        "core/study/fast_llm/": "what Fast-LLM calls its losses",
        "core/study/schema/schema_keys.cpp": "the default",
    },
}
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\((?P<raw>.*?)\)\1"|"(?P<text>(?:[^"\\\n]|\\.)*)"', re.S)


def strings_of(text: str):
    """Literals of a source file, each with its line and the text in front of it."""
    for token in TOKEN.finditer(text):
        literal = token["text"] if token["text"] is not None else token["raw"]
        if literal is not None:
            yield literal, text.count("\n", 0, token.start()) + 1, text[max(0, token.start() - 80) : token.start()]


def plugins_of(files: dict[str, str], folder: str, ending: str) -> set[str]:
    inside = [name[len(folder) + 1 :] for name in files if name.startswith(folder + "/")]
    if ending == "/":
        return {name.split("/")[0] for name in inside}
    return {name.removesuffix(ending) for name in inside if name.endswith(ending)}


def ids_of(kind: str, plugin: str, inside: set[str]) -> set[str]:
    """`inside`: the strings of its own code."""
    grouped = {each for each in inside if kind == "metric" and re.fullmatch(rf"{plugin}\.\w+", each)}
    return (grouped or {plugin, plugin.replace("_", "-"), plugin.replace("_", ".", 1)}) | set(SEVERAL.get(plugin, ()))


def means_plugin(kind: str, literal: str, before: str) -> bool:
    return kind not in WORDS or literal in PLAIN or bool(WORDS[kind].search(before))


def complaints(files: dict[str, str]):
    strings = {name: list(strings_of(text)) for name, text in files.items()}
    used: dict[str, set[str]] = collections.defaultdict(set)
    for kind, (folder, ending) in KINDS.items():
        for plugin in sorted(plugins_of(files, folder, ending)):
            own = f"{folder}/{plugin}{ending}"
            inside = {each[0] for name, found in strings.items() if name.startswith(own) for each in found}
            ids = ids_of(kind, plugin, inside)
            if not inside & ids:
                yield f"{own}: a {kind} of another id than its name"
            for name, found in strings.items():
                if name.startswith(own):
                    continue
                for literal, line, before in found:
                    if literal not in ids - (PRINTED if kind == "format" else set()) or not means_plugin(kind, literal, before):
                        continue
                    place = next((place for place in ALLOWED.get(kind, ()) if name.startswith(place)), None)
                    if place:
                        used[kind].add(place)
                    else:
                        yield f'{name}:{line}: names the {kind} "{literal}", which is {own}'
    for kind, places in ALLOWED.items():
        for place in places:
            if place not in used[kind]:
                yield f"tools/check_plugins.py: {place} names no {kind} any more; remove the exception"


def main(root: pathlib.Path) -> int:
    files = {
        file.relative_to(root).as_posix(): file.read_text()
        for folder in FOLDERS
        for file in sorted((root / folder).rglob("*"))
        if file.suffix in SUFFIXES
    }
    found = list(complaints(files))
    print("\n".join(found), end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
