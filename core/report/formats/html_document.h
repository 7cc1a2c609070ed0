#pragma once

#include <string>
#include <vector>

#include "core/report/contents/readable_report.h"

namespace ulp::report {

/// A chart of a page, drawn by who can draw.
struct HtmlFigure {
  std::string title;
  std::string svg;  ///< an <svg> element, without declaration
};

struct HtmlFigures {
  std::vector<HtmlFigure> figures;
  std::string style;  ///< CSS that the figures need, such as their colours in the dark
};

/// A page that needs nothing from outside: it follows the reader's light or dark system, its tables
/// are sorted by a click on a heading.
[[nodiscard]] std::string htmlDocument(const ReadableReport& readable,
                                       const HtmlFigures& figures = {});

}  // namespace ulp::report
