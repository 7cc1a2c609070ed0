#include "views/framework/noise_runs.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/views/context_fixture.h"

namespace ulp::views {
namespace {

class NoiseRunsTest : public testing::Test {
 protected:
  void SetUp() override {
    m_fixture.openReport(test::realisticReport({.layers = 3, .variants = {"loud", "quiet"}}));
  }
  [[nodiscard]] const ReportDocument& document() { return *m_fixture.workspace.document(); }
  [[nodiscard]] NoiseRuns noise(const QString& name) {
    m_fixture.selection.selectNoise(name);
    return noiseRuns(document(), m_fixture.selection.selection());
  }
  [[nodiscard]] int metric(const char* id) { return document().findMetric(QLatin1String(id)); }

  test::ContextFixture m_fixture;
};

TEST_F(NoiseRunsTest, ValuesOfOthersAreMeasuredByTheNamedVariant) {
  const NoiseRuns runs = noise(QStringLiteral("loud"));
  ASSERT_EQ(runs.variants, std::vector<int>{0});
  const int rmsRel = metric("rms_rel");
  int within = 0;
  for (int site = 0; site < static_cast<int>(document().sites().size()); ++site) {
    const double floor = noiseFloorAt(document(), runs, site, rmsRel);
    EXPECT_EQ(floor, document().value(0, site, rmsRel));
    const bool isNoise = isWithinNoise(document(), runs, {1, site, rmsRel});
    EXPECT_EQ(isNoise, document().value(1, site, rmsRel) <= floor) << site;
    within += static_cast<int>(isNoise);
    EXPECT_FALSE(isWithinNoise(document(), runs, {0, site, rmsRel})) << "the noise itself";
  }
  EXPECT_GT(within, 0);
}

TEST_F(NoiseRunsTest, TheScaleOfTheReferenceIsNoError) {
  const NoiseRuns runs = noise(QStringLiteral("loud"));
  const int scale = metric("ref_scale");
  ASSERT_GE(scale, 0);
  EXPECT_TRUE(std::isnan(noiseFloorAt(document(), runs, 0, scale)));
  EXPECT_FALSE(isWithinNoise(document(), runs, {1, 0, scale}));
}

TEST_F(NoiseRunsTest, WithoutANameOrWithAnUnknownOneNothingIsKnown) {
  EXPECT_TRUE(noise({}).isEmpty());
  EXPECT_TRUE(noise(QStringLiteral("gone")).isEmpty());
  EXPECT_FALSE(isWithinNoise(document(), {}, {1, 0, metric("rms_rel")}));
}

TEST_F(NoiseRunsTest, OfRatiosNothingIsKnown) {
  m_fixture.selection.selectBaseline(QStringLiteral("quiet"), Relation::Ratio);
  m_fixture.settle();
  ASSERT_EQ(document().basis().relation, Relation::Ratio);
  EXPECT_TRUE(noise(QStringLiteral("loud")).isEmpty());
}

}  // namespace
}  // namespace ulp::views
