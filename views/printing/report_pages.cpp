#include "views/printing/report_pages.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <variant>

#include <QtCore/QCoreApplication>

#include "core/analysis/verdict/conclusions.h"
#include "core/report/contents/readable_report.h"
#include "core/report/formats/format.h"
#include "core/report/model/token_texts.h"
#include "core/report/summary/provenance_line.h"
#include "core/report/tables/data_table.h"
#include "core/report/tables/number_column.h"
#include "views/framework/exports/figure.h"
#include "views/framework/exports/printed_pages.h"
#include "views/printing/report_pictures.h"

namespace ulp::views {
namespace {

/// What tables of tensors hold: rows of all of them together, and of each.
struct RowLimits {
  std::size_t all;
  std::size_t fewest;
  std::size_t most;
};
/// As many as somebody reads of a variant, and a megabyte of all together.
constexpr RowLimits kHtmlRows{2000, 20, 200};
/// Three pages of a few variants. Whoever wants all of them does not want paper.
constexpr RowLimits kPrintedRows{120, 5, 30};

report::ExportOptions documentOptions(const report::LoadedReport& loaded,
                                      report::ExportOptions options,
                                      const RowLimits& rows) {
  const auto variants = static_cast<std::size_t>(std::ranges::count_if(
      loaded.report->runs, [](const report::Run& run) { return !run.comparisons.empty(); }));
  options.maxRows =
      std::clamp(rows.all / std::max<std::size_t>(1, variants), rows.fewest, rows.most);
  options.completeData = loaded.file.string();
  options.tokens = report::tokensByPosition(loaded.folder);
  return options;
}

/// Pairs of colours: what is drawn for paper, and what it is in the dark.
std::map<QString, QString> darkColors() {
  const Theme& light = lightTheme();
  const Theme& dark = darkTheme();
  std::map<QString, QString> pairs;
  const auto add = [&pairs](const QColor& from, const QColor& to) {
    pairs.emplace(from.name(), to.name());
  };
  add(light.chartBackground, dark.chartBackground);
  add(light.palette.color(QPalette::Text), dark.palette.color(QPalette::Text));
  add(light.palette.color(QPalette::AlternateBase), dark.palette.color(QPalette::AlternateBase));
  add(light.grid, dark.grid);
  add(light.gridStrong, dark.gridStrong);
  add(light.axisText, dark.axisText);
  add(light.reference, dark.reference);
  add(light.noise, dark.noise);
  add(light.nonFinite, dark.nonFinite);
  add(light.dimText, dark.dimText);
  for (std::size_t i = 0; i < light.variants.size(); ++i) {
    add(light.variants.at(i), dark.variants.at(i));
  }
  return pairs;
}

/// Charts are drawn once, in the light theme; this turns their colours for dark systems.
std::string darkStyle() {
  std::string style = "@media screen and (prefers-color-scheme: dark) {\n";
  for (const auto& [light, dark] : darkColors()) {
    for (const char* part : {"fill", "stroke"}) {
      style += QStringLiteral("svg [%1=\"%2\"] { %1: %3; }\n")
                   .arg(QLatin1String(part), light, dark)
                   .toStdString();
    }
  }
  return style + "}\n";
}

/// The <svg> element without the XML declaration, which HTML does not know.
std::string svgElement(const QByteArray& svg) {
  const qsizetype start = svg.indexOf("<svg");
  return start < 0 ? std::string() : svg.mid(start).toStdString();
}

/// Draws the charts in their places, without title and provenance: the page has both.
Result<std::string> htmlPage(report::Document content, std::vector<Exhibit> charts) {
  content.style = darkStyle();
  auto chart = charts.begin();
  for (report::DocumentPart& part : content.parts) {
    if (auto* figure = std::get_if<report::DocumentFigure>(&part)) {
      figure->title = chart->title.toStdString();
      chart->title.clear();
      const QByteArray svg =
          ULP_TRY(Figure::make(*chart, {}, pageChartSize(*chart, "html")).toSvg());
      figure->svg = svgElement(svg);
      ++chart;
    }
  }
  return report::renderHtml(content);
}

void eraseColumn(report::TextTable& table, std::size_t column) {
  const auto at = static_cast<std::ptrdiff_t>(column);
  table.columns.erase(table.columns.begin() + at);
  for (auto& row : table.rows) {
    row.erase(row.begin() + at);
  }
}

/// Leaves out columns that say nothing.
void dropEmptyColumns(report::TextTable& table) {
  for (std::size_t column = table.columns.size(); column-- > 1;) {
    const bool isEmpty = std::ranges::all_of(table.rows, [column](const auto& row) {
      return row[column].empty() || row[column] == report::kMissingText;
    });
    if (isEmpty && !table.rows.empty()) {
      eraseColumn(table, column);
    }
  }
}

/// Says in the note of a table of tensors what all of them share.
void foldSharedText(report::TextTable& table) {
  constexpr std::size_t kFewRows = 4;
  if (table.rows.size() < kFewRows || table.columns.front().title != "tensor") {
    return;
  }
  std::string shared;
  for (std::size_t column = table.columns.size(); column-- > 1;) {
    const std::string text = table.rows.front()[column];
    const bool isShared =
        !table.columns[column].isNumber &&
        std::ranges::all_of(table.rows, [&](const auto& row) { return row[column] == text; });
    if (isShared) {
      shared.insert(0, table.columns[column].title + " " + text + ", ");
      eraseColumn(table, column);
    }
  }
  if (!shared.empty()) {
    shared.replace(shared.size() - 2, 2, ".");
    table.note += (table.note.empty() ? "All rows: " : " All rows: ") + shared;
  }
}

/// On paper what numbers rest on stands at the foot of each page.
void eraseSource(report::TextTable& table, const std::string& source) {
  if (table.note.starts_with(source)) {
    table.note.erase(0, std::min(table.note.size(), source.size() + 1));
  }
}

void printHead(PrintedPages& pages, const report::Document& content) {
  pages.addTitle(QString::fromStdString(content.title));
  pages.addFacts(content.facts);
}

/// Whether the first chart would stand on the first two pages.
bool isChartEarly(const report::Document& content,
                  const std::vector<Exhibit>& charts,
                  const std::string& provenance) {
  constexpr int kLastPage = 2;
  PrintedPages pages({}, QString::fromStdString(provenance));
  printHead(pages, content);
  for (const report::DocumentPart& part : content.parts) {
    if (const auto* table = std::get_if<report::TextTable>(&part)) {
      pages.addTable(*table);
    } else if (std::holds_alternative<report::DocumentFigure>(part)) {
      pages.addFigure(Figure::make(charts.front(), {}, pageChartSize(charts.front(), "pdf")));
      return pages.pageCount() <= kLastPage;
    }
    if (pages.pageCount() > kLastPage) {
      return false;
    }
  }
  return true;
}

/// Puts the first chart before what would move it behind the second page.
void bringChartForward(report::Document& content,
                       const std::vector<Exhibit>& charts,
                       const std::string& provenance) {
  const auto isFigure = [](const report::DocumentPart& part) {
    return std::holds_alternative<report::DocumentFigure>(part);
  };
  auto figure = std::ranges::find_if(content.parts, isFigure);
  while (figure != content.parts.end() && figure != content.parts.begin() &&
         !isChartEarly(content, charts, provenance)) {
    std::iter_swap(figure, figure - 1);
    --figure;
  }
}

Result<std::string> pdfDocument(report::Document content,
                                const std::vector<Exhibit>& charts,
                                const std::string& provenance) {
  bringChartForward(content, charts, provenance);
  const QString title = QString::fromStdString(content.title);
  PrintedPages pages(title, QString::fromStdString(provenance));
  printHead(pages, content);
  auto chart = charts.begin();
  for (const report::DocumentPart& part : content.parts) {
    if (const auto* table = std::get_if<report::TextTable>(&part)) {
      pages.addTable(*table);
    } else if (const auto* note = std::get_if<std::string>(&part)) {
      pages.addParagraph(QString::fromStdString(*note));
    } else {
      pages.addFigure(Figure::make(*chart, {}, pageChartSize(*chart, "pdf")));
      ++chart;
    }
  }
  const QByteArray document = ULP_TRY(pages.finish());
  return document.toStdString();
}

}  // namespace

QSizeF pageChartSize(const Exhibit& exhibit, std::string_view format) {
  constexpr double kHtmlWidth = 1000;
  constexpr double kPaperWidth = 680;  // of A4 between its margins
  return {format == "html" ? kHtmlWidth : kPaperWidth, exhibit.size.height()};
}

Result<std::string> reportPages(const report::LoadedReport& loaded,
                                std::string_view format,
                                const report::ExportOptions& options,
                                const std::vector<Exhibit>& more,
                                report::DocumentJudgement judgement) {
  if (format != "html" && format != "pdf") {
    return fail(ErrorCode::InvalidArgument,
                "a report has pages as html or pdf, not as '" + std::string(format) + "'");
  }
  const bool isHtml = format == "html";
  report::ExportOptions shown = documentOptions(loaded, options, isHtml ? kHtmlRows : kPrintedRows);
  shown.configuration =
      isHtml ? report::ConfigurationPart::Whole : report::ConfigurationPart::Chosen;
  std::vector<Exhibit> depths = ULP_TRY(reportCharts(loaded, shown));
  std::vector<Exhibit> charts(depths.begin(), depths.begin() + (depths.empty() ? 0 : 1));
  auto extras = ULP_TRY(analysis::conclusionsOf(*loaded.report, shown));
  extras.judgement = std::move(judgement);
  for (const Exhibit& exhibit : more) {
    if (exhibit.paint) {
      charts.push_back(exhibit);
    } else {
      extras.tables.push_back(report::formatTable(exhibit.table(), shown.maxRows));
    }
  }
  std::move(depths.begin() + (depths.empty() ? 0 : 1), depths.end(), std::back_inserter(charts));
  // Their places in the document; what cannot be read is known before they are drawn.
  extras.figures.resize(charts.size());
  auto content = ULP_TRY(report::makeReadable(
      *loaded.report, shown, report::PartOrder::SummaryFirst, std::move(extras)));
  const std::string provenance = report::provenanceLine(*loaded.report);
  for (report::DocumentPart& part : content.parts) {
    if (auto* table = std::get_if<report::TextTable>(&part)) {
      dropEmptyColumns(*table);
      foldSharedText(*table);
      if (!isHtml) {
        eraseSource(*table, provenance);
      }
    }
  }
  return isHtml ? htmlPage(std::move(content), std::move(charts))
                : pdfDocument(std::move(content), charts, provenance);
}

}  // namespace ulp::views
