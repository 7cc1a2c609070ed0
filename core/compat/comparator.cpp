#include "core/compat/comparator.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <system_error>
#include <utility>

#include "core/base/files/atomic_file.h"

namespace ulp::compat {

namespace fs = std::filesystem;

std::string_view toString(CompareOption option) {
  switch (option) {
    case CompareOption::Spreadsheet:
      return "a spreadsheet";
    case CompareOption::Fuzzy:
      return "fuzzy matching";
    case CompareOption::Highlight:
      return "highlighting";
    case CompareOption::DataMapping:
      return "a data mapping";
    case CompareOption::CellMapping:
      return "a cell mapping";
    case CompareOption::Level:
      break;
  }
  return "a level";
}

bool CompareRequest::asksFor(CompareOption option) const {
  switch (option) {
    case CompareOption::Spreadsheet:
      return isSpreadsheet;
    case CompareOption::Fuzzy:
      return isFuzzy;
    case CompareOption::Highlight:
      return isHighlighted;
    case CompareOption::DataMapping:
      return !dataMapping.empty();
    case CompareOption::CellMapping:
      return !cellMapping.empty();
    case CompareOption::Level:
      break;
  }
  return !level.empty();
}

Error asOneError(const std::vector<Error>& failures) {
  std::vector<std::string_view> messages;
  messages.reserve(failures.size());
  for (const Error& failure : failures) {
    messages.emplace_back(failure.message());
  }
  return {failures.front().code(), fmt::format("{}", fmt::join(messages, "\n"))};
}

Result<> makeFolder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    return fail(ErrorCode::Io,
                fmt::format("{}: cannot be made: {}", folder.string(), error.message()));
  }
  return {};
}

Result<> writeResult(const fs::path& file, std::string_view content, CompareOutcome& outcome) {
  ULP_TRY(makeFolder(file.parent_path()));
  auto written = writeFileAtomically(file, content);
  if (written) {
    outcome.files.push_back(file);
  }
  return written;
}

const TakenOption* Comparator::find(CompareOption option) const {
  const auto found = std::ranges::find(options, option, &TakenOption::option);
  return found == options.end() ? nullptr : &*found;
}

Result<CompareOutcome> Comparator::compare(const CompareRequest& request,
                                           const std::stop_token& stop,
                                           const dumps::Progress& progress) const {
  for (const CompareOption option : kCompareOptions) {
    if (request.asksFor(option) && find(option) == nullptr) {
      return fail(
          ErrorCode::InvalidArgument,
          fmt::format("{} ({}) has no option for {}; leave it out", id, title, toString(option)));
    }
  }
  std::error_code status;
  if (fs::exists(request.output, status) && !fs::is_directory(request.output, status)) {
    return fail(
        ErrorCode::Io,
        fmt::format("{}: is no folder; results are several files", request.output.string()));
  }
  if (stop.stop_requested()) {
    return fail(ErrorCode::Cancelled, "the comparison was cancelled");
  }
  return run(request, stop, progress);
}

void ComparatorRegistry::add(Comparator comparator) {
  m_comparators.push_back(std::move(comparator));
}

const Comparator* ComparatorRegistry::find(std::string_view id) const {
  const auto found =
      std::find_if(m_comparators.begin(), m_comparators.end(), [&](const Comparator& comparator) {
        return comparator.id == id;
      });
  return found == m_comparators.end() ? nullptr : &*found;
}

ComparatorRegistry builtinComparators() {
  ComparatorRegistry registry;
  registerBuiltin(registry);
  return registry;
}

}  // namespace ulp::compat
