#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/comparing/match/mapping_names.h"
#include "core/dumps/model/dump.h"

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

/// Who may be the partner of a name that has none.
struct PartnerSuggestion {
  std::size_t partner = dumps::kNone;  ///< in the names of the other side; kNone: nobody is like it
  double score = 0;                    ///< 0 … 1
  double names = 0;                    ///< 0 … 1: likeness() of the names
  /// 0 … 1: tensors of the same role and shape; a tenth of it for the dtype. NaN: a side has none.
  double tensors = std::numeric_limits<double>::quiet_NaN();
  bool isMutual = false;  ///< the partner's own suggestion is this name

  [[nodiscard]] bool isEmpty() const { return partner == dumps::kNone; }
};

struct MappingSuggestions {
  std::vector<PartnerSuggestion> ofBaseline;  ///< parallel to the baseline's names
  std::vector<PartnerSuggestion> ofCandidate;
};

/// The most alike of the names on the other side that have a pass in common: the same numbers in
/// the name (layers, experts) before the same first one before any others, names and tensors
/// weighed two to one, and among equals what stands at the same place in the order of execution.
/// Bounded: of many that are equally near, those next to the same place are looked at. `own` and
/// `others` in order of execution, as openNames() gives them. Errors: Cancelled.
[[nodiscard]] Result<MappingSuggestions> suggestPartners(const dumps::DumpUnit& baseline,
                                                         std::span<const OpenName> own,
                                                         const dumps::DumpUnit& candidate,
                                                         std::span<const OpenName> others,
                                                         const std::stop_token& stop = {});

}  // namespace ulp::analysis
