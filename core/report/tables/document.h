#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/report/tables/text_table.h"

namespace ulp::report {

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
