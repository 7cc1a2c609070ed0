#include "core/study/edit_distance.h"

#include <algorithm>
#include <numeric>

namespace ulp::study {
namespace {

bool endsWithPart(std::string_view path, std::string_view part) {
  return path.size() > part.size() && path.ends_with(part) &&
         path[path.size() - part.size() - 1] == '.';
}

}  // namespace

std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::string_view nearestPath(std::string_view path, const std::vector<std::string_view>& known) {
  const std::size_t limit = std::max<std::size_t>(2, path.size() / 4);
  std::string_view nearest;
  std::size_t best = limit + 1;
  for (const std::string_view candidate : known) {
    const std::size_t distance = endsWithPart(candidate, path) ? 0 : editDistance(candidate, path);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace ulp::study
