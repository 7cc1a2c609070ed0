#include "core/comparing/verdict/dump_comparison.h"

#include <array>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/findings/all_findings.h"
#include "core/analysis/verdict/run_verdict.h"
#include "core/comparing/verdict/dump_findings.h"
#include "core/report/model/dump_origin.h"
#include "core/report/model/finding.h"
#include "tests/support/data/dump_builder.h"
#include "tests/support/data/dump_files.h"
#include "tests/support/machine/process_seconds.h"
#include "tests/support/machine/sanitizers.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::analysis {
namespace {

using dumps::Role;
using test::BuiltDump;
using test::BuiltUnit;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::shared_ptr<BuiltUnit> unitOfLayer(double value) {
  auto unit = std::make_shared<BuiltUnit>();
  unit->module("model.layers.0", "Layer");
  unit->recorded(Role::Input, "0", {1, 2});
  unit->recorded(Role::Output, "0", {value, 2});
  return unit;
}

/// Dumps of `steps` steps whose layer puts out another value in the candidate.
struct DifferingSteps {
  explicit DifferingSteps(std::int64_t steps) {
    for (std::int64_t step = 0; step < steps; ++step) {
      baseline.add(unitOfLayer(1), {.step = step});
      candidate.add(unitOfLayer(3), {.step = step});
    }
  }
  BuiltDump baseline;
  BuiltDump candidate;
};

/// What is finished of the first unit.
std::vector<std::string> firstRowsOf(const DumpComparison& comparison) {
  std::vector<std::string> names;
  for (const report::Comparison& row : comparison.units.front().run.comparisons) {
    names.push_back(row.site.name);
  }
  return names;
}

/// Each of 60,000 rows was looked for among all others, and judged by all others.
TEST(DumpComparisonTest, WhatCouldNotBeReadIsNotCountedAsEqual) {
  const auto build = [](bool isLost, bool hasStatistics) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->module("a");
    unit->tensor(Role::Output, "0", {1, 2});
    unit->module("b");
    unit->tensor(Role::Output, "0", {3, 4});
    if (hasStatistics) {
      unit->rows.back().statistics = {4, 3, 3.5, 5};
    }
    if (isLost) {
      unit->loseFile(1);
    }
    return unit;
  };
  const auto comparisonOf = [&](bool isLost, bool hasStatistics) {
    BuiltDump baseline;
    baseline.path = "a";
    baseline.add(build(false, hasStatistics));
    BuiltDump candidate;
    candidate.path = "b";
    candidate.add(build(isLost, hasStatistics));
    auto comparison = compareDumps(baseline, candidate, {});
    EXPECT_TRUE(comparison);
    return std::move(*comparison);
  };
  const auto verdictOf = [](DumpComparison comparison) {
    const report::Report report =
        toReport(std::move(comparison),
                 report::DumpOrigin{.baseline = {.path = "a"}, .candidate = {.path = "b"}});
    const auto findings = allFindings(report);
    EXPECT_TRUE(findings);
    return findVerdicts(report, *findings, "rms_rel").front().born.text.text();
  };
  EXPECT_FALSE(comparisonOf(false, false).hasUnread());
  EXPECT_EQ(verdictOf(comparisonOf(false, false)), "every number equals the baseline's");
  EXPECT_FALSE(comparisonOf(true, true).hasUnread()) << "statistics stand beside";
  const DumpComparison lost = comparisonOf(true, false);
  EXPECT_TRUE(lost.hasUnread());
  ASSERT_THAT(lost.units[0].unread, SizeIs(1));
  EXPECT_EQ(lost.units[0].unread[0].name, "b");
  const auto findings = findingsOf(lost.units[0], "run");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].rule, "not_compared");
  EXPECT_EQ(findings[0].title.text(), "Not compared: b");
  EXPECT_EQ(findings[0].severity, report::FindingSeverity::Look);
  EXPECT_EQ(verdictOf(comparisonOf(true, false)),
            "every number that was compared equals the baseline's");
}

