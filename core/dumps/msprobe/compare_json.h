#pragma once

#include <filesystem>

#include "core/base/result.h"

namespace ulp::dumps::msprobe {

/// The file by which msprobe 8.x is told what to compare.
struct CompareJson {
  std::filesystem::path target;  ///< `npu_path`
  std::filesystem::path golden;  ///< `bench_path`
};

/// Whether a file may be one: the name ends in .json and its outermost object has both paths.
[[nodiscard]] bool isCompareJson(const std::filesystem::path& path);

/// Paths are looked for where msprobe does, from the working folder, else beside the file; a path
/// to a `dump.json` stays one. Errors: NotFound (the file, or a path that leads nowhere),
/// CorruptData (a path is missing or no text), Io.
[[nodiscard]] Result<CompareJson> readCompareJson(const std::filesystem::path& path);

}  // namespace ulp::dumps::msprobe
