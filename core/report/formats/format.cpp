#include "core/report/formats/format.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "core/base/list_of.h"
#include "core/report/tables/data_table.h"

namespace ulp::report {
namespace {

template <class Holds>
std::vector<Format> formatsThat(const Holds& holds) {
  FormatRegistry registry;
  registerBuiltin(registry);
  std::vector<Format> formats = registry.all();
  std::erase_if(formats, [&](const Format& format) { return !holds(format); });
  return formats;
}

Result<Format> findFormat(const std::vector<Format>& formats,
                          std::string_view id,
                          std::string_view whatItWrites) {
  const auto found = std::ranges::find(formats, id, &Format::id);
  if (found == formats.end()) {
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format("a {} cannot be written as '{}'; choose {}", whatItWrites, id, idsOf(formats)));
  }
  return *found;
}

}  // namespace

Result<std::string> Format::writeReport(const Report& report,
                                        const ExportOptions& options,
                                        DocumentExtras extras) const {
  if (!isForReading()) {
    return exportReport(report, options);
  }
  const auto document = ULP_TRY(makeReadable(report, options, order, std::move(extras)));
  return render(document);
}

Result<std::string> Format::writeTable(const DataTable& table) const {
  if (!isForReading()) {
    return exportTable(table);
  }
  TextTable text = formatTable(table);
  text.note = table.source;
  Document document;
  document.parts.emplace_back(std::move(text));
  return render(document);
}

std::vector<Format> reportFormats() {
  return formatsThat(
      [](const Format& format) { return format.isForReading() || format.exportReport != nullptr; });
}

std::vector<Format> tableFormats() {
  auto formats = formatsThat([](const Format& format) {
    return format.isForReading() ? format.rendersTables : format.exportTable != nullptr;
  });
  for (Format& format : formats) {
    format.title = format.tableTitle.empty() ? format.title : format.tableTitle;
  }
  return formats;
}

std::string idsOf(const std::vector<Format>& formats) {
  return fmt::format("{}", fmt::join(listOf(formats, &Format::id), ", "));
}

Result<Format> findReportFormat(std::string_view id) {
  return findFormat(reportFormats(), id, "report");
}

Result<std::string> writeTable(const DataTable& table, std::string_view format) {
  const auto found = ULP_TRY(findFormat(tableFormats(), format, "table"));
  return found.writeTable(table);
}

}  // namespace ulp::report
