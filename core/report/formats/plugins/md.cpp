#include <algorithm>
#include <fmt/format.h>
#include <string_view>

#include "core/base/text/ascii_lower.h"
#include "core/base/text/visible_text.h"
#include "core/report/formats/format.h"

namespace ulp::report {
namespace {

/// Addresses and names of pictures are markup without any bracket: "https://…", "www.…", ":smile:".
bool isMarkupAt(std::string_view text, std::size_t at) {
  const char next = at + 1 < text.size() ? text[at + 1] : ' ';
  const bool isNamed =
      (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') || (next >= '0' && next <= '9');
  return text[at] == ':'
             ? isNamed || next == '/' || next == '+' || next == '-'
             : text[at] == '.' && at >= 3 && asciiLower(text.substr(at - 3, 3)) == "www";
}

/// Escapes what would make something else of a paragraph that begins with it, such as a list.
std::string escapedParagraph(std::string_view text) {
  std::string out = escapedMarkdown(text);
  const std::size_t mark = std::min(out.find_first_not_of("0123456789"), out.size());
  const std::string_view marks = mark == 0 ? "-+=" : ".)";
  if (mark < out.size() && marks.find(out[mark]) != std::string_view::npos) {
    out.insert(mark, 1, '\\');
  }
  return out;
}

/// Columns of different passes may have the same title; a Markdown table has one heading row.
std::string heading(const TableColumn& column) {
  return column.group.empty() ? column.title : column.group + " " + column.title;
}

void appendMarkdownTable(std::string& out, const TextTable& table) {
  out += fmt::format("## {}\n\n", escapedMarkdown(table.title));
  if (!table.note.empty()) {
    out += escapedParagraph(table.note) + "\n\n";
  }
  out += "|";
  for (const TableColumn& column : table.columns) {
    out += fmt::format(" {} |", escapedMarkdown(heading(column)));
  }
  out += "\n|";
  for (const TableColumn& column : table.columns) {
    out += column.isNumber ? "---:|" : "---|";
  }
  out += "\n";
  for (const auto& row : table.rows) {
    out += "|";
    for (const std::string& cell : row) {
      out += fmt::format(" {} |", escapedMarkdown(cell));
    }
    out += "\n";
  }
}

std::string renderMarkdown(const Document& document) {
  std::string out;
  if (!document.title.empty()) {
    out = fmt::format("# {}\n\n", escapedMarkdown(document.title));
  }
  for (const auto& [name, value] : document.facts) {
    out += fmt::format("- {}: {}\n", name, escapedMarkdown(value));
  }
  for (const DocumentPart& part : document.parts) {
    out += out.empty() ? "" : "\n";
    if (const auto* table = std::get_if<TextTable>(&part)) {
      appendMarkdownTable(out, *table);
    } else if (const auto* note = std::get_if<std::string>(&part)) {
      out += escapedParagraph(*note) + "\n";
    }
  }
  return out;
}

}  // namespace

std::string escapedMarkdown(std::string_view shown) {
  const std::string text = visibleLine(shown);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (std::string_view("\\`*_|<>[]#&~$").find(text[i]) != std::string_view::npos ||
        isMarkupAt(text, i)) {
      out += '\\';
    }
    out += text[i];
  }
  return out;
}

void registerMd(FormatRegistry& registry) {
  registry.add({.id = "md",
                .title = "Markdown",
                .extension = ".md",
                .windowOrder = 20,
                .render = renderMarkdown});
}

}  // namespace ulp::report