TEST(DumpComparisonTest, WhatACallFillsIsNotComparedBeforeIt) {
  const auto build = [](double memory, double gathered) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->module("a");
    unit->checksum(Role::Output, "0", "1f");
    unit->api("Distributed.all_gather", 0);
    unit->checksum(Role::Input, "0.0", std::to_string(memory));
    unit->checksum(Role::Input, "0.1", std::to_string(memory));
    unit->checksum(Role::Input, "1", "1f");
    unit->checksum(Role::Output, "0", std::to_string(gathered));
    return unit;
  };
  const auto outcomeOf = [&](double memory, double gathered) {
    BuiltDump baseline;
    baseline.checksumKind = "crc32";
    baseline.add(build(0, 1));
    BuiltDump candidate;
    candidate.checksumKind = "crc32";
    candidate.add(build(memory, gathered));
    auto comparison = compareDumps(baseline, candidate, {});
    EXPECT_TRUE(comparison);
    return std::move(comparison->units.front());
  };
  const UnitOutcome twin = outcomeOf(7, 1);
  EXPECT_TRUE(twin.isIdentical());
  EXPECT_EQ(twin.pairedRows, 3U);
  EXPECT_THAT(twin.run.comparisons, SizeIs(3));
  EXPECT_FALSE(twin.repeatability.first);
  const UnitOutcome other = outcomeOf(7, 2);
  ASSERT_TRUE(other.repeatability.first);
  EXPECT_EQ(other.repeatability.first->rowName, "Distributed.all_gather.0.forward.output.0");
  ASSERT_THAT(other.differing, SizeIs(1));
  EXPECT_EQ(other.run.comparisons[other.differing[0].comparison].site.name,
            "Distributed.all_gather.0");
}

TEST(CompareDumpsTest, OneCallOfManyTensorsTakesATimeThatGrowsWithTheirNumber) {
  constexpr int kRows = 60'000;
  const auto build = [](double value) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->module("model.layers.0", "Layer");
    for (int i = 0; i < kRows; ++i) {
      unit->recorded(Role::Output, std::to_string(i), {value, 2});
    }
    return unit;
  };
  BuiltDump baseline;
  baseline.add(build(1));
  BuiltDump candidate;
  candidate.add(build(1.5));
  const double before = test::processSeconds();
  const auto comparison = compareDumps(baseline, candidate, {});
  ASSERT_TRUE(comparison) << comparison.error().message();
  EXPECT_EQ(comparison->units.front().pairedRows, kRows);
  EXPECT_LT(test::processSeconds() - before, 8 * test::sanitizerFactor())
      << "minutes where it grows with the square";
}

TEST(CompareDumpsTest, EveryUnitIsARunOfTheReportWithItsCulprit) {
  BuiltDump baseline;
  baseline.path = "runs/golden";
  BuiltDump candidate;
  candidate.path = "runs/target/";
  for (std::int64_t step = 0; step < 2; ++step) {
    baseline.add(unitOfLayer(1), {.step = step});
    candidate.add(unitOfLayer(step == 0 ? 1 : 3), {.step = step});
  }
  auto comparison = compareDumps(baseline, candidate, {});
  ASSERT_TRUE(comparison) << comparison.error().message();
  ASSERT_THAT(comparison->units, SizeIs(2));
  EXPECT_EQ(comparison->units[0].equalRows, 2U);
  EXPECT_THAT(comparison->units[0].verdict.culprits, IsEmpty());
  ASSERT_THAT(comparison->units[1].verdict.culprits, SizeIs(1));

  const report::Report report = toReport(std::move(*comparison));
  EXPECT_EQ(report.reference, "golden");
  EXPECT_EQ(report.model.name, "target against golden");
  EXPECT_EQ(report.model.layers, 1);
  ASSERT_THAT(report.runs, SizeIs(3));
  EXPECT_EQ(report.runs[1].name, "step 0");
  EXPECT_EQ(report.runs[2].name, "step 1");
  const int bound = report.metricIndex("stat.rms_bound");
  ASSERT_GE(bound, 0);
  EXPECT_LT(report.metricIndex("rms_rel"), 0)
      << "no row has elements, so no column stands for them";
  ASSERT_THAT(report.runs[2].comparisons, SizeIs(2));
  const report::Comparison& row = report.runs[2].comparisons[1];
  EXPECT_EQ(row.site.name, "decoder.0");
  EXPECT_DOUBLE_EQ(row.metrics[static_cast<std::size_t>(bound)], 1 / std::sqrt(2.5))
      << "the means differ by 1, the RMS of the baseline is sqrt(2.5)";
  const auto findings = report::readFindings(report);
  ASSERT_TRUE(findings);
  ASSERT_THAT(*findings, SizeIs(1));
  EXPECT_EQ((*findings)[0].rule, "culprit");
  EXPECT_THAT((*findings)[0].runs, ElementsAre("step 1"));
}

