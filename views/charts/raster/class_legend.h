#pragma once

#include <QtWidgets/QWidget>

#include "views/charts/raster/color_scale.h"

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

}  // namespace ulp::views::charts
