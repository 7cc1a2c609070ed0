#pragma once

#include <vector>

#include <QtWidgets/QScrollArea>

#include "views/framework/look/theme.h"

class QCheckBox;
class QVBoxLayout;

namespace ulp::views::charts {

struct LegendEntry {
  QString name;
  int style = 0;
  bool isNoise = false;  ///< that others are measured by
  QString sameAs{};      ///< another one with the same values; empty: none
};

/// All variants with their colour, marker and dash; a checkbox shows or hides each, a click on the
/// name shows it alone, and the context menu makes it the noise that others are measured by.
class VariantLegend : public QScrollArea {
  Q_OBJECT

 public:
  explicit VariantLegend(QWidget* parent = nullptr);

  /// Keeps what is checked when the names are the same.
  void setEntries(const std::vector<LegendEntry>& entries, const Theme& theme);
  void setTheme(const Theme& theme);
  [[nodiscard]] std::vector<bool> visibleEntries() const;
  void setShown(int entry, bool shown);
  /// Returns the names of what is not shown.
  [[nodiscard]] QStringList hiddenNames() const;
  /// Hides entries of these names, now and when the next entries come; all others are shown.
  void setHiddenNames(const QStringList& names);
  /// Shows one entry alone; all of them where it is alone already.
  void isolate(int entry);
  [[nodiscard]] QSize sizeHint() const override;

 Q_SIGNALS:
  void visibilityChanged();
  void noiseRequested(const QString& variant);

 private:
  QCheckBox* makeBox(const QString& variant);
  [[nodiscard]] int placeOf(const QString& variant) const;
  static void describeBox(QCheckBox& box, const LegendEntry& entry, const QString& name);

  std::vector<LegendEntry> m_entries;
  QStringList m_hiddenNext;  ///< among the next entries
  std::vector<QCheckBox*> m_boxes;
  QWidget* m_content;
  QVBoxLayout* m_layout;
};

}  // namespace ulp::views::charts
