#pragma once

#include <functional>
#include <optional>

#include <QtWidgets/QWidget>

#include "views/charts/raster/color_scale.h"
#include "views/charts/raster/range_bar.h"

class QCheckBox;
class QPushButton;

namespace ulp::views::charts {

/// The four looks of a raster that are no colours of its map, each with its number of cells.
class ClassLegend : public QWidget {
  Q_OBJECT

 public:
  explicit ClassLegend(QWidget* parent = nullptr);

  void setTheme(const Theme& theme);
  void setScale(const ColorScale& scale);
  void setCounts(const ClassCounts& counts);
  [[nodiscard]] const ClassCounts& counts() const { return m_counts; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void describe();

  Theme m_theme;
  ColorScale m_scale;
  ClassCounts m_counts;
};

/// What the colours of a raster mean, and the means to change it: histogram with two ends, fit to
/// the values once or always, and a legend of what has a look of its own with its counts.
class RangeControl : public QWidget {
  Q_OBJECT

 public:
  explicit RangeControl(QWidget* parent = nullptr);

  void setTheme(const Theme& theme);
  /// Other values. The range stays unless it always fits; then rangeChanged() follows.
  void setDistribution(const ValueDistribution& distribution);
  void setCounts(const ClassCounts& counts);
  void setScale(const ColorScale& scale);
  void setUnit(double factor, std::function<QString(double)> text);
  void setAlwaysFit(bool always);
  /// What fit() reaches over instead: the values of several views. Nothing: those shown.
  void setSharedFit(const std::optional<Range>& range);

  [[nodiscard]] const ColorScale& scale() const { return m_bar->scale(); }
  [[nodiscard]] const ClassCounts& counts() const;
  [[nodiscard]] bool alwaysFits() const;
  [[nodiscard]] RangeBar& bar() { return *m_bar; }
  /// As the button does.
  void fit();

 Q_SIGNALS:
  void rangeChanged(const ulp::views::charts::Range& range);

 private:
  ValueDistribution m_distribution;
  std::optional<Range> m_sharedFit;
  RangeBar* m_bar;
  ClassLegend* m_legend;
  QPushButton* m_fit;
  QCheckBox* m_always;
};

}  // namespace ulp::views::charts
