#include "core/compat/msit/request.h"

#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>

namespace ulp::compat::msit {

std::string timestampOf(const CompareRequest& request, std::chrono::hours ahead) {
  if (!request.timestamp.empty()) {
    return request.timestamp;
  }
  const std::time_t time =
      std::chrono::system_clock::to_time_t(std::chrono::system_clock::now() + ahead);
  return fmt::format("{:%Y%m%d%H%M%S}", fmt::gmtime(time));
}

}  // namespace ulp::compat::msit
