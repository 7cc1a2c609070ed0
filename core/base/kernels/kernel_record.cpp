#include "core/base/kernels/kernel_record.h"

#include <algorithm>

namespace ulp {

bool KernelRecord::isConsistent() const {
  return std::ranges::all_of(rows, [this](const Rows& ofPass) {
    return std::ranges::all_of(ofPass, [this](const Rows::value_type& row) {
      return std::ranges::all_of(row.second,
                                 [this](std::uint32_t kernel) { return kernel < names.size(); });
    });
  });
}

std::vector<std::string_view> KernelRecord::of(Pass pass, std::string_view row) const {
  std::vector<std::string_view> found;
  const Rows& all = of(pass);
  if (const auto place = all.find(row); place != all.end()) {
    for (const std::uint32_t kernel : place->second) {
      found.emplace_back(names[kernel]);
    }
  }
  return found;
}

}  // namespace ulp
