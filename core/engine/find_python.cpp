#include "core/engine/find_python.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "core/base/list_of.h"

namespace ulp::engine {
namespace {

namespace fs = std::filesystem;

std::string_view variable(const char* name) {
  // Nobody sets variables of the environment once threads run.
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? std::string_view() : std::string_view(value);
}

std::vector<fs::path> candidates(std::string_view name) {
  std::vector<fs::path> found;
  for (const char* environment : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    if (const std::string_view folder = variable(environment); name.empty() && !folder.empty()) {
      found.push_back(fs::path(folder) / "bin/python");
    }
  }
  if (const std::string_view program = variable("ULPSCOPE_PYTHON");
      name.empty() && !program.empty()) {
    found.emplace_back(program);
  }
  std::string_view rest = variable("PATH");
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    if (!folder.empty()) {
      found.push_back(fs::path(folder) / (name.empty() ? "python3" : name));
    }
  }
  return found;
}

}  // namespace

Result<fs::path> findPython(std::string_view name) {
  const std::vector<fs::path> tried = candidates(name);
  for (const fs::path& candidate : tried) {
    std::error_code ignored;
    if (fs::is_regular_file(candidate, ignored) && ::access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
  }
  const auto names = listOf(tried, [](const fs::path& path) { return path.string(); });
  return fail(ErrorCode::NotFound,
              fmt::format("no Python was found (looked for {}); activate an environment, or name "
                          "one with python.executable or ULPSCOPE_PYTHON",
                          names.empty() ? "nothing, as PATH is empty"
                                        : fmt::format("{}", fmt::join(names, ", "))));
}

}  // namespace ulp::engine
