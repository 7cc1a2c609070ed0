#include "core/base/text/edit_distance.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace ulp {

std::size_t editDistance(std::string_view a, std::string_view b, std::size_t atMost) {
  const std::size_t leastPossible = std::max(a.size(), b.size()) - std::min(a.size(), b.size());
  if (leastPossible > atMost) {
    return leastPossible;
  }
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    std::size_t least = row[0];
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
      least = std::min(least, row[j + 1]);
    }
    if (least > atMost) {
      return least;
    }
  }
  return row.back();
}

}  // namespace ulp
