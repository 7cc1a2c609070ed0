#include <cmath>
#include <filesystem>
#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QtTest/QSignalSpy>

#include "core/tensors/hdf5/capture_writer.h"
#include "tests/support/data/report_builder.h"
#include "tests/views/context_fixture.h"
#include "views/framework/document/other_inputs.h"
#include "views/framework/workspace/workspace.h"
#include "views/plugins/overview/overview_model.h"

namespace ulp::views {
namespace {

using testing::ElementsAre;

std::vector<std::string> variantsOf(const ReportDocument& document) {
  std::vector<std::string> names;
  for (int i = 0; i < document.variantCount(); ++i) {
    names.push_back(document.variantName(i).toStdString());
  }
  return names;
}

class WorkspaceCompareTest : public testing::Test {
 protected:
  QString save(const std::string& name, const report::Report& report) const {
    const auto path = std::filesystem::path(m_fixture.folder.path().toStdString()) / name;
    std::filesystem::create_directories(path);
    EXPECT_TRUE(report::saveReport(report, path).has_value());
    return QString::fromStdString(path.string());
  }

  void openBeside(const QString& path) {
    m_fixture.workspace.reports.openBeside({path});
    m_fixture.settle();
  }

  void selectBaseline(const char* run, Relation relation) {
    m_fixture.selection.selectBaseline(QLatin1String(run), relation);
    m_fixture.settle();
  }

  /// Keeps the embeddings of every run, each with another value.
  void keepEmbeddings(const std::vector<const char*>& runs) const {
    const Site site = test::layerSite("embeddings", -1, Pass::Forward);
    auto writer = *tensors::CaptureWriter::create(m_fixture.folder.path().toStdString());
    float value = 1;
    for (const char* run : runs) {
      ASSERT_TRUE(writer->beginRun(run).has_value());
      ASSERT_TRUE(writer->put(site, {&value, DType::Float32, {1}}, 0).has_value());
      ASSERT_TRUE(writer->finishRun().has_value());
      value *= 2;
    }
  }

  [[nodiscard]] QString label(const char* metric) const {
    const int found = document().findMetric(QLatin1String(metric));
    return found < 0 ? QString() : document().metrics()[static_cast<std::size_t>(found)].label;
  }

  [[nodiscard]] const ReportDocument& document() const {
    return *m_fixture.workspace.reports.document();
  }

  /// RMS rel of the first row.
  [[nodiscard]] double firstError(const char* run) const {
    return document().value(document().findVariant(QLatin1String(run)),
                            0,
                            document().findMetric(QStringLiteral("rms_rel")));
  }

