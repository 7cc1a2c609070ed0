#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <QtCore/QLatin1StringView>
#include <QtCore/QString>

#include "core/analysis/steps/spike.h"
#include "core/analysis/tokens/token_errors.h"
#include "core/base/result.h"
#include "views/charts/plot/depth_axis.h"
#include "views/charts/raster/raster.h"
#include "views/framework/document/kept_tensors.h"
#include "views/framework/document/report_document.h"
#include "views/framework/document/selection.h"

namespace ulp::views {

/// What the rows of a heatmap are; its columns are always layers.
enum class HeatmapMode : std::uint8_t {
  Variants,
  Modules,
  Tokens,
  Heads,
  Samples,
  Steps,
  Ranks,
  Positions
};

/// How a mode is called.
struct HeatmapModeInfo {
  HeatmapMode mode;
  QLatin1StringView id;       ///< stable, for the settings
  QLatin1StringView subject;  ///< of DrawRequest; empty: it needs a window
  QString choice;             ///< in the list of modes: "Modules × layers"
  QString title;              ///< of a heatmap; %1: the variant that it is of, where it is of one
  QString part;               ///< what a row is a part of a variant as, "Token"; empty: no part
};
/// Returns every mode, in the order of HeatmapMode.
[[nodiscard]] std::vector<HeatmapModeInfo> heatmapModes();
[[nodiscard]] HeatmapModeInfo infoOf(HeatmapMode mode);
[[nodiscard]] std::optional<HeatmapMode> parseHeatmapMode(const QString& id);

/// Tells whether rows are units of a dump: runs of a report that compares two of them (Run::axes).
[[nodiscard]] constexpr bool isOfUnits(HeatmapMode mode) {
  return mode == HeatmapMode::Steps || mode == HeatmapMode::Ranks;
}
/// Tells whether rows are parts of tensors, which have to be read.
[[nodiscard]] constexpr bool isOfParts(HeatmapMode mode) {
  return mode == HeatmapMode::Tokens || mode == HeatmapMode::Heads;
}

struct HeatmapRow {
  QString label;
  QString description;  ///< in full, for read-outs and tables
  int variant = -1;     ///< in mode Variants
  /// In modes Steps, Ranks and Positions: which one.
  std::optional<std::int64_t> unit{};
  int unitCount = 0;  ///< of which its cells show the worst
  QString token{};    ///< in mode Positions, where it is known
  QString part{};     ///< in mode Positions: "prompt", "generated"
};

/// A heatmap with where its cells come from. Made off the GUI thread where it is large.
struct Heatmap {
  HeatmapMode mode = HeatmapMode::Variants;
  MetricInfo metric;  ///< as it is drawn: asDrawn()
  int variant = -1;   ///< of all rows; -1 where rows have their own
  QString filter{};   ///< in modes Steps and Ranks: which units, UnitFilter::id
  QString units{};    ///< the same in words; in mode Positions where those begin that are generated
  std::vector<HeatmapRow> rows;
  charts::DepthAxis columns;
  std::vector<int> sites;       ///< site of each cell, row-major; -1: none
  std::vector<int> variants{};  ///< the same where the cells of a row are of several; else empty
  std::vector<int> counted{};   ///< parallel to it: units of the row that have a value there
  /// Cells where a spike begins (analysis::findSpikes()), row-major; empty: there is none.
  std::vector<std::uint8_t> spikes{};
  /// In mode Positions: of each row which tokens have another largest logit.
  std::vector<report::PositionTops> tops{};
  /// In mode Positions, as long as rows stand in order: the first one that was generated; -1: none.
  int generatedFrom = -1;
  charts::RasterGridPtr grid;
  /// Finite values over all variants, so that the colours mean the same for each of them.
  double smallest = std::numeric_limits<double>::infinity();
  double smallestAboveZero = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();

  [[nodiscard]] bool hasValues() const { return smallest <= largest; }

  [[nodiscard]] const HeatmapRow& row(int index) const {
    return rows[static_cast<std::size_t>(index)];
  }
  [[nodiscard]] int rowCount() const { return static_cast<int>(rows.size()); }
  /// Returns the first row whose `member` (its label, variant or unit) has this value; -1: none.
  template <class Value>
  [[nodiscard]] int findRow(Value HeatmapRow::*member, const Value& value) const {
    const auto found = std::ranges::find(rows, value, member);
    return found == rows.end() ? -1 : static_cast<int>(found - rows.begin());
  }
  [[nodiscard]] bool isEmpty() const { return rows.empty() || columns.size() == 0; }
  [[nodiscard]] int siteAt(int row, int column) const {
    return sites[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns.size()) +
                 static_cast<std::size_t>(column)];
  }
  /// First column that shows a tensor, -1: none.
  [[nodiscard]] int columnOf(int site) const;
  [[nodiscard]] int variantAt(int row, int column) const;  ///< -1: none
};

