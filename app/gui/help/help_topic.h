#pragma once

#include <vector>

#include <QtCore/QPoint>
#include <QtCore/QString>

#include "views/framework/words/metric_text.h"

class QWidget;

namespace ulp::app {

/// What help is wanted about.
struct HelpTopic {
  QString metric;   ///< id; empty: none
  QString viewKey;  ///< shortcut of a view, in portable text; empty: none
};

/// What is under the mouse or has the keyboard: the metric of a table's heading, of the toolbar's
/// box, of a column or row; else the view that has the keyboard, or that under the mouse. Headings
/// and rows belong to a metric where their tool tips explain it.
[[nodiscard]] HelpTopic helpTopic(const QPoint& mouse,
                                  QWidget* focus,
                                  const std::vector<views::MetricInfo>& metrics);

}  // namespace ulp::app
