#include "views/plugins/tensor/inspector/worst_model.h"

#include <QtCore/QCoreApplication>

#include "core/analysis/tensors/tensor_pair.h"
#include "core/base/text/format_number.h"
#include "views/plugins/tensor/pictures/tensor_text.h"

namespace ulp::views {
namespace {

struct WorstModelWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Tensor)
};

WorstElementRow rowOf(const analysis::TensorPair& pair,
                      std::vector<std::int64_t> index,
                      double reference,
                      double variant) {
  using analysis::Quantity;
  const analysis::QuantityReader ulp(pair, Quantity::Ulp);
  return {
      std::move(index), reference, variant, reference - variant, ulp.valueOf(reference, variant)};
}

Column<WorstElementRow> number(analysis::Quantity quantity, double WorstElementRow::*value) {
  return {.title = quantitySymbol(quantity),
          .alignment = kNumberAlignment,
          .roles = numberRoles<WorstElementRow>(
              value,
              [](double shown) { return valueText(shown, 4); },
              [](double exact) { return QString::fromStdString(formatExact(exact)); })};
}

}  // namespace

WorstElementRows worstOfReport(const report::Comparison* comparison,
                               const analysis::TensorPair& pair) {
  auto rows = std::make_shared<std::vector<WorstElementRow>>();
  if (comparison != nullptr) {
    for (const report::WorstPair& worst : comparison->worst) {
      rows->push_back(rowOf(pair, worst.index, worst.reference, worst.variant));
    }
  }
  return rows;
}

WorstElementRows worstOfStatistics(const analysis::PairStatistics& statistics,
                                   const analysis::TensorPair& pair) {
  auto rows = std::make_shared<std::vector<WorstElementRow>>();
  for (const numerics::WorstElement& worst : statistics.moments.worst) {
    rows->push_back(rowOf(pair,
                          pair.fullIndex(static_cast<std::int64_t>(worst.flat)),
                          worst.reference,
                          worst.candidate));
  }
  return rows;
}

std::vector<Column<WorstElementRow>> worstElementColumns() {
  using analysis::Quantity;
  return {{.title = WorstModelWords::tr("Element"),
           .toolTip = WorstModelWords::tr("Enter or a double click shows it in the picture"),
           .alignment = kNumberAlignment,
           .roles = {{Qt::DisplayRole,
                      [](const WorstElementRow& row) { return indexText(row.index); }}}},
          number(Quantity::Reference, &WorstElementRow::reference),
          number(Quantity::Variant, &WorstElementRow::variant),
          number(Quantity::Difference, &WorstElementRow::difference),
          number(Quantity::Ulp, &WorstElementRow::ulp)};
}

report::DataTable worstElementTable(const std::vector<WorstElementRow>& rows) {
  report::DataTable table =
      emptyTable(QStringLiteral("Worst elements"), {"element", "A", "B", "A − B", "ULP"});
  for (const WorstElementRow& row : rows) {
    table.rows.push_back(
        {indexText(row.index).toStdString(), row.reference, row.variant, row.difference, row.ulp});
  }
  return table;
}

}  // namespace ulp::views
