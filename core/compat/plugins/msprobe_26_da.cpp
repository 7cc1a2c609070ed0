#include "core/compat/comparator.h"
#include "core/compat/msprobe/results/difference_analysis.h"

namespace ulp::compat {

void registerMsprobe26Da(ComparatorRegistry& registry) {
  registry.add(
      {"msprobe-26-da", "first differing calls of msprobe 26.x", {}, msprobe::analyzeDifferences});
}

}  // namespace ulp::compat
