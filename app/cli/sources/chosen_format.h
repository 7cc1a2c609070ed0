#pragma once

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <vector>

#include "core/base/list_of.h"
#include "core/base/result.h"

namespace ulp::cli {

/// The one of `formats`, which have `id` and `extension`, that was named with --format, else that
/// of the output's extension, else text. Error: InvalidArgument, with those that there are.
template <class Format>
[[nodiscard]] Result<Format> chosenFormat(const std::vector<Format>& formats,
                                          const std::string& name,
                                          const std::string& output) {
  const std::string extension = std::filesystem::path(output).extension().string();
  const auto byExtension = std::ranges::find(formats, extension, &Format::extension);
  if (name.empty() && byExtension != formats.end()) {
    return *byExtension;
  }
  const std::string id = name.empty() ? "text" : name;
  const auto named = std::ranges::find(formats, id, &Format::id);
  if (named == formats.end()) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("--format: unknown format '{}'; choose {}",
                            id,
                            fmt::join(listOf(formats, &Format::id), ", ")));
  }
  return *named;
}

}  // namespace ulp::cli
