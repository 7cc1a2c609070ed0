#include "core/study/schema/nearest_path.h"

#include <algorithm>
#include <cstddef>

#include "core/base/text/edit_distance.h"

namespace ulp::study {
namespace {

bool endsWithPart(std::string_view path, std::string_view part) {
  return path.size() > part.size() && path.ends_with(part) &&
         path[path.size() - part.size() - 1] == '.';
}

}  // namespace

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
