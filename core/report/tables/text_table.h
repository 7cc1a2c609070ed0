#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ulp::report {

struct TableColumn {
  std::string title;
  bool isNumber = false;   ///< aligned to the right
  std::string group;       ///< heading over neighbouring columns ("forward"), or empty
  bool isSortable = true;  ///< false: the cells carry units of their own ("900 MB", "1.2 GB")
};

/// A table of formatted cells, before any markup.
struct TextTable {
  std::string title;
  std::vector<TableColumn> columns;
  std::vector<std::vector<std::string>> rows;
  std::string note{};  ///< what the reader must know of the rows, or empty
  /// For who asks further: of a document on a screen it may be folded.
  bool isDetail = false;
};

/// Neighbouring columns under one heading.
struct ColumnGroup {
  std::string title;  ///< may be empty
  std::size_t columns = 0;
};

/// The headings above the column titles, from left to right; empty when no column has one.
[[nodiscard]] std::vector<ColumnGroup> columnGroups(const std::vector<TableColumn>& columns);

/// Appends a table for terminals and text files: title, note, headings over groups, one line a row,
/// columns aligned by blanks.
void appendAlignedTable(std::string& out, const TextTable& table);

/// A chart of a document, drawn by who can draw. Formats without pictures leave it out.
struct DocumentFigure {
  std::string title;
  std::string svg;  ///< an <svg> element, without declaration
};

/// A table, a note in words, or a figure.
using DocumentPart = std::variant<TextTable, std::string, DocumentFigure>;

/// What a format for reading renders: facts, then tables, notes and figures in their order.
struct Document {
  std::string title;  ///< empty: the document is a table alone, which has the title
  std::vector<std::pair<std::string, std::string>> facts{};  ///< model, device, versions, digests
  std::vector<DocumentPart> parts{};
  std::string style{};  ///< CSS that the figures need, such as their colours in the dark
};

}  // namespace ulp::report
