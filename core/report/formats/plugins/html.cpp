#include <algorithm>
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
td:not(.number) { white-space: normal; overflow-wrap: break-word; max-width: 40rem; }
td:last-child:not(.number) { min-width: 14rem; }
thead { position: sticky; top: 0; background: Canvas; }
thead th { border-bottom: 1px solid; } tr.group th { border-bottom: 0; text-align: center; }
tbody tr:nth-child(even) { background: rgba(128, 128, 128, .12); }
.number { text-align: right; } .note { opacity: .75; }
nav ul { columns: 18rem; margin: .5rem 0; padding-left: 1.2rem; }
h2 { scroll-margin-top: 1rem; } a { color: LinkText; }
.scroll:focus-visible { outline: 2px solid; outline-offset: 2px; }
@media (max-width: 40rem) {
  body { margin: 1rem auto; padding: 0 .6rem; }
  dl { display: block; } dt { margin-top: .4rem; }
  th, td { padding: .15rem .4rem; }
}
th button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; }
th[aria-sort=ascending] button::after { content: " ▴"; }
th[aria-sort=descending] button::after { content: " ▾"; }
figure { margin: 1rem 0; } figure svg { max-width: 100%; height: auto; }
details { margin-top: 1rem; } summary { cursor: pointer; }
summary h2 { display: inline; } summary span { opacity: .75; margin-left: .5rem; }
input[type=search] { font: inherit; margin: .2rem 0 .6rem; width: min(24rem, 100%); }
@media print {
  .scroll { max-height: none; overflow: visible; } thead { position: static; } nav { display: none; }
  h2 { break-after: avoid; } tr, figure { break-inside: avoid; }
}
)";

/// Details open when a link leads there or the page is printed, and their rows can be filtered by
/// words.
constexpr std::string_view kDetailsScript = R"(<script>
for (const details of document.querySelectorAll("details")) {
  const rows = [...details.querySelectorAll("tbody tr")], box = document.createElement("input");
  box.type = "search";
  box.placeholder = box.ariaLabel = "Rows with these words";
  box.oninput = () => {
    const words = box.value.toLowerCase().split(" ");
    for (const row of rows) {
      const text = [...row.cells].map(cell => cell.textContent).join(" ").toLowerCase();
      row.hidden = !words.every(word => text.includes(word));
    }
  };
  details.querySelector(".scroll").before(box);
  addEventListener("beforeprint", () => { details.open = true; });
}
const openTarget = () => {
  const details = document.getElementById(location.hash.slice(1))?.closest("details");
  if (details) details.open = true;
};
addEventListener("hashchange", openTarget);
openTarget();
</script>
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

void appendGroupCells(std::string& out, const std::vector<TableColumn>& columns) {
  const std::vector<ColumnGroup> groups = columnGroups(columns);
  if (groups.empty()) {
    return;
  }
  out += "<tr class=\"group\">";
  for (const ColumnGroup& group : groups) {
    out += fmt::format("<th colspan=\"{}\">{}</th>", group.columns, escapedMarkup(group.title));
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
                     escapedMarkup(text));
}

void appendHtmlNote(std::string& out, std::string_view note) {
  if (!note.empty()) {
    out += fmt::format("<p class=\"note\">{}</p>\n", escapedMarkup(note));
  }
}

bool isFolded(const DocumentPart& part) {
  constexpr std::size_t kFewRows = 12;
  const auto* table = std::get_if<TextTable>(&part);
  return table != nullptr && table->isDetail && table->rows.size() > kFewRows;
}

/// Heading of a part; null: it has none.
const std::string* titleOf(const DocumentPart& part) {
  if (const auto* table = std::get_if<TextTable>(&part)) {
    return &table->title;
  }
  const auto* figure = std::get_if<DocumentFigure>(&part);
  return figure == nullptr ? nullptr : &figure->title;
}

/// Of a document that is longer than a screen.
void appendContents(std::string& out, const Document& document) {
  constexpr std::size_t kShortDocument = 3;
  if (document.parts.size() <= kShortDocument) {
    return;
  }
  out += "<nav aria-label=\"Contents\"><ul>\n";
  for (std::size_t i = 0; i < document.parts.size(); ++i) {
    if (const std::string* title = titleOf(document.parts[i])) {
      out += fmt::format("<li><a href=\"#part{}\">{}</a></li>\n", i, escapedMarkup(*title));
    }
  }
  out += "</ul></nav>\n";
}

/// One part of a document of several.
class PartWriter {
 public:
  PartWriter(std::string& out, std::size_t number, bool folds)
      : m_out(out), m_number(number), m_folds(folds) {}

  /// A table is a box of its own, which scrolls, with the keyboard, too; one of details is folded.
  void operator()(const TextTable& table) {
    if (m_folds) {
      m_out += "<details>\n<summary>";
    }
    appendHeading(table.title);
    if (m_folds) {
      m_out += fmt::format("<span>{} rows</span></summary>\n", table.rows.size());
    }
    appendHtmlNote(m_out, table.note);
    m_out += fmt::format(
        "<div class=\"scroll\" role=\"region\" aria-labelledby=\"part{}\" tabindex=\"0\">",
        m_number);
    appendHtmlTable(m_out, table);
    m_out += m_folds ? "</div>\n</details>\n" : "</div>\n";
  }
  void operator()(const std::string& note) { appendHtmlNote(m_out, note); }
  void operator()(const DocumentFigure& figure) {
    appendHeading(figure.title);
    m_out += fmt::format(
        "<figure role=\"img\" aria-labelledby=\"part{}\">\n{}</figure>\n", m_number, figure.svg);
  }

 private:
  void appendHeading(const std::string& title) {
    m_out += fmt::format("<h2 id=\"part{}\">{}</h2>\n", m_number, escapedMarkup(title));
  }

  std::string& m_out;
  std::size_t m_number;
  bool m_folds;
};

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
      escapedMarkup(isAlone ? std::get<TextTable>(document.parts.front()).title : document.title);
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
      out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, escapedMarkup(value));
    }
    out += "</dl>\n";
    appendContents(out, document);
    for (std::size_t i = 0; i < document.parts.size(); ++i) {
      const DocumentPart& part = document.parts[i];
      std::visit(PartWriter(out, i, isFolded(part)), part);
    }
  } else {
    const auto& table = std::get<TextTable>(document.parts.front());
    out += fmt::format("<h1>{}</h1>\n", title);
    appendHtmlNote(out, table.note);
    appendHtmlTable(out, table);
    out += "\n";
  }
  out += kSortScript;
  if (std::ranges::any_of(document.parts, isFolded)) {
    out += kDetailsScript;
  }
  return out + "</body>\n</html>\n";
}

void registerHtml(FormatRegistry& registry) {
  registry.add({.id = "html", .title = "Web page", .extension = ".html", .render = renderHtml});
}

}  // namespace ulp::report
