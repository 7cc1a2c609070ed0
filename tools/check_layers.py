"""Fails when a source file includes a header that its layer may not use, or rooms include each other (ARCHITECTURE.md)."""
import collections
import pathlib
import re
import sys

# Each layer and the project layers that it may include; its own folders are always allowed.
FRAMEWORK = "views/framework"
ALLOWED = {
    "core/base": set(),
    "core/json": {"core/base"},
    "core/numerics": {"core/base"},
    "core/study": {"core/base", "core/json", "core/numerics"},
    "core/tensors": {"core/base", "core/json", "core/numerics"},
    "core/text": {"core/base", "core/json", "core/tensors"},
    "core/dumps": {"core/base", "core/json", "core/numerics", "core/tensors", "core/remote"},
    "core/report": {"core/base", "core/json", "core/numerics", "core/tensors"},
    "core/compat": {"core/base", "core/json", "core/numerics", "core/tensors", "core/dumps", "core/report"},
    "core/pictures": {"core/base", "core/report"},
    # Knows reports and no dumps; what compares dumps stands on it.
    "core/analysis": {
        "core/base", "core/json", "core/numerics", "core/study", "core/tensors", "core/report", "core/remote",
    },
    "core/comparing": {
        "core/base", "core/numerics", "core/study", "core/tensors", "core/dumps", "core/report", "core/analysis",
    },
    # Other machines: what is asked of them, and what answers there.
    "core/remote": {"core/base", "core/json", "core/numerics", "core/tensors", "core/report"},
    "core/engine": {"core/base", "core/json", "core/numerics", "core/tensors"},
    "runner/worker": {
        "core/base", "core/json", "core/numerics", "core/study", "core/tensors", "core/text", "core/report", "core/engine",
    },
    "runner/cluster": {"core/base", "core/json", "core/study", "core/tensors", "core/report", "core/engine", "runner/worker"},
    "runner/queue": {"core/base", "core/report", "runner/worker"},
    FRAMEWORK: {
        "core/base", "core/json", "core/numerics", "core/tensors", "core/report", "core/analysis", "core/comparing",
        "core/remote", "runner/queue",
    },
    "views/charts": {"core/base", "core/report", "core/analysis", FRAMEWORK},
    "views/commands": {"core/base", "core/report", FRAMEWORK},
    "views/comparing": {"core/base", "core/report", "core/analysis", "core/comparing", FRAMEWORK},
    "views/studies": {"core/base", "core/study", "core/report", "core/analysis", "runner/queue", FRAMEWORK},
    "views/mapping": {"core/base", "core/report", "core/analysis", "core/comparing", FRAMEWORK, "views/comparing"},
    "views/plugins": {
        "core/base", "core/numerics", "core/study", "core/report", "core/analysis", "core/comparing", "runner/queue",
        FRAMEWORK, "views/charts", "views/comparing", "views/studies",
    },
    "views/printing": {"core/base", "core/report", "core/analysis", "core/pictures", FRAMEWORK, "views/charts", "views"},
    "views": {FRAMEWORK},
    "app/gui": {
        "core/base", "core/numerics", "core/study", "core/text", "core/dumps", "core/report", "core/compat", "core/analysis",
        "core/comparing", "core/remote", "runner/queue",
        FRAMEWORK, "views", "views/charts", "views/commands", "views/comparing", "views/mapping", "views/printing",
        "views/studies",
    },
    "app/cli": {
        "core/base", "core/json", "core/numerics", "core/study", "core/tensors", "core/text", "core/dumps", "core/report",
        "core/compat", "core/analysis", "core/comparing", "core/engine", "core/pictures", "core/remote", "runner/worker",
        "runner/cluster",
    },
}
# Headers that no file below a prefix may include, with the exceptions that hold for some of them.
TORCH = r"<(torch|ATen|c10|cuda)[/_.]"
QT = r"<Q"
# It recurses for every character and has no limits; core/base/text/regular_expression.h has.
STD_REGEX = r"<regex"
BANNED = [
    ("core/", QT, ()),
    ("runner/worker", QT, ()),
    ("runner/cluster", QT, ()),
    ("app/cli", QT, ()),
    ("", TORCH, ("core/engine/", "tests/core/engine/", "tests/parity/", "tests/bench/")),
    ("", STD_REGEX, ("tests/",)),
]
# Libraries that stand behind the headers of a few rooms: no other product file includes them.
LIBRARIES = [
    (r"<CLI/", ("app/cli/",)),
    # Who reads with it may crash on a file: that is a program of its own. The others write.
    (r"<H5", ("core/tensors/hdf5/", "core/tensors/formats/hdf5/program/")),
    (r"<minja/", ("core/text/chat/program/",)),
    # The chat templates' library takes its values.
    (r"<nlohmann/", ("core/json/", "core/text/chat/program/")),
    (r"<oniguruma", ("core/base/text/",)),
    (r"<openssl/", ("core/base/digest/", "core/text/loading/")),
    (r"<sentencepiece", ("core/text/tokenizers/",)),
    (r"<spdlog/", ("runner/worker/events/",)),
    (r"<unicode/", ("core/dumps/msprobe/", "core/text/characters/")),
    (r"<xlsxwriter", ("core/report/formats/",)),
    # The second reads msprobe's own mapping files as msprobe does.
    (r"<yaml-cpp/", ("core/study/yaml/", "core/compat/msprobe/pairs/")),
    (r"<zlib", ("core/dumps/model/", "core/dumps/msprobe/", "core/tensors/archive/")),
]
# What of the engine other layers may see: the torch-free interface.
ENGINE_INTERFACE = ("core/engine/engine.h", "core/engine/python_engine.h", "core/engine/find_python.h",
                    "core/engine/torch_folder.h")
