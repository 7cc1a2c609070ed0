#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/json/value.h"

namespace ulp::json {

struct DumpOptions {
  std::optional<int> indent{};  ///< blanks a level; nothing: all in one line
  bool isAscii = false;         ///< characters beyond ASCII are escaped
  bool isSorted = false;        ///< members by their names, not in their order
};

/// Writes a value as JSON. Bytes that are not UTF-8 become U+FFFD, numbers that are not finite
/// null.
[[nodiscard]] std::string dump(const Value& value, const DumpOptions& options = {});

/// Writes a text in quotes, with escapes. Bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string quoted(std::string_view text, bool isAscii = false);
/// Appends the same to a text.
void appendQuoted(std::string& out, std::string_view text, bool isAscii = false);

}  // namespace ulp::json
