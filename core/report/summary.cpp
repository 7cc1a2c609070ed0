#include "core/report/summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/numerics/metrics/metric.h"
#include "core/report/parameter_category.h"

namespace ulp::report {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

struct Entry {
  const Comparison* row = nullptr;
  double value = kMissing;
};

/// The rows of one variant and one metric, as the cells need them.
class RowFinder {
 public:
  RowFinder(const Run& run, std::size_t metric, int layers)
      : m_run(run), m_metric(metric), m_layers(layers) {
    for (const Comparison& row : run.comparisons) {
      if (row.site.level == Level::Layer) {
        m_layers = std::max(m_layers, row.site.layer + 1);
      }
    }
  }

  [[nodiscard]] SummaryCell cellOf(std::string_view name, Pass pass) const {
    for (const Comparison& row : m_run.comparisons) {
      if (row.site.name == name && row.site.pass == pass) {
        SummaryCell cell{valueOf(row), row.site, row.variantNonFinite.total()};
        setSpread(cell, row);
        return cell;
      }
    }
    return {kMissing, {}, 0};
  }

  /// Layer rows between the first and the last layer; all of them in a model of one or two.
  [[nodiscard]] std::vector<Entry> middle(Pass pass) const {
    std::vector<Entry> entries;
    for (const Comparison& row : m_run.comparisons) {
      const Site& site = row.site;
      const bool isLayer = site.level == Level::Layer && site.layer >= 0 && site.pass == pass;
      const bool isInner = m_layers < 3 || (site.layer > 0 && site.layer < m_layers - 1);
      if (isLayer && isInner) {
        entries.push_back({&row, valueOf(row)});
      }
    }
    return entries;
  }

  /// Gradients of the parameters of a category: in the layers, or outside them.
  [[nodiscard]] std::vector<Entry> gradients(ParameterCategory category, bool inLayers) const {
    std::vector<Entry> entries;
    for (const Comparison& row : m_run.comparisons) {
      const Site& site = row.site;
      if (site.pass == Pass::ParameterGradient && (site.layer >= 0) == inLayers &&
          parameterCategory(site.name, row.shape.size()) == category) {
        entries.push_back({&row, valueOf(row)});
      }
    }
    return entries;
  }

  /// Of the optimizer's step: what it adds to the parameters, or the state that it keeps.
  [[nodiscard]] std::vector<Entry> optimizer(bool isUpdate) const {
    std::vector<Entry> entries;
    for (const Comparison& row : m_run.comparisons) {
      if (row.site.pass == Pass::Optimizer && row.site.name.ends_with(".update") == isUpdate) {
        entries.push_back({&row, valueOf(row)});
      }
    }
    return entries;
  }

  void setSpread(SummaryCell& cell, const Comparison& row) const {
    if (m_metric < row.spread.size()) {
      cell.spread = row.spread[m_metric];
      cell.samples = m_run.samples;
    }
  }

 private:
  [[nodiscard]] double valueOf(const Comparison& row) const {
    return m_metric < row.metrics.size() ? row.metrics[m_metric] : kMissing;
  }

  const Run& m_run;
  std::size_t m_metric;
  int m_layers;
};

SummaryCell cellWithoutNumber(const std::vector<Entry>& all) {
  SummaryCell cell{kMissing, {}, 0};
  if (!all.empty()) {
    cell.site = all.front().row->site;
  }
  for (const Entry& entry : all) {
    cell.nonFinite += entry.row->variantNonFinite.total();
  }
  return cell;
}

std::vector<Entry> numbersOf(std::vector<Entry> entries) {
  entries.erase(std::remove_if(entries.begin(),
                               entries.end(),
                               [](const Entry& entry) { return std::isnan(entry.value); }),
                entries.end());
  return entries;
}

bool isLess(const Entry& a, const Entry& b) {
  return a.value < b.value;
}

SummaryCell medianOf(const RowFinder& find, const std::vector<Entry>& all) {
  SummaryCell cell = cellWithoutNumber(all);
  std::vector<Entry> numbers = numbersOf(all);
  if (numbers.empty()) {
    return cell;
  }
  std::stable_sort(numbers.begin(), numbers.end(), isLess);
  const std::size_t upper = numbers.size() / 2;
  const bool isOdd = numbers.size() % 2 == 1;
  const Entry& low = numbers[isOdd ? upper : upper - 1];
  cell.value = isOdd ? low.value : (low.value + numbers[upper].value) / 2;
  cell.site = low.row->site;
  find.setSpread(cell, *low.row);
  return cell;
}

SummaryCell worstOf(const RowFinder& find, const std::vector<Entry>& all, numerics::Better better) {
  SummaryCell cell = cellWithoutNumber(all);
  const std::vector<Entry> numbers = numbersOf(all);
  if (numbers.empty()) {
    return cell;
  }
  const auto worst = better == numerics::Better::Lower
                         ? std::max_element(numbers.begin(), numbers.end(), isLess)
                         : std::min_element(numbers.begin(), numbers.end(), isLess);
  cell.value = worst->value;
  cell.site = worst->row->site;
  find.setSpread(cell, *worst->row);
  return cell;
}

void addPasses(std::vector<SummaryCell>& cells, const RowFinder& find, numerics::Better better) {
  const std::vector<Entry> forward = find.middle(Pass::Forward);
  const std::vector<Entry> backward = find.middle(Pass::Backward);
  cells.insert(cells.end(),
               {find.cellOf("embeddings", Pass::Forward),
                medianOf(find, forward),
                worstOf(find, forward, better),
                find.cellOf("norm", Pass::Forward),
                find.cellOf("logits", Pass::Forward),
                find.cellOf("loss", Pass::Forward),
                find.cellOf("norm", Pass::Backward),
                find.cellOf("logits", Pass::Backward),
                medianOf(find, backward),
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
    cells.push_back(medianOf(find, entries));
    cells.push_back(worstOf(find, entries, better));
  }
  cells.push_back(worstOf(find, find.gradients(ParameterCategory::Embeddings, false), better));
}

void addOptimizer(std::vector<SummaryCell>& cells, const RowFinder& find, numerics::Better better) {
  for (const bool isUpdate : {false, true}) {
    const std::vector<Entry> entries = find.optimizer(isUpdate);
    cells.push_back(medianOf(find, entries));
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
  const numerics::MetricRegistry registry = numerics::builtinMetrics();
  const auto known = registry.indexOf(metric);
  const numerics::Better better = known ? registry.all()[*known].better : numerics::Better::Lower;
  std::vector<SummaryRow> rows;
  for (const Run& run : report.runs) {
    if (run.comparisons.empty()) {
      continue;
    }
    const RowFinder find(run, static_cast<std::size_t>(column), report.model.layers);
    SummaryRow& row = rows.emplace_back(SummaryRow{run.name, {}});
    addPasses(row.cells, find, better);
    addParameterGradients(row.cells, find, better);
    addOptimizer(row.cells, find, better);
  }
  return rows;
}

}  // namespace ulp::report
