#pragma once

#include <vector>

#include <QtCore/QString>

#include "views/framework/document/report_document.h"
#include "views/framework/document/selection.h"

namespace ulp::views::charts {

/// One position of the depth axis.
struct DepthSlot {
  int site = -1;  ///< in ReportDocument::sites()
  Pass pass = Pass::Forward;
  int layer = -1;  ///< -1 outside layers
  QString name;    ///< of the site
  QString label;   ///< short: "emb", "11", "logits"; empty for modules between layer rows
};

/// Rows that a depth chart can show: the layer rows, every row, or one module in all layers.
struct RowKind {
  QString id;  ///< "layers", "all", or a module below a layer: "mlp.down_proj"
  QString title;
};

[[nodiscard]] QString layerRowsId();
[[nodiscard]] QString allRowsId();
/// The kinds that the report has, layer rows first. Computed from names only.
[[nodiscard]] std::vector<RowKind> rowKinds(const ReportDocument& document);

/// The folded axis: forward from left to right in execution order, then backward going on to the
/// right, back from the logits to the first layer.
struct DepthAxis {
  std::vector<DepthSlot> positions;
  /// Index of the first slot behind the fold; 0 or size() where there is only one pass.
  int fold = 0;

  [[nodiscard]] int size() const { return static_cast<int>(positions.size()); }
  [[nodiscard]] const DepthSlot& at(int slot) const {
    return positions[static_cast<std::size_t>(slot)];
  }
  [[nodiscard]] int find(int site) const;  ///< slot of a site, -1: not on this axis
  /// Slot of the layer that a site belongs to, in its pass; -1: the axis has nothing of it.
  [[nodiscard]] int findLayer(const Site& site) const;
};

[[nodiscard]] DepthAxis makeDepthAxis(const ReportDocument& document,
                                      const QString& kind,
                                      PassFilter shown);

/// The kind of rows among which a site is drawn that others leave out: its own module in all layers
/// where that is one, so that no row is narrow.
[[nodiscard]] QString rowKindOf(const Site& site);

/// The part of a module's path below its layer ("mlp.down_proj"), or empty outside layers.
[[nodiscard]] QString moduleBelowLayer(const Site& site);

}  // namespace ulp::views::charts
