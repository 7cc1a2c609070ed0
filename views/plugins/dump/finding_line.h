#pragma once

#include <functional>

#include <QtWidgets/QWidget>

#include "core/report/model/finding.h"
#include "views/framework/look/theme.h"

class QLabel;
class QPushButton;

namespace ulp::views {

/// One finding in a line: a glyph, what was found, and the button that leads there.
class FindingLine : public QWidget {
  Q_OBJECT

 public:
  explicit FindingLine(QWidget* parent = nullptr);

  /// `index`: of the finding, among those of the navigator. `namesRun`: in front of what was found
  /// stands where.
  void showFinding(const report::Finding& finding, int index, bool namesRun = false);
  /// Says something that leads nowhere.
  void showText(Severity severity, const QString& text);

 Q_SIGNALS:
  void showRequested(int index);

 private:
  void setText(Severity severity, const QString& text);

  QLabel* m_text;
  QPushButton* m_show;
  int m_index = -1;
};

}  // namespace ulp::views
