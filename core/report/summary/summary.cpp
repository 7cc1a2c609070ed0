#include "core/report/summary/summary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "core/base/undefined.h"
#include "core/numerics/metrics/metric.h"
#include "core/report/summary/noise_floor.h"
#include "core/report/summary/parameter_category.h"
#include "core/report/summary/ulp_count.h"

namespace ulp::report {
namespace {

struct Entry {
  const Comparison* row = nullptr;
  double value = kUndefined;

  /// Whether there is no number since no element of the row is finite in both, which is worse than
  /// any number; else a value that is undefined says nothing.
  [[nodiscard]] bool isBroken() const {
    return std::isnan(value) && row->isAllNonFinite() &&
           row->referenceNonFinite.total() + row->variantNonFinite.total() > 0;
  }
};

/// What has a cell of its own, forward or backward.
constexpr std::array<std::string_view, 5> kSingleRows{
    "embeddings", "norm", "logits", "loss", "decoder.0"};

template <typename Key>
using Groups = std::map<Key, std::vector<Entry>>;

template <typename Key>
std::vector<Entry> groupOf(const Groups<Key>& groups, const Key& key) {
  const auto found = groups.find(key);
  return found == groups.end() ? std::vector<Entry>() : found->second;
}

/// The rows of one variant and one metric, as the cells need them. All are sorted in one pass: a
/// name is looked at once, not once a cell.
class RowFinder {
 public:
  RowFinder(const Report& report, const Run& run, std::size_t metric)
      : m_run(run),
        m_metric(metric),
        m_countsUlp(countsUlp(report.metrics[metric].id)),
        m_layers(report.model.layers) {
    for (const Comparison& row : run.comparisons) {
      if (isOfParameters(row.site.pass)) {
        addOfParameters(row);
      } else {
        addActivation(row);
      }
      if (row.site.level == Level::Layer) {
        m_layers = std::max(m_layers, row.site.layer + 1);
      }
    }
  }

  /// Of a row among kSingleRows; the first where there are several.
  [[nodiscard]] SummaryCell cellOf(std::string_view name, Pass pass) const {
    const auto found = m_single.find({name, pass});
    if (found == m_single.end()) {
      return {kUndefined, {}, 0};
    }
    const Comparison& row = *found->second;
    SummaryCell cell{valueOf(row), row.site, row.variantNonFinite.total()};
    setSpread(cell, row);
    return cell;
  }

  /// Layer rows between the first and the last layer; all of them in a model of one or two.
  [[nodiscard]] std::vector<Entry> middle(Pass pass) const {
    std::vector<Entry> entries = groupOf(m_layerRows, pass);
    std::erase_if(entries, [&](const Entry& entry) {
      const int layer = entry.row->site.layer;
      return m_layers >= 3 && (layer == 0 || layer >= m_layers - 1);
    });
    return entries;
  }

  /// Gradients of the parameters of a category: in the layers, or outside them.
  [[nodiscard]] std::vector<Entry> gradients(ParameterCategory category, bool inLayers) const {
    return groupOf(m_gradients, {category, inLayers});
  }

  /// Of the optimizer's step: what it adds to the parameters, or the state that it keeps.
  [[nodiscard]] const std::vector<Entry>& optimizer(bool isUpdate) const {
    return isUpdate ? m_updates : m_states;
  }

  void setSpread(SummaryCell& cell, const Comparison& row) const {
    if (m_metric < row.spread.size()) {
      cell.spread = row.spread[m_metric];
      cell.samples = m_run.samples;
    }
  }

 private:
  void addActivation(const Comparison& row) {
    const Site& site = row.site;
    if (std::ranges::find(kSingleRows, site.name) != kSingleRows.end()) {
      m_single.try_emplace({site.name, site.pass}, &row);
    }
    if (site.level == Level::Layer && site.layer >= 0) {
      m_layerRows[site.pass].push_back({&row, valueOf(row)});
    }
  }

  void addOfParameters(const Comparison& row) {
    const Site& site = row.site;
    const Entry entry{&row, valueOf(row)};
    if (site.pass == Pass::Optimizer) {
      (site.name.ends_with(".update") ? m_updates : m_states).push_back(entry);
    } else {
      m_gradients[{parameterCategory(site.name, row.shape.size()), site.layer >= 0}].push_back(
          entry);
    }
  }

  [[nodiscard]] double valueOf(const Comparison& row) const {
    if (m_metric >= row.metrics.size()) {
      return kUndefined;
    }
    const double value = row.metrics[m_metric];
    return m_countsUlp && !isSensibleUlp(row, value) ? kUndefined : value;
  }

