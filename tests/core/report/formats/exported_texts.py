"""Prints the texts that readers of an exported file see, one JSON string a line.

exported_texts.py FORMAT FILE: reads the file as the programs do for which the format is.
"""

import csv
import html.parser
import io
import json
import re
import sys


class Page(html.parser.HTMLParser):
    """Texts of a page by element; nothing but what our own pages have may be an element."""

    KNOWN = set(
        "html head meta title style script body h1 h2 dl dt dd p div table thead tbody tr th td button nav ul li a details summary span".split()
    )
    VOID = {"meta"}
    ATTRIBUTES = set(
        "lang charset name content class colspan data-unsorted id href role aria-label aria-labelledby tabindex".split()
    )

    def __init__(self):
        super().__init__()
        self.open, self.texts, self.scripts, self.folds = [], [], 0, False

    def handle_starttag(self, tag, attrs):
        assert tag in self.KNOWN, f"<{tag}>"
        assert {name for name, _ in attrs} <= self.ATTRIBUTES, attrs
        assert dict(attrs).get("href", "#").startswith("#"), attrs
        self.scripts += tag == "script"
        self.folds = self.folds or tag == "details"
        if tag not in self.VOID:
            self.open.append(tag)
            self.texts.append("")

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> in {self.open}"
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("script", "style"):
            self.texts[-1] += data


def html_texts(text):
    page = Page()
    page.feed(text)
    page.close()
    assert not page.open, page.open
    assert page.scripts == (2 if page.folds else 1), "a script that is not ours"
    return page.texts


def markdown_texts(text):
    """Of headings, paragraphs and cells; none of them may hold anything but text."""
    import markdown_it

    parser = markdown_it.MarkdownIt("commonmark").enable(["table", "strikethrough"])
    blocks = set("heading paragraph bullet_list list_item table thead tbody tr th td".split())
    for token in parser.parse(text):
        if token.type == "inline":
            assert all(child.type in ("text", "text_special") for child in token.children), [
                (child.type, child.content) for child in token.children
            ]
            yield "".join(child.content for child in token.children)
        else:
            assert re.sub("_(open|close)$", "", token.type) in blocks, token.type


LATEX_SIGNS = {
    "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textless": "<", "textgreater": ">", "textendash": "–",
    "textasciigrave": "`", "textbar": "|", "times": "×", "to": "→",
}  # fmt: skip
LATEX_RULES = {"toprule", "midrule", "bottomrule", "endhead"}
LATEX_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|[{}$&%#_~^]|\s+|[^\\{}$&%#_~^\s]+", re.S)


def latex_texts(text):
    """Of cells, captions and paragraphs, as TeX splits them. What begins a row is never its option."""
    tokens = LATEX_TOKEN.findall(re.sub(r"^%.*\n", "", text, flags=re.M))
    texts, depth, at = [""], 0, 0
    while at < len(tokens):
        token = tokens[at]
        at += 1
        name = token[1:].rstrip("*")
        if token == "\\\\" or name in LATEX_RULES and token[0] == "\\":
            rest = "".join(tokens[at : at + 3]).lstrip()
            assert rest[:1] not in ("[", "*"), f"{token} takes {rest[:9]!r} for an option"
            texts.append("")
        elif name in ("begin", "end") and token[0] == "\\":
            assert "".join(tokens[at : at + 3]) == "{longtable}", tokens[at : at + 3]
            at += 3
            if name == "begin":
                at += 3
            texts.append("")
        elif name == "multicolumn" and token[0] == "\\":
            at += 6
        elif name == "caption" and token[0] == "\\":
            texts.append("")
        elif name in LATEX_SIGNS and token[0] == "\\":
            texts[-1] += LATEX_SIGNS[name]
            at += 2 if tokens[at : at + 2] == ["{", "}"] else 0
        elif token[0] == "\\":
            assert name in ("&", "%", "$", "#", "_", "{", "}"), token
            texts[-1] += name
        elif token == "{":
            depth += 1
        elif token == "}":
            depth -= 1
            assert depth >= 0
        elif token == "&":
            texts.append("")
        elif token == "$":
            pass  # around our own signs
        elif token.isspace():
            texts[-1] += " "
        else:
            assert token not in ("%", "#", "_", "~", "^"), token
            assert not re.search(r"--|''|,,|[|`]", token), f"drawn as another sign: {token}"
            texts[-1] += token
    assert depth == 0
    return texts


def delimited_texts(text, **form):
    for row in csv.reader(io.StringIO(text, newline=""), strict=True, **form):
        for cell in row:
            number = re.fullmatch(r"[-+]?(\d[\d.e+-]*|Infinity)", cell)
            assert number or cell[:1] not in tuple("=+-@\t\r\n"), f"a spreadsheet computes {cell!r}"
            yield cell


def json_texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from json_texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from json_texts(item)


def book_texts(path):
    import openpyxl

    for sheet in openpyxl.load_workbook(path):
        for cell in (cell for row in sheet.iter_rows() for cell in row):
            assert cell.data_type != "f" or cell.value is None, f"a formula: {cell.value!r}"
            assert cell.hyperlink is None, cell.hyperlink
            if isinstance(cell.value, str):
                yield cell.value


READERS = {
    "html": html_texts,
    "md": markdown_texts,
    "latex": latex_texts,
    "csv": delimited_texts,
    "tsv": lambda text: delimited_texts(text, delimiter="\t"),
    "text": str.splitlines,
    "json": lambda text: json_texts(json.loads(text)),
    "netron": lambda text: json_texts(json.loads(text)),
    "model-explorer": lambda text: json_texts(json.loads(text)),
}

form, path = sys.argv[1:]
if form == "xlsx":
    texts = book_texts(path)
else:
    with open(path, encoding="utf-8", newline="") as file:
        content = file.read()
    if form in ("html", "latex", "md", "text"):
        assert not re.search(r"[^\n\t\x20-\x7e\xa0-\U0010ffff]|[\u202a-\u202e]", content), "codes that nobody sees"
    texts = READERS[form](content)
for shown in texts:
    print(json.dumps(" ".join(shown.split())))
