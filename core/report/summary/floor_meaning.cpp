#include "core/report/summary/floor_meaning.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ulp::report {

std::string_view floorMeaning(std::string_view run) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kMeanings{
      {{"floor.repeat", "the same again"},
       {"floor.float64", "rounding of the reference itself"},
       {"floor.threads", "another number of threads"},
       {"floor.attention", "another attention kernel"},
       {"floor.batch_order", "sequences in reverse order"}}};
  const auto* const found =
      std::ranges::find(kMeanings, run, [](const auto& meaning) { return meaning.first; });
  return found == kMeanings.end() ? std::string_view() : found->second;
}

}  // namespace ulp::report
