#pragma once

#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text/loading/json_part.h"

/// How parts of a tokenizer.json are told apart: by their field `type`, and those of type Sequence
/// hold further ones.
namespace ulp::text {

/// Sequences of sequences are followed that deep.
inline constexpr int kDeepestNesting = 16;

/// The field `type` of a part that lies in `depth` sequences. Errors: CorruptData.
[[nodiscard]] inline Result<std::string> kindOf(const JsonPart& part, int depth) {
  if (depth > kDeepestNesting) {
    return part.corrupt("sequences are nested too deeply");
  }
  return part.text("type");
}

template <typename Part>
using ReadPart = Result<Part> (*)(const JsonPart& part, int depth);

template <typename Part, std::size_t count>
using PartKinds = std::array<std::pair<std::string_view, ReadPart<Part>>, count>;

/// Reads a part as its kind is read. Errors: those of kindOf() and of the kind; Unsupported for one
/// that is not in `kinds`.
template <typename Part, std::size_t count>
[[nodiscard]] Result<Part> readByKind(const JsonPart& part,
                                      int depth,
                                      const PartKinds<Part, count>& kinds) {
  const auto kind = ULP_TRY(kindOf(part, depth));
  for (const auto& [name, read] : kinds) {
    if (name == kind) {
      return read(part, depth);
    }
  }
  return part.unsupported(fmt::format("'{}'", kind));
}

/// The parts of a sequence that itself lies in `depth` others. Errors: those of `read`; CorruptData
/// where `key` is no list.
template <typename Part>
[[nodiscard]] Result<std::vector<Part>> readParts(const JsonPart& sequence,
                                                  std::string_view key,
                                                  int depth,
                                                  ReadPart<Part> read) {
  const auto items = ULP_TRY(sequence.items(key));
  std::vector<Part> parts;
  for (const JsonPart& item : items) {
    auto part = ULP_TRY(read(item, depth + 1));
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace ulp::text
