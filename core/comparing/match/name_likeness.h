#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ulp::analysis {

/// A name as people compare it: numbers between dots (layers, experts, calls) apart from the words,
/// which are in lower case, cut at '.', '_' and where a capital begins, and in one spelling where
/// tools have several ("attention", "attn"; "blk", "h", "layers").
struct NameWords {
  std::vector<std::string> words;
  std::vector<std::int64_t> numbers;

  friend bool operator==(const NameWords&, const NameWords&) = default;
};
[[nodiscard]] NameWords wordsOf(std::string_view name);

/// 0 … 1: the weight of the words that two names share in the same order, over that of both
/// (Dice); words that are nearly the same, by edit distance or as an abbreviation, count in part,
/// words that say little ("model", "layers", "proj") little. Numbers are left out. Symmetric.
[[nodiscard]] double likeness(const NameWords& a, const NameWords& b);

}  // namespace ulp::analysis
