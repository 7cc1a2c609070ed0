#include <cmath>
#include <filesystem>
#include <stop_token>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/dumps/importers/importer.h"
#include "tests/support/data/fixture_case.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::dumps {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Blocks of a log as torchtitan writes them.
const std::string kMul =
    "[layers.0.norm/op_0_mul]\n"
    "  Shape: torch.Size([2, 8, 1]), Dtype: torch.bfloat16\n"
    "  L2 norm: 2.125000e+00\n"
    "  Min: -1.500000e+00\n"
    "  Max: nan\n"
    "  Mean: 1.250000e-01\n"
    "  Output hash: 1.562637e+02\n"
    "  Input hashes: 3.200000e+01, 7.500100e+00\n"
    "  Input producers: ;\n"
    "  Location: llama/modeling_llama.py:66\n\n";
const std::string kMm =
    "[FSDPLlama3Model.layers.0.wq/op_1_mm]\n"
    "  Shape: torch.Size([16, 4]), Dtype: torch.float32\n"
    "  L2 norm: 1.000000e+00\n"
    "  Min: -inf\n"
    "  Max: 1.000000e+00\n"
    "  Mean: 0.000000e+00\n"
    "  Output hash: 2.000000e+00, 5.500000e+00\n"
    "  Input hashes: 1.562637e+02, 9.000000e-01\n"
    "  Input producers: ;layers.0.norm/op_0_mul\n"
    "  Phase: backward\n\n";
const std::string kInPlace =
    "[<none>/op_0__foreach_add_]\n"
    "  Input hashes: 2.500000e+00\n\n";

std::string titanLog(const std::string& blocks, int said) {
  return "Total captured activations: " + std::to_string(said) +
         "\nExcluded ops dispatched: view, t\n" + std::string(80, '=') + "\n\n" + blocks;
}

DumpUnitPtr firstUnitOf(const std::filesystem::path& path) {
  const auto dump = openDump(path);
  EXPECT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->importer, "torchtitan");
  auto unit = (*dump)->openUnit(0);
  EXPECT_TRUE(unit) << unit.error().message();
  return *unit;
}

TEST(TorchtitanTest, ABlockIsACallInItsModuleAndPass) {
  const test::TempDir dir;
  const DumpUnitPtr unit =
      firstUnitOf(dir.write("rank_3_activations.log", titanLog(kMul + kMm + kMul + kInPlace, 4)));
  EXPECT_EQ(unit->axes.rank, 3);
  EXPECT_THAT(textsOf(unit->notes), IsEmpty());
  ASSERT_EQ(unit->entries.size(), 4U);
  const DumpEntry& mul = unit->entries[0];
  EXPECT_EQ(mul.name, "layers.0.norm/op_0_mul");
  EXPECT_EQ(mul.kind, EntryKind::Api);
  EXPECT_EQ(mul.pass, Pass::Forward);
  EXPECT_EQ(mul.module, "layers.0.norm");
  EXPECT_EQ(mul.operation, "mul");
  EXPECT_THAT(unit->stacks.at(mul.stack), ElementsAre("llama/modeling_llama.py:66"));
  const DumpEntry& mm = unit->entries[1];
  EXPECT_EQ(mm.pass, Pass::Backward);
  EXPECT_EQ(mm.module, "layers.0.wq");
  EXPECT_EQ(mm.operation, "mm");
  EXPECT_EQ(mm.stack, kNone);
  EXPECT_EQ(unit->entries[2].call, 1U);
  EXPECT_EQ(unit->entries[3].module, "");
  EXPECT_EQ(unit->entries[3].operation, "_foreach_add_");
}

TEST(TorchtitanTest, RowsHoldWhatIsKnownOfInputsAndResults) {
  const test::TempDir dir;
  const DumpUnitPtr unit = firstUnitOf(dir.write("a.log", titanLog(kMul + kMm + kInPlace, 3)));
  ASSERT_EQ(unit->rows.size(), 8U);
  const DumpRow& unknown = unit->rows[0];
  EXPECT_EQ(unknown.name, "layers.0.norm/op_0_mul.input.0");
  EXPECT_EQ(unknown.role, Role::Input);
  EXPECT_EQ(unknown.value, "L1 norm 3.200000e+01");
  const DumpRow& made = unit->rows[2];
  EXPECT_EQ(made.role, Role::Output);
  EXPECT_EQ(made.dtype, "torch.bfloat16");
  EXPECT_THAT(made.shape, ElementsAre(2, 8, 1));
  EXPECT_EQ(made.statistics.norm, 2.125);
  EXPECT_EQ(made.statistics.min, -1.5);
  EXPECT_EQ(made.statistics.mean, 0.125);
  EXPECT_TRUE(std::isnan(*made.statistics.max));
  // No producer is named, but the L1 norm is that of an earlier result.
  const DumpRow& read = unit->rows[3];
  EXPECT_EQ(read.statistics.norm, 2.125);
  EXPECT_EQ(read.dtype, "torch.bfloat16");
  EXPECT_THAT(read.shape, IsEmpty());
  // A producer is named, and has been changed since.
  EXPECT_EQ(unit->rows[4].value, "L1 norm 9.000000e-01");
  EXPECT_EQ(unit->rows[5].statistics.min, -INFINITY);
  EXPECT_EQ(unit->rows[6].index, "1");
  EXPECT_EQ(unit->rows[6].value, "L1 norm 5.500000e+00");
  EXPECT_EQ(unit->rows[7].value, "L1 norm 2.500000e+00");
  const auto elements = unit->read(2);
  ASSERT_FALSE(elements);
  EXPECT_THAT(elements.error().message(), HasSubstr("torchtitan logs statistics alone"));
}

