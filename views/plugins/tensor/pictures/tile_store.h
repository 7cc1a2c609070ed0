#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include <QtCore/QObject>
#include <QtCore/QSize>

#include "core/analysis/tensors/tensor_pyramid.h"
#include "views/charts/raster/raster.h"
#include "views/framework/threads/background.h"

namespace ulp::views {

/// Which element stands for the many of a cell.
enum class CellValue : std::uint8_t { Extreme, Mean };

/// A picture of a plane, or of a part of it, ready to be drawn.
struct TileImage {
  analysis::PlaneRect rect;  ///< elements that it covers
  std::int64_t rowsPerCell = 1;
  std::int64_t columnsPerCell = 1;
  bool isPreview = false;
  charts::RasterGridPtr extreme;
  charts::RasterGridPtr mean;  ///< the same as `extreme` where a cell is an element

  [[nodiscard]] const charts::RasterGridPtr& grid(CellValue value) const {
    return value == CellValue::Mean ? mean : extreme;
  }
};
using TileImagePtr = std::shared_ptr<const TileImage>;

/// Signed quantities lie around zero, errors in decades.
[[nodiscard]] charts::ScaleKind scaleKindOf(analysis::Quantity quantity);
[[nodiscard]] TileImagePtr toImage(const analysis::TileGrid& tiles,
                                   const analysis::TensorPlane& plane);
/// A range that shows all but the rarest values in different colours: what lies beyond it is marked
/// as such, instead of making everything else look alike.
[[nodiscard]] charts::Range usualRange(const charts::ValueDistribution& distribution);

/// Pictures of one plane of a pair of tensors in every quantity, read in the background: a preview
/// at once where the plane is large, then the pyramid, then what is finer than it of the visible
/// part.
class TileStore : public QObject {
  Q_OBJECT

 public:
  /// Planes beyond so many elements are read by a thread of their own, after a preview.
  static constexpr std::int64_t kLargePlane = std::int64_t{4} << 20;

  /// `background` outlives the store.
  explicit TileStore(Background& background, QObject* parent = nullptr);

  /// Tensors of so many bytes on another machine are read as a whole without being asked to.
  static constexpr std::size_t kSmallElsewhere = std::size_t{16} << 20;

  /// Drops every picture and begins with these. A null pair: nothing. Of a large pair that lies on
  /// another machine only what is seen comes, one element for each pixel, until readWhole().
  void setPlane(const analysis::TensorPairPtr& pair, const analysis::TensorPlane& plane);
  /// Reads what is missing for these quantities; reading of others stops.
  void want(const std::vector<analysis::Quantity>& quantities);
  /// What is seen, and on how many device pixels.
  void look(const analysis::PlaneRect& visible, const QSize& pixels);

  /// The picture to draw for what is seen: the finest that covers it. Null: none yet.
  [[nodiscard]] TileImagePtr image(analysis::Quantity quantity) const;
  /// Of the finest picture of the whole plane; empty: none yet.
  [[nodiscard]] const charts::ValueDistribution& distribution(analysis::Quantity quantity) const;
  /// The finest picture of the whole plane; null: none yet.
  [[nodiscard]] TileImagePtr whole(analysis::Quantity quantity) const;
  [[nodiscard]] bool isBusy() const;
  /// Of the pyramids being read, 0 … 1; 1 when none is.
  [[nodiscard]] double progress() const;
  void cancel();
  /// The whole tensors come, also for the planes that follow of this pair.
  void readWhole();
  /// They do not, because nobody asked for it.
  [[nodiscard]] bool waitsForWhole() const { return m_pair != nullptr && !m_readsWhole; }

 Q_SIGNALS:
  void imagesChanged();
  void busyChanged();

 private:
  struct Picture {
    TileImagePtr preview;
    std::vector<TileImagePtr> levels;  ///< finest first
    TileImagePtr patch;                ///< finer than the levels, of a part
    charts::ValueDistribution distribution;
    std::shared_ptr<analysis::Progress> progress;  ///< null: not being read
  };

  [[nodiscard]] Picture& picture(analysis::Quantity quantity) {
    return m_pictures[static_cast<std::size_t>(quantity)];
  }
  [[nodiscard]] const Picture& picture(analysis::Quantity quantity) const {
    return m_pictures[static_cast<std::size_t>(quantity)];
  }
  [[nodiscard]] QString tag(const char* work, analysis::Quantity quantity) const;
  [[nodiscard]] bool isLarge() const { return m_plane.cells > kLargePlane; }
  /// Cells of the coarsest picture of the whole plane.
  [[nodiscard]] analysis::TileSize wholeCell() const;
  void readPreview(analysis::Quantity quantity);
  void readPyramid(analysis::Quantity quantity);
  void readPatch(analysis::Quantity quantity);

  Background& m_shared;
  analysis::TensorPairPtr m_pair;
  bool m_readsWhole = true;
  analysis::TensorPlane m_plane;
  std::vector<analysis::Quantity> m_wanted;
  analysis::PlaneRect m_visible;
  QSize m_pixels;
  std::array<Picture, analysis::kQuantities.size()> m_pictures;
  Background m_own;  ///< for large planes; last: its work ends before the rest dies
};

}  // namespace ulp::views