TEST(CompareDumpsTest, WhatIsDoneIsHandedOutAfterEveryUnitAndWithinOne) {
  const DifferingSteps sides(2);
  std::vector<std::vector<std::size_t>> rows;
  std::vector<report::RunStatus> last;
  DumpCompareOptions options{.threads = 1};
  options.soFarEvery = std::chrono::milliseconds(0);
  options.soFar = [&](const DumpComparison& soFar) {
    rows.emplace_back();
    for (const UnitOutcome& unit : soFar.units) {
      rows.back().push_back(unit.run.comparisons.size());
    }
    last.push_back(soFar.units.back().run.status);
    EXPECT_EQ(soFar.units.back().label, fmt::format("step {}", soFar.units.size() - 1));
  };
  const auto comparison = compareDumps(sides.baseline, sides.candidate, options);
  ASSERT_TRUE(comparison);
  // The second row of a unit is handed out within it or not, by what handing out the first cost.
  using Status = report::RunStatus;
  const auto handedOut = [&](const std::vector<std::size_t>& counts, Status status) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i] == counts && last[i] == status) {
        return true;
      }
    }
    return false;
  };
  EXPECT_THAT(rows.front(), ElementsAre(1));
  EXPECT_TRUE(handedOut({1}, Status::Running));
  EXPECT_TRUE(handedOut({2}, Status::Finished));
  EXPECT_TRUE(handedOut({2, 1}, Status::Running));
  EXPECT_THAT(rows.back(), ElementsAre(2, 2));
  EXPECT_EQ(last.back(), Status::Finished);
}

TEST(CompareDumpsTest, WhatWasDoneWhenItIsStoppedIsHandedOut) {
  const DifferingSteps sides(1);
  std::stop_source stop;
  std::vector<std::string> names;
  DumpCompareOptions options{.threads = 1};
  options.soFar = [](const DumpComparison& /*soFar*/) {};
  options.stopped = [&](const DumpComparison& finished) { names = firstRowsOf(finished); };
  const auto comparison = compareDumps(sides.baseline,
                                       sides.candidate,
                                       options,
                                       {},
                                       stop.get_token(),
                                       [&](std::uint64_t, std::uint64_t) { stop.request_stop(); });
  ASSERT_FALSE(comparison);
  EXPECT_EQ(comparison.error().code(), ErrorCode::Cancelled);
  EXPECT_EQ(names.size(), 1U) << "the first row of two";
}