TEST(TorchtitanTest, ANormThatIsNotFiniteTellsOfItsTensor) {
  const test::TempDir dir;
  const DumpUnitPtr unit = firstUnitOf(dir.write(
      "a.log", titanLog("[<none>/op_0_mul]\n  Output hash: inf, 1.5\n  Input hashes: nan\n\n", 1)));
  ASSERT_EQ(unit->rows.size(), 3U);
  EXPECT_EQ(unit->rows[0].value, "");
  for (const auto& number : unit->rows[0].statistics.all()) {
    EXPECT_TRUE(std::isnan(number.value()));
  }
  EXPECT_EQ(unit->rows[1].value, "");
  EXPECT_EQ(unit->rows[1].statistics.norm, INFINITY);
  EXPECT_EQ(unit->rows[1].statistics.max, std::nullopt);
  EXPECT_EQ(unit->rows[2].value, "L1 norm 1.5");
}

TEST(TorchtitanTest, RunsAndRanksAreUnits) {
  const test::TempDir dir;
  for (const char* log : {"b/numerics/rank_0_activations.log",
                          "a/numerics/rank_10_activations.log",
                          "a/numerics/rank_2_activations.log"}) {
    dir.write(log, titanLog(kMul, 1));
  }
  const auto dump = openDump(dir.path());
  ASSERT_TRUE(dump) << dump.error().message();
  std::vector<std::string> units;
  for (const UnitInfo& unit : (*dump)->units) {
    units.push_back(describe(unit.axes));
  }
  EXPECT_THAT(units, ElementsAre("run a, rank 2", "run a, rank 10", "run b, rank 0"));
  const auto numerics = openDump(dir / "a/numerics");
  ASSERT_TRUE(numerics);
  EXPECT_EQ(describe((*numerics)->units[0].axes), "rank 2");
}

TEST(TorchtitanTest, ALogThatWasCutShortIsReadAndNoted) {
  const test::TempDir dir;
  const std::string cut = titanLog(kMul + kMm, 3);
  const DumpUnitPtr unit =
      firstUnitOf(dir.write("rank_0_activations.log", cut.substr(0, cut.size() - 90)));
  EXPECT_EQ(unit->entries.size(), 2U);
  EXPECT_THAT(textsOf(unit->notes), ElementsAre(HasSubstr("holds 2 of the 3 operations")));
}

TEST(TorchtitanTest, WhatIsNoLogIsNamed) {
  const test::TempDir dir;
  const auto empty = openDump(dir.write("empty/rank_0_activations.log", ""));
  ASSERT_TRUE(empty) << empty.error().message();
  const auto unit = (*empty)->openUnit(0);
  ASSERT_FALSE(unit);
  EXPECT_THAT(unit.error().message(), HasSubstr("rank_0_activations.log: line 1"));

  const std::string wrong =
      "[x/op_0_mm]\n  Shape: torch.Size([9223372036854775807, 9]), Dtype: torch.float32\n";
  const auto shape = openDump(dir.write("wrong/rank_0_activations.log", titanLog(wrong, 1)));
  ASSERT_TRUE(shape);
  const auto opened = (*shape)->openUnit(0);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message(), HasSubstr("[x/op_0_mm] has no possible shape"));

  std::stop_source source;
  source.request_stop();
  const auto stopped = (*shape)->openUnit(0, source.get_token());
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code(), ErrorCode::Cancelled);
}

TEST(TorchtitanTest, AWholeLogOfTheToolIsRead) {
  const DumpUnitPtr unit = firstUnitOf(test::fixture("torchtitan/plain"));
  EXPECT_THAT(textsOf(unit->notes), IsEmpty());
  EXPECT_EQ(unit->entries.size(), 271U);
  EXPECT_EQ(unit->entries[0].module, "model.embed_tokens");
  EXPECT_EQ(unit->entries[0].operation, "embedding");
}

}  // namespace
}  // namespace ulp::dumps
