#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QtCore/QMimeData>
#include <QtCore/QString>
#include <QtGui/QImage>

#include "core/base/result.h"
#include "views/framework/exports/exhibit.h"
#include "views/framework/exports/figure.h"

namespace ulp::views {

/// A format in which an exhibit or a report leaves the program.
struct ExportChoice {
  QString id;              ///< "svg"
  QString title;           ///< "SVG picture"
  QString extension;       ///< ".svg"
  bool hasScale = false;   ///< a picture of pixels
  bool isPicture = false;  ///< has the size of the figure
};

/// Those of exhibits: pictures first, then what tables can be written as.
[[nodiscard]] std::vector<ExportChoice> exhibitFormats();

/// An exhibit as it was at one moment, to be written on any thread. Made on the GUI thread; quick,
/// since pictures are only recorded.
class TakenExhibit {
 public:
  /// `size` of the chart; empty: as it prefers.
  [[nodiscard]] static TakenExhibit take(const Exhibit& exhibit,
                                         const QString& provenance,
                                         const QSizeF& size = {});

  /// PDF of a table alone is a document of several pages. `scale`: pixels of a PNG for each of the
  /// figure, 1 … 4. Errors: InvalidArgument for an unknown format; those of the writers.
  [[nodiscard]] Result<std::string> write(const QString& format, double scale = 1) const;

  /// What the clipboard gets; several programs each take what they like best.
  struct Copy {
    QByteArray text;  ///< TSV, C locale, every digit
    QString html;     ///< the table as it is shown
    QImage image;
    QByteArray svg;
  };
  [[nodiscard]] Result<Copy> copy(double imageScale) const;

  [[nodiscard]] report::DataTable table() const { return m_table(); }
  [[nodiscard]] const QString& title() const { return m_title; }
  /// Empty for a table alone, whose size is known once it has been made.
  [[nodiscard]] QSizeF figureSize() const { return m_figure ? m_figure->size() : QSizeF(); }

 private:
  [[nodiscard]] Figure figure() const;

  QString m_title;
  QString m_provenance;
  std::optional<Figure> m_figure;  ///< none: there is a table only
  std::function<report::DataTable()> m_table;
};

[[nodiscard]] std::unique_ptr<QMimeData> mimeData(const TakenExhibit::Copy& copy);

}  // namespace ulp::views