TEST(CompareDumpsTest, WhatWasHandedOutOfAUnitIsThereAlsoWhenItIsStoppedAfterItsLastRow) {
  const DifferingSteps sides(2);
  std::stop_source stop;
  DumpCompareOptions options{.threads = 1};
  options.soFarEvery = std::chrono::milliseconds(0);
  // Whatever stops the second unit, its first row was handed out before.
  options.soFar = [&](const DumpComparison& soFar) {
    if (soFar.units.size() == 2) {
      stop.request_stop();
    }
  };
  std::vector<report::RunStatus> units;
  int calls = 0;
  options.stopped = [&](const DumpComparison& finished) {
    ++calls;
    for (const UnitOutcome& unit : finished.units) {
      units.push_back(unit.run.status);
      EXPECT_FALSE(unit.run.comparisons.empty());
    }
  };
  const auto comparison =
      compareDumps(sides.baseline, sides.candidate, options, {}, stop.get_token());
  ASSERT_FALSE(comparison);
  EXPECT_EQ(calls, 1);
  EXPECT_THAT(units, ElementsAre(report::RunStatus::Finished, report::RunStatus::Running));
}

/// A unit that asks for a stop when a tensor is read for the second time.
class StoppingUnit final : public dumps::DumpUnit {
 public:
  StoppingUnit(std::shared_ptr<const BuiltUnit> of, std::stop_source& stop)
      : m_of(std::move(of)), m_stop(stop) {
    entries = m_of->entries;
    rows = m_of->rows;
  }
  [[nodiscard]] Result<tensors::Tensor> read(std::size_t row) const override {
    if (!m_seen.insert(row).second) {
      m_stop.request_stop();
    }
    return m_of->read(row);
  }

 private:
  std::shared_ptr<const BuiltUnit> m_of;
  std::stop_source& m_stop;
  mutable std::set<std::size_t> m_seen;
};

TEST(CompareDumpsTest, RowsThatWereDoneAreHandedOutWhenItIsStoppedAtItsLogits) {
  const auto build = [] {
    auto unit = std::make_shared<BuiltUnit>();
    unit->module("lm_head", "Linear");
    unit->tensor(Role::Output, "0", {1, 2, 3});
    unit->shape({1, 3});
    return unit;
  };
  std::stop_source stop;
  dumps::Dump baseline;
  baseline.units.push_back(
      {.axes = {.step = 0},
       .open = test::opening(std::make_shared<const StoppingUnit>(build(), stop))});
  BuiltDump candidate;
  candidate.add(build(), {.step = 0});
  std::vector<std::string> names;
  DumpCompareOptions options{.threads = 1};
  options.soFar = [](const DumpComparison& /*soFar*/) {};
  options.stopped = [&](const DumpComparison& finished) { names = firstRowsOf(finished); };
  const auto comparison = compareDumps(baseline, candidate, options, {}, stop.get_token());
  ASSERT_FALSE(comparison);
  EXPECT_EQ(comparison.error().code(), ErrorCode::Cancelled);
  EXPECT_THAT(names, ElementsAre("logits"));
}

TEST(CompareDumpsTest, OnlyElementsAndChecksumsProveThatDumpsAreIdentical) {
  const auto build = [](const std::string& checksum) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->module("m");
    unit->checksum(Role::Output, "0", checksum);
    return unit;
  };
  BuiltDump baseline;
  baseline.checksumKind = "crc32";
  baseline.add(build("1"));
  BuiltDump candidate;
  candidate.checksumKind = "crc32";
  candidate.add(build("1"));
  const auto same = compareDumps(baseline, candidate, {});
  ASSERT_TRUE(same);
  EXPECT_TRUE(same->isIdentical());
  BuiltDump statistics;
  statistics.add(unitOfLayer(1));
  const auto likely = compareDumps(statistics, statistics, {});
  ASSERT_TRUE(likely);
  EXPECT_EQ(likely->units[0].equalRows, 2U);
  EXPECT_FALSE(likely->isIdentical()) << "statistics cannot prove it";
}

