#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/text/utf8.h"
#include "core/text/characters/aligned_text.h"

namespace ulp::text {

/// A stretch of a text that a pattern matched, or that lies between two matches.
struct Stretch {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool isMatch = false;
};

/// Stretches that cover a text without gaps.
using Stretches = std::vector<Stretch>;

/// What becomes of the matches, as `tokenizers.pre_tokenizers` calls it. "a--b" split at "-":
enum class SplitBehavior : std::uint8_t {
  Removed,             ///< "a" "b"
  Isolated,            ///< "a" "-" "-" "b"
  MergedWithPrevious,  ///< "a-" "-" "b"
  MergedWithNext,      ///< "a" "-" "-b"
  Contiguous           ///< "a" "--" "b"
};

/// Appends the parts of `text` to `parts`; empty ones are left out.
void splitInto(std::vector<AlignedText>& parts,
               const AlignedText& text,
               const Stretches& stretches,
               SplitBehavior behavior);

/// Stretches of single code points that satisfy `isMatch(char32_t)`, and of what lies between.
template <class Predicate>
[[nodiscard]] Stretches stretchesOf(std::string_view text, const Predicate& isMatch) {
  Stretches found;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = codePointAt(text, at);
    const std::size_t end = at + c.size;
    if (isMatch(c.value)) {
      if (begin < at) {
        found.push_back({begin, at, false});
      }
      found.push_back({at, end, true});
      begin = end;
    }
    at = end;
  }
  if (begin < text.size()) {
    found.push_back({begin, text.size(), false});
  }
  return found;
}

}  // namespace ulp::text
