#include "views/printing/report_pages.h"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include <QtCore/QCoreApplication>

#include "core/analysis/findings/all_findings.h"
#include "core/analysis/verdict/run_verdict.h"
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
  const auto variants = static_cast<std::size_t>(std::ranges::count_if(
      loaded.report->runs, [](const report::Run& run) { return !run.comparisons.empty(); }));
  options.hasConfiguration = true;
  options.maxRows = std::max(kFewestRows, rows / std::max<std::size_t>(1, variants));
  options.completeData = loaded.file.string();
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
      const QSizeF size(kPageChartWidth, chart->size.height());
      const QByteArray svg = ULP_TRY(Figure::make(*chart, {}, size).toSvg());
      figure->svg = svgElement(svg);
      ++chart;
    }
  }
  return report::renderHtml(content);
}

Result<std::string> pdfDocument(const report::Document& content,
                                const std::vector<Exhibit>& charts,
                                const std::string& provenance) {
  const QString title = QString::fromStdString(content.title);
  PrintedPages pages(title, QString::fromStdString(provenance));
  pages.addTitle(title);
  for (const auto& [name, value] : content.facts) {
    pages.addFact(QString::fromStdString(name), QString::fromStdString(value));
  }
  auto chart = charts.begin();
  for (const report::DocumentPart& part : content.parts) {
    if (const auto* table = std::get_if<report::TextTable>(&part)) {
      pages.addTable(*table);
    } else if (const auto* note = std::get_if<std::string>(&part)) {
      pages.addParagraph(QString::fromStdString(*note));
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
  std::vector<Exhibit> charts = ULP_TRY(reportCharts(loaded, shown));
  const auto findings = ULP_TRY(analysis::allFindings(*loaded.report));
  report::DocumentExtras extras{.verdict = analysis::verdictTable(*loaded.report, findings, shown)};
  for (const Exhibit& exhibit : more) {
    if (exhibit.paint) {
      charts.push_back(exhibit);
    } else {
      extras.tables.push_back(report::formatTable(exhibit.table(), shown.maxRows));
    }
  }
  // Their places in the document; what cannot be read is known before they are drawn.
  extras.figures.resize(charts.size());
  auto content = ULP_TRY(report::makeReadable(
      *loaded.report, shown, report::PartOrder::SummaryFirst, std::move(extras)));
  return isHtml ? htmlPage(std::move(content), std::move(charts))
                : pdfDocument(content, charts, report::provenanceLine(*loaded.report));
}

}  // namespace ulp::views
