#include "core/text/characters/split.h"

#include <algorithm>

namespace ulp::text {
namespace {

/// Joins a stretch to the one before it where `joins(stretch, previous)` says so. Before the first
/// stretch stands one that did not match.
template <class Joins>
Stretches joined(const Stretches& stretches, const Joins& joins) {
  Stretches result;
  bool previous = false;
  for (const Stretch& stretch : stretches) {
    if (!result.empty() && joins(stretch.isMatch, previous)) {
      result.back().begin = std::min(result.back().begin, stretch.begin);
      result.back().end = std::max(result.back().end, stretch.end);
    } else {
      result.push_back(stretch);
    }
    previous = stretch.isMatch;
  }
  return result;
}

Stretches arranged(Stretches stretches, SplitBehavior behavior) {
  const auto isFirstMatch = [](bool isMatch, bool previous) { return isMatch && !previous; };
  switch (behavior) {
    case SplitBehavior::Removed:
      std::erase_if(stretches, [](const Stretch& stretch) { return stretch.isMatch; });
      return stretches;
    case SplitBehavior::Isolated:
      return stretches;
    case SplitBehavior::Contiguous:
      return joined(stretches, [](bool isMatch, bool previous) { return isMatch == previous; });
    case SplitBehavior::MergedWithPrevious:
      return joined(stretches, isFirstMatch);
    case SplitBehavior::MergedWithNext:
      std::reverse(stretches.begin(), stretches.end());
      stretches = joined(stretches, isFirstMatch);
      std::reverse(stretches.begin(), stretches.end());
      return stretches;
  }
  return stretches;
}

}  // namespace

void splitInto(std::vector<AlignedText>& parts,
               const AlignedText& text,
               const Stretches& stretches,
               SplitBehavior behavior) {
  for (const Stretch& stretch : arranged(stretches, behavior)) {
    if (stretch.begin < stretch.end) {
      parts.push_back(text.slice(stretch.begin, stretch.end));
    }
  }
}

}  // namespace ulp::text
