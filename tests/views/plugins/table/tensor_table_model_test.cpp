#include "views/plugins/table/tensor_table_model.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"
#include "tests/support/window/model_checks.h"
#include "tests/views/realistic_report.h"
#include "views/framework/tables/table_roles.h"
#include "views/plugins/table/table_order.h"

namespace ulp::views {
namespace {

int column(TensorColumn name) {
  return static_cast<int>(name);
}

TEST(TensorTableModel, KeepsTheModelContract) {
  TensorTableModel model;
  const test::ModelChecks checks(&model);
  const DocumentPtr document = test::documentOf(test::sampleReport(3, {"a", "b"}));
  model.setDocument(document);
  model.setRows(queryTable(*document, {}).rows);
  EXPECT_EQ(model.rowCount(), 2 * 12);
  EXPECT_EQ(model.columnCount(), kFirstMetric + 5);
  model.setDocument(nullptr);
  EXPECT_EQ(model.rowCount(), 0);
  EXPECT_EQ(model.columnCount(), 0);
}

TEST(TensorTableModel, ShowsNamesShapesAndValues) {
  TensorTableModel model;
  const DocumentPtr document = test::documentOf(test::sampleReport(3, {"a", "b"}));
  model.setDocument(document);
  model.setRows(queryTable(*document, {.variant = 1}).rows);
  const auto text = [&](int row, int col) { return model.index(row, col).data().toString(); };
  EXPECT_EQ(text(1, column(TensorColumn::Tensor)), QStringLiteral("decoder.0"));
  EXPECT_EQ(text(1, column(TensorColumn::Pass)), QStringLiteral("forward"));
  EXPECT_EQ(text(1, column(TensorColumn::Layer)), QStringLiteral("0"));
  EXPECT_EQ(text(0, column(TensorColumn::Layer)), QStringLiteral("–"));
  EXPECT_EQ(text(1, column(TensorColumn::Variant)), QStringLiteral("b"));
  EXPECT_EQ(text(1, column(TensorColumn::Shape)), QStringLiteral("1 × 8 × 4"));
  EXPECT_EQ(text(6, column(TensorColumn::Shape)), QStringLiteral("scalar"));
  EXPECT_EQ(text(1, column(TensorColumn::DType)), QStringLiteral("bfloat16"));
  EXPECT_EQ(text(1, column(TensorColumn::NonFinite)), QStringLiteral("0"));
  EXPECT_EQ(text(1, kFirstMetric + 1), QStringLiteral("0.40"));
  EXPECT_EQ(model.index(1, kFirstMetric + 1).data(RawRole).toString(), QStringLiteral("0.4"));
  EXPECT_EQ(model.headerData(kFirstMetric + 1, Qt::Horizontal, Qt::DisplayRole).toString(),
            QStringLiteral("RMS rel, %"));
  EXPECT_FALSE(
      model.headerData(kFirstMetric + 1, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
}

TEST(TensorTableModel, SaysWhereStatisticsTellTheLeastThatIsNotFinite) {
  report::Report report = test::sampleReport(3, {"a"});
  report.metrics = {{"recorded.nan"}};
  for (report::Comparison& row : report.runs[1].comparisons) {
    row.metrics = {std::nan("")};
  }
  report.runs[1].comparisons[1].variantNonFinite.nan = 1;
  const DocumentPtr document = test::documentOf(std::move(report));
  TensorTableModel model;
  model.setDocument(document);
  model.setRows(queryTable(*document, {.variant = 0}).rows);
  EXPECT_EQ(model.index(1, column(TensorColumn::NonFinite)).data().toString(),
            QStringLiteral("≥ 1"));
  EXPECT_EQ(model.index(0, column(TensorColumn::NonFinite)).data().toString(), QStringLiteral("0"));
}

TEST(TensorTableModel, CountsWhatIsNotFinite) {
  report::Report report = test::sampleReport(3, {"a"});
  test::fillWithNan(report.runs[1].comparisons[1]);
  const DocumentPtr document = test::documentOf(std::move(report));
  TensorTableModel model;
  model.setDocument(document);
  model.setRows(queryTable(*document, {.variant = 0}).rows);
  const QModelIndex count = model.index(1, column(TensorColumn::NonFinite));
  EXPECT_EQ(count.data().toString(), QStringLiteral("32"));
  EXPECT_TRUE(count.data(NonFiniteRole).toBool());
  EXPECT_TRUE(count.data(Qt::ToolTipRole).toString().contains(QStringLiteral("30 NaN")));
  const QModelIndex metric = model.index(1, kFirstMetric);
  EXPECT_EQ(metric.data().toString(), QStringLiteral("NaN"));
  EXPECT_EQ(metric.data(RawRole).toString(), QStringLiteral("NaN"));
  EXPECT_TRUE(metric.data(NonFiniteRole).toBool());
  EXPECT_FALSE(metric.data(DimRole).toBool());
}

TEST(TensorTableModel, WhatIsUndefinedOfFiniteElementsIsMissing) {
  report::Report report = test::sampleReport(3, {"a"});
  report.runs[1].comparisons[1].metrics[1] = std::numeric_limits<double>::quiet_NaN();
  const DocumentPtr document = test::documentOf(std::move(report));
  TensorTableModel model;
  model.setDocument(document);
  model.setRows(queryTable(*document, {.variant = 0}).rows);
  const QModelIndex metric = model.index(1, kFirstMetric + 1);
  EXPECT_EQ(metric.data().toString(), QStringLiteral("–"));
  EXPECT_TRUE(metric.data(RawRole).toString().isEmpty());
  EXPECT_TRUE(metric.data(DimRole).toBool());
}

TEST(TensorTableModel, FindsARow) {
  const DocumentPtr document = test::documentOf(test::sampleReport(3, {"a", "b"}));
  TensorTableModel model;
  model.setDocument(document);
  model.setRows(queryTable(*document, {}).rows);
  const int row = model.find(1, document->findSite("norm", Pass::Backward));
  ASSERT_GE(row, 0);
  EXPECT_EQ(model.index(row, 0).data().toString(), QStringLiteral("norm"));
  EXPECT_EQ(model.find(7, 0), -1);
}

}  // namespace
}  // namespace ulp::views
