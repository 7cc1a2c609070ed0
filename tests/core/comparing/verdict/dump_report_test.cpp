#include "core/comparing/verdict/dump_report.h"

#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/verdict/run_verdict.h"
#include "core/comparing/verdict/compared_dumps.h"
#include "core/report/model/finding.h"
#include "core/report/model/one_dump.h"
#include "tests/support/data/dump_builder.h"
#include "tests/support/data/dump_files.h"
#include "tests/support/data/fixture_case.h"
#include "tests/support/data/one_dump_report.h"
#include "tests/support/data/special_numbers.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::analysis {
namespace {

using dumps::Role;
using test::BuiltDump;
using test::BuiltUnit;
using test::kNan;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

report::DumpOrigin originOf(const std::filesystem::path& path) {
  return {.baseline = {.path = path}};
}

double valueOf(const report::Report& report, const report::Comparison& row, const char* metric) {
  return row.metrics.at(static_cast<std::size_t>(report.metricIndex(metric)));
}

std::shared_ptr<BuiltUnit> layersUnit(const std::vector<std::vector<double>>& layers) {
  auto unit = std::make_shared<BuiltUnit>();
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    unit->module("model.layers." + std::to_string(layer), "Layer");
    unit->recorded(Role::Input, "0", layer == 0 ? std::vector<double>{1, 2} : layers[layer - 1]);
    unit->recorded(Role::Output, "0", layers[layer]);
  }
  return unit;
}

TEST(DumpReportTest, EveryUnitIsARunWithWhatWasRecorded) {
  BuiltDump dump;
  dump.path = "/somewhere/training";
  dump.add(layersUnit({{3, -4}, {6, 8}}), {.step = 0, .rank = 1});
  dump.add(layersUnit({{3, -4}, {6, 8}}), {.step = 1, .rank = 1});
  auto contents = readContents(dump, {});
  ASSERT_TRUE(contents) << contents.error().message();
  const report::Report report = toReport(std::move(*contents), originOf(dump.path));
  EXPECT_TRUE(report::isOfOneDump(report));
  EXPECT_EQ(report.model.name, "training");
  EXPECT_EQ(report.model.layers, 2);
  EXPECT_TRUE(report.reference.empty());
  ASSERT_THAT(report.runs, SizeIs(2));
  EXPECT_EQ(report.runs[1].name, "step 1, rank 1");
  EXPECT_EQ(report.runs[1].axes->step, 1);
  ASSERT_THAT(report.runs[0].comparisons, SizeIs(4));
  const report::Comparison& output = report.runs[0].comparisons[1];
  EXPECT_EQ(output.site.name, "decoder.0");
  EXPECT_EQ(output.variantDType, "float32");
  EXPECT_EQ(valueOf(report, output, "recorded.max"), 3);
  EXPECT_EQ(valueOf(report, output, "recorded.min"), -4);
  EXPECT_EQ(valueOf(report, output, "recorded.largest"), 4);
  EXPECT_EQ(valueOf(report, output, "recorded.norm"), 5);
  EXPECT_EQ(valueOf(report, output, "recorded.nan"), 0);
  EXPECT_THAT(*report::readFindings(report), IsEmpty());
}

TEST(DumpReportTest, NamesAreUniqueAndFoundAgainInTheDump) {
  const std::filesystem::path path = test::msprobeCase("v26_stat_w/target");
  const report::Report report = test::reportOfOneDump(path);
  ASSERT_FALSE(report.runs.empty());
  ComparedDumps dumps(*report.dumps);
  for (const report::Run& run : report.runs) {
    std::set<std::pair<Pass, std::string>> names;
    for (const report::Comparison& row : run.comparisons) {
      EXPECT_TRUE(names.emplace(row.site.pass, row.site.name).second) << row.site.name;
      const auto found = dumps.find(run.name, row.site);
      ASSERT_TRUE(found && *found) << row.site.name;
      EXPECT_EQ((*found)->candidate().shape, row.shape);
    }
    const auto tensors = dumps.tensorsOf(run.name);
    ASSERT_TRUE(tensors) << tensors.error().message();
    EXPECT_EQ(tensors->tensors.size(), run.comparisons.size());
  }
  EXPECT_EQ(dumps.tensorsOf("step 77").error().code(), ErrorCode::NotFound);
}

