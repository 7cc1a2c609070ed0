#pragma once

#include <map>
#include <string>

#include <QtWidgets/QScrollArea>

class QDoubleSpinBox;
class QPushButton;

namespace ulp::views {

class FindingNavigator;

/// The thresholds of all rules, to be changed. What is changed is kept in the settings and takes
/// effect at once.
class ThresholdPane : public QScrollArea {
  Q_OBJECT

 public:
  explicit ThresholdPane(FindingNavigator& navigator, QWidget* parent = nullptr);

  /// Null where there is no such threshold.
  [[nodiscard]] QDoubleSpinBox* box(const std::string& id) const;
  [[nodiscard]] QPushButton& defaults() { return *m_defaults; }

 private:
  void showValues();

  FindingNavigator& m_navigator;
  std::map<std::string, QDoubleSpinBox*> m_boxes;
  QPushButton* m_defaults;
};

}  // namespace ulp::views
