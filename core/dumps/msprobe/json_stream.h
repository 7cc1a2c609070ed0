#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/dumps/msprobe/json_tree.h"

namespace ulp::dumps::msprobe {

/// Where reading ended.
struct JsonEnd {
  std::string problem{};        ///< empty: the file is complete
  bool isCut = false;           ///< the problem is that the bytes end before the object does
  std::string openMember{};     ///< the member that was being read when it ended
  std::size_t memberCount = 0;  ///< that were handed over
};

/// Told of a member once it is complete: whether it stands inside the member `inside` of
/// streamMembers(), its key and its value, which lives until this returns.
using OnMember = std::function<void(bool isInside, std::string_view key, const JsonTree& value)>;
using ReadProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// Reads a file that holds one object as Python writes it (NaN, Infinity and -Infinity are
/// numbers), member by member, and those of its member `inside` one by one. A file that breaks off,
/// is not JSON from some place on, or nests deeper than 400 levels: its complete members have been
/// handed over, and JsonEnd says where and why. Errors: NotFound, Io, Cancelled.
[[nodiscard]] Result<JsonEnd> streamMembers(const std::filesystem::path& file,
                                            std::string_view inside,
                                            const OnMember& onMember,
                                            const std::stop_token& stop = {},
                                            const ReadProgress& progress = {});
/// The same of bytes in memory.
[[nodiscard]] JsonEnd streamMembers(std::string_view bytes,
                                    std::string_view inside,
                                    const OnMember& onMember,
                                    const std::stop_token& stop = {},
                                    const ReadProgress& progress = {});

}  // namespace ulp::dumps::msprobe