TEST(DumpReportTest, TheElementsOfATensorAreBothSidesOfAPair) {
  const report::Report report = test::reportOfOneDump(test::msprobeCase("v26_tensor_L0_w/target"));
  ComparedDumps dumps(*report.dumps);
  const report::Run& run = report.runs.front();
  const auto found = dumps.find(run.name, run.comparisons.front().site);
  ASSERT_TRUE(found && *found);
  const auto pair = lookAtPair(**found, run.comparisons.front().site);
  ASSERT_TRUE(pair) << pair.error().message();
  EXPECT_EQ((*pair)->reference.view.data, (*pair)->variant.view.data);
  EXPECT_EQ((*pair)->shape(), run.comparisons.front().shape);
}

TEST(DumpReportTest, WhereNanStartsIsAFinding) {
  BuiltDump dump;
  dump.path = "/run";
  dump.add(layersUnit({{3, 4}, {5, 6}}), {.step = 0});
  dump.add(layersUnit({{3, 4}, {kNan, 6}, {kNan, kNan}}), {.step = 1});
  auto contents = readContents(dump, {});
  ASSERT_TRUE(contents);
  ASSERT_NE(contents->firstBroken(), nullptr);
  EXPECT_EQ(contents->firstBroken()->run.name, "step 1");
  const report::Report report = toReport(std::move(*contents), originOf(dump.path));
  const auto findings = *report::readFindings(report);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].rule, report::kOverflowRule);
  EXPECT_EQ(findings[0].severity, report::FindingSeverity::Broken);
  EXPECT_THAT(findings[0].runs, ElementsAre("step 1"));
  EXPECT_EQ(findings[0].sites.front().name, "decoder.1");
  EXPECT_THAT(findings[0].title.text(), HasSubstr("model.layers.1"));
  EXPECT_THAT(findings[0].explanation.text(), HasSubstr("puts out NaN"));
  const report::Comparison& broken = report.runs[1].comparisons[3];
  EXPECT_EQ(broken.variantNonFinite.nan, 1U);
  EXPECT_TRUE(std::isnan(valueOf(report, broken, "recorded.nan"))) << "how many is not known";
  EXPECT_TRUE(broken.isAllNonFinite()) << "NaN for the reader, and not missing";
}

TEST(DumpReportTest, TheVerdictOfAUnitIsAboutFiniteNumbersAndNotErrors) {
  BuiltDump dump;
  dump.path = "/run";
  dump.add(layersUnit({{3, 4}}), {.step = 0});
  dump.add(layersUnit({{kNan, 4}}), {.step = 1});
  auto contents = readContents(dump, {});
  ASSERT_TRUE(contents);
  const report::Report report = toReport(std::move(*contents), originOf(dump.path));
  const auto findings = *report::readFindings(report);
  const auto verdicts = findVerdicts(report, findings, "recorded.norm");
  ASSERT_THAT(verdicts, SizeIs(2));
  EXPECT_EQ(verdicts[0].run, "step 1");
  EXPECT_EQ(verdicts[0].born.proof, report::kOverflowRule);
  EXPECT_THAT(verdicts[1].born.text.text(), HasSubstr("no call makes NaN or infinity"));
}

TEST(DumpReportTest, WhatCameInNotFiniteIsNotBlamedOnTheCallThatReadsIt) {
  const report::Report report = test::reportOfOneDump(test::msprobeCase("v26_stat_inf/target"));
  const auto findings = *report::readFindings(report);
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].title.text(),
            "Not finite from Functional.linear.12.forward.input.1 on, which "
            "Functional.linear.12.forward reads and nothing recorded made");
}

TEST(DumpReportTest, RecordedFixturesWithNanHaveTheirOrigin) {
  for (const char* name : {"v26_stat_nan/target",
                           "v83_stat_nan/target",
                           "v26_tensor_L0_nan/target",
                           "v26_stat_inf/target"}) {
    const report::Report report = test::reportOfOneDump(test::msprobeCase(name));
    const auto findings = *report::readFindings(report);
    ASSERT_FALSE(findings.empty()) << name;
    EXPECT_EQ(findings[0].rule, report::kOverflowRule) << name;
  }
}

