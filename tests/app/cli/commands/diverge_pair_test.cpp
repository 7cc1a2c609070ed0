#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/tensors/hdf5/capture_writer.h"
#include "tests/app/cli/cli_process.h"
#include "tests/support/data/report_builder.h"

namespace ulp::cli {
namespace {

using test::runCli;
using testing::HasSubstr;
using testing::Not;

constexpr std::size_t kElements = 4;
using Elements = std::array<float, kElements>;

/// Two variants of a study; what their tensors are, tests write.
class DivergePair : public testing::Test {
 protected:
  /// Rows of the first variant differ from the reference's from `from` on; 0: nowhere.
  void saveReport(std::size_t from) const {
    report::Report report = test::sampleReport(2, {"a", "b"});
    report.metrics = {
        {"equal_fraction"}, {"rms_rel"}, {"max_rel"}, {"mean_abs_diff"}, {"max_diff"}};
    auto& rows = report.runs[1].comparisons;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool isEqual = from == 0 || i < from;
      rows[i].metrics = isEqual ? std::vector<double>{1, 0, 0, 0, 0}
                                : std::vector<double>{0.25, 0.01, 0.02, 0.5, 1.5};
    }
    ASSERT_TRUE(report::saveReport(report, m_dir.path()).has_value());
  }

  void keep(tensors::CaptureWriter& writer, const std::string& run, const Elements& forward) const {
    ASSERT_TRUE(writer.beginRun(run).has_value());
    const Elements same{1, 2, 3, 4};
    const std::array<std::pair<const char*, const Elements*>, 2> tensors{
        {{"embeddings", &same}, {"decoder.0", &forward}}};
    for (const auto& [name, elements] : tensors) {
      const Site site = test::layerSite(name, name[0] == 'd' ? 0 : -1, Pass::Forward);
      ASSERT_TRUE(writer.put(site, {elements->data(), DType::Float32, {1, 4}}, 0).has_value());
    }
    ASSERT_TRUE(writer.finishRun().has_value());
  }

  void keepBoth(const Elements& a, const Elements& b) const {
    auto writer = tensors::CaptureWriter::create(m_dir.path());
    ASSERT_TRUE(writer.has_value());
    keep(**writer, "a", a);
    keep(**writer, "b", b);
  }

  [[nodiscard]] std::string folder() const { return m_dir.path().string(); }
  [[nodiscard]] std::string run(const std::string& name) const { return folder() + "#" + name; }

  test::TempDir m_dir;
};

TEST_F(DivergePair, NamesTheFirstDifferenceAndWhatStillAgreed) {
  saveReport(2);
  const auto outcome = runCli({"diverge", run("a")});
  EXPECT_EQ(outcome.exitCode, 1) << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr("a differs from reference: 2 of 10 compared tensors are equal"));
  EXPECT_THAT(outcome.out, HasSubstr("first difference, forward: decoder.1"));
  EXPECT_THAT(outcome.out, HasSubstr("its inputs that agree: decoder.0"));
  EXPECT_THAT(outcome.out, HasSubstr("equal before it: embeddings, decoder.0"));
  EXPECT_THAT(outcome.out, HasSubstr("first difference, backward: logits"));
}

