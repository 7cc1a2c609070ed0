#include "core/compat/msit/request.h"

#include <array>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <system_error>
#include <utility>

#include "core/base/atomic_file.h"

namespace ulp::compat::msit {

Result<> checkOptions(const CompareRequest& request, std::string_view tool) {
  const std::array<std::pair<bool, std::string_view>, 3> foreign{
      {{request.isFuzzy, "fuzzy matching"},
       {request.isHighlighted, "highlighting"},
       {!request.cellMapping.empty(), "a mapping of cells"}}};
  for (const auto& [isAsked, option] : foreign) {
    if (isAsked) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("{} has no option for {}; leave it out", tool, option));
    }
  }
  return {};
}

std::string timestampOf(const CompareRequest& request, std::chrono::hours ahead) {
  if (!request.timestamp.empty()) {
    return request.timestamp;
  }
  const std::time_t time =
      std::chrono::system_clock::to_time_t(std::chrono::system_clock::now() + ahead);
  return fmt::format("{:%Y%m%d%H%M%S}", fmt::gmtime(time));
}

Result<std::filesystem::path> writeReport(const CompareRequest& request,
                                          const std::string& name,
                                          std::string_view content) {
  std::error_code problem;
  std::filesystem::create_directories(request.output, problem);
  if (problem) {
    return fail(ErrorCode::Io,
                fmt::format("{}: cannot be made: {}", request.output.string(), problem.message()));
  }
  const std::filesystem::path file = request.output / name;
  if (Result<> written = writeFileAtomically(file, content); !written) {
    return tl::unexpected<Error>(std::move(written.error()));
  }
  return file;
}

}  // namespace ulp::compat::msit
