#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ulp::analysis {

/// Pairs equal texts of two sequences in their order, so that as few as possible of either are left
/// (E. W. Myers, An O(ND) Difference Algorithm and Its Variations, 1986). Where the sequences have
/// more than a few thousand differences, greedily: the newest of either side with the oldest equal
/// one of the other that waits behind the last pair, as msprobe's fuzzy match does. For each of
/// `left` its place in `right`; dumps::kNone: none.
[[nodiscard]] std::vector<std::size_t> alignSequences(const std::vector<std::string>& left,
                                                      const std::vector<std::string>& right);

}  // namespace ulp::analysis
