#include "core/dumps/msprobe/compare_json.h"

#include <fmt/format.h>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/dumps/model/folders.h"
#include "core/dumps/msprobe/json_tree.h"

namespace ulp::dumps::msprobe {
namespace {

namespace fs = std::filesystem;

/// Such a file has four lines.
constexpr std::size_t kLongest = std::size_t{1} << 16;

struct Paths {
  std::string target;
  std::string golden;
  JsonEnd end;
};

Result<Paths> readPaths(const fs::path& path) {
  const auto text = ULP_TRY(readTextFile(path, kLongest));
  Paths paths;
  paths.end = streamMembers(
      std::string_view(text),
      {},
      [&](bool /*isInside*/, std::string_view key, const JsonTree& tree) {
        if (tree.root().kind == JsonKind::Text && (key == "npu_path" || key == "bench_path")) {
          (key == "npu_path" ? paths.target : paths.golden) = tree.root().text;
        }
      });
  return paths;
}

Result<fs::path> resolved(const fs::path& file, std::string_view key, const std::string& text) {
  if (text.empty()) {
    return fail(
        ErrorCode::CorruptData,
        fmt::format("{}: {}: is missing, or is no path; it names a folder of a dump, or its "
                    "dump.json",
                    file.string(),
                    key));
  }
  std::error_code ignored;
  for (const fs::path& candidate : {fs::path(text), file.parent_path() / text}) {
    if (fs::exists(candidate, ignored)) {
      return candidate;
    }
  }
  return fail(ErrorCode::NotFound,
              fmt::format("{}: {}: {}: no such file or folder, neither from here nor beside the "
                          "file; correct the path",
                          file.string(),
                          key,
                          text));
}

}  // namespace

bool isCompareJson(const fs::path& path) {
  if (path.extension() != ".json" || !isFile(path)) {
    return false;
  }
  const auto paths = readPaths(path);
  return paths && !paths->target.empty() && !paths->golden.empty();
}

Result<CompareJson> readCompareJson(const fs::path& path) {
  const auto paths = ULP_TRY(readPaths(path));
  if (!paths.end.problem.empty()) {
    return fail(ErrorCode::CorruptData, fmt::format("{}: {}", path.string(), paths.end.problem));
  }
  auto target = ULP_TRY(resolved(path, "npu_path", paths.target));
  auto golden = ULP_TRY(resolved(path, "bench_path", paths.golden));
  return CompareJson{std::move(target), std::move(golden)};
}

}  // namespace ulp::dumps::msprobe
