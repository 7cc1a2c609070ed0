#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/base/text/sentence.h"

namespace ulp::analysis {

/// What a note tells: how many, and the first of them. Ranks that hold shards without a rule have
/// millions.
class NotedTensors {
 public:
  /// `text` makes the name where it will be shown.
  template <class Text>
  void add(const Text& text) {
    if (m_shown.size() < kMostShown) {
      m_shown.push_back(text());
    }
    ++m_count;
  }
  /// `pattern` tells of %1 tensors, which are %2.
  [[nodiscard]] std::optional<Sentence> note(const char* pattern) const;

 private:
  static constexpr std::size_t kMostShown = 8;

  std::size_t m_count = 0;
  std::vector<Sentence> m_shown;
};

}  // namespace ulp::analysis
