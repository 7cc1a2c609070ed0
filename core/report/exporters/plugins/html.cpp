#include "core/report/exporters/html_document.h"

namespace ulp::report {

void registerHtml(ExporterRegistry& registry);

namespace {

Result<std::string> writeHtml(const Report& report, const ExportOptions& options) {
  return makeReadable(report, options).map([](const ReadableReport& readable) {
    return htmlDocument(readable);
  });
}

}  // namespace

void registerHtml(ExporterRegistry& registry) {
  registry.add({.id = "html",
                .title = "Web page",
                .extension = ".html",
                .forReading = true,
                .write = writeHtml});
}

}  // namespace ulp::report