TEST(CompareDumpsTest, FilesThatCannotBeReadAreNotIdentical) {
  const test::TempDir dir;
  for (const char* side : {"golden", "target"}) {
    test::writeNpy(dir / side / "x.npy", {2}, {1, 2});
    dir.write(std::string(side) + "/y.npy", "cut off");
  }
  const auto sides =
      openSides({.baseline = {.path = dir / "golden"}, .candidate = {.path = dir / "target"}});
  ASSERT_TRUE(sides) << sides.error().message();
  const auto comparison = compareDumps(*sides->baseline, *sides->candidate, {});
  ASSERT_TRUE(comparison) << comparison.error().message();
  EXPECT_EQ(comparison->units.front().pairedRows, 2U);
  EXPECT_EQ(comparison->units.front().equalRows, 1U);
  EXPECT_THAT(comparison->units.front().problems, ElementsAre(testing::HasSubstr("y.npy")));
  EXPECT_FALSE(comparison->isIdentical());
}

/// Layers one after another, each with the checksums of its input and output.
using LayerSums = std::vector<std::array<std::string, 2>>;

/// What msprobe writes of them with summary_mode: md5, or xor where the checksums are such.
std::string checksumDump(const LayerSums& layers) {
  std::vector<std::string> entries;
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    const auto tensor = [](const std::string& sum) {
      return R"({"type": "torch.Tensor", "dtype": "torch.float32", "shape": [2, 4], )"
             R"("requires_grad": false, "md5": ")" +
             sum + "\"}";
    };
    entries.push_back(fmt::format(
        R"("Module.model.layers.{}.Layer.forward.0": {{"input_args": [{}], "output": [{}]}})",
        layer,
        tensor(layers[layer][0]),
        tensor(layers[layer][1])));
  }
  return fmt::format(R"({{"task": "statistics", "level": "L0", "framework": "pytorch", )"
                     R"("dump_data_dir": null, "data": {{{}}}}})",
                     fmt::join(entries, ", "));
}

Result<DumpComparison> compareFolders(const std::filesystem::path& golden,
                                      const std::filesystem::path& target) {
  const auto sides = openSides({.baseline = {.path = golden}, .candidate = {.path = target}});
  return sides ? compareDumps(*sides->baseline, *sides->candidate, {})
               : tl::unexpected<Error>(sides.error());
}

TEST(CompareDumpsTest, AUnitThatCannotBeOpenedIsANoteAndTheOthersAreCompared) {
  const std::string whole = checksumDump({{"00000001", "00000002"}});
  for (const int broken : {0, 1}) {
    const test::TempDir dir;
    for (const char* rank : {"golden/step0/rank0", "golden/step0/rank1", "target/step0/rank0"}) {
      dir.write(std::string(rank) + "/dump.json", whole);
    }
    dir.write("target/step0/rank1/dump.json", whole);
    const std::string file = fmt::format("target/step0/rank{}/dump.json", broken);
    dir.write(file, "");
    const auto comparison = compareFolders(dir / "golden", dir / "target");
    ASSERT_TRUE(comparison) << comparison.error().message();
    EXPECT_THAT(textsOf(comparison->notes),
                ElementsAre(testing::HasSubstr(file + ": line 1: the file ends here")));
    ASSERT_THAT(comparison->failures, SizeIs(1));
    EXPECT_EQ(comparison->failures[0].code(), ErrorCode::CorruptData);
    ASSERT_THAT(comparison->units, SizeIs(1));
    EXPECT_EQ(comparison->units[0].label, fmt::format("step 0, rank {}", 1 - broken));
    EXPECT_EQ(comparison->units[0].pairedRows, 2U);
    EXPECT_EQ(comparison->units[0].rowsByChecksums, 2U);
    EXPECT_TRUE(comparison->units[0].isIdentical());
    EXPECT_FALSE(comparison->isIdentical()) << "of the broken rank nothing is known";
  }
}

