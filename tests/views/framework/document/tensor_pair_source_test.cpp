#include "views/framework/document/tensor_pair_source.h"

#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include "core/numerics/tensor_view.h"
#include "tests/support/machine/temp_dir.h"
#include "tests/support/window/wait_for.h"
#include "tests/views/captured_report.h"
#include "tests/views/context_fixture.h"

namespace ulp::views {
namespace {

class TensorPairSourceTest : public testing::Test {
 protected:
  void open() {
    m_fixture.workspace.open({m_fixture.folder.path()});
    m_fixture.settle();
    watch();
  }
  void watch() {
    ASSERT_NE(m_fixture.workspace.reports.document(), nullptr);
    m_source.setReport(m_fixture.workspace.reports.document());
    QObject::connect(
        &m_source, &TensorPairSource::pairReady, [this](const auto& pair) { m_pair = pair; });
    QObject::connect(&m_source, &TensorPairSource::pairMissing, [this](const auto& problem) {
      m_problem = problem;
    });
  }
  void request(const char* site, const char* run = "bf16", Pass pass = Pass::Forward) {
    m_pair = nullptr;
    m_problem.reset();
    Selection selection;
    selection.runs = {QString::fromLatin1(run)};
    selection.site = QString::fromLatin1(site);
    selection.pass = pass;
    m_source.request(selection);
    m_fixture.settle();
  }
  [[nodiscard]] std::filesystem::path folder() const {
    return m_fixture.folder.path().toStdString();
  }
  static std::vector<test::KeptTensor> tensors() {
    return {{"decoder.0", {1, 8, 4}, test::wave(32)}, {"norm", {1, 8, 4}, test::wave(32)}};
  }

  test::ContextFixture m_fixture;
  TensorPairSource m_source{m_fixture.background};
  analysis::TensorPairPtr m_pair;
  std::optional<TensorPairProblem> m_problem;
};

using Kind = TensorPairProblem::Kind;

/// A second report beside the one that is open, whose tensors are `scale` times as large.
class TensorPairOfTwoReportsTest : public TensorPairSourceTest {
 protected:
  void openBoth(const std::string& tokenDigest, float scale) {
    test::saveCapturedReport(folder(), tensors());
    report::Report report =
        test::saveCapturedReport(m_other.path(), {{"decoder.0", {1, 8, 4}, test::wave(32, scale)}});
    report.provenance.tokenDigest = tokenDigest;
    ASSERT_TRUE(report::saveReport(report, m_other.path()).has_value());
    m_fixture.workspace.open({m_fixture.folder.path(), otherPath()});
    m_fixture.settle();
    watch();
  }
  [[nodiscard]] QString otherPath() const {
    return QString::fromStdString(m_other.path().string());
  }
  /// "bf16" of the second report.
  [[nodiscard]] std::string otherRun() const {
    return "bf16 (" + m_other.path().filename().string() + ")";
  }
  [[nodiscard]] float firstOf(const tensors::Tensor& tensor) const {
    std::vector<double> elements(2);
    numerics::readElements(tensor.view, 0, 1, elements);
    return static_cast<float>(elements[1]);
  }