TEST(DumpReportTest, WhereNothingIsRecordedNumbersAreThoseOfTheElements) {
  const test::TempDir dir;
  test::writeNpy(dir / "tensors/a.npy", {2}, {3, -4});
  test::writeNpy(dir / "tensors/b.npy", {2}, {static_cast<float>(kNan), 12});
  for (const std::filesystem::path& path :
       {dir / "tensors", test::fixture("fastllm/tool_tip_116dc065/bf16")}) {
    const report::Report report = test::reportOfOneDump(path);
    ASSERT_THAT(report.runs, SizeIs(1)) << path;
    for (const report::Comparison& row : report.runs[0].comparisons) {
      EXPECT_EQ(valueOf(report, row, "recorded.nan"), row.site.name == "b" ? 1 : 0)
          << row.site.name;
    }
    const report::Comparison& first = report.runs[0].comparisons.front();
    const auto found = ComparedDumps(*report.dumps).find(report.runs[0].name, first.site);
    ASSERT_TRUE(found && *found) << first.site.name;
    const auto pair = lookAtPair(**found, first.site);
    ASSERT_TRUE(pair) << pair.error().message();
    double squares = 0;
    for (std::size_t i = 0; i < (*pair)->variant.view.count(); ++i) {
      squares += std::pow(numerics::elementAt((*pair)->variant.view, i), 2);
    }
    EXPECT_NEAR(valueOf(report, first, "recorded.norm"), std::sqrt(squares), 1e-6 * squares);
  }
}

TEST(DumpReportTest, UnitsThatCannotBeReadAreToldAndTheRestIsRead) {
  BuiltDump dump;
  dump.path = "/run";
  dump.units.push_back({.axes = {.step = 0},
                        .open = [](const dumps::UnitInfo&,
                                   const std::stop_token&,
                                   const dumps::Progress&) -> Result<dumps::DumpUnitPtr> {
                          return fail(ErrorCode::CorruptData, "dump.json: 1: not JSON");
                        }});
  dump.add(layersUnit({{3, 4}}), {.step = 1});
  int told = 0;
  DumpReadOptions options;
  options.soFar = [&told](const DumpContents& soFar) {
    told += static_cast<int>(soFar.units.size());
  };
  const auto contents = readContents(dump, options);
  ASSERT_TRUE(contents) << contents.error().message();
  EXPECT_THAT(contents->units, SizeIs(1));
  ASSERT_THAT(contents->failures, SizeIs(1));
  EXPECT_THAT(contents->failures[0].message(), HasSubstr("dump.json: 1: not JSON"));
  EXPECT_EQ(told, 1);
  dump.units.pop_back();
  const auto none = readContents(dump, {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code(), ErrorCode::CorruptData);
}

TEST(DumpReportTest, AStopHandsOutWhatWasRead) {
  BuiltDump dump;
  dump.path = "/run";
  auto second = layersUnit({{1, 2}});
  second->module("slow");
  second->tensor(Role::Output, "0", {1});
  dump.add(layersUnit({{3, 4}}), {.step = 0});
  dump.add(second, {.step = 1});
  std::stop_source source;
  std::size_t handedOut = 0;
  DumpReadOptions options;
  options.soFar = [&source](const DumpContents&) { source.request_stop(); };
  options.stopped = [&handedOut](const DumpContents& read) { handedOut = read.units.size(); };
  const auto contents = readContents(dump, options, source.get_token());
  ASSERT_FALSE(contents);
  EXPECT_EQ(contents.error().code(), ErrorCode::Cancelled);
  EXPECT_EQ(handedOut, 1U);
}

TEST(DumpReportTest, AReportOfOneDumpIsWrittenAndReadAgain) {
  const test::TempDir folder;
  const report::Report report = test::reportOfOneDump(test::msprobeCase("v26_stat_nan/target"));
  ASSERT_TRUE(report::saveReport(report, folder.path()));
  const auto loaded = report::loadReport(folder.path());
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_TRUE(report::isOfOneDump(*loaded->report));
  EXPECT_TRUE(loaded->report->reference.empty());
  EXPECT_EQ(loaded->report->runs.size(), report.runs.size());
  EXPECT_EQ(loaded->report->runs[0].comparisons.size(), report.runs[0].comparisons.size());
  EXPECT_EQ(*report::readFindings(*loaded->report), *report::readFindings(report));
}

}  // namespace
}  // namespace ulp::analysis