TEST(CompareDumpsTest, WhereNoUnitCanBeOpenedTheFirstErrorIsThatOfTheComparison) {
  const test::TempDir dir;
  const std::string whole = checksumDump({{"00000001", "00000002"}});
  for (const std::string rank : {"step0/rank0", "step0/rank1"}) {
    dir.write("golden/" + rank + "/dump.json", whole);
    dir.write("target/" + rank + "/dump.json", whole.substr(0, whole.size() / 2));
  }
  const auto comparison = compareFolders(dir / "golden", dir / "target");
  ASSERT_FALSE(comparison);
  EXPECT_EQ(comparison.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(comparison.error().message(),
              testing::HasSubstr("target/step0/rank0/dump.json: line 1: the file ends here"));
}

TEST(CompareDumpsTest, ExclusiveOrsOfMsprobeProveEqualityAndNameTheEntryThatDiffers) {
  const std::string a = "0x00000000000000a1";
  const std::string b = "0x00000000000000b2";
  const std::string c = "0x00000000000000c3";
  const std::string other = "0x80000000000000c3";
  const test::TempDir dir;
  dir.write("golden/dump.json", checksumDump({{a, b}, {b, c}, {c, a}}));
  dir.write("again/dump.json", checksumDump({{a, b}, {b, c}, {c, a}}));
  dir.write("wrong/dump.json", checksumDump({{a, b}, {b, other}, {other, b}}));
  const auto same = compareFolders(dir / "golden", dir / "again");
  ASSERT_TRUE(same) << same.error().message();
  EXPECT_EQ(same->baselineFormat, "msprobe, checksums, level L0");
  EXPECT_EQ(same->units.front().rowsByChecksums, 6U);
  EXPECT_EQ(same->units.front().equalRows, 6U);
  EXPECT_TRUE(same->isIdentical());

  const auto differing = compareFolders(dir / "golden", dir / "wrong");
  ASSERT_TRUE(differing) << differing.error().message();
  const UnitOutcome& unit = differing->units.front();
  EXPECT_EQ(unit.rowsByChecksums, 6U);
  EXPECT_EQ(unit.equalRows, 3U);
  EXPECT_FALSE(differing->isIdentical());
  ASSERT_FALSE(unit.verdict.culprits.empty());
  EXPECT_EQ(unit.verdict.culprits[0].name, "Module.model.layers.1.Layer.forward.0");
  EXPECT_TRUE(std::isnan(unit.verdict.culprits[0].error)) << "checksums do not say how much";
}

TEST(CompareDumpsTest, AScalarWithoutItsExclusiveOrIsNotTakenForEqual) {
  const test::TempDir dir;
  for (const char* side : {"golden", "target"}) {
    dir.write(std::string(side) + "/dump.json",
              R"({"task": "statistics", "level": "L0", "dump_data_dir": null, "data": {
                   "Module.loss.Loss.forward.0": {"input_args": [], "output": [
                     {"type": "torch.Tensor", "dtype": "torch.float32", "shape": [], "md5": null},
                     {"type": "torch.Tensor", "dtype": "torch.float32", "shape": [2],
                      "md5": "0x00000000000000a1"}]}}})");
  }
  const auto comparison = compareFolders(dir / "golden", dir / "target");
  ASSERT_TRUE(comparison) << comparison.error().message();
  EXPECT_EQ(comparison->units.front().pairedRows, 2U);
  EXPECT_EQ(comparison->units.front().rowsByChecksums, 1U);
  EXPECT_EQ(comparison->units.front().equalRows, 1U);
  EXPECT_FALSE(comparison->isIdentical());
}

TEST(CompareDumpsTest, ChecksumsOfTwoKindsProveNothing) {
  const test::TempDir dir;
  dir.write("crc/dump.json", checksumDump({{"000000a1", "000000b2"}}));
  dir.write("xor/dump.json", checksumDump({{"0x00000000000000a1", "0x00000000000000b2"}}));
  const auto comparison = compareFolders(dir / "crc", dir / "xor");
  ASSERT_TRUE(comparison) << comparison.error().message();
  EXPECT_EQ(comparison->units.front().pairedRows, 2U);
  EXPECT_EQ(comparison->units.front().rowsByChecksums, 0U);
  EXPECT_EQ(comparison->units.front().equalRows, 0U);
  EXPECT_THAT(comparison->units.front().verdict.culprits, IsEmpty());
  EXPECT_FALSE(comparison->isIdentical());
}