  test::TempDir m_other;
};

TEST_F(TensorPairOfTwoReportsTest, AVariantIsPairedWithTheReferenceOfItsOwnReport) {
  openBoth("sha256:cc", 2);
  request("decoder.0", otherRun().c_str());
  ASSERT_NE(m_pair, nullptr);
  EXPECT_EQ(firstOf(m_pair->reference), test::wave(2, 2)[1]);
  request("decoder.0", "bf16");
  ASSERT_NE(m_pair, nullptr);
  EXPECT_EQ(firstOf(m_pair->reference), test::wave(2)[1]);
}

TEST_F(TensorPairOfTwoReportsTest, AReferenceThatBothShareIsTheOneThatTheVariantWasComparedWith) {
  openBoth("sha256:bb", 1.5F);
  ASSERT_EQ(m_fixture.workspace.reports.document()->variantCount(), 2);
  request("decoder.0", otherRun().c_str());
  ASSERT_NE(m_pair, nullptr);
  EXPECT_EQ(firstOf(m_pair->reference), test::wave(2, 1.5F)[1]);
}

TEST_F(TensorPairOfTwoReportsTest, AChosenBaselineIsThatOfTheVariantsOfBoth) {
  openBoth("sha256:cc", 2);
  m_fixture.selection.selectBaseline(QStringLiteral("bf16"), Relation::Error);
  m_fixture.settle();
  m_source.setReport(m_fixture.workspace.reports.document());
  request("decoder.0", otherRun().c_str());
  ASSERT_NE(m_pair, nullptr);
  EXPECT_EQ(m_pair->reference.view.dtype, DType::BFloat16);
}

TEST_F(TensorPairOfTwoReportsTest, WhatTheOtherReportKeptDoesNotMakeTensorsGone) {
  report::Report report = test::sampleReport(1, {"bf16"});
  ASSERT_TRUE(report::saveReport(report, folder()).has_value());
  report.provenance.tokenDigest = "sha256:cc";
  report.effectiveJson = R"({"reference": {"capture.tensors": {"value": "full"}}})";
  ASSERT_TRUE(report::saveReport(report, m_other.path()).has_value());
  m_fixture.workspace.open({m_fixture.folder.path(), otherPath()});
  m_fixture.settle();
  watch();
  request("decoder.0", "bf16");
  ASSERT_TRUE(m_problem.has_value());
  EXPECT_EQ(m_problem->kind, Kind::NoTensors);
  request("decoder.0", otherRun().c_str());
  ASSERT_TRUE(m_problem.has_value());
  EXPECT_EQ(m_problem->kind, Kind::Unreadable);
}

TEST_F(TensorPairSourceTest, GivesTheTensorsOfReferenceAndVariant) {
  test::saveCapturedReport(folder(), tensors());
  open();
  request("decoder.0");
  ASSERT_NE(m_pair, nullptr);
  EXPECT_EQ(m_pair->shape(), (std::vector<std::int64_t>{1, 8, 4}));
  EXPECT_EQ(m_pair->reference.view.dtype, DType::Float32);
  EXPECT_EQ(m_pair->variant.view.dtype, DType::BFloat16);
  EXPECT_EQ(m_pair->ulpFormat, DType::BFloat16);
  EXPECT_FALSE(m_pair->isSample());
  EXPECT_NE(m_pair->reference.file, nullptr) << "elements are shown where they lie in the file";
}

TEST_F(TensorPairSourceTest, SaysThatASampleIsOne) {
  test::saveCapturedReport(folder(), {{"decoder.0", {1, 8, 4}, test::wave(32)}}, 8);
  open();
  request("decoder.0");
  ASSERT_NE(m_pair, nullptr);
  EXPECT_TRUE(m_pair->isSample());
  EXPECT_EQ(m_pair->fullShape, (std::vector<std::int64_t>{1, 8, 4}));
  EXPECT_EQ(m_pair->shape().size(), 1U);
  const auto stride = static_cast<std::int64_t>(m_pair->sampleStride);
  EXPECT_EQ(m_pair->find(m_pair->fullIndex(2)), 2);
  EXPECT_EQ(m_pair->fullIndex(1), (std::vector<std::int64_t>{0, stride / 4, stride % 4}));
  EXPECT_FALSE(m_pair->find(std::vector<std::int64_t>{0, 0, 1}).has_value());
}

TEST_F(TensorPairSourceTest, SaysWhatToDoWhereNoTensorsWereKept) {
  ASSERT_TRUE(report::saveReport(test::sampleReport(1, {"bf16"}), folder()).has_value());
  open();
  request("decoder.0");
  ASSERT_TRUE(m_problem.has_value());
  EXPECT_EQ(m_problem->kind, Kind::NoTensors);
  EXPECT_TRUE(m_problem->text.contains(QStringLiteral("capture.tensors: full")));
}

TEST_F(TensorPairSourceTest, SaysThatTensorsWhichWereKeptAreGone) {
  report::Report report = test::sampleReport(1, {"bf16"});
  report.effectiveJson =
      R"({"reference": {"capture.tensors": {"value": "full", "origin": "study"}}})";
  ASSERT_TRUE(report::saveReport(report, folder()).has_value());
  open();
  request("decoder.0");
  ASSERT_TRUE(m_problem.has_value());
  EXPECT_EQ(m_problem->kind, Kind::Unreadable);
  EXPECT_TRUE(m_problem->title.contains(QStringLiteral("gone")));
  EXPECT_TRUE(m_problem->text.contains(QStringLiteral("tensors.h5")));
  EXPECT_FALSE(m_problem->text.contains(QStringLiteral("capture.tensors: full")));
}

TEST_F(TensorPairSourceTest, TakesAPairBackWhoseFileBecameShorter) {
  test::saveCapturedReport(folder(),
                           {{"decoder.0", {64, 2048}, test::wave(std::size_t{64} * 2048)}});
  open();
  request("decoder.0");
  ASSERT_NE(m_pair, nullptr);
  std::filesystem::resize_file(folder() / "tensors" / "reference.h5", 4096);
  std::vector<double> elements(16);
  numerics::readElements(m_pair->reference.view, std::int64_t{60} * 2048, 1, elements);
  EXPECT_TRUE(std::isnan(elements.front())) << "never a number that is none";
  ASSERT_TRUE(test::waitFor([this] { return m_problem.has_value(); }));
  EXPECT_EQ(m_problem->kind, Kind::Unreadable);
  EXPECT_TRUE(m_problem->text.contains(QStringLiteral("reference.h5")));
  EXPECT_TRUE(m_problem->text.contains(QStringLiteral("put the whole file back")));
}

TEST_F(TensorPairSourceTest, SaysWhichTensorWasNotKept) {
  test::saveCapturedReport(folder(), tensors());
  open();
  request("logits");
  ASSERT_TRUE(m_problem.has_value());
  EXPECT_EQ(m_problem->kind, Kind::NotCaptured);
  EXPECT_TRUE(m_problem->title.contains(QStringLiteral("logits")));
  EXPECT_TRUE(m_problem->text.contains(QStringLiteral("capture.include")));
}

TEST_F(TensorPairSourceTest, NamesTheFileOfARunThatIsGone) {
  test::saveCapturedReport(folder(), tensors());
  std::filesystem::remove(folder() / "tensors" / "bf16.h5");
  open();
  request("decoder.0");
  ASSERT_TRUE(m_problem.has_value());
  EXPECT_EQ(m_problem->kind, Kind::Unreadable);
  EXPECT_TRUE(m_problem->title.contains(QStringLiteral("bf16")));
  EXPECT_FALSE(m_problem->text.isEmpty());
}

TEST_F(TensorPairSourceTest, SaysThatAFileIsDamaged) {
  test::saveCapturedReport(folder(), tensors());
  std::ofstream(folder() / "tensors.h5", std::ios::binary) << "this is no HDF5 file";
  open();
  request("decoder.0");
  ASSERT_TRUE(m_problem.has_value());
  EXPECT_EQ(m_problem->kind, Kind::Unreadable);
  EXPECT_TRUE(m_problem->text.contains(QStringLiteral("tensors.h5")));
}

TEST_F(TensorPairSourceTest, SaysThatNothingIsSelected) {
  test::saveCapturedReport(folder(), tensors());
  open();
  request("decoder.0", "no such variant");
  ASSERT_TRUE(m_problem.has_value());
  EXPECT_EQ(m_problem->kind, Kind::NoSelection);
  request("");
  EXPECT_EQ(m_problem->kind, Kind::NoSelection);
}

TEST_F(TensorPairSourceTest, AnswersOnlyTheLastRequest) {
  test::saveCapturedReport(folder(), tensors());
  open();
  Selection first;
  first.runs = {QStringLiteral("bf16")};
  first.site = QStringLiteral("decoder.0");
  m_source.request(first);
  request("norm");
  ASSERT_NE(m_pair, nullptr);
  EXPECT_EQ(m_pair->site.name, "norm");
}

}  // namespace
}  // namespace ulp::views