# A view never includes another view.
VIEW = re.compile(r"^views/plugins/([^/]+)/")
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<][^">]+)', re.M)
FOLDERS = ("app", "core", "runner", "views", "tests")


def layer_of(path: str) -> str | None:
    return max((name for name in ALLOWED if path.startswith(name + "/")), key=len, default=None)


def complaints(relative: str, text: str):
    own = layer_of(relative)
    view = VIEW.match(relative)
    for include in INCLUDE.findall(text):
        for prefix, pattern, exceptions in BANNED:
            if relative.startswith(prefix) and not relative.startswith(exceptions) and re.match(pattern, include):
                yield f"{relative}: must not include {include}>"
        for pattern, rooms in LIBRARIES:
            if own and re.match(pattern, include) and not relative.startswith(rooms):
                yield f"{relative}: must not include {include}>, which {' and '.join(rooms)} hide"
        if include[0] != '"' or own is None:
            continue
        target = include[1:]
        other = layer_of(target)
        if other and other != own and other not in ALLOWED[own]:
            yield f"{relative}: {own} must not include {target}"
        if other == "core/engine" and own != other and target not in ENGINE_INTERFACE:
            yield f"{relative}: of the engine only {' and '.join(ENGINE_INTERFACE)} are public, not {target}"
        other_view = VIEW.match(target)
        if view and other_view and view[1] != other_view[1]:
            yield f"{relative}: a view must not include another view, {target}"


def rooms_of(files: dict[str, str]) -> dict[str, dict[str, list[str]]]:
    """Folder -> folder that its files include -> which of them include what. Tests use whatever they test."""
    graph: dict[str, dict[str, list[str]]] = collections.defaultdict(lambda: collections.defaultdict(list))
    for relative, text in files.items():
        room = relative.rsplit("/", 1)[0]
        for include in INCLUDE.findall(text) if layer_of(relative) else ():
            target = include[1:].rpartition("/")[0]
            if include[0] == '"' and target != room and layer_of(include[1:]):
                graph[room][target].append(f"{relative} includes {include[1:]}")
    return graph


def shortest_cycle(graph: dict[str, dict[str, list[str]]], start: str) -> list[str]:
    """Rooms from `start` back to it, without its second mention; empty where there is no such way."""
    came_from = {start: ""}
    waiting = collections.deque([start])
    while waiting:
        room = waiting.popleft()
        for other in sorted(graph.get(room, ())):
            if other == start:
                way = [room]
                while way[-1] != start:
                    way.append(came_from[way[-1]])
                return way[::-1]
            if other not in came_from:
                came_from[other] = room
                waiting.append(other)
    return []


def cycles(graph: dict[str, dict[str, list[str]]]):
    told: set[frozenset[str]] = set()
    for room in sorted(graph):
        way = shortest_cycle(graph, room)
        if way and frozenset(way) not in told:
            told.add(frozenset(way))
            steps = [graph[one][other] for one, other in zip(way, way[1:] + way[:1])]
            yield f"{' -> '.join([*way, way[0]])}: rooms in a circle:\n" + "\n".join(
                f"  {include}" for step in steps for include in step
            )


def main(root: pathlib.Path) -> int:
    files = {
        file.relative_to(root).as_posix(): file.read_text()
        for folder in FOLDERS
        for file in sorted((root / folder).rglob("*"))
        if file.suffix in {".h", ".cpp", ".cu", ".cuh"}
    }
    found = [complaint for relative, text in files.items() for complaint in complaints(relative, text)]
    found += cycles(rooms_of(files))
    print("\n".join(found), end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
