#include "views/plugins/tensor/profile_reader.h"

namespace ulp::views {
namespace {

constexpr std::int64_t kMostPoints = 2000;

/// Reads one line of A and of B; `rect` is one element wide or high.
void readLine(const analysis::TensorPair& pair,
              const analysis::TensorPlane& plane,
              const analysis::PlaneRect& rect,
              const std::stop_token& stop,
              Profile& profile) {
  const bool isRow = rect.rows == 1;
  const std::int64_t length = isRow ? rect.columns : rect.rows;
  const std::int64_t perPoint = (length + kMostPoints - 1) / kMostPoints;
  const auto read = [&](analysis::Quantity quantity, std::vector<double>& values) {
    const auto tiles = analysis::readTiles(
        pair, plane, quantity, rect, isRow ? 1 : perPoint, isRow ? perPoint : 1, stop);
    for (std::size_t i = 0; tiles && i < tiles->cells.size(); ++i) {
      values.push_back(tiles->cells[i].extreme());
      profile.nonFinite += tiles->cells[i].nonFinite;
    }
  };
  read(analysis::Quantity::Reference, profile.reference);
  read(analysis::Quantity::Variant, profile.variant);
  profile.step = perPoint;
}

/// From positions of the plane to those of the tensor.
void place(Profile& profile,
           const analysis::TensorPlane& plane,
           int dimension,
           std::int64_t first,
           std::int64_t cursor) {
  std::int64_t start = 0;
  std::int64_t step = 1;
  if (dimension >= 0) {
    start = plane.slice[static_cast<std::size_t>(dimension)].start;
    step = plane.slice[static_cast<std::size_t>(dimension)].step;
  }
  profile.first = start + first * step;
  profile.cursor = start + cursor * step;
  profile.step *= step;
}

}  // namespace

std::pair<Profile, Profile> readProfiles(const analysis::TensorPair& pair,
                                         const analysis::TensorPlane& plane,
                                         const analysis::PlanePoint& at,
                                         const analysis::PlaneRect& visible,
                                         const std::stop_token& stop) {
  std::pair<Profile, Profile> profiles;
  readLine(pair, plane, {at.row, visible.column, 1, visible.columns}, stop, profiles.first);
  place(profiles.first, plane, plane.columnDimension, visible.column, at.column);
  readLine(pair, plane, {visible.row, at.column, visible.rows, 1}, stop, profiles.second);
  place(profiles.second, plane, plane.rowDimension, visible.row, at.row);
  return profiles;
}

}  // namespace ulp::views
