#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtTest/QTest>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QTableView>

#include "tests/support/window/model_checks.h"
#include "tests/views/context_fixture.h"
#include "views/framework/view/view_host.h"
#include "views/plugins/config_diff/config_rows.h"

namespace ulp::views {
namespace {

report::Report configured() {
  report::Report report = test::sampleReport(2, {"bf16", "fp16"});
  report.effectiveJson = R"({
    "reference":{"input.seed":{"value":"0","origin":"default"},
                 "precision.compute_dtype":{"value":"float32","origin":"reference_fp32"}},
    "bf16":{"input.seed":{"value":"0","origin":"default"},
            "precision.compute_dtype":{"value":"bfloat16","origin":"variant"}},
    "fp16":{"input.seed":{"value":"0","origin":"study"},
            "precision.compute_dtype":{"value":"float16","origin":"variant"},
            "extra":{"value":"1"}}})";
  return report;
}

TEST(ConfigRows, MarkWhatDiffersFromTheReference) {
  const auto table = makeConfigTable(*test::documentOf(configured()));
  ASSERT_TRUE(table.has_value());
  ASSERT_EQ(table->rows.size(), 3U);
  EXPECT_EQ(table->runs,
            (std::vector<QString>{
                QStringLiteral("reference"), QStringLiteral("bf16"), QStringLiteral("fp16")}));
  const ConfigRow& dtype = table->rows[2];
  EXPECT_EQ(dtype.key, QStringLiteral("precision.compute_dtype"));
  EXPECT_FALSE(dtype.help.isEmpty());
  EXPECT_FALSE(dtype.cells[0].differs);
  EXPECT_TRUE(dtype.cells[1].differs);
  EXPECT_EQ(dtype.cells[0].origin, QStringLiteral("float32 everywhere"));
  EXPECT_FALSE(table->rows[1].differs) << "who set it does not matter";
  EXPECT_TRUE(table->rows[0].cells[0].isMissing());
}

TEST(ConfigRows, HaveTheRunsOfEveryReportThatIsOpen) {
  std::vector<analysis::ReportSource> sources;
  for (const char* folder : {"one", "two"}) {
    sources.push_back({{std::make_shared<const report::Report>(configured()),
                        std::string(folder) + "/precision_report.json",
                        folder},
                       {}});
  }
  DocumentBasis basis{.open = joinSources(std::move(sources))};
  const report::ReportPtr joined = basis.open->joined.report;
  const auto table = makeConfigTable(*ReportDocument::build(std::move(basis), joined));
  ASSERT_TRUE(table.has_value());
  ASSERT_EQ(table->runs.size(), 5U);
  EXPECT_EQ(table->runs[4], QStringLiteral("fp16 (two)"));
  EXPECT_EQ(table->rows[2].cells[4].value, QStringLiteral("float16"));
}

TEST(ConfigRows, FilterByTextAndDifference) {
  const auto table = makeConfigTable(*test::documentOf(configured()));
  EXPECT_EQ(filterConfig(*table, {}, false).size(), 3U);
  EXPECT_EQ(filterConfig(*table, {}, true).size(), 2U);
  EXPECT_EQ(filterConfig(*table, QStringLiteral("BFLOAT"), false).size(), 1U);
  EXPECT_EQ(filterConfig(*table, QStringLiteral("seed"), true).size(), 0U);
}

TEST(ConfigRows, CellsSayWhoSetThem) {
  const auto table = makeConfigTable(*test::documentOf(configured()));
  ConfigModel model;
  const test::ModelChecks checks(&model);
  model.setContent(configColumns(*table),
                   std::make_shared<const std::vector<ConfigRow>>(table->rows));
  const QModelIndex cell = model.index(2, 2);
  EXPECT_EQ(cell.data().toString(), QStringLiteral("bfloat16  · variant"));
  EXPECT_EQ(cell.data(RawRole).toString(), QStringLiteral("bfloat16"));
  EXPECT_TRUE(cell.data(EmphasisRole).toBool());
  EXPECT_TRUE(cell.data(Qt::ToolTipRole).toString().contains(QStringLiteral("set by: variant")));
  EXPECT_EQ(model.index(0, 1).data().toString(), QStringLiteral("–"));
  EXPECT_TRUE(model.index(1, 1).data(DimRole).toBool());
}

TEST(ConfigRows, LeaveAsDataWithValueAndOriginApart) {
  const auto table = makeConfigTable(*test::documentOf(configured()));
  const report::DataTable data = configData(QStringLiteral("Config"), *table, table->rows);
  EXPECT_EQ(data.columns.size(), 7U);
  EXPECT_EQ(data.columns[3].group, "bf16");
  EXPECT_EQ(std::get<std::string>(data.rows[2][3]), "bfloat16");
  EXPECT_EQ(std::get<std::string>(data.rows[2][4]), "variant");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(data.rows[0][1]));
}

TEST(ConfigDiffView, ShowsDifferencesUntilAskedForAll) {
  test::ContextFixture fixture;
  fixture.openReport(configured());
  const ViewRegistry registry = builtinViews();
  ViewHost host(*registry.find(QStringLiteral("config_diff")), fixture.context());
  host.resize(900, 300);
  host.show();
  fixture.settle();
  auto* table = host.findChild<QTableView*>();
  EXPECT_EQ(table->model()->rowCount(), 2);
  host.view()->actions().front()->trigger();
  EXPECT_EQ(table->model()->rowCount(), 3);
  auto* filter = host.findChild<QLineEdit*>();
  QTest::keyClicks(filter, QStringLiteral("compute"));
  EXPECT_EQ(table->model()->rowCount(), 1);
  ASSERT_EQ(host.view()->exhibits().size(), 1U);
  EXPECT_EQ(host.view()->exhibits()[0].table().rows.size(), 1U);
  const QRect cell = table->visualRect(table->model()->index(0, 3));
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell.center());
  EXPECT_EQ(fixture.selection.selection().run(), QStringLiteral("fp16"));
}

}  // namespace
}  // namespace ulp::views
