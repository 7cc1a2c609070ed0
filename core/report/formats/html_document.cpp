#include "core/report/formats/html_document.h"

#include <fmt/format.h>

#include "core/report/formats/html_markup.h"

namespace ulp::report {
namespace {

void appendHtmlSection(std::string& out, const TextTable& table) {
  out += fmt::format("<h2>{}</h2>\n", escapedHtml(table.title));
  if (!table.note.empty()) {
    out += fmt::format("<p class=\"note\">{}</p>\n", escapedHtml(table.note));
  }
  out += "<div class=\"scroll\">";
  appendHtmlTable(out, table);
  out += "</div>\n";
}

void appendFigures(std::string& out, const std::vector<HtmlFigure>& figures) {
  for (const HtmlFigure& figure : figures) {
    out +=
        fmt::format("<h2>{}</h2>\n<figure>\n{}</figure>\n", escapedHtml(figure.title), figure.svg);
  }
}

}  // namespace

std::string htmlDocument(const ReadableReport& readable, const HtmlFigures& figures) {
  std::string out = htmlHead(readable.title, figures.style);
  out += fmt::format("<h1>{}</h1>\n<dl>\n", escapedHtml(readable.title));
  for (const auto& [name, value] : readable.facts) {
    out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, escapedHtml(value));
  }
  out += "</dl>\n";
  bool areFiguresDue = true;
  forEachPart(
      readable,
      [&](const TextTable& table) {
        // Charts stand between the summaries and what they summarise.
        if (areFiguresDue && &table == &readable.runs) {
          areFiguresDue = false;
          appendFigures(out, figures.figures);
        }
        appendHtmlSection(out, table);
      },
      [&out](const std::string& note) {
        out += "<p class=\"note\">" + escapedHtml(note) + "</p>\n";
      });
  out += htmlSortScript();
  return out + "</body>\n</html>\n";
}

}  // namespace ulp::report
