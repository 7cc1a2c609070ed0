#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <QtCore/QList>
#include <QtCore/QPointF>
#include <QtCore/QRect>
#include <QtGui/QColor>
#include <QtGui/QImage>

namespace ulp::views::charts {

/// How a curve is drawn; `width` in pixels of the image, dashes in widths, as of a QPen.
struct CurvePen {
  QColor color;
  double width = 1;
  QList<qreal> dashes;
};

/// Draws curves into a picture column by column. A stroke of QPainter takes time by the square of
/// what lies in one row of pixels, which for a line that goes up and down in every column is
/// seconds; here a curve costs its points and its pixels, so that dozens of curves of thousands of
/// points follow the mouse.
class CurveRaster {
 public:
  /// Swift: columns are not halved, so that edges across are rougher, for pictures that move.
  enum class Detail : std::uint8_t { Fine, Swift };

  /// `image`: Format_RGB32, must outlive this. Nothing is drawn outside `clip` (pixels).
  CurveRaster(QImage& image, const QRect& clip, Detail detail = Detail::Fine);

  /// `points`: in pixels of the image, x not falling.
  void draw(std::span<const QPointF> points, const CurvePen& pen);

 private:
  /// What of half a column of pixels (Swift: of a column) a curve covers, before it is given its
  /// width.
  struct Half {
    float low = std::numeric_limits<float>::infinity();
    float high = -std::numeric_limits<float>::infinity();  ///< below low: nothing
    bool isOn = true;

    [[nodiscard]] bool isEmpty() const { return high < low; }
    void add(float y) {
      low = std::min(low, y);
      high = std::max(high, y);
    }
  };

  void trace(std::span<const QPointF> points, const CurvePen& pen);
  void addSegment(const QPointF& from, const QPointF& to, double dashPlace);
  [[nodiscard]] bool isDashOn(double place) const;
  void widen(int reach);
  void grow(float width, float span);
  void fill(const CurvePen& pen);
  void fillColumn(int column, const Half& left, const Half& right);

  QImage& m_image;
  QRect m_clip;
  QRgb m_color = 0;
  float m_alpha = 1;
  bool m_countsAcross = false;   ///< dashes are measured along x alone
  std::vector<double> m_dashes;  ///< ends of dashes and gaps, in pixels; empty: one solid line
  int m_perColumn = 2;
  std::vector<Half> m_halves;  ///< m_perColumn a column of m_clip
  std::vector<Half> m_wide;
  int m_first = 0;  ///< halves that the curve touches
  int m_last = -1;
};

}  // namespace ulp::views::charts