  const Run& m_run;
  std::size_t m_metric;
  bool m_countsUlp;
  int m_layers;
  std::map<std::pair<std::string_view, Pass>, const Comparison*> m_single;
  Groups<Pass> m_layerRows;
  Groups<std::pair<ParameterCategory, bool>> m_gradients;
  std::vector<Entry> m_states;
  std::vector<Entry> m_updates;
};

SummaryCell cellWithoutNumber(const std::vector<Entry>& all) {
  SummaryCell cell{kUndefined, {}, 0};
  if (!all.empty()) {
    cell.site = all.front().row->site;
  }
  for (const Entry& entry : all) {
    cell.nonFinite += entry.row->variantNonFinite.total();
  }
  return cell;
}

/// Those that say something.
std::vector<Entry> tellingOf(std::vector<Entry> entries) {
  std::erase_if(entries,
                [](const Entry& entry) { return std::isnan(entry.value) && !entry.isBroken(); });
  return entries;
}

/// Rising values between what is broken, which stands at the end where values are worst. Of equal
/// ones the row that comes first, so that the place of a median is the same each time.
class IsBefore {
 public:
  explicit IsBefore(numerics::Better better) : m_isWorstLast(better == numerics::Better::Lower) {}

  bool operator()(const Entry& a, const Entry& b) const {
    if (a.isBroken() != b.isBroken()) {
      return b.isBroken() == m_isWorstLast;
    }
    const bool isEqual = a.isBroken() || a.value == b.value;
    return isEqual ? a.row < b.row : a.value < b.value;
  }