  test::ContextFixture m_fixture;
};

TEST_F(WorkspaceCompareTest, AddsTheRunsOfAnotherReport) {
  m_fixture.openReport(test::sampleReport(3, {"bf16"}));
  const QString metric = m_fixture.selection.selection().metric;
  openBeside(save("second", test::sampleReport(3, {"bf16", "fp16"})));
  EXPECT_THAT(variantsOf(document()), ElementsAre("bf16", "bf16 (second)", "fp16"));
  EXPECT_EQ(m_fixture.workspace.reports.sources().size(), 2U);
  EXPECT_EQ(m_fixture.selection.selection().metric, metric);
  const auto origin = document().captureOrigin(QStringLiteral("bf16 (second)"), "norm");
  ASSERT_TRUE(origin.has_value());
  EXPECT_EQ(origin->run, "bf16");
  EXPECT_EQ(origin->folder.filename(), "second");
  m_fixture.workspace.reports.closeReport(0);
  m_fixture.settle();
  EXPECT_THAT(variantsOf(document()), ElementsAre("bf16", "fp16"));
  m_fixture.workspace.reports.closeReport(0);
  EXPECT_EQ(m_fixture.workspace.reports.document(), nullptr);
  EXPECT_TRUE(m_fixture.workspace.reports.sources().empty());
}

TEST_F(WorkspaceCompareTest, OpeningTheSameReportBesideReadsItAgain) {
  m_fixture.openReport(test::sampleReport(3, {"bf16"}));
  openBeside(m_fixture.folder.path());
  EXPECT_THAT(variantsOf(document()), ElementsAre("bf16"));
}

TEST_F(WorkspaceCompareTest, ReadsTheNamesOfAnotherReportThroughItsMapping) {
  m_fixture.openReport(test::sampleReport(3, {"bf16"}));
  report::Report other = test::sampleReport(3, {"fp16"});
  for (report::Comparison& row : other.runs[1].comparisons) {
    if (row.site.name.starts_with("decoder.")) {
      row.site.name.replace(0, 8, "block.");
    }
  }
  openBeside(save("other", other));
  EXPECT_GE(document().findSite("block.1", Pass::Forward), 0);
  m_fixture.workspace.reports.setMapping(1,
                                         *analysis::SiteMapping::make({{"^block", "decoder"}}, {}));
  m_fixture.settle();
  EXPECT_EQ(document().findSite("block.1", Pass::Forward), -1);
  EXPECT_EQ(document().captureOrigin(QStringLiteral("fp16"), "decoder.1")->site, "block.1");
  EXPECT_EQ(document().captureOrigin(QStringLiteral("bf16"), "decoder.1")->site, "decoder.1");
}

TEST_F(WorkspaceCompareTest, EveryValueFollowsTheBaseline) {
  m_fixture.openReport(test::sampleReport(3, {"a", "b", "c"}));
  const DocumentPtr before = m_fixture.workspace.reports.document();
  selectBaseline("b", Relation::Ratio);
  EXPECT_THAT(variantsOf(document()), ElementsAre("a", "c"));
  EXPECT_EQ(document().styleOf(0), 0);
  EXPECT_EQ(document().styleOf(1), 2);
  EXPECT_DOUBLE_EQ(firstError("c"), 1.5);
  const MetricInfo& metric =
      document()
          .metrics()[static_cast<std::size_t>(document().findMetric(QStringLiteral("rms_rel")))];
  EXPECT_EQ(metric.label, QStringLiteral("RMS rel ÷ b"));
  EXPECT_EQ(metric.unit, numerics::MetricUnit::None);
  selectBaseline("b", Relation::Difference);
  EXPECT_DOUBLE_EQ(firstError("c"), 0.003 - 0.002);
  selectBaseline("", Relation::Ratio);
  EXPECT_EQ(m_fixture.selection.selection().relation, Relation::Error);
  EXPECT_DOUBLE_EQ(firstError("c"), 0.003);
}

TEST_F(WorkspaceCompareTest, TheReferenceOfAnotherReportIsAsNeutralAsTheFirst) {
  m_fixture.openReport(test::sampleReport(3, {"a"}));
  report::Report other = test::sampleReport(3, {"b"});
  other.provenance.weightsDigest = "of another model";
  openBeside(save("other", other));
  const int reference = document().findVariant(QStringLiteral("reference (other)"));
  ASSERT_GE(reference, 0);
  EXPECT_EQ(document().styleOf(reference), kReferenceStyle);
  EXPECT_EQ(document().styleOf(document().findVariant(QStringLiteral("b"))), 1);
}

TEST_F(WorkspaceCompareTest, EveryVariantHasTheBaselineOfItsOwnReport) {
  m_fixture.openReport(test::sampleReport(3, {"a"}));
  report::Report other = test::sampleReport(3, {"b"});
  other.provenance.tokenDigest = "sha256:cc";
  openBeside(save("other", other));
  EXPECT_EQ(document().baselineOf(QStringLiteral("a")), QStringLiteral("reference"));
  EXPECT_EQ(document().baselineOf(QStringLiteral("b")), QStringLiteral("reference (other)"));
  EXPECT_EQ(document().baselineNames(),
            (QStringList{QStringLiteral("reference"), QStringLiteral("reference (other)")}));
  EXPECT_EQ(otherInputsText(document()), QString()) << "each is compared with what it belongs to";
  selectBaseline("b", Relation::Ratio);
  EXPECT_EQ(document().baselineOf(QStringLiteral("a")), QStringLiteral("b"));
}

TEST_F(WorkspaceCompareTest, ABaselineOfOtherInputsIsToldBesideTheNumbers) {
  keepEmbeddings({"reference", "a"});
  m_fixture.openReport(test::sampleReport(3, {"a"}));
  report::Report other = test::sampleReport(3, {"b"});
  other.provenance.tokenDigest = "sha256:cc";
  other.effectiveJson = R"({"reference":{"precision.compute_dtype":{"value":"float64"}}})";
  openBeside(save("other", other));
  const QSignalSpy messages(&m_fixture.workspace.messages, &Messages::raise);
  selectBaseline("a", Relation::Error);
  const QString told = QStringLiteral(
      "reference (other), b: other tokens, other settings of the study (precision.compute_dtype) "
      "than a; what differs is not precision alone");
  EXPECT_EQ(otherInputsText(document()), told);
  ASSERT_FALSE(messages.isEmpty());
  EXPECT_TRUE(messages.last().first().value<Message>().text.contains(told));
  EXPECT_EQ(otherInputsText(document(), document().findVariant(QStringLiteral("reference"))),
            QString());
  const Overview overview = makeOverview(document(), QStringLiteral("rms_rel"), {});
  EXPECT_TRUE(overview.headline.contains(told)) << overview.headline.toStdString();
}

TEST_F(WorkspaceCompareTest, GoingBackBringsTheBaselineBack) {
  m_fixture.openReport(test::sampleReport(3, {"a", "b"}));
  m_fixture.selection.selectSite(QStringLiteral("norm"), Pass::Forward);
  const Selection before = m_fixture.selection.selection();
  selectBaseline("b", Relation::Ratio);
  EXPECT_EQ(m_fixture.selection.selection().runs, QStringList{QStringLiteral("a")});
  m_fixture.selection.goBack();
  m_fixture.settle();
  EXPECT_EQ(m_fixture.selection.selection(), before);
  EXPECT_DOUBLE_EQ(firstError("b"), 0.002);
  m_fixture.selection.goForward();
  m_fixture.settle();
  EXPECT_DOUBLE_EQ(firstError("a"), 0.5);
}

TEST_F(WorkspaceCompareTest, ComparesKeptTensorsWithTheBaselines) {
  keepEmbeddings({"reference", "a", "b"});
  m_fixture.openReport(test::sampleReport(3, {"a", "b"}));
  selectBaseline("b", Relation::Error);
  EXPECT_THAT(variantsOf(document()), ElementsAre("reference", "a"));
  EXPECT_DOUBLE_EQ(firstError("reference"), 0.75);
  EXPECT_DOUBLE_EQ(firstError("a"), 0.5);
  EXPECT_EQ(document().styleOf(0), kReferenceStyle);
  EXPECT_EQ(document().styleOf(1), 0);
}

TEST_F(WorkspaceCompareTest, EveryNameOfAnErrorNamesTheBaseline) {
  keepEmbeddings({"reference", "a", "b"});
  m_fixture.openReport(test::sampleReport(3, {"a", "b"}));
  EXPECT_EQ(document().baselineName(), QStringLiteral("reference"));
  EXPECT_EQ(label("rms_rel"), QStringLiteral("RMS rel"));
  selectBaseline("b", Relation::Error);
  EXPECT_EQ(document().baselineName(), QStringLiteral("b"));
  EXPECT_EQ(label("rms_rel"), QStringLiteral("RMS rel against b"));
  EXPECT_EQ(label("ref_scale"), QStringLiteral("Ref scale of b"));
  selectBaseline("b", Relation::Difference);
  EXPECT_EQ(label("rms_rel"), QStringLiteral("RMS rel − b"));
}

TEST_F(WorkspaceCompareTest, TheSelectedVariantStaysWhileRunsAreComparedOneAfterTheOther) {
  keepEmbeddings({"reference", "a", "b", "c"});
  m_fixture.openReport(test::sampleReport(3, {"a", "b", "c"}));
  m_fixture.selection.selectRun(QStringLiteral("c"));
  m_fixture.selection.selectSite(QStringLiteral("embeddings"), Pass::Forward);
  selectBaseline("a", Relation::Error);
  EXPECT_THAT(variantsOf(document()), ElementsAre("reference", "b", "c"));
  EXPECT_EQ(m_fixture.selection.selection().run(), QStringLiteral("c"));
}

TEST_F(WorkspaceCompareTest, AVariantThatWasTheBaselineIsSelectedAgain) {
  m_fixture.openReport(test::sampleReport(3, {"a", "b", "c"}));
  m_fixture.selection.selectRun(QStringLiteral("b"));
  selectBaseline("b", Relation::Ratio);
  EXPECT_NE(m_fixture.selection.selection().run(), QStringLiteral("b"));
  selectBaseline("", Relation::Error);
  EXPECT_EQ(m_fixture.selection.selection().run(), QStringLiteral("b"));
  selectBaseline("b", Relation::Ratio);
  ASSERT_EQ(m_fixture.selection.selection().run(), QStringLiteral("c")) << "the worst of the rest";
  m_fixture.selection.selectRun(QStringLiteral("a"));
  selectBaseline("", Relation::Error);
  EXPECT_EQ(m_fixture.selection.selection().run(), QStringLiteral("a")) << "what the user chose";
}

TEST_F(WorkspaceCompareTest, UlpOfTwoFormatsAreNotPutInRelation) {
  report::Report report = test::sampleReport(3, {"a", "b", "c"});
  for (report::Comparison& row : report.runs[3].comparisons) {
    row.variantDType = "float16";
  }
  m_fixture.openReport(report);
  selectBaseline("b", Relation::Ratio);
  const int ulp = document().findMetric(QStringLiteral("ulp.mean"));
  EXPECT_DOUBLE_EQ(document().value(document().findVariant(QStringLiteral("a")), 0, ulp), 0.5);
  EXPECT_TRUE(std::isnan(document().value(document().findVariant(QStringLiteral("c")), 0, ulp)));
  EXPECT_DOUBLE_EQ(firstError("c"), 1.5) << "errors are";
}

TEST_F(WorkspaceCompareTest, OffersTheRatioWhereNoTensorsWereKept) {
  m_fixture.openReport(test::sampleReport(3, {"a", "b"}));
  const QSignalSpy messages(&m_fixture.workspace.messages, &Messages::raise);
  selectBaseline("b", Relation::Error);
  EXPECT_EQ(m_fixture.selection.selection().baseline, QString());
  EXPECT_DOUBLE_EQ(firstError("b"), 0.002);
  ASSERT_EQ(messages.count(), 1);
  const auto message = messages.first().first().value<Message>();
  EXPECT_TRUE(message.text.contains(QStringLiteral("capture.tensors: full")));
  ASSERT_EQ(message.actions.size(), 1U);
  message.actions.front().run();
  m_fixture.settle();
  EXPECT_DOUBLE_EQ(firstError("a"), 0.5);
}

TEST_F(WorkspaceCompareTest, AReportThatIsReadAgainKeepsTheBaseline) {
  m_fixture.openReport(test::sampleReport(3, {"a", "b"}));
  selectBaseline("b", Relation::Ratio);
  m_fixture.workspace.reports.reload();
  m_fixture.settle();
  EXPECT_DOUBLE_EQ(firstError("a"), 0.5);
  EXPECT_EQ(m_fixture.selection.selection().baseline, QStringLiteral("b"));
}

TEST_F(WorkspaceCompareTest, KeepsTheDocumentOfTheReferenceAndLetsGoOfTheOthers) {
  m_fixture.openReport(test::sampleReport(2, {"a", "b", "c"}));
  const DocumentPtr plain = m_fixture.workspace.reports.document();
  selectBaseline("b", Relation::Ratio);
  const std::weak_ptr<const report::Report> related =
      m_fixture.workspace.reports.document()->loaded().report;
  selectBaseline("", Relation::Error);
  EXPECT_EQ(m_fixture.workspace.reports.document(), plain);
  m_fixture.settle();
  EXPECT_TRUE(related.expired());
}

}  // namespace
}  // namespace ulp::views
