#include "views/printing/report_pages.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <variant>

#include <QtCore/QCoreApplication>

#include "core/report/contents/readable_report.h"
#include "core/report/formats/format.h"
#include "core/report/summary/provenance_line.h"
#include "core/report/tables/data_table.h"
#include "views/framework/exports/figure.h"
#include "views/framework/exports/printed_pages.h"
#include "views/printing/report_pictures.h"

namespace ulp::views {
namespace {

/// Rows of all tables of tensors together: five megabytes of HTML, about thirty printed pages.
constexpr std::size_t kHtmlRows = 6000;
constexpr std::size_t kPrintedRows = 1500;
constexpr std::size_t kFewestRows = 20;

/// The options of a document of about `rows` rows.
report::ExportOptions documentOptions(const report::LoadedReport& loaded,
                                      report::ExportOptions options,
                                      std::size_t rows) {
  const auto variants = static_cast<std::size_t>(std::count_if(
      loaded.report->runs.begin(), loaded.report->runs.end(), [](const report::Run& run) {
        return !run.comparisons.empty();
      }));
  options.hasConfiguration = true;
  options.maxRows = std::max(kFewestRows, rows / std::max<std::size_t>(1, variants));
  options.completeData = loaded.file.string();
  return options;
}

QString textOf(const std::string& text) {
  return QString::fromStdString(text);
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

/// A figure without title and provenance: the page has both.
Result<report::DocumentFigure> htmlFigure(Exhibit chart) {
  const std::string title = chart.title.toStdString();
  chart.title.clear();
  QByteArray svg = ULP_TRY(Figure::make(chart, {}, {kPageChartWidth, chart.size.height()}).toSvg());
  return report::DocumentFigure{title, svgElement(svg)};
}

/// The charts of a report and those of the views.
Result<std::vector<Exhibit>> allCharts(const report::LoadedReport& loaded,
                                       const report::ExportOptions& options,
                                       const std::vector<Exhibit>& more) {
  Result<std::vector<Exhibit>> charts = reportCharts(loaded, options);
  if (charts) {
    std::ranges::copy_if(more, std::back_inserter(*charts), [](const Exhibit& exhibit) {
      return exhibit.paint != nullptr;
    });
  }
  return charts;
}

/// The tables of the views.
std::vector<report::TextTable> tablesOf(const std::vector<Exhibit>& more, std::size_t maxRows) {
  std::vector<report::TextTable> tables;
  for (const Exhibit& exhibit : more) {
    if (!exhibit.paint) {
      tables.push_back(report::formatTable(exhibit.table(), maxRows));
    }
  }
  return tables;
}

Result<std::string> htmlPage(const report::LoadedReport& loaded,
                             const report::ExportOptions& options,
                             std::vector<Exhibit> charts,
                             report::DocumentExtras extras) {
  extras.style = darkStyle();
  for (Exhibit& chart : charts) {
    extras.figures.push_back(ULP_TRY(htmlFigure(std::move(chart))));
  }
  const auto content = ULP_TRY(report::makeReadable(
      *loaded.report, options, report::PartOrder::SummaryFirst, std::move(extras)));
  return report::renderHtml(content);
}

Result<std::string> pdfDocument(const report::LoadedReport& loaded,
                                const report::ExportOptions& options,
                                const std::vector<Exhibit>& charts,
                                report::DocumentExtras extras) {
  // Their places in the document; pages draw them from the exhibits.
  extras.figures.resize(charts.size());
  const auto content = ULP_TRY(report::makeReadable(
      *loaded.report, options, report::PartOrder::SummaryFirst, std::move(extras)));
  const QString title = textOf(content.title);
  PrintedPages pages(title, textOf(report::provenanceLine(*loaded.report)));
  pages.addTitle(title);
  for (const auto& [name, value] : content.facts) {
    pages.addFact(textOf(name), textOf(value));
  }
  auto chart = charts.begin();
  for (const report::DocumentPart& part : content.parts) {
    if (const auto* table = std::get_if<report::TextTable>(&part)) {
      pages.addTable(*table);
    } else if (const auto* note = std::get_if<std::string>(&part)) {
      pages.addParagraph(textOf(*note));
    } else {
      pages.addFigure(Figure::make(*chart++, {}));
    }
  }
  const QByteArray document = ULP_TRY(pages.finish());
  return document.toStdString();
}

}  // namespace

Result<std::string> reportPages(const report::LoadedReport& loaded,
                                std::string_view format,
                                const report::ExportOptions& options,
                                const std::vector<Exhibit>& more) {
  if (format != "html" && format != "pdf") {
    return fail(ErrorCode::InvalidArgument,
                "a report has pages as html or pdf, not as '" + std::string(format) + "'");
  }
  const bool isHtml = format == "html";
  const report::ExportOptions shown =
      documentOptions(loaded, options, isHtml ? kHtmlRows : kPrintedRows);
  report::DocumentExtras extras{.tables = tablesOf(more, shown.maxRows)};
  std::vector<Exhibit> charts = ULP_TRY(allCharts(loaded, shown, more));
  return isHtml ? htmlPage(loaded, shown, std::move(charts), std::move(extras))
                : pdfDocument(loaded, shown, charts, std::move(extras));
}

}  // namespace ulp::views