 private:
  bool m_isWorstLast;
};

void setFrom(SummaryCell& cell, const RowFinder& find, const Entry& entry) {
  cell.value = entry.value;
  cell.site = entry.row->site;
  find.setSpread(cell, *entry.row);
}

SummaryCell medianOf(const RowFinder& find,
                     const std::vector<Entry>& all,
                     numerics::Better better) {
  SummaryCell cell = cellWithoutNumber(all);
  std::vector<Entry> entries = tellingOf(all);
  if (entries.empty()) {
    return cell;
  }
  const IsBefore isBefore(better);
  const auto upper = entries.begin() + static_cast<std::ptrdiff_t>(entries.size() / 2);
  std::nth_element(entries.begin(), upper, entries.end(), isBefore);
  const bool isOdd = entries.size() % 2 == 1;
  const Entry& low = isOdd ? *upper : *std::max_element(entries.begin(), upper, isBefore);
  setFrom(cell, find, upper->isBroken() ? *upper : low);
  if (!isOdd) {
    cell.value = (low.value + upper->value) / 2;
  }
  return cell;
}

SummaryCell worstOf(const RowFinder& find, const std::vector<Entry>& all, numerics::Better better) {
  SummaryCell cell = cellWithoutNumber(all);
  const std::vector<Entry> entries = tellingOf(all);
  if (entries.empty()) {
    return cell;
  }
  const auto broken = std::ranges::find_if(entries, &Entry::isBroken);
  if (broken != entries.end()) {
    setFrom(cell, find, *broken);
    return cell;
  }
  setFrom(cell,
          find,
          better == numerics::Better::Lower
              ? *std::ranges::max_element(entries, {}, &Entry::value)
              : *std::ranges::min_element(entries, {}, &Entry::value));
  return cell;
}

void addPasses(std::vector<SummaryCell>& cells, const RowFinder& find, numerics::Better better) {
  const std::vector<Entry> forward = find.middle(Pass::Forward);
  const std::vector<Entry> backward = find.middle(Pass::Backward);
  cells.insert(cells.end(),
               {find.cellOf("embeddings", Pass::Forward),
                medianOf(find, forward, better),
                worstOf(find, forward, better),
                find.cellOf("norm", Pass::Forward),
                find.cellOf("logits", Pass::Forward),
                find.cellOf("loss", Pass::Forward),
                find.cellOf("norm", Pass::Backward),
                find.cellOf("logits", Pass::Backward),
                medianOf(find, backward, better),
                worstOf(find, backward, better),
                find.cellOf("decoder.0", Pass::Backward)});
}

void addParameterGradients(std::vector<SummaryCell>& cells,
                           const RowFinder& find,
                           numerics::Better better) {
  cells.push_back(worstOf(find, find.gradients(ParameterCategory::LmHead, false), better));
  for (const ParameterCategory category :
       {ParameterCategory::Linear, ParameterCategory::Norm, ParameterCategory::Bias}) {
    const std::vector<Entry> entries = find.gradients(category, true);
    cells.push_back(medianOf(find, entries, better));
    cells.push_back(worstOf(find, entries, better));
  }
  cells.push_back(worstOf(find, find.gradients(ParameterCategory::Embeddings, false), better));
}

void addOptimizer(std::vector<SummaryCell>& cells, const RowFinder& find, numerics::Better better) {
  for (const bool isUpdate : {false, true}) {
    const std::vector<Entry>& entries = find.optimizer(isUpdate);
    cells.push_back(medianOf(find, entries, better));
    cells.push_back(worstOf(find, entries, better));
  }
}

}  // namespace

const std::vector<SummaryColumn>& summaryColumns() {
  static const std::vector<SummaryColumn> kColumns{
      {"forward.embeddings", "embeddings", Pass::Forward},
      {"forward.mid_median", "mid median", Pass::Forward},
      {"forward.mid_max", "mid max", Pass::Forward},
      {"forward.norm", "norm", Pass::Forward},
      {"forward.logits", "logits", Pass::Forward},
      {"forward.loss", "loss", Pass::Forward},
      {"backward.head", "head", Pass::Backward},
      {"backward.logits", "logits", Pass::Backward},
      {"backward.mid_median", "mid median", Pass::Backward},
      {"backward.mid_max", "mid max", Pass::Backward},
      {"backward.decoder.0", "decoder.0", Pass::Backward},
      {"parameter_gradient.lm_head", "LM head", Pass::ParameterGradient},
      {"parameter_gradient.linear_median", "linear median", Pass::ParameterGradient},
      {"parameter_gradient.linear_max", "linear max", Pass::ParameterGradient},
      {"parameter_gradient.norm_median", "norm median", Pass::ParameterGradient},
      {"parameter_gradient.norm_max", "norm max", Pass::ParameterGradient},
      {"parameter_gradient.bias_median", "bias median", Pass::ParameterGradient},
      {"parameter_gradient.bias_max", "bias max", Pass::ParameterGradient},
      {"parameter_gradient.embeddings", "embeddings", Pass::ParameterGradient},
      {"optimizer.state_median", "state median", Pass::Optimizer},
      {"optimizer.state_max", "state max", Pass::Optimizer},
      {"optimizer.update_median", "update median", Pass::Optimizer},
      {"optimizer.update_max", "update max", Pass::Optimizer},
  };
  return kColumns;
}

std::string_view summaryGroup(Pass pass) {
  return pass == Pass::ParameterGradient ? "parameter gradients" : toString(pass);
}

std::vector<std::size_t> shownColumns(const std::vector<bool>& hasRow) {
  const bool isEmpty = std::ranges::find(hasRow, true) == hasRow.end();
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < hasRow.size(); ++i) {
    if (hasRow[i] || (isEmpty && !isOfParameters(summaryColumns()[i].pass))) {
      shown.push_back(i);
    }
  }
  return shown;
}

std::vector<SummaryRow> summarise(const Report& report, std::string_view metric) {
  const int column = report.metricIndex(metric);
  if (column < 0) {
    return {};
  }
  const numerics::Better better = betterOf(metric);
  std::vector<SummaryRow> rows;
  for (const Run& run : report.runs) {
    if (run.comparisons.empty()) {
      continue;
    }
    const RowFinder find(report, run, static_cast<std::size_t>(column));
    SummaryRow& row = rows.emplace_back(SummaryRow{run.name, {}, run.role});
    addPasses(row.cells, find, better);
    addParameterGradients(row.cells, find, better);
    addOptimizer(row.cells, find, better);
  }
  return rows;
}

std::vector<double> summaryFloor(const std::vector<SummaryRow>& rows, std::string_view metric) {
  std::vector<double> floor;
  if (!measuresError(metric)) {
    return floor;
  }
  const numerics::Better better = betterOf(metric);
  for (const SummaryRow& row : rows) {
    if (row.role != RunRole::Floor) {
      continue;
    }
    floor.resize(row.cells.size(), kUndefined);
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      floor[i] = worseOf(floor[i], row.cells[i].value, better);
    }
  }
  return floor;
}

bool isWithinFloor(const SummaryCell& cell,
                   const std::vector<double>& floor,
                   std::size_t column,
                   std::string_view metric) {
  return column < floor.size() && !std::isnan(floor[column]) &&
         numerics::isNoWorse(cell.value, floor[column], betterOf(metric));
}

}  // namespace ulp::report
