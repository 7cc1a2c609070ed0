#include <fmt/format.h>
#include <map>

#include "core/report/exporters/readable_report.h"

namespace ulp::report {

void registerLatex(ExporterRegistry& registry);

namespace {

std::string escaped(std::string_view text) {
  static const std::map<std::string_view, std::string_view> kCommands{
      {"\\", "\\textbackslash{}"},
      {"~", "\\textasciitilde{}"},
      {"^", "\\textasciicircum{}"},
      {"&", "\\&"},
      {"%", "\\%"},
      {"$", "\\$"},
      {"#", "\\#"},
      {"_", "\\_"},
      {"{", "\\{"},
      {"}", "\\}"},
      {"\n", " "},
      {"–", "--"},
      {"−", "$-$"},
      {"×", "$\\times$"},
      {"→", "$\\to$"},
      {"<", "\\textless{}"},
      {">", "\\textgreater{}"},
  };
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t length = 1;
    while (i + length < text.size() &&
           (static_cast<unsigned char>(text[i + length]) & 0xC0) == 0x80) {
      ++length;
    }
    const std::string_view character = text.substr(i, length);
    const auto command = kCommands.find(character);
    out += command == kCommands.end() ? character : command->second;
    i += length;
  }
  return out;
}

void appendRow(std::string& out, const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    out += (i == 0 ? "" : " & ") + escaped(cells[i]);
  }
  out += " \\\\\n";
}

/// The headings over groups of columns, each spanning its columns.
void appendGroups(std::string& out, const std::vector<TableColumn>& columns) {
  std::string line;
  bool hasGroup = false;
  for (std::size_t i = 0; i < columns.size();) {
    std::size_t end = i + 1;
    while (end < columns.size() && columns[end].group == columns[i].group) {
      ++end;
    }
    hasGroup = hasGroup || !columns[i].group.empty();
    line += fmt::format("{}\\multicolumn{{{}}}{{c}}{{{}}}",
                        i == 0 ? "" : " & ",
                        end - i,
                        escaped(columns[i].group));
    i = end;
  }
  if (hasGroup) {
    out += line + " \\\\\n";
  }
}

void appendTable(std::string& out, const TextTable& table) {
  std::string alignment;
  std::vector<std::string> titles;
  for (const TableColumn& column : table.columns) {
    alignment += column.isNumber ? "r" : "l";
    titles.push_back(column.title);
  }
  // longtable breaks over pages; a table of all tensors needs it.
  out += fmt::format("\n\\begin{{longtable}}{{{}}}\n\\caption*{{{}}}\\\\\n\\toprule\n",
                     alignment,
                     escaped(table.title));
  appendGroups(out, table.columns);
  appendRow(out, titles);
  out += "\\midrule\n\\endhead\n";
  for (const auto& row : table.rows) {
    appendRow(out, row);
  }
  out += "\\bottomrule\n\\end{longtable}\n";
}

std::string latexOf(const ReadableReport& readable) {
  std::string out = "% Needs \\usepackage{booktabs,longtable,caption} in the preamble.\n";
  out += fmt::format("% {}\n", escaped(readable.title));
  forEachPart(
      readable,
      [&out](const TextTable& table) { appendTable(out, table); },
      [&out](const std::string& note) { out += "\n" + escaped(note) + "\n"; });
  return out;
}

Result<std::string> writeLatex(const Report& report, const ExportOptions& options) {
  return makeReadable(report, options).map(latexOf);
}

}  // namespace

void registerLatex(ExporterRegistry& registry) {
  registry.add({.id = "latex",
                .title = "LaTeX tables",
                .extension = ".tex",
                .forReading = true,
                .write = writeLatex});
}

}  // namespace ulp::report
