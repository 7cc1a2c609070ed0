#include <fmt/format.h>

#include "core/report/exporters/readable_report.h"

namespace ulp::report {

void registerHtml(ExporterRegistry& registry);

namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 90rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
dl { display: grid; grid-template-columns: max-content auto; gap: .1rem 1rem; }
dt { opacity: .7; } dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .7rem; text-align: left; white-space: nowrap; }
thead th { border-bottom: 1px solid; } tr.group th { border-bottom: 0; text-align: center; }
tbody tr:nth-child(even) { background: rgba(128, 128, 128, .12); }
.number { text-align: right; }
)";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
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

void appendGroups(std::string& out, const std::vector<TableColumn>& columns) {
  std::string line;
  bool hasGroup = false;
  for (std::size_t i = 0; i < columns.size();) {
    std::size_t end = i + 1;
    while (end < columns.size() && columns[end].group == columns[i].group) {
      ++end;
    }
    hasGroup = hasGroup || !columns[i].group.empty();
    line += fmt::format("<th colspan=\"{}\">{}</th>", end - i, escaped(columns[i].group));
    i = end;
  }
  if (hasGroup) {
    out += "<tr class=\"group\">" + line + "</tr>\n";
  }
}

void appendCell(std::string& out,
                std::string_view tag,
                const TableColumn& column,
                std::string_view text) {
  out += fmt::format(
      "<{0}{1}>{2}</{0}>", tag, column.isNumber ? " class=\"number\"" : "", escaped(text));
}

void appendTable(std::string& out, const TextTable& table) {
  out += fmt::format("<h2>{}</h2>\n<div class=\"scroll\"><table>\n<thead>\n", escaped(table.title));
  appendGroups(out, table.columns);
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
  out += "</tbody>\n</table></div>\n";
}

std::string htmlOf(const ReadableReport& readable) {
  const std::string title = escaped(readable.title);
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{}</title>\n"
      "<style>{}</style>\n</head>\n<body>\n<h1>{}</h1>\n<dl>\n",
      title,
      kStyle,
      title);
  for (const auto& [name, value] : readable.facts) {
    out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, escaped(value));
  }
  out += "</dl>\n";
  forEachPart(
      readable,
      [&out](const TextTable& table) { appendTable(out, table); },
      [&out](const std::string& note) { out += "<p>" + escaped(note) + "</p>\n"; });
  return out + "</body>\n</html>\n";
}

Result<std::string> writeHtml(const Report& report, const ExportOptions& options) {
  return makeReadable(report, options).map(htmlOf);
}

}  // namespace

void registerHtml(ExporterRegistry& registry) {
  registry.add({.id = "html",
                .title = "Web page",
                .extension = ".html",
                .forReading = true,
                .write = writeHtml});
}

}  // namespace ulp::report