TEST(CompareDumpsTest, DumpsWithoutACommonUnitAreRefused) {
  BuiltDump baseline;
  baseline.path = "a";
  baseline.add(unitOfLayer(1), {.step = 0});
  baseline.add(unitOfLayer(1), {.step = 1});
  BuiltDump candidate;
  candidate.path = "b";
  candidate.add(unitOfLayer(1), {.step = 5});
  const auto comparison = compareDumps(baseline, candidate, {});
  ASSERT_FALSE(comparison);
  EXPECT_EQ(comparison.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(comparison.error().message(), testing::HasSubstr("a and b"));
}

/// One layer whose q, k and v are the elements 0 to 3 and, with `isFused`, lie in one tensor.
std::shared_ptr<BuiltUnit> attentionUnit(bool isFused, std::vector<float> values) {
  auto unit = std::make_shared<BuiltUnit>();
  const auto add = [&](const std::string& name, std::size_t first, std::size_t count) {
    unit->module("model.layers.0.self_attn." + name, "Linear");
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
    unit->tensor(Role::Output, "0", {begin, begin + static_cast<std::ptrdiff_t>(count)});
    unit->shape({1, static_cast<std::int64_t>(count)});
  };
  if (isFused) {
    add("qkv_proj", 0, values.size());
  } else {
    add("q_proj", 0, 2);
    add("k_proj", 2, 1);
    add("v_proj", 3, 1);
  }
  return unit;
}

TEST(CompareDumpsTest, FusedProjectionsAreTakenApartOnTheWay) {
  BuiltDump baseline;
  baseline.add(attentionUnit(false, {1, 2, 3, 4}));
  BuiltDump candidate;
  candidate.add(attentionUnit(true, {1, 2, 3, 5}));
  const auto comparison = compareDumps(baseline, candidate, {});
  ASSERT_TRUE(comparison) << comparison.error().message();
  const UnitOutcome& outcome = comparison->units.front();
  EXPECT_EQ(outcome.pairedRows, 3U);
  EXPECT_EQ(outcome.equalRows, 2U);
  EXPECT_THAT(outcome.onlyCandidate, IsEmpty());
  ASSERT_FALSE(outcome.verdict.culprits.empty());
  EXPECT_EQ(outcome.verdict.culprits[0].site.module, "model.layers.0.self_attn.v_proj");
}

TEST(CompareDumpsTest, WhatDoesNotAddUpIsListedOnBothSidesWithTheReason) {
  BuiltDump baseline;
  baseline.add(attentionUnit(false, {1, 2, 3, 4}));
  BuiltDump candidate;
  candidate.add(attentionUnit(true, {1, 2, 3, 4, 5}));
  const auto comparison = compareDumps(baseline, candidate, {});
  ASSERT_TRUE(comparison) << comparison.error().message();
  const UnitOutcome& outcome = comparison->units.front();
  EXPECT_THAT(outcome.onlyBaseline, SizeIs(3));
  ASSERT_THAT(outcome.onlyCandidate, SizeIs(1));
  EXPECT_EQ(outcome.reasons.candidate.at(outcome.onlyCandidate.front().name),
            "[1, 5] is not made of [1, 2] and [1, 1] and [1, 1]");
  EXPECT_EQ(outcome.reasons.baseline.at(outcome.onlyBaseline.front().name),
            "[1, 5] is not made of [1, 2] and [1, 1] and [1, 1]");
}

}  // namespace
}  // namespace ulp::analysis
