#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace ulp::text {

/// sentencepiece's table of replacements (`precompiled_charsmap`, not in base64): a double-array
/// trie, as Darts-clone packs it, of what is replaced, whose values are places in a list of texts
/// that end with NUL.
class ReplacementTable {
 public:
  /// Takes a table through which no text leads out of it: sentencepiece itself follows one without
  /// looking. Errors: CorruptData.
  [[nodiscard]] static Result<ReplacementTable> parse(std::string_view table);

  /// What replaces the shortest entry that `part` begins with. Not the longest: the models were
  /// trained with that.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view part) const;

 private:
  [[nodiscard]] bool isClosed() const;

  std::vector<std::uint32_t> m_trie;
  std::string m_replacements;
};

}  // namespace ulp::text
