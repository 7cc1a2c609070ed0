#include "core/compat/comparator.h"

#include <algorithm>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <system_error>

#include "core/base/files/atomic_file.h"
#include "core/base/files/folders.h"
#include "core/base/list_of.h"

namespace ulp::compat {

namespace fs = std::filesystem;

namespace {

/// What an option is called in words, and whether a request asks for it; in the order of
/// CompareOption.
struct OptionRule {
  std::string_view name;
  bool (*isAsked)(const CompareRequest& request) = nullptr;
};
constexpr std::array<OptionRule, kCompareOptions.size()> kOptions{
    {{"a spreadsheet", [](const CompareRequest& request) { return request.isSpreadsheet; }},
     {"fuzzy matching", [](const CompareRequest& request) { return request.isFuzzy; }},
     {"highlighting", [](const CompareRequest& request) { return request.isHighlighted; }},
     {"a data mapping", [](const CompareRequest& request) { return !request.dataMapping.empty(); }},
     {"a cell mapping", [](const CompareRequest& request) { return !request.cellMapping.empty(); }},
     {"a level", [](const CompareRequest& request) { return !request.level.empty(); }}}};

/// Whether results of that time lie in the folder of a request already: of a comparison in the same
/// second, or of one before the clock was set back.
bool isTaken(const fs::path& output, std::string_view timestamp) {
  constexpr int kDeepestResult = 2;  // output/step0/rank0
  std::error_code failed;
  constexpr auto kReadable = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator entry(output, kReadable, failed), end;
       !failed && entry != end;
       entry.increment(failed)) {
    if (entry->path().filename().string().find(timestamp) != std::string::npos) {
      return true;
    }
    if (entry.depth() == kDeepestResult) {
      entry.disable_recursion_pending();
    }
  }
  return false;
}

}  // namespace

std::string_view toString(CompareOption option) {
  return kOptions.at(static_cast<std::size_t>(option)).name;
}

bool CompareRequest::asksFor(CompareOption option) const {
  return kOptions.at(static_cast<std::size_t>(option)).isAsked(*this);
}

std::string timestampOf(const CompareRequest& request,
                        const std::optional<std::chrono::hours>& aheadOfUtc) {
  if (!request.timestamp.empty()) {
    return request.timestamp;
  }
  std::time_t now = std::chrono::system_clock::to_time_t(
      std::chrono::system_clock::now() + aheadOfUtc.value_or(std::chrono::hours(0)));
  while (true) {
    std::tm time{};
    aheadOfUtc ? ::gmtime_r(&now, &time) : ::localtime_r(&now, &time);
    std::string timestamp = fmt::format("{:%Y%m%d%H%M%S}", time);
    if (!isTaken(request.output, timestamp)) {
      return timestamp;
    }
    ++now;
  }
}

Error asOneError(const std::vector<Error>& failures) {
  return {failures.front().code(),
          fmt::format("{}", fmt::join(listOf(failures, &Error::message), "\n"))};
}

Result<> writeResult(const fs::path& file, std::string_view content, CompareOutcome& outcome) {
  ULP_TRY(makeFolders(file.parent_path()));
  ULP_TRY(writeFileAtomically(file, content));
  outcome.files.push_back(file);
  return {};
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

ComparatorRegistry builtinComparators() {
  ComparatorRegistry registry;
  registerBuiltin(registry);
  return registry;
}

Result<CompareOutcome> compareAs(std::string_view tool,
                                 const CompareRequest& request,
                                 const std::stop_token& stop,
                                 const dumps::Progress& progress) {
  const ComparatorRegistry comparators = builtinComparators();
  const Comparator* comparator = comparators.find(tool);
  if (comparator == nullptr) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("unknown tool '{}'; choose {}",
                            tool,
                            fmt::join(listOf(comparators.all(), &Comparator::id), ", ")));
  }
  return comparator->compare(request, stop, progress);
}

}  // namespace ulp::compat
