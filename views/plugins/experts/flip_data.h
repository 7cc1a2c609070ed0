#pragma once

#include <cstdint>
#include <vector>

#include <QtCore/QString>

#include "core/report/tables/data_table.h"
#include "views/charts/plot/viewport.h"
#include "views/framework/document/report_document.h"

namespace ulp::views {

/// A router of the model: a place on the axis of layers.
struct RouterColumn {
  QString name;  ///< of its row
  int layer = -1;
};

struct FlipPoint {
  double x = 0;  ///< place among the routers; or log10 of the margin
  std::uint64_t tokens = 0;
  std::uint64_t flipped = 0;

  [[nodiscard]] double share() const {
    return static_cast<double>(flipped) / static_cast<double>(tokens);
  }
};

/// Share of flipped tokens of a variant.
struct FlipLine {
  QString run;
  int style = 0;
  std::vector<FlipPoint> byLayer;   ///< those routers that have tokens
  std::vector<FlipPoint> byMargin;  ///< of all layers; ascending
};

struct FlipData {
  std::vector<RouterColumn> routers;  ///< of all variants, in order of execution
  std::vector<FlipLine> lines;
  charts::Range margins{-1, 0};  ///< log10, of all lines
  double largestByLayer = 0;     ///< share
  double largestByMargin = 0;

  [[nodiscard]] bool isEmpty() const { return lines.empty(); }
  [[nodiscard]] int findRouter(const QString& name) const;  ///< -1: none
  [[nodiscard]] int findLine(const QString& run) const;     ///< -1: none
};

/// Of the variants with routers; `chosen`: those to take, empty: all.
[[nodiscard]] FlipData makeFlipData(const ReportDocument& document, const QStringList& chosen = {});
/// "12 (model.layers.12.mlp.gate)" for read-outs; "12" where the axis has room for no more.
[[nodiscard]] QString routerText(const RouterColumn& router);
[[nodiscard]] report::DataTable flipTable(const QString& title, const FlipData& data);

}  // namespace ulp::views
