#include <fmt/format.h>
#include <string_view>

#include "core/base/text/visible_text.h"
#include "core/report/formats/format.h"

namespace ulp::report {
namespace {

/// The look of a page of ours: light and dark as the reader's system, nothing from outside.
constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 90rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
dl { display: grid; grid-template-columns: max-content auto; gap: .1rem 1rem; }
dt { opacity: .7; } dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow: auto; max-height: 85vh; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .7rem; text-align: left; vertical-align: top; white-space: nowrap; }
td:last-child:not(.number, :only-child) { white-space: normal; min-width: 8rem; }
thead { position: sticky; top: 0; background: Canvas; }
thead th { border-bottom: 1px solid; } tr.group th { border-bottom: 0; text-align: center; }
tbody tr:nth-child(even) { background: rgba(128, 128, 128, .12); }
.number { text-align: right; } .note { opacity: .75; }
th button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; }
th[aria-sort=ascending] button::after { content: " ▴"; }
th[aria-sort=descending] button::after { content: " ▾"; }
figure { margin: 1rem 0; } figure svg { max-width: 100%; height: auto; }
details { margin-top: 1rem; } summary { cursor: pointer; font-weight: 600; }
@media print { .scroll { max-height: none; } thead { position: static; } }
)";

/// A few lines that sort a table by the column whose heading is clicked; they work offline.
/// Missing values stay last in both directions; a second click turns the order round, a third
/// brings back that of the page.
constexpr std::string_view kSortScript = R"(<script>
for (const head of document.querySelectorAll("thead tr:last-child")) {
  const body = head.closest("table").tBodies[0], original = [...body.rows];
  [...head.cells].forEach((cell, column) => {
    if ("unsorted" in cell.dataset) return;
    const button = document.createElement("button");
    button.append(...cell.childNodes);
    cell.append(button);
    button.onclick = () => {
      const now = { ascending: "descending", descending: "none" }[cell.ariaSort] ?? "ascending";
      for (const other of head.cells) other.removeAttribute("aria-sort");
      if (now !== "none") cell.setAttribute("aria-sort", now);
      const turn = now === "descending" ? -1 : 1, isNumber = cell.classList.contains("number");
      const value = row => {
        const text = row.cells[column].textContent.replace("Inf", "Infinity").replace("−", "-");
        return isNumber ? parseFloat(text) : text;
      };
      const compare = (a, b) => isNumber
        ? (isNaN(a) || isNaN(b) ? isNaN(a) - isNaN(b) : turn * (a === b ? 0 : a - b))
        : turn * a.localeCompare(b, undefined, { numeric: true });
      const rows = original.map(row => [value(row), row]);
      if (now !== "none") rows.sort((a, b) => compare(a[0], b[0]));
      body.append(...rows.map(pair => pair[1]));
    };
  });
}
</script>
)";

std::string escapedHtml(std::string_view text) {
  std::string out;
  for (const char c : visibleText(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

void appendGroupCells(std::string& out, const std::vector<TableColumn>& columns) {
  const std::vector<ColumnGroup> groups = columnGroups(columns);
  if (groups.empty()) {
    return;
  }
  out += "<tr class=\"group\">";
  for (const ColumnGroup& group : groups) {
    out += fmt::format("<th colspan=\"{}\">{}</th>", group.columns, escapedHtml(group.title));
  }
  out += "</tr>\n";
}

void appendCell(std::string& out,
                std::string_view tag,
                const TableColumn& column,
                std::string_view text) {
  out += fmt::format("<{0}{1}{2}>{3}</{0}>",
                     tag,
                     column.isNumber ? " class=\"number\"" : "",
                     tag == "th" && !column.isSortable ? " data-unsorted" : "",
                     escapedHtml(text));
}

void appendHtmlNote(std::string& out, std::string_view note) {
  if (!note.empty()) {
    out += fmt::format("<p class=\"note\">{}</p>\n", escapedHtml(note));
  }
}

/// Only a table beside others is a box of its own, which scrolls.
void appendPart(std::string& out, const TextTable& table, bool isAlone) {
  out += fmt::format("<h{0}>{1}</h{0}>\n", isAlone ? 1 : 2, escapedHtml(table.title));
  appendHtmlNote(out, table.note);
  out += isAlone ? "" : "<div class=\"scroll\">";
  appendHtmlTable(out, table);
  out += isAlone ? "\n" : "</div>\n";
}

void appendPart(std::string& out, const std::string& note, bool /*isAlone*/) {
  appendHtmlNote(out, note);
}

void appendPart(std::string& out, const DocumentFigure& figure, bool /*isAlone*/) {
  out += fmt::format("<h2>{}</h2>\n<figure>\n{}</figure>\n", escapedHtml(figure.title), figure.svg);
}

}  // namespace

void appendHtmlTable(std::string& out, const TextTable& table) {
  out += "<table>\n<thead>\n";
  appendGroupCells(out, table.columns);
  out += "<tr>";
  for (const TableColumn& column : table.columns) {
    appendCell(out, "th", column, column.title);
  }
  out += "</tr>\n</thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      appendCell(out, "td", table.columns[i], row[i]);
    }
    out += "</tr>\n";
  }
  out += "</tbody>\n</table>";
}

std::string renderHtml(const Document& document) {
  const bool isAlone = document.title.empty();
  const std::string title =
      escapedHtml(isAlone ? std::get<TextTable>(document.parts.front()).title : document.title);
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n"
      "<style>{}{}</style>\n</head>\n<body>\n",
      title,
      kStyle,
      document.style);
  if (!isAlone) {
    out += fmt::format("<h1>{}</h1>\n<dl>\n", title);
    for (const auto& [name, value] : document.facts) {
      out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, escapedHtml(value));
    }
    out += "</dl>\n";
  }
  for (const DocumentPart& part : document.parts) {
    std::visit([&](const auto& content) { appendPart(out, content, isAlone); }, part);
  }
  out += kSortScript;
  return out + "</body>\n</html>\n";
}

void registerHtml(FormatRegistry& registry) {
  registry.add({.id = "html", .title = "Web page", .extension = ".html", .render = renderHtml});
}

}  // namespace ulp::report
