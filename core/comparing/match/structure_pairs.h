#pragma once

#include <cstddef>
#include <vector>

#include "core/dumps/model/dump.h"

namespace ulp::analysis {

/// The same tensor in two dumps, by entry and row of each.
struct StructuralPair {
  std::size_t baselineEntry = 0;
  std::size_t baselineRow = 0;
  std::size_t candidateEntry = 0;
  std::size_t candidateRow = 0;

  friend bool operator==(const StructuralPair&, const StructuralPair&) = default;
};

/// Of two dumps that msit made, one of a PyTorch model and one of an ATB model, whichever is the
/// baseline: what belongs together by the rules of `msit llm compare` at all its levels
/// (dumps::msit::pairUp()). msit compares a tensor with each that a rule names; here it is in one
/// pair at most, with the first one of its shape in the order of ATB's structure, and a projection
/// with its own part of what ATB splits query, key and value into. Of another shape only what no
/// rule pairs with anything else. First inputs of layers, linear operations and activations go with
/// their outputs where both are floating-point numbers of one shape; the inputs of other operations
/// need not be those of the module: ATB's norms may add first. Empty: not such dumps, or nothing
/// corresponds.
[[nodiscard]] std::vector<StructuralPair> pairByStructure(const dumps::DumpUnit& baseline,
                                                          const dumps::DumpUnit& candidate);

}  // namespace ulp::analysis
