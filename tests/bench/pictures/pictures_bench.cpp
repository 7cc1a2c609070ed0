#include <benchmark/benchmark.h>

#include <QtGui/QGuiApplication>

#include "tests/views/realistic_report.h"
#include "views/printing/report_pages.h"
#include "views/printing/report_pictures.h"

/// Pictures and pages of large reports. To hold: an SVG of 64 curves in 500 ms, the HTML of 200,000
/// rows in 5 s.
namespace {

ulp::report::LoadedReport largeReport() {
  ulp::test::ReportShape shape{.layers = 126, .variants = {}};
  for (int i = 0; i < 64; ++i) {
    shape.variants.push_back("variant_" + std::to_string(i));
  }
  return {std::make_shared<ulp::report::Report>(ulp::test::realisticReport(shape)),
          "precision_report.json",
          "."};
}

const ulp::report::LoadedReport& report() {
  static const ulp::report::LoadedReport kReport = largeReport();
  return kReport;
}

void countRows(benchmark::State& state) {
  std::size_t rows = 0;
  for (const ulp::report::Run& run : report().report->runs) {
    rows += run.comparisons.size();
  }
  state.counters["rows"] = static_cast<double>(rows);
}

void drawDepth(benchmark::State& state, const char* format) {
  countRows(state);
  while (state.KeepRunning()) {
    const auto picture = ulp::views::drawPicture(
        report(), {.what = "depth", .format = format, .options = {}, .scale = 1});
    state.counters["bytes"] = static_cast<double>(picture->size());
  }
}

void drawReport(benchmark::State& state, const char* format) {
  countRows(state);
  while (state.KeepRunning()) {
    const auto pages = ulp::views::reportPages(report(), format, {});
    state.counters["bytes"] = static_cast<double>(pages->size());
  }
}

BENCHMARK_CAPTURE(drawDepth, svg, "svg")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(drawDepth, png, "png")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(drawReport, html, "html")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(drawReport, pdf, "pdf")->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) {
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  const QGuiApplication application(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
