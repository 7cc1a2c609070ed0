#include "views/framework/document/noise_runs.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/views/context_fixture.h"
#include "tests/views/sampled_report.h"

namespace ulp::views {
namespace {

class NoiseRunsTest : public testing::Test {
 protected:
  void SetUp() override {
    m_fixture.openReport(test::realisticReport({.layers = 3, .variants = {"loud", "quiet"}}));
  }
  [[nodiscard]] const ReportDocument& document() const {
    return *m_fixture.workspace.reports.document();
  }
  [[nodiscard]] NoiseRuns noise(const QString& name) {
    m_fixture.selection.selectNoise(name);
    return noiseRuns(document(), m_fixture.selection.selection());
  }
  [[nodiscard]] int metric(const char* id) const {
    return document().findMetric(QLatin1String(id));
  }

  test::ContextFixture m_fixture;
};

TEST_F(NoiseRunsTest, ValuesOfOthersAreMeasuredByTheNamedVariant) {
  const NoiseRuns runs = noise(QStringLiteral("loud"));
  ASSERT_EQ(runs.variants, std::vector<int>{0});
  const int rmsRel = metric("rms_rel");
  int within = 0;
  for (int site = 0; site < static_cast<int>(document().sites().size()); ++site) {
    const double floor = noiseFloorAt(document(), runs, {1, site, rmsRel});
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
  EXPECT_TRUE(std::isnan(noiseFloorAt(document(), runs, {1, 0, scale})));
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

class NoiseFloorTest : public testing::Test {
 protected:
  static report::Report reportOf(const std::vector<std::string>& variants) {
    return test::sampledReport({.layers = 3, .variants = variants, .modules = false});
  }
};

TEST_F(NoiseFloorTest, IsTheNoiseUnlessAVariantIsNamed) {
  const DocumentPtr document = test::documentOf(reportOf({"loud", "quiet"}));
  const NoiseRuns floor = noiseRuns(*document, {});
  EXPECT_TRUE(floor.isFloor);
  EXPECT_EQ(noiseText(floor), QStringLiteral("noise floor: repeat, float64"));
  EXPECT_EQ(withinNoiseText(floor), QStringLiteral("within the noise floor: repeat, float64"));
  const int rmsRel = document->findMetric(QStringLiteral("rms_rel"));
  for (int site = 0; site < static_cast<int>(document->sites().size()); ++site) {
    const double half = document->value(0, site, rmsRel) / 2;
    EXPECT_DOUBLE_EQ(noiseFloorAt(*document, floor, {1, site, rmsRel}), half);
    EXPECT_EQ(isWithinNoise(*document, floor, {1, site, rmsRel}),
              document->value(1, site, rmsRel) <= half);
  }
  const NoiseRuns named = noiseRuns(*document, {.noise = QStringLiteral("quiet")});
  EXPECT_FALSE(named.isFloor);
  EXPECT_EQ(noiseText(named), QStringLiteral("noise: quiet"));
  EXPECT_TRUE(unknownFloorText(*document).isEmpty());
}

TEST_F(NoiseFloorTest, RunsOfItAreNoVariants) {
  const DocumentPtr document = test::documentOf(reportOf({"loud", "quiet"}));
  EXPECT_EQ(document->variantCount(), 2);
  EXPECT_EQ(document->findVariant(QStringLiteral("floor.repeat")), -1);
  EXPECT_EQ(document->styleOf(1), 1);
  EXPECT_EQ(document->noiseFloorNames().size(), 2);
  EXPECT_TRUE(document->noiseFloor().isKnown());
  EXPECT_TRUE(document->hasNoiseFloor(0));
  EXPECT_FALSE(document->hasNoiseFloor(-1));
}

TEST_F(NoiseFloorTest, IsSaidToBeUnknownAgainstAnotherRun) {
  test::ContextFixture fixture;
  fixture.openReport(reportOf({"loud", "quiet"}));
  fixture.selection.selectBaseline(QStringLiteral("quiet"), Relation::Ratio);
  fixture.settle();
  const ReportDocument& document = *fixture.workspace.reports.document();
  ASSERT_EQ(document.basis().relation, Relation::Ratio);
  EXPECT_TRUE(noiseRuns(document, fixture.selection.selection()).isEmpty());
  EXPECT_EQ(document.variantCount(), 1) << "its runs are not related either";
  EXPECT_EQ(unknownFloorText(document),
            QStringLiteral("the noise floor is not known here: it was measured against reference"));
  EXPECT_FALSE(document.hasSpread()) << "the spread of a ratio is not known";
}

TEST_F(NoiseFloorTest, SaysNothingOfVariantsOfAnotherReference) {
  report::Report other = reportOf({"alien"});
  other.provenance.tokenDigest = "other tokens";
  std::vector<analysis::ReportSource> sources(2);
  sources[0].loaded.report = std::make_shared<report::Report>(reportOf({"loud"}));
  sources[0].loaded.folder = "a";
  sources[1].loaded.report = std::make_shared<report::Report>(other);
  sources[1].loaded.folder = "b";
  const auto open = joinSources(sources);
  const DocumentPtr document = ReportDocument::build({.open = open}, open->joined.report);
  const int alien = document->findVariant(QStringLiteral("alien"));
  ASSERT_GE(alien, 0);
  EXPECT_TRUE(document->hasNoiseFloor(document->findVariant(QStringLiteral("loud"))));
  EXPECT_FALSE(document->hasNoiseFloor(alien));
  const int rmsRel = document->findMetric(QStringLiteral("rms_rel"));
  EXPECT_TRUE(std::isnan(noiseFloorAt(*document, noiseRuns(*document, {}), {alien, 0, rmsRel})));
  EXPECT_TRUE(unknownFloorText(*document).contains(QStringLiteral("alien")));
}

}  // namespace
}  // namespace ulp::views
