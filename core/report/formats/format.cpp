#include "core/report/formats/format.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace ulp::report {
namespace {

FormatRegistry builtinFormats() {
  FormatRegistry registry;
  registerBuiltin(registry);
  return registry;
}

template <class Holds>
std::vector<Format> formatsThat(const Holds& holds) {
  const FormatRegistry registry = builtinFormats();
  std::vector<Format> formats;
  std::copy_if(registry.all().begin(), registry.all().end(), std::back_inserter(formats), holds);
  return formats;
}

Result<Format> findFormat(const std::vector<Format>& formats,
                          std::string_view id,
                          std::string_view whatItWrites) {
  const auto found =
      std::find_if(formats.begin(), formats.end(), [id](const Format& f) { return f.id == id; });
  if (found == formats.end()) {
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format("a {} cannot be written as '{}'; choose {}", whatItWrites, id, idsOf(formats)));
  }
  return *found;
}

}  // namespace

void FormatRegistry::add(Format format) {
  m_formats.push_back(std::move(format));
}

std::vector<Format> reportFormats() {
  return formatsThat([](const Format& format) { return format.writeReport != nullptr; });
}

std::vector<Format> tableFormats() {
  auto formats = formatsThat([](const Format& format) { return format.writeTable != nullptr; });
  for (Format& format : formats) {
    format.title = format.tableTitle.empty() ? format.title : format.tableTitle;
  }
  return formats;
}

std::string idsOf(const std::vector<Format>& formats) {
  std::string ids;
  for (const Format& format : formats) {
    ids += (ids.empty() ? "" : ", ") + format.id;
  }
  return ids;
}

Result<Format> findReportFormat(std::string_view id) {
  return findFormat(reportFormats(), id, "report");
}

Result<std::string> writeTable(const DataTable& table, std::string_view format) {
  const Format found = ULP_TRY(findFormat(tableFormats(), format, "table"));
  return found.writeTable(table);
}

}  // namespace ulp::report
