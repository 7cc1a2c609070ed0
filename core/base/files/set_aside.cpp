#include "core/base/files/set_aside.h"

#include <string>
#include <system_error>

namespace ulp {
namespace {

constexpr int kTries = 1000;

}  // namespace

Result<std::filesystem::path> setAside(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    return fail(ErrorCode::NotFound, path.string() + ": does not exist");
  }
  for (int i = 1; i < kTries; ++i) {
    std::filesystem::path aside = path;
    aside += i == 1 ? std::string(".damaged") : ".damaged-" + std::to_string(i);
    if (std::filesystem::exists(aside, error)) {
      continue;
    }
    std::filesystem::rename(path, aside, error);
    if (error) {
      return fail(ErrorCode::Io,
                  path.string() + ": cannot be renamed to " + aside.filename().string() + ": " +
                      error.message());
    }
    return aside;
  }
  return fail(ErrorCode::Io,
              path.string() + ": too many damaged files beside it; remove some of them");
}

}  // namespace ulp
