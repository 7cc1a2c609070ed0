#pragma once

#include <functional>

#include <QtCore/QRectF>
#include <QtCore/QSizeF>
#include <QtCore/QString>

#include "core/report/tables/data_table.h"
#include "views/framework/look/theme.h"

class QPainter;

namespace ulp::views {

/// A chart or table of a view as it leaves the program: copied, written to a file, put into a
/// report, or read aloud as its table twin. The functions are valid as long as the view shows what
/// it showed when it was asked; they are called on the GUI thread.
struct Exhibit {
  QString id;     ///< unique within the view, fit for a file name: "depth", "worst-elements"
  QString title;  ///< what it shows, with variants and metric
  QSizeF size{720, 420};  ///< preferred, in device-independent pixels
  /// Paints it into `area` in the colours of `theme`, also onto vector devices. Empty: there is
  /// only a table.
  std::function<void(QPainter& painter, const QRectF& area, const Theme& theme)> paint{};
  /// What is drawn, as rows. Never empty.
  std::function<report::DataTable()> table{};
  /// `table` reads only what nothing changes: it may be called later and on any thread. For tables
  /// of many rows.
  bool isTableThreadSafe = false;
};

}  // namespace ulp::views
