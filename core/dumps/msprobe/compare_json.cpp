#include "core/dumps/msprobe/compare_json.h"

#include <fmt/format.h>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/dumps/msprobe/json_stream.h"

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
  paths.end = streamMembers(std::string_view(text),
                            "",
                            [&](bool /*isInside*/, std::string_view key, const JsonTree& tree) {
                              if (tree.root().kind == JsonKind::Text) {
                                std::string& place =
                                    key == "npu_path" ? paths.target : paths.golden;
                                if (key == "npu_path" || key == "bench_path") {
                                  place = tree.root().text;
                                }
                              }
                              return true;
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
  std::error_code ignored;
  if (path.extension() != ".json" || !fs::is_regular_file(path, ignored)) {
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
  auto target = resolved(path, "npu_path", paths.target);
  auto golden = resolved(path, "bench_path", paths.golden);
  if (!target || !golden) {
    return tl::unexpected<Error>(target ? golden.error() : target.error());
  }
  return CompareJson{std::move(*target), std::move(*golden)};
}

}  // namespace ulp::dumps::msprobe
