#include "views/plugins/overview/verdict_rows.h"

#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"
#include "tests/support/window/model_checks.h"
#include "tests/views/realistic_report.h"

namespace ulp::views {
namespace {

TEST(VerdictModel, KeepsTheModelContractAndShowsARowForEachVariant) {
  const auto verdicts =
      makeVerdicts({.document = test::documentOf(test::sampleReport(5, {"bf16", "fp16"})),
                    .findings = nullptr,
                    .metric = "rms_rel",
                    .limits = {}});
  ASSERT_TRUE(verdicts) << verdicts.error().message();
  const auto columns = verdictColumns(verdicts->rows, false);
  VerdictModel model;
  const test::ModelChecks checks(&model);
  model.setContent(verdictModelColumns(columns),
                   std::make_shared<const std::vector<VerdictRow>>(verdicts->rows));
  ASSERT_EQ(model.rowCount(), 2);
  EXPECT_EQ(model.columnCount(), static_cast<int>(columns.size()));
  // Errors of the second variant are twice those of the first: the worst comes first.
  EXPECT_EQ(model.index(0, 0).data().toString(), QStringLiteral("● fp16"));
  EXPECT_EQ(model.index(1, 0).data().toString(), QStringLiteral("● bf16"));
  model.setContent({}, nullptr);
  EXPECT_EQ(model.rowCount(), 0);
}

}  // namespace
}  // namespace ulp::views
