#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/site.h"

namespace ulp::tensors {

inline constexpr std::string_view kIndexFile = "tensors.h5";
inline constexpr std::string_view kRunFolder = "tensors";
inline constexpr std::string_view kSampleFile = "samples.h5";

/// The name of a site's dataset within its pass: the module path of a layer row, `logits`, `loss`,
/// and the row's own name otherwise. `/` never occurs in one that the writer accepts.
[[nodiscard]] std::string captureLinkName(const Site& site);
/// False for an empty name, "." and "..", and one with '/' or a zero byte.
[[nodiscard]] bool isLinkName(std::string_view name);

/// The name of a run's group: `%`, `/` and a lone `.` are percent-encoded.
[[nodiscard]] std::string runLinkName(std::string_view run);
/// Tells whether `path`, without the first slash, is the group of a run: "runs/<name>".
[[nodiscard]] bool isRunGroup(std::string_view path);
/// The name of a run's file: everything but letters, digits, `-`, `_`, `+`, `=` and inner dots is
/// percent-encoded; a long name is cut and ends in a hash of the whole.
[[nodiscard]] std::string runFileName(std::string_view run);

/// The smallest stride that keeps at most `limit` of `count` elements and shares no factor with a
/// dimension, so that a subsample visits every position of every dimension; 1 when all fit.
[[nodiscard]] std::uint64_t sampleStride(std::uint64_t count,
                                         std::uint64_t limit,
                                         std::span<const std::int64_t> shape);

}  // namespace ulp::tensors
