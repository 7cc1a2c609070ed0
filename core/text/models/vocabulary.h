#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace ulp::text {

/// Hash that looks texts up without copying them.
struct TextHash {
  using is_transparent = void;  // NOLINT(readability-identifier-naming): the standard's name
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

/// Tokens as a vocabulary spells them, and their numbers.
class Vocabulary {
 public:
  /// Ids above it are taken for damage: no model has so large an embedding.
  static constexpr std::int64_t kLargestId = (std::int64_t{1} << 24) - 1;

  /// A number that is given twice is CorruptData, as is one below 0 or above kLargestId. A spelling
  /// that is given twice stands for the number that comes last.
  [[nodiscard]] static Result<Vocabulary> create(
      std::vector<std::pair<std::string, std::int64_t>> tokens);

  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view spelling) const;
  /// Finds the token that stands for what is unknown. Error: CorruptData (it is not there).
  [[nodiscard]] Result<std::uint32_t> unknownId(std::string_view spelling) const;
  /// Empty where no token has that number.
  [[nodiscard]] std::string_view spelling(std::int64_t id) const;
  [[nodiscard]] bool holds(std::int64_t id) const;
  /// One more than the largest number.
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(m_spellings.size()); }

 private:
  std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> m_ids;
  std::vector<std::optional<std::string>> m_spellings;
};

}  // namespace ulp::text