/// Fills a grid cell by cell, everything missing at first.
class GridBuilder {
 public:
  GridBuilder(int rows, int columns);
  /// An undefined value is missing unless it is undefined because of elements that are no numbers.
  void set(int row, int column, double value, std::uint64_t nonFinite);
  [[nodiscard]] charts::RasterGridPtr take() { return std::move(m_grid); }

 private:
  std::shared_ptr<charts::RasterGrid> m_grid;
};

/// Takes a value into what the colours reach over; ignores one that is not finite.
void addToExtent(Heatmap& heatmap, double value);

/// Elements of a variant's tensor that are no numbers.
[[nodiscard]] std::uint64_t nonFiniteAt(const ReportDocument& document, int variant, int site);
/// A metric as the report has it; one that nobody knows for -1.
[[nodiscard]] MetricInfo metricInfo(const ReportDocument& document, int metric);
/// Its value as the colours show it: asDrawn().
[[nodiscard]] double shownValue(const ReportDocument& document, int variant, int site, int metric);

/// What a heatmap is made of where it needs the report alone.
struct HeatmapRequest {
  HeatmapMode mode = HeatmapMode::Variants;  ///< but those of parts
  QString kind = charts::layerRowsId();      ///< one of charts::rowKinds()
  QString units{};                           ///< in modes Steps and Ranks: UnitFilter::id
  int variant = 0;                           ///< in modes Modules, Samples and Positions
  PassFilter shown = PassFilter::ForwardBackward;
  int metric = -1;
  double spikeFactor = analysis::SpikeLimits().factor;  ///< over the median of the steps before
};
/// The heatmaps of the modes of the same name.
[[nodiscard]] Heatmap variantsByLayer(const ReportDocument& document,
                                      const HeatmapRequest& request);
/// Modules of every layer in the order of execution, and the layers themselves.
[[nodiscard]] Heatmap modulesByLayer(const ReportDocument& document, const HeatmapRequest& request);
/// One row a sample of a variant.
[[nodiscard]] Heatmap samplesByLayer(const ReportDocument& document,
                                     const HeatmapRequest& request,
                                     const SampleValues& values);
/// Makes the heatmap of a mode. Reads a file in modes Samples and Positions. Errors: NotFound where
/// the runs of the report are no units of a dump; those of readSampleValues() and
/// positionsByLayer().
[[nodiscard]] Result<Heatmap> makeHeatmap(const ReportDocument& document,
                                          const HeatmapRequest& request);

/// Errors of one column's tokens or heads; nothing where the tensors were not kept whole.
using PartColumn = std::optional<analysis::PartErrors>;

/// `metric`: that of `parts`, as the report has it; `axis`: the tensors; `parts`: parallel to it,
/// shorter while they are being computed. `batchTokens`: tokens in one sequence, to name those of
/// several; 0: one sequence.
[[nodiscard]] Heatmap partsByLayer(HeatmapMode mode,
                                   const MetricInfo& metric,
                                   int variant,
                                   charts::DepthAxis axis,
                                   const std::vector<PartColumn>& parts,
                                   std::int64_t batchTokens);

/// How rows are ordered. All but the first two put the worst first, missing rows last.
enum class RowOrder : std::uint8_t { Execution, Name, Mean, Maximum, Column };

[[nodiscard]] QString toText(RowOrder order);
[[nodiscard]] std::optional<RowOrder> parseRowOrder(const QString& text);

/// `column` for RowOrder::Column. Rows with elements that are not numbers come first when the worst
/// does. Equal rows keep their order.
[[nodiscard]] Heatmap sorted(const Heatmap& heatmap, RowOrder order, int column);

/// A tensor whose channels are heads.
struct HeadTensor {
  QString id;  ///< stable
  QString title;
  QString module;  ///< below a layer
  Pass pass = Pass::Forward;
};
/// Those that the report has in the passes shown.
[[nodiscard]] std::vector<HeadTensor> headTensors(const ReportDocument& document, PassFilter shown);

/// Channels of one attention head, from the width of the rotary embedding; nothing where the report
/// does not tell.
[[nodiscard]] std::optional<std::int64_t> headSize(const ReportDocument& document);

}  // namespace ulp::views
