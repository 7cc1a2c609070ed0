#include <gtest/gtest.h>

#include "core/study/reading/study.h"
#include "tests/support/window/model_checks.h"
#include "tests/views/context_fixture.h"
#include "views/framework/tables/table_window.h"
#include "views/plugins/bookmarks/bookmark_model.h"
#include "views/plugins/compare/correspondence.h"
#include "views/plugins/findings/finding_rows.h"
#include "views/plugins/study/variants/variants_model.h"
#include "views/plugins/tensor/inspector/tensor_inspector.h"

/// Item models that have no test of their own, under Qt's tester of models while their content
/// changes. tools/check_models.py finds those that nobody tests.
namespace ulp::views {
namespace {

TEST(ModelContract, BookmarkModel) {
  test::ContextFixture fixture;
  fixture.openReport(test::realisticReport({.layers = 4}));
  BookmarkModel model(fixture.bookmarks);
  const test::ModelChecks checks(&model);
  EXPECT_EQ(model.rowCount(), 0);
  fixture.bookmarks.addCurrent();
  fixture.bookmarks.addCurrent();
  ASSERT_EQ(model.rowCount(), 2);
  const QModelIndex note = model.index(1, BookmarkModel::Note);
  EXPECT_TRUE(model.setData(note, QStringLiteral("look again"), Qt::EditRole));
  EXPECT_EQ(note.data().toString(), QStringLiteral("look again"));
  EXPECT_EQ(fixture.bookmarks.all()[1].note, "look again");
  fixture.bookmarks.remove(0);
  EXPECT_EQ(model.rowCount(), 1);
  fixture.workspace.closeAll();
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(ModelContract, VariantsModel) {
  VariantsModel model;
  const test::ModelChecks checks(&model);
  model.setContent({{.name = "reference", .overrides = {}},
                    {.name = "bf16", .overrides = {{"precision.compute_dtype", "bfloat16"}}}},
                   {});
  EXPECT_EQ(model.rowCount(), 2);
  EXPECT_EQ(model.columnCount(), 2);
  EXPECT_EQ(model.index(1, 1).data().toString(), QStringLiteral("bfloat16"));
  QString wish;
  QObject::connect(&model,
                   &VariantsModel::overrideRequested,
                   &model,
                   [&wish](int row, const QString& key, const QString& value) {
                     wish = QStringLiteral("%1 %2 %3").arg(row).arg(key, value);
                   });
  model.setData(model.index(1, 1), QStringLiteral("float16"), Qt::EditRole);
  EXPECT_EQ(wish, QStringLiteral("1 precision.compute_dtype float16"));
  EXPECT_EQ(model.index(1, 1).data().toString(), QStringLiteral("bfloat16")) << "only asked for";
  model.setContent({{.name = "reference", .overrides = {}}}, {});
  EXPECT_EQ(model.rowCount(), 1);
  EXPECT_EQ(model.columnCount(), 1);
}

TEST(ModelContract, DataTableModel) {
  DataTableModel model({.title = "t",
                        .columns = {{.title = "name"}, {.title = "error", .unit = "%"}},
                        .rows = {{std::string("a"), 1.5}, {std::string("b"), std::monostate{}}}});
  const test::ModelChecks checks(&model);
  EXPECT_EQ(model.rowCount(), 2);
  EXPECT_EQ(model.columnCount(), 2);
  EXPECT_EQ(model.index(0, 0).data().toString(), QStringLiteral("a"));
  EXPECT_FALSE(model.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
  EXPECT_FALSE(model.index(5, 0).isValid());
}

TEST(ModelContract, ModelsOfTheCompareView) {
  const auto report = std::make_shared<const report::Report>(test::realisticReport({.layers = 2}));
  std::vector<analysis::ReportSource> sources;
  for (const char* folder : {"first", "second"}) {
    sources.push_back({{.report = report,
                        .file = std::filesystem::path(folder) / "precision_report.json",
                        .folder = folder},
                       {}});
  }
  const auto open = joinSources(std::move(sources));
  ReportModel reports;
  const test::ModelChecks reportChecks(&reports);
  reports.setContent(reportColumns(), reportRows(*open));
  EXPECT_EQ(reports.rowCount(), 2);
  TensorListModel tensors;
  const test::ModelChecks tensorChecks(&tensors);
  tensors.setContent(tensorListColumns(),
                     std::make_shared<const std::vector<analysis::SiteShape>>(3));
  EXPECT_EQ(tensors.rowCount(), 3);
  tensors.setContent(tensorListColumns(), nullptr);
  EXPECT_EQ(tensors.rowCount(), 0);
  MappingModel mapping;
  const test::ModelChecks mappingChecks(&mapping);
  mapping.setContent(mappingColumns(), mappingRows(withPairs({}, {{"a", "b"}, {"c", "d"}})));
  EXPECT_EQ(mapping.rowCount(), 2);
  mapping.setRows(mappingRows({}));
  EXPECT_EQ(mapping.rowCount(), 0);
}

TEST(ModelContract, WorstElementModel) {
  WorstElementModel model;
  const test::ModelChecks checks(&model);
  model.setContent(worstElementColumns(),
                   std::make_shared<const std::vector<WorstElementRow>>(
                       2, WorstElementRow{.index = {1, 2}, .reference = 1, .variant = 2}));
  EXPECT_EQ(model.rowCount(), 2);
  EXPECT_EQ(model.columnCount(), static_cast<int>(worstElementColumns().size()));
  model.setRows(nullptr);
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(ModelContract, FindingsModel) {
  FindingsModel model;
  const test::ModelChecks checks(&model);
  report::Finding finding;
  finding.severity = report::FindingSeverity::Look;
  const auto rows = std::make_shared<const std::vector<FindingRow>>(
      2,
      FindingRow{.index = 0,
                 .finding = &finding,
                 .title = QStringLiteral("a jump"),
                 .ruleTitle = QStringLiteral("Jump")});
  model.setContent(findingColumns(), rows);
  EXPECT_EQ(model.rowCount(), 2);
  EXPECT_EQ(model.index(1, 0).data().toString(),
            findingSeverityText(report::FindingSeverity::Look));
  model.setContent(findingColumns(), nullptr);
  EXPECT_EQ(model.rowCount(), 0);
}

}  // namespace
}  // namespace ulp::views
