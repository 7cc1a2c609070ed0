#include "views/plugins/tensor/inspector/profile_reader.h"

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
    const analysis::TileSize tile{.rows = isRow ? 1 : perPoint, .columns = isRow ? perPoint : 1};
    const auto tiles = analysis::readTiles(pair, plane, quantity, {rect, tile}, stop);
    for (std::size_t i = 0; tiles && i < tiles->cells.size(); ++i) {
      values.push_back(tiles->cells[i].extreme());
      profile.nonFinite += tiles->cells[i].nonFinite;
    }
  };
  read(analysis::Quantity::Reference, profile.reference);
  read(analysis::Quantity::Variant, profile.variant);
  profile.step = perPoint;
}

/// From positions of the plane to those of the tensor. `dimension` is the one that the line runs
/// along; `perStep` positions of it lie between neighbours, the first of all at `offset`.
void place(Profile& profile,
           const analysis::TensorPlane& plane,
           int dimension,
           std::int64_t offset,
           std::int64_t perStep,
           const std::pair<std::int64_t, std::int64_t>& firstAndCursor) {
  std::int64_t start = 0;
  std::int64_t step = 1;
  if (dimension >= 0) {
    start = plane.slice[static_cast<std::size_t>(dimension)].start;
    step = plane.slice[static_cast<std::size_t>(dimension)].step;
  }
  profile.first = start + (offset + firstAndCursor.first * perStep) * step;
  profile.cursor = start + (offset + firstAndCursor.second * perStep) * step;
  profile.step *= step * perStep;
}

}  // namespace

std::pair<Profile, Profile> readProfiles(const analysis::TensorPair& pair,
                                         const analysis::TensorPlane& plane,
                                         const analysis::PlanePoint& at,
                                         const analysis::PlaneRect& visible,
                                         const std::stop_token& stop) {
  std::pair<Profile, Profile> profiles;
  readLine(pair, plane, {at.row, visible.column, 1, visible.columns}, stop, profiles.first);
  readLine(pair, plane, {visible.row, at.column, visible.rows, 1}, stop, profiles.second);
  // In a folded line both run along the one dimension.
  const bool isFolded = plane.rowDimension < 0;
  place(profiles.first,
        plane,
        plane.columnDimension,
        isFolded ? at.row * plane.columns : 0,
        1,
        {visible.column, at.column});
  place(profiles.second,
        plane,
        isFolded ? plane.columnDimension : plane.rowDimension,
        isFolded ? at.column : 0,
        isFolded ? plane.columns : 1,
        {visible.row, at.row});
  return profiles;
}

}  // namespace ulp::views
