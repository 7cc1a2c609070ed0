#include "views/plugins/tensor/pictures/tile_store.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace ulp::views {
namespace {

using analysis::PlaneRect;
using analysis::Quantity;

/// Cells of a preview along each side: what can be told apart in a first look.
constexpr std::int64_t kPreviewRows = 240;
constexpr std::int64_t kPreviewColumns = 400;
/// Elements that may be read for one look at a part.
constexpr std::int64_t kMostPatchElements = std::int64_t{12} << 20;
/// The same where they come from another machine.
constexpr std::int64_t kMostFetchedElements = std::int64_t{1} << 18;

std::int64_t ceilDivide(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

bool covers(const PlaneRect& whole, const PlaneRect& part) {
  return whole.row <= part.row && whole.column <= part.column &&
         whole.row + whole.rows >= part.row + part.rows &&
         whole.column + whole.columns >= part.column + part.columns;
}

/// With a margin around it, so that panning a little needs no reading.
PlaneRect widened(const PlaneRect& rect, const analysis::TensorPlane& plane) {
  const auto grown = [](std::int64_t first, std::int64_t size, std::int64_t limit) {
    const std::int64_t margin = size / 4 + 1;
    const std::int64_t low = std::max<std::int64_t>(0, first - margin);
    return std::pair(low, std::min(limit, first + size + margin) - low);
  };
  const auto [row, rows] = grown(rect.row, rect.rows, plane.rows);
  const auto [column, columns] = grown(rect.column, rect.columns, plane.columns);
  return {row, column, rows, columns};
}

std::int64_t cellsFor(std::int64_t elements, int pixels) {
  std::int64_t perCell = 1;
  while (ceilDivide(elements, perCell) > std::max(1, pixels)) {
    perCell *= 2;
  }
  return perCell;
}

/// Errors: the largest matter, the smallest few only use up colours.
charts::Range withoutLowest(const charts::ValueDistribution& distribution,
                            const charts::Range& full,
                            std::uint64_t dropped) {
  const charts::ColorScale scale{.kind = distribution.kind, .range = distribution.extent};
  const charts::Range ends = scale.positions();
  const double width = ends.span() / static_cast<double>(distribution.bins.size());
  std::uint64_t seen = 0;
  for (std::size_t bin = 0; bin < distribution.bins.size(); ++bin) {
    seen += distribution.bins[bin];
    if (seen > dropped) {
      return {scale.valueAt(ends.low + width * static_cast<double>(bin)), full.high};
    }
  }
  return full;
}

/// The smallest -x … x that holds so many cells.
charts::Range withoutOutliers(const charts::ValueDistribution& distribution,
                              const charts::Range& full,
                              std::uint64_t kept) {
  const double width = distribution.extent.span() / static_cast<double>(distribution.bins.size());
  std::vector<std::pair<double, std::uint64_t>> byMagnitude;
  for (std::size_t bin = 0; bin < distribution.bins.size(); ++bin) {
    const double low = distribution.extent.low + width * static_cast<double>(bin);
    byMagnitude.emplace_back(std::max(std::abs(low), std::abs(low + width)),
                             distribution.bins[bin]);
  }
  std::sort(byMagnitude.begin(), byMagnitude.end());
  std::uint64_t seen = 0;
  for (const auto& [magnitude, count] : byMagnitude) {
    seen += count;
    if (seen >= kept && magnitude > 0) {
      return {-magnitude, magnitude};
    }
  }
  return full;
}

/// Whether a pair is too large to come from another machine unasked.
bool isFarAndLarge(const analysis::TensorPair& pair) {
  return analysis::hasParts(pair) && pair.reference.view.sizeBytes() > TileStore::kSmallElsewhere &&
         !analysis::isHere(
             pair, tensors::ElementGrid{.columns = static_cast<std::int64_t>(pair.count())});
}

struct ReadPicture {
  std::vector<TileImagePtr> images;
  charts::ValueDistribution distribution;
};

}  // namespace

charts::ScaleKind scaleKindOf(Quantity quantity) {
  return analysis::isSigned(quantity) ? charts::ScaleKind::Symmetric
                                      : charts::ScaleKind::Logarithmic;
}

TileImagePtr toImage(const analysis::TileGrid& tiles, const analysis::TensorPlane& plane) {
  auto image = std::make_shared<TileImage>();
  image->rect = {tiles.firstRow,
                 tiles.firstColumn,
                 std::min(tiles.rows * tiles.rowsPerCell, plane.rows - tiles.firstRow),
                 std::min(tiles.columns * tiles.columnsPerCell, plane.columns - tiles.firstColumn)};
  image->rowsPerCell = tiles.rowsPerCell;
  image->columnsPerCell = tiles.columnsPerCell;
  image->isPreview = tiles.isPreview;
  charts::RasterGrid extreme;
  extreme.rows = static_cast<int>(tiles.rows);
  extreme.columns = static_cast<int>(tiles.columns);
  extreme.values.resize(tiles.cells.size());
  extreme.nonFinite.resize(tiles.cells.size());
  extreme.missing.resize(tiles.cells.size());
  charts::RasterGrid mean = extreme;
  for (std::size_t i = 0; i < tiles.cells.size(); ++i) {
    const analysis::TileCell& cell = tiles.cells[i];
    const bool hasValue = cell.values > 0;
    extreme.values[i] = hasValue ? cell.extreme() : 0;
    mean.values[i] = hasValue ? cell.mean : 0;
    extreme.nonFinite[i] = cell.nonFinite;
    // A cell of non-finite elements alone is there, but has no number.
    extreme.missing[i] = !hasValue && cell.nonFinite == 0 ? 1 : 0;
    if (!hasValue && cell.nonFinite > 0) {
      extreme.values[i] = mean.values[i] = std::numeric_limits<double>::quiet_NaN();
    }
  }
  mean.nonFinite = extreme.nonFinite;
  mean.missing = extreme.missing;
  image->extreme = std::make_shared<const charts::RasterGrid>(std::move(extreme));
  const bool isExact = tiles.rowsPerCell * tiles.columnsPerCell == 1;
  image->mean =
      isExact ? image->extreme : std::make_shared<const charts::RasterGrid>(std::move(mean));
  return image;
}

charts::Range usualRange(const charts::ValueDistribution& distribution) {
  const charts::Range full = charts::fittedRange(distribution);
  if (distribution.isEmpty() || distribution.extent.span() == 0) {
    return full;
  }
  const std::uint64_t total =
      std::accumulate(distribution.bins.begin(), distribution.bins.end(), std::uint64_t{0});
  return distribution.kind == charts::ScaleKind::Logarithmic
             ? withoutLowest(distribution, full, total / 100)
             : withoutOutliers(distribution, full, total - total / 500);
}

TileStore::TileStore(Background& background, QObject* parent)
    : QObject(parent), m_shared(background) {}

QString TileStore::tag(const char* work, Quantity quantity) const {
  return QStringLiteral("tiles/%1/%2/%3")
      .arg(reinterpret_cast<quintptr>(this))
      .arg(QLatin1String(work))
      .arg(static_cast<int>(quantity));
}

void TileStore::cancel() {
  for (const Quantity quantity : analysis::kQuantities) {
    for (const char* work : {"preview", "pyramid", "patch"}) {
      m_shared.cancel(tag(work, quantity));
      m_own.cancel(tag(work, quantity));
    }
    picture(quantity).progress.reset();
  }
  Q_EMIT busyChanged();
}

void TileStore::setPlane(const analysis::TensorPairPtr& pair, const analysis::TensorPlane& plane) {
  cancel();
  m_pictures = {};
  m_readsWhole = pair == nullptr || (m_pair == pair && m_readsWhole) || !isFarAndLarge(*pair);
  m_pair = pair;
  m_plane = plane;
  m_visible = {0, 0, plane.rows, plane.columns};
  m_wanted.clear();
}

void TileStore::want(const std::vector<Quantity>& quantities) {
  if (m_pair == nullptr) {
    return;
  }
  for (const Quantity quantity : m_wanted) {
    if (std::find(quantities.begin(), quantities.end(), quantity) == quantities.end() &&
        picture(quantity).progress != nullptr) {
      m_own.cancel(tag("pyramid", quantity));
      m_shared.cancel(tag("pyramid", quantity));
      picture(quantity).progress.reset();
    }
  }
  m_wanted = quantities;
  for (const Quantity quantity : quantities) {
    if ((isLarge() || !m_readsWhole) && picture(quantity).preview == nullptr) {
      readPreview(quantity);
    }
  }
  for (const Quantity quantity : quantities) {
    if (m_readsWhole && picture(quantity).levels.empty() && picture(quantity).progress == nullptr) {
      readPyramid(quantity);
    }
    readPatch(quantity);
  }
}

void TileStore::readWhole() {
  if (!waitsForWhole()) {
    return;
  }
  m_readsWhole = true;
  for (const Quantity quantity : m_wanted) {
    readPyramid(quantity);
  }
}

analysis::TileSize TileStore::wholeCell() const {
  return m_readsWhole ? analysis::finestTile(m_plane)
                      : analysis::TileSize{.rows = ceilDivide(m_plane.rows, kPreviewRows),
                                           .columns = ceilDivide(m_plane.columns, kPreviewColumns)};
}

void TileStore::look(const PlaneRect& visible, const QSize& pixels) {
  m_visible = visible;
  m_pixels = pixels;
  for (const Quantity quantity : m_wanted) {
    readPatch(quantity);
  }
}

void TileStore::readPreview(Quantity quantity) {
  m_shared.run<TileImagePtr>(
      tag("preview", quantity),
      this,
      [pair = m_pair, plane = m_plane, quantity](const std::stop_token& stop) -> TileImagePtr {
        const auto tiles =
            analysis::readPreview(*pair, plane, quantity, kPreviewRows, kPreviewColumns, stop);
        return tiles ? toImage(*tiles, plane) : nullptr;
      },
      [this, quantity](const TileImagePtr& image) {
        Picture& target = picture(quantity);
        target.preview = image;
        if (target.levels.empty() && image != nullptr) {
          target.distribution = charts::distributionOf(*image->extreme, scaleKindOf(quantity));
        }
        Q_EMIT imagesChanged();
      });
}

void TileStore::readPyramid(Quantity quantity) {
  auto progress = std::make_shared<analysis::Progress>();
  picture(quantity).progress = progress;
  Background& background = isLarge() ? m_own : m_shared;
  background.run<ReadPicture>(
      tag("pyramid", quantity),
      this,
      [pair = m_pair, plane = m_plane, quantity, progress](const std::stop_token& stop) {
        ReadPicture read;
        const auto pyramid = analysis::buildPyramid(*pair, plane, quantity, stop, progress.get());
        if (pyramid) {
          for (const analysis::TileGridPtr& level : pyramid->levels) {
            read.images.push_back(toImage(*level, plane));
          }
          read.distribution =
              charts::distributionOf(*read.images.front()->extreme, scaleKindOf(quantity));
        }
        return read;
      },
      [this, quantity](const ReadPicture& read) {
        Picture& target = picture(quantity);
        target.progress.reset();
        target.levels = read.images;
        target.distribution = read.distribution;
        readPatch(quantity);
        Q_EMIT imagesChanged();
        Q_EMIT busyChanged();
      });
  Q_EMIT busyChanged();
}

void TileStore::readPatch(Quantity quantity) {
  const analysis::TileSize finest = wholeCell();
  const std::int64_t rowsPerCell = cellsFor(m_visible.rows, m_pixels.height());
  const std::int64_t columnsPerCell = cellsFor(m_visible.columns, m_pixels.width());
  const bool isFiner = rowsPerCell < finest.rows || columnsPerCell < finest.columns;
  if (m_pair == nullptr || m_pixels.isEmpty() || !isFiner) {
    return;
  }
  const TileImagePtr& patch = picture(quantity).patch;
  if (patch != nullptr && covers(patch->rect, m_visible) && patch->rowsPerCell <= rowsPerCell &&
      patch->columnsPerCell <= columnsPerCell) {
    return;
  }
  const PlaneRect rect = widened(m_visible, m_plane);
  const bool isSampled = !m_readsWhole && rect.rows * rect.columns > kMostFetchedElements;
  if (!isSampled && rect.rows * rect.columns > kMostPatchElements) {
    return;
  }
  m_shared.run<TileImagePtr>(
      tag("patch", quantity),
      this,
      [pair = m_pair, plane = m_plane, quantity, rect, rowsPerCell, columnsPerCell, isSampled](
          const std::stop_token& stop) -> TileImagePtr {
        const analysis::TiledRect tiled{rect, {rowsPerCell, columnsPerCell}};
        const auto tiles = isSampled ? analysis::readPreviewOf(*pair, plane, quantity, tiled, stop)
                                     : analysis::readTiles(*pair, plane, quantity, tiled, stop);
        return tiles ? toImage(*tiles, plane) : nullptr;
      },
      [this, quantity](const TileImagePtr& image) {
        picture(quantity).patch = image;
        Q_EMIT imagesChanged();
      });
}

TileImagePtr TileStore::image(Quantity quantity) const {
  const Picture& from = picture(quantity);
  const bool isFiner =
      from.patch != nullptr && covers(from.patch->rect, m_visible) &&
      (from.levels.empty() || from.patch->columnsPerCell < from.levels.front()->columnsPerCell ||
       from.patch->rowsPerCell < from.levels.front()->rowsPerCell);
  if (isFiner) {
    return from.patch;
  }
  // Coarser levels than a pixel's worth would only lose detail; finer ones cost time.
  const std::int64_t mostRows = std::int64_t{2} * std::max(1, m_pixels.height());
  const std::int64_t mostColumns = std::int64_t{2} * std::max(1, m_pixels.width());
  for (const TileImagePtr& level : from.levels) {
    const std::int64_t rows = ceilDivide(m_visible.rows, level->rowsPerCell);
    const std::int64_t columns = ceilDivide(m_visible.columns, level->columnsPerCell);
    if (rows <= mostRows && columns <= mostColumns) {
      return level;
    }
  }
  return from.levels.empty() ? from.preview : from.levels.back();
}

TileImagePtr TileStore::whole(Quantity quantity) const {
  const Picture& from = picture(quantity);
  return from.levels.empty() ? from.preview : from.levels.front();
}

const charts::ValueDistribution& TileStore::distribution(Quantity quantity) const {
  return picture(quantity).distribution;
}

bool TileStore::isBusy() const {
  return std::any_of(m_pictures.begin(), m_pictures.end(), [](const Picture& one) {
    return one.progress != nullptr;
  });
}

double TileStore::progress() const {
  double sum = 0;
  int count = 0;
  for (const Picture& one : m_pictures) {
    if (one.progress != nullptr) {
      sum += one.progress->fraction();
      ++count;
    }
  }
  return count == 0 ? 1 : sum / count;
}

}  // namespace ulp::views
