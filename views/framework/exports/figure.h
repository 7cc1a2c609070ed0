#pragma once

#include <memory>

#include <QtCore/QByteArray>
#include <QtCore/QSizeF>
#include <QtCore/QString>
#include <QtGui/QFont>
#include <QtGui/QImage>

#include "core/base/result.h"
#include "views/framework/exports/exhibit.h"
#include "views/framework/look/theme.h"

class QPicture;

namespace ulp::views {

/// Pixels of the text of figures.
inline constexpr int kFigureTextPixels = 12;
/// The font of pictures that leave the program: the same on every machine that has it, in pixels so
/// that no device scales it.
[[nodiscard]] QFont figureFont(int pixels = kFigureTextPixels, bool isBold = false);
/// Of the pixels in which figures and pages are laid out.
inline constexpr double kFigureDotsPerInch = 96;

/// The exhibit with its picture drawn once and for all at `size`, in the colours of the light
/// theme: from then on it can be painted on any thread. On the GUI thread.
[[nodiscard]] Exhibit recorded(const Exhibit& exhibit, const QSizeF& size);

/// A chart or table with its title above and the line on where it comes from below, on the
/// background of its theme. Painted once; from then on it may be copied and drawn on any device and
/// any thread.
class Figure {
 public:
  /// `size` is that of the chart alone; empty: as the exhibit prefers. An exhibit without a picture
  /// is shown as its table, of at most kMaxTableRows rows.
  [[nodiscard]] static Figure make(const Exhibit& exhibit,
                                   const QString& provenance,
                                   const QSizeF& size = {},
                                   const Theme& theme = lightTheme());

  [[nodiscard]] const QString& title() const { return m_title; }
  [[nodiscard]] QSizeF size() const { return m_size; }  ///< with title and provenance
  /// With its top left corner at the painter's origin.
  void draw(QPainter& painter) const;

  [[nodiscard]] QImage toImage(double scale) const;
  /// Errors: InvalidArgument for a picture that is too large; Internal when it cannot be encoded.
  [[nodiscard]] Result<QByteArray> toPng(double scale) const;
  /// Curves as paths, text as text. Width and height are those of a screen with 96 dots per inch.
  [[nodiscard]] Result<QByteArray> toSvg() const;
  /// One page of the figure's size, for inclusion in a document.
  [[nodiscard]] Result<QByteArray> toPdf() const;

  static constexpr std::size_t kMaxTableRows = 60;

 private:
  QString m_title;
  QString m_provenance;
  QSizeF m_size;
  std::shared_ptr<const QPicture> m_picture;
};

}  // namespace ulp::views
