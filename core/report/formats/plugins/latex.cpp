#include <fmt/format.h>
#include <map>
#include <string_view>

#include "core/base/text/utf8.h"
#include "core/base/text/visible_text.h"
#include "core/report/formats/format.h"

namespace ulp::report {
namespace {

/// What the preamble of a document must load for the tables.
constexpr std::string_view kPreamble =
    "% Needs \\usepackage{booktabs,longtable,caption} in the preamble.\n";

/// Two of these would be drawn as one other character.
bool isJoined(std::string_view character) {
  return character == "-" || character == "'" || character == ",";
}

std::string escapedLatex(std::string_view shown) {
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
      {"`", "\\textasciigrave{}"},
      {"|", "\\textbar{}"},
      // Behind the end of a row they would be an option of it.
      {"[", "{[}"},
      {"*", "{*}"},
      {"–", "\\textendash{}"},
      {"−", "$-$"},
      {"×", "$\\times$"},
      {"→", "$\\to$"},
      // pdfLaTeX knows no more of these than their code points.
      {"π", "$\\pi$"},
      {"δ", "$\\delta$"},
      {"≤", "$\\leq$"},
      {"≥", "$\\geq$"},
      {"≠", "$\\neq$"},
      {"≈", "$\\approx$"},
      {"∞", "$\\infty$"},
      {"▴", "$\\uparrow$"},
      {"▾", "$\\downarrow$"},
      {"<", "\\textless{}"},
      {">", "\\textgreater{}"},
  };
  const std::string text = visibleLine(shown);
  std::string out;
  std::string_view before;
  for (std::size_t i = 0; i < text.size(); i += before.size()) {
    const std::string_view character(text.data() + i, wellFormedSizeAt(text, i));
    out += character == before && isJoined(character) ? "{}" : "";
    const auto command = kCommands.find(character);
    out += command == kCommands.end() ? character : command->second;
    before = character;
  }
  return out;
}

void appendRow(std::string& out, const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    out += (i == 0 ? "" : " & ") + escapedLatex(cells[i]);
  }
  out += " \\\\\n";
}

/// The headings over groups of columns, each spanning its columns.
void appendMulticolumns(std::string& out, const std::vector<TableColumn>& columns) {
  const std::vector<ColumnGroup> groups = columnGroups(columns);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    out += fmt::format("{}\\multicolumn{{{}}}{{c}}{{{}}}",
                       i == 0 ? "" : " & ",
                       groups[i].columns,
                       escapedLatex(groups[i].title));
  }
  if (!groups.empty()) {
    out += " \\\\\n";
  }
}

/// A longtable with booktabs rules: it breaks over pages and repeats its heading.
void appendLatexTable(std::string& out, const TextTable& table) {
  std::string alignment;
  std::vector<std::string> titles;
  for (const TableColumn& column : table.columns) {
    alignment += column.isNumber ? "r" : "l";
    titles.push_back(column.title);
  }
  // longtable breaks over pages; a table of all tensors needs it.
  out += fmt::format("\n\\begin{{longtable}}{{{}}}\n\\caption*{{{}}}\\\\\n\\toprule\n",
                     alignment,
                     escapedLatex(table.title));
  appendMulticolumns(out, table.columns);
  appendRow(out, titles);
  out += "\\midrule\n\\endhead\n";
  for (const auto& row : table.rows) {
    appendRow(out, row);
  }
  out += "\\bottomrule\n\\end{longtable}\n";
  if (!table.note.empty()) {
    out += "\n" + escapedLatex(table.note) + "\n";
  }
}

std::string renderLatex(const Document& document) {
  std::string out(kPreamble);
  if (!document.title.empty()) {
    out += fmt::format("% {}\n", escapedLatex(document.title));
  }
  for (const DocumentPart& part : document.parts) {
    if (const auto* table = std::get_if<TextTable>(&part)) {
      appendLatexTable(out, *table);
    } else if (const auto* note = std::get_if<std::string>(&part)) {
      out += "\n" + escapedLatex(*note) + "\n";
    }
  }
  return out;
}

}  // namespace

void registerLatex(FormatRegistry& registry) {
  registry.add({.id = "latex",
                .title = "LaTeX tables",
                .extension = ".tex",
                .windowOrder = 30,
                .tableTitle = "LaTeX table",
                .render = renderLatex});
}

}  // namespace ulp::report