TEST_F(DivergePair, SaysEqualOnlyOfWhatIs) {
  saveReport(0);
  const auto outcome = runCli({"diverge", run("reference"), "a"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr("a and reference are equal: every compared element of 10 tensors"));
  EXPECT_EQ(runCli({"diverge", run("b")}).exitCode, 1);
}

TEST_F(DivergePair, RunsOfWhichOneLacksAGradientAreNotEqual) {
  saveReport(0);
  auto report = *report::loadReport(m_dir.path())->report;
  report.runs[1].missingGradients = {"norm.weight"};
  ASSERT_TRUE(report::saveReport(report, m_dir.path()).has_value());
  const auto outcome = runCli({"diverge", run("a")});
  EXPECT_EQ(outcome.exitCode, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("10 of 10 compared tensors are equal"));
  EXPECT_THAT(outcome.out, HasSubstr("note: only one of the runs has a gradient of norm.weight"));
}

TEST_F(DivergePair, PutsTheReferenceFirst) {
  saveReport(3);
  const auto outcome = runCli({"diverge", run("a"), "reference"});
  EXPECT_THAT(outcome.out, HasSubstr("a differs from reference"));
}

TEST_F(DivergePair, ComparesTwoVariantsByTheirTensors) {
  saveReport(2);
  keepBoth({1, 2, 3, 4}, {1, 2, 3, 5});
  const auto outcome = runCli({"diverge", run("a"), "b", "--format", "json"});
  EXPECT_EQ(outcome.exitCode, 1) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json.at("schema"), "ulpscope.difference/1");
  EXPECT_EQ(json.at("baseline"), "a");
  EXPECT_EQ(json.at("is_equal"), false);
  const auto& first = json.at("passes")[0].at("first");
  EXPECT_EQ(first.at("name"), "decoder.0");
  EXPECT_EQ(first.at("equal_fraction"), 0.75);
}

TEST_F(DivergePair, ComparesRunsOfTwoStudies) {
  saveReport(2);
  keepBoth({1, 2, 3, 4}, {1, 2, 3, 4});
  const auto outcome = runCli({"diverge", run("a"), run("b")});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("b and a are equal: every compared element of 2 tensors"));
}

TEST_F(DivergePair, SaysHowToKeepTensorsWhereThereAreNone) {
  saveReport(2);
  const auto outcome = runCli({"diverge", run("a"), "b"});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_THAT(outcome.err, HasSubstr("capture.tensors: full"));
  EXPECT_THAT(outcome.err, HasSubstr("`reference:`"));
}

TEST_F(DivergePair, RefusesWhatItCannotCompare) {
  saveReport(2);
  EXPECT_THAT(runCli({"diverge", run("c")}).err, HasSubstr("choose reference, a, b"));
  EXPECT_THAT(runCli({"diverge", run("a"), "a"}).err, HasSubstr("cannot be compared with itself"));
  EXPECT_THAT(runCli({"diverge", folder(), "--prove"}).err, HasSubstr("has several runs"));
  EXPECT_THAT(runCli({"diverge", folder(), "--overwrite"}).err, HasSubstr("is for --prove alone"));
  EXPECT_EQ(runCli({"diverge", run("a"), "b", "--variant", "a"}).exitCode, 2);
}

TEST_F(DivergePair, ProvesNothingOfRunsWhoseSettingsAreNotKnown) {
  saveReport(2);
  const auto outcome = runCli({"diverge", folder(), "--variant", "a", "--prove"});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_THAT(outcome.out, HasSubstr("first difference"));
  EXPECT_THAT(outcome.err, HasSubstr("does not say with which settings 'a' ran"));
}

TEST_F(DivergePair, SaysWhenTwoStudiesAreOfOtherTokens) {
  saveReport(2);
  keepBoth({1, 2, 3, 4}, {1, 2, 3, 4});
  const test::TempDir other;
  std::filesystem::copy(m_dir.path(), other.path(), std::filesystem::copy_options::recursive);
  for (const auto& [folder, digest] :
       {std::pair<const test::TempDir*, const char*>(&m_dir, "1111"), {&other, "2222"}}) {
    auto report = *report::loadReport(folder->path())->report;
    report.provenance.tokenDigest = digest;
    ASSERT_TRUE(report::saveReport(report, folder->path()).has_value());
  }
  const std::vector<std::string> command{"diverge", run("a"), other.path().string() + "#a"};
  EXPECT_THAT(runCli(command).out,
              HasSubstr("note: the two runs are of different tokens (1111, 2222)"));
  auto asJson = command;
  asJson.insert(asJson.end(), {"--format", "json"});
  EXPECT_EQ(nlohmann::json::parse(runCli(asJson).out).at("of_other_tokens"), true);
  EXPECT_THAT(runCli({"diverge", run("a"), "b"}).out, Not(HasSubstr("of different tokens")));
}

}  // namespace
}  // namespace ulp::cli
