#include "core/compat/comparator.h"

#include <algorithm>

namespace ulp::compat {

void ComparatorRegistry::add(Comparator comparator) {
  m_comparators.push_back(std::move(comparator));
}

const Comparator* ComparatorRegistry::find(std::string_view id) const {
  const auto found =
      std::find_if(m_comparators.begin(), m_comparators.end(), [&](const Comparator& comparator) {
        return comparator.id == id;
      });
  return found == m_comparators.end() ? nullptr : &*found;
}

ComparatorRegistry builtinComparators() {
  ComparatorRegistry registry;
  registerBuiltin(registry);
  return registry;
}

}  // namespace ulp::compat
