#include <fmt/format.h>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/files/atomic_file.h"
#include "core/base/text/parse_number.h"
#include "core/dumps/exporters/dump_exporter.h"
#include "core/dumps/exporters/torch_statistics.h"
#include "core/dumps/importers/importer.h"
#include "tests/support/data/fixture_case.h"
#include "tests/support/data/tensor_unit.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::dumps {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Result<DumpExportOutcome> exported(const Dump& dump,
                                   const fs::path& target,
                                   const DumpExportOptions& options = {}) {
  const DumpExporterRegistry exporters = builtinDumpExporters();
  return exportDump(dump, target, *exporters.find("msprobe"), options);
}

std::string textOf(const fs::path& path) {
  return readTextFile(path).value_or("");
}

DumpUnitPtr firstUnit(const fs::path& path) {
  const auto dump = openDump(path);
  EXPECT_TRUE(dump) << dump.error().message();
  auto unit = dump ? (*dump)->openUnit(0) : tl::unexpected<Error>(dump.error());
  EXPECT_TRUE(unit);
  return unit.value_or(nullptr);
}

/// A module with inputs, a keyword, parameters and nested results, its backward call and gradients.
void fillModule(test::TensorUnit& unit) {
  const auto add = [&](Role role, const std::string& index, float value) {
    unit.tensor<float>(role, "row", index, DType::Float32, {1}, {value});
  };
  unit.stacks = {{"File a.py, line 1, in forward, \n x = f(x)"}};
  unit.entry({.name = "block.forward",
              .kind = EntryKind::Module,
              .module = "model.block",
              .operation = "my.Block",
              .stack = 0});
  add(Role::Input, "0", 1);
  add(Role::Input, "2", 2);
  add(Role::Input, "mask", 3);
  add(Role::Output, "states", 4);
  add(Role::Output, "cache.1", 5);
  add(Role::Parameter, "weight", 6);
  unit.row({.name = "row", .role = Role::Input, .index = "factor", .value = "3.0"});
  unit.entry({.name = "add",
              .kind = EntryKind::Api,
              .module = "model.block",
              .operation = "Tensor.add",
              .call = 2,
              .parent = 0});
  add(Role::Output, "", 7);
  unit.entry({.name = "block.backward",
              .kind = EntryKind::Module,
              .pass = Pass::Backward,
              .module = "model.block",
              .operation = "my.Block"});
  add(Role::OutputGradient, "0", 8);
  add(Role::InputGradient, "0", 9);
  unit.entry({.name = "gradients",
              .kind = EntryKind::Gradient,
              .pass = Pass::ParameterGradient,
              .module = "model.block",
              .operation = "my.Block"});
  add(Role::ParameterGradient, "weight", 10);
  unit.entry({.name = "loss", .kind = EntryKind::Tensor});
  add(Role::Value, "", 11);
}

TEST(MsprobeExport, CallsAreNamedAsMsprobeNamesThem) {
  const test::TempDir dir;
  test::TensorDump dump;
  fillModule(dump.add({.step = 3, .rank = 1}));
  const auto outcome = exported(dump, dir / "out");
  ASSERT_TRUE(outcome) << outcome.error().message();
  const fs::path folder = dir / "out/step3/rank1";
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder / "dump_tensor_data")) {
    files.push_back(entry.path().filename().string());
  }
  EXPECT_THAT(
      files,
      testing::UnorderedElementsAre("Module.model.block.Block.forward.0.input.0.pt",
                                    "Module.model.block.Block.forward.0.input.2.pt",
                                    "Module.model.block.Block.forward.0.kwargs.mask.pt",
                                    "Module.model.block.Block.forward.0.output.0.states.pt",
                                    "Module.model.block.Block.forward.0.output.0.cache.1.pt",
                                    "Module.model.block.Block.forward.0.parameters.weight.pt",
                                    "Tensor.add.2.forward.output.0.pt",
                                    "Module.model.block.Block.backward.0.input.0.pt",
                                    "Module.model.block.Block.backward.0.output.0.pt",
                                    "Module.model.block.Block.parameters_grad.0.weight.pt",
                                    "loss.0.debug.pt"));
  EXPECT_THAT(textOf(folder / "dump.json"),
              AllOf(HasSubstr("\"task\": \"tensor\""), HasSubstr("\"level\": \"mix\"")));
  EXPECT_THAT(textOf(folder / "construct.json"),
              AllOf(HasSubstr("\"Module.model.block.Block.forward.0\": null"),
                    HasSubstr("\"Tensor.add.2.forward\": \"Module.model.block.Block.forward.0\"")));
  EXPECT_THAT(textOf(folder / "stack.json"),
              AllOf(HasSubstr("\"Module.model.block.Block.forward.0\""),
                    HasSubstr("line 1, in forward, \\n x = f(x)")));
}

TEST(MsprobeExport, BackwardCallsHaveTheNumbersOfTheirForwardCalls) {
  const test::TempDir dir;
  test::TensorDump dump;
  test::TensorUnit& unit = dump.add({.step = 0, .rank = 0});
  for (const std::uint64_t call : {2, 1, 0, 1}) {
    unit.entry({.name = "block.backward",
                .kind = EntryKind::Module,
                .pass = Pass::Backward,
                .module = "block",
                .operation = "Linear",
                .call = call});
    unit.tensor<float>(
        Role::OutputGradient, "row", "0", DType::Float32, {1}, {static_cast<float>(call)});
  }
  ASSERT_TRUE(exported(dump, dir / "out"));
  const std::string text = textOf(dir / "out/step0/rank0/dump.json");
  std::vector<std::size_t> places;
  // The last one is named twice, and takes a number that is free.
  for (const int number : {2, 1, 0, 3}) {
    places.push_back(text.find(fmt::format("\"Module.block.Linear.backward.{}\"", number)));
  }
  EXPECT_LT(places.back(), text.size());
  EXPECT_THAT(places, testing::WhenSorted(testing::ElementsAreArray(places)));
}

/// The JSON that an entry of one row becomes.
std::string jsonOfEntry(DumpEntry entry) {
  const test::TempDir dir;
  test::TensorDump dump;
  test::TensorUnit& unit = dump.add({.step = 0, .rank = 0});
  unit.entry(std::move(entry));
  unit.tensor<float>(Role::Output, "row", "0", DType::Float32, {1}, {1});
  EXPECT_TRUE(exported(dump, dir / "out"));
  return textOf(dir / "out/step0/rank0/dump.json");
}

TEST(MsprobeExport, CallsOfOtherToolsGetNamesThatMsprobeTakes) {
  const auto api = [](const std::string& operation) {
    return jsonOfEntry({.name = "call", .kind = EntryKind::Api, .operation = operation});
  };
  EXPECT_THAT(api("Tensor.add"), HasSubstr("\"Tensor.add.0.forward\""));
  EXPECT_THAT(api("relu"), HasSubstr("\"Custom.relu.0.forward\""));
  EXPECT_THAT(api("Module.x"), HasSubstr("\"Custom.Module.x.0.forward\""));
  EXPECT_THAT(api("Cell.x"), HasSubstr("\"Custom.Cell.x.0.forward\""));
  EXPECT_THAT(api(""), HasSubstr("\"Custom.row.0.forward\""));
  EXPECT_THAT(api("a/b c"), HasSubstr("\"a.b_c.0.forward\""));
  EXPECT_THAT(api("..x."), HasSubstr("\"Custom.x.0.forward\""));
  EXPECT_THAT(api(".."), HasSubstr("\"Custom._.0.forward\""));
  EXPECT_THAT(api("relu"), HasSubstr("\"level\": \"L1\""));
  const auto module = [](const std::string& path, const std::string& name) {
    return jsonOfEntry({.name = name, .kind = EntryKind::Module, .module = path});
  };
  EXPECT_THAT(module("a.b", "name"), HasSubstr("\"Module.a.b.Module.forward.0\""));
  EXPECT_THAT(module("", "name"), HasSubstr("\"Module.name.Module.forward.0\""));
  EXPECT_THAT(module("", ""), HasSubstr("\"Module.row.Module.forward.0\""));
  EXPECT_THAT(module("a.b", "name"), HasSubstr("\"level\": \"L0\""));
}

TEST(MsprobeExport, RowsKeepRoleIndexAndElements) {
  const test::TempDir dir;
  test::TensorDump dump;
  fillModule(dump.add());
  ASSERT_TRUE(exported(dump, dir / "out"));
  const DumpUnitPtr unit = firstUnit(dir / "out");
  ASSERT_NE(unit, nullptr);
  std::vector<std::string> seen;
  for (std::size_t row = 0; row < unit->rows.size(); ++row) {
    const DumpRow& its = unit->rows[row];
    const auto tensor = unit->read(row);
    seen.push_back(std::string(toString(its.role)) + " " + its.index + " " +
                   (tensor ? std::to_string(static_cast<int>(numerics::elementAt(tensor->view, 0)))
                           : its.value));
  }
  EXPECT_THAT(seen,
              ElementsAre("input 0 1",
                          "input 1 ",  // the argument that is no tensor and was not recorded
                          "input 2 2",
                          "input mask 3",
                          "input factor 3.0",
                          "parameter weight 6",
                          "output 0.states 4",
                          "output 0.cache.0 ",
                          "output 0.cache.1 5",
                          "output 0 7",
                          "output_gradient 0 8",
                          "input_gradient 0 9",
                          "parameter_gradient weight 10",
                          "value  11"));
}

TEST(MsprobeExport, StatisticsAloneWriteNoFiles) {
  const test::TempDir dir;
  test::TensorDump dump;
  fillModule(dump.add());
  ASSERT_TRUE(exported(dump, dir / "out", {.isStatisticsOnly = true}));
  EXPECT_FALSE(fs::exists(dir / "out/step0/proc0/dump_tensor_data"));
  const std::string text = textOf(dir / "out/step0/proc0/dump.json");
  EXPECT_THAT(text, AllOf(HasSubstr("\"task\": \"statistics\""), Not(HasSubstr("data_name"))));
  const DumpUnitPtr unit = firstUnit(dir / "out");
  ASSERT_NE(unit, nullptr);
  EXPECT_EQ(unit->rows[0].statistics.max, 1);
  EXPECT_EQ(unit->rows[0].statistics.norm, 1);
}

TEST(MsprobeExport, RunsAreDumpsOfTheirOwn) {
  const test::TempDir dir;
  test::TensorDump dump;
  for (const char* run : {"reference", "bf16"}) {
    fillModule(dump.add({.run = run}));
  }
  ASSERT_TRUE(exported(dump, dir / "out"));
  EXPECT_TRUE(fs::exists(dir / "out/bf16/step0/proc0/dump.json"));
  EXPECT_TRUE(fs::exists(dir / "out/reference/step0/proc0/dump.json"));
}

TEST(MsprobeExport, ValuesWithoutCallsAreADebugDump) {
  const test::TempDir dir;
  test::TensorDump dump;
  test::TensorUnit& unit = dump.add();
  unit.entry({.name = "a/b", .kind = EntryKind::Tensor});
  unit.tensor<float>(Role::Value, "a/b", "", DType::Float32, {1}, {1});
  ASSERT_TRUE(exported(dump, dir / "out"));
  EXPECT_THAT(textOf(dir / "out/step0/proc0/debug.json"),
              AllOf(HasSubstr("\"a.b.0.debug\""), HasSubstr("\"level\": \"debug\"")));
}

TEST(MsprobeExport, RecordedNumbersAndChecksumsPassThrough) {
  const test::TempDir dir;
  test::TensorDump dump;
  dump.checksumKind = "crc32 of the bytes";
  test::TensorUnit& unit = dump.add();
  unit.entry({.name = "x", .kind = EntryKind::Module, .module = "x", .operation = "X"});
  unit.row({.name = "x",
            .role = Role::Output,
            .index = "0",
            .dtype = "torch.bfloat16",
            .shape = {2},
            .statistics = {.max = std::numeric_limits<double>::quiet_NaN(), .min = -0.5},
            .checksum = "0badcafe"});
  ASSERT_TRUE(exported(dump, dir / "out"));
  EXPECT_THAT(textOf(dir / "out/step0/proc0/dump.json"),
              AllOf(HasSubstr("\"Max\": NaN"),
                    HasSubstr("\"Min\": -0.5"),
                    HasSubstr("\"Mean\": null"),
                    HasSubstr("\"md5\": \"0badcafe\"")));
}

TEST(MsprobeExport, ATextThatLooksLikeANumberStaysAText) {
  const test::TempDir dir;
  test::TensorDump dump;
  test::TensorUnit& unit = dump.add();
  unit.entry({.name = "x", .kind = EntryKind::Module, .module = "x", .operation = "X"});
  const std::vector<std::string> texts{
      "007", "-01.5", "1.", ".5", "1e", "Infinity", "INF", "-nan", "nan(1)", "0x1p3", "-", "+1"};
  for (const std::string& text : texts) {
    unit.row({.name = "x", .role = Role::Input, .index = text + "?", .value = text});
  }
  for (const char* number : {"0", "-12", "3.0", "1e-05", "inf", "-inf", "nan", "True"}) {
    unit.row({.name = "x", .role = Role::Input, .index = number, .value = number});
  }
  ASSERT_TRUE(exported(dump, dir / "out"));
  const std::string written = textOf(dir / "out/step0/proc0/dump.json");
  for (const std::string& text : texts) {
    EXPECT_THAT(written, HasSubstr("\"value\": \"" + text + "\""));
  }
  for (const char* word : {"0", "-12", "3.0", "1e-05", "Infinity", "-Infinity", "NaN", "true"}) {
    EXPECT_THAT(written, HasSubstr("\"value\": " + std::string(word) + "\n"));
  }
}

TEST(MsprobeExport, ADumpOfWhichNothingCanBeReadIsAnError) {
  const test::TempDir dir;
  test::TensorDump dump;
  test::TensorUnit& unit = dump.add();
  unit.entry({.name = "x", .kind = EntryKind::Tensor});
  unit.tensor<float>(Role::Value, "x", "", DType::Float32, {1}, {1});
  unit.rows[0].dtype = "F6_E3M2";
  unit.lose(0);
  const auto refused = exported(dump, dir / "out");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::NotFound);
  EXPECT_THAT(refused.error().message(), HasSubstr("none of its tensors can be read"));
  unit.rows[0].statistics.max = 1;
  const auto outcome = exported(dump, dir / "out");
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(outcome->rows, 1U);
  EXPECT_THAT(outcome->notes,
              ElementsAre(HasSubstr("1 tensors could not be read and are written without")));
  EXPECT_THAT(textOf(dir / "out/step0/proc0/debug.json"), HasSubstr("\"dtype\": \"F6_E3M2\""));
}

TEST(MsprobeExport, ProgressReachesItsEndWithoutElements) {
  const test::TempDir dir;
  test::TensorDump dump;
  test::TensorUnit& unit = dump.add();
  unit.entry({.name = "x", .kind = EntryKind::Module, .module = "x", .operation = "X"});
  unit.row({.name = "x", .role = Role::Output, .index = "0", .dtype = "float32", .shape = {2}});
  unit.row({.name = "x", .role = Role::Output, .index = "1", .value = "3"});
  std::vector<std::uint64_t> seen;
  const DumpExporterRegistry exporters = builtinDumpExporters();
  ASSERT_TRUE(exportDump(dump,
                         dir / "out",
                         *exporters.find("msprobe"),
                         {},
                         {},
                         [&](std::uint64_t done, std::uint64_t) { seen.push_back(done); }));
  EXPECT_THAT(seen, ElementsAre(500U, 1000U));
  EXPECT_THAT(textOf(dir / "out/step0/proc0/dump.json"), HasSubstr("\"dtype\": \"torch.float32\""));
}

TEST(MsprobeExport, ARealDumpKeepsEveryNameNumberAndElement) {
  const test::TempDir dir;
  const fs::path target = test::msprobeCase("v26_tensor_L0_w") / "target";
  const auto dump = openDump(target);
  ASSERT_TRUE(dump) << dump.error().message();
  const auto outcome = exported(**dump, dir / "out");
  ASSERT_TRUE(outcome) << outcome.error().message();
  const auto before = (*dump)->openUnit(0);
  const DumpUnitPtr after = firstUnit(dir / "out");
  ASSERT_TRUE(before && after != nullptr);
  ASSERT_EQ(after->rows.size(), (*before)->rows.size());
  ASSERT_EQ(after->entries.size(), (*before)->entries.size());
  for (std::size_t i = 0; i < after->entries.size(); ++i) {
    EXPECT_EQ(after->entries[i].name, (*before)->entries[i].name);
    EXPECT_EQ(after->entries[i].parent, (*before)->entries[i].parent);
  }
  for (std::size_t row = 0; row < after->rows.size(); ++row) {
    const DumpRow& its = after->rows[row];
    const DumpRow& was = (*before)->rows[row];
    EXPECT_EQ(its.name, was.name);
    EXPECT_EQ(its.shape, was.shape);
    EXPECT_EQ(its.statistics.norm, was.statistics.norm) << its.name;
    EXPECT_EQ(its.value, was.value);
    ASSERT_EQ(its.hasElements, was.hasElements) << its.name;
    if (its.hasElements) {
      const auto a = (*before)->read(row);
      const auto b = after->read(row);
      ASSERT_TRUE(a && b);
      EXPECT_TRUE(std::ranges::equal(a->view.bytes(), b->view.bytes())) << its.name;
    }
  }
}

StatisticTexts textsOfElements(const numerics::TensorView& tensor) {
  TorchStatistics statistics(tensor);
  statistics.add(tensor.bytes());
  return statistics.texts();
}

/// Largest and smallest to the letter; sums as far as torch's order of adding in float32, and its
/// rounding to the tensor's type, allow.
void expectAsRecorded(const StatisticTexts& made, const StatisticTexts& recorded, DType dtype) {
  EXPECT_EQ(made[0], recorded[0]);
  EXPECT_EQ(made[1], recorded[1]);
  for (const std::size_t sum : {2, 3}) {
    if (made[sum] != recorded[sum]) {
      const double scale = *parseNumber<double>(recorded[3]);
      const double unitOfType = dtype == DType::BFloat16 ? 0.008 : 3e-7;
      EXPECT_NEAR(
          *parseNumber<double>(made[sum]), *parseNumber<double>(recorded[sum]), scale * unitOfType);
    }
  }
}

TEST(TorchStatistics, OfElementsEqualThoseThatMsprobeRecorded) {
  std::size_t compared = 0;
  for (const char* name : {"v26_tensor_L0_w", "v26_tensor_L0_bf16"}) {
    const auto dump = openDump(test::msprobeCase(name) / "target");
    ASSERT_TRUE(dump) << dump.error().message();
    const auto unit = (*dump)->openUnit(0);
    ASSERT_TRUE(unit);
    for (std::size_t row = 0; row < (*unit)->rows.size(); ++row) {
      const DumpRow& its = (*unit)->rows[row];
      const auto tensor = (*unit)->read(row);
      if (!tensor) {
        continue;
      }
      SCOPED_TRACE(its.name);
      expectAsRecorded(textsOfElements(tensor->view),
                       statisticTexts(its.statistics, its.dtype),
                       tensor->view.dtype);
      ++compared;
    }
  }
  EXPECT_GT(compared, 200U);
}

TEST(TorchStatistics, FollowTheTypeOfTheTensor) {
  const std::vector<std::int64_t> large{9'007'199'254'740'993, -3};
  EXPECT_THAT(textsOfElements({large.data(), DType::Int64, {2}}),
              ElementsAre("9007199254740993", "-3", "null", "null"));
  EXPECT_THAT(textsOfElements({large.data(), DType::Int64, {}}), testing::Each("9007199254740993"));
  const std::vector<std::uint8_t> truths{0, 1};
  EXPECT_THAT(textsOfElements({truths.data(), DType::Bool, {2}}),
              ElementsAre("true", "false", "null", "null"));
  const std::vector<double> wide{0.1, 0.3};
  EXPECT_THAT(textsOfElements({wide.data(), DType::Float64, {2}}),
              ElementsAre("0.3", "0.1", "null", "null"));
  // 1 and 1 + 2^-7 in bfloat16: their mean lies between two of its numbers, the norm is 1.4197…
  const std::vector<std::uint16_t> pair{0x3F80, 0x3F81};
  EXPECT_THAT(textsOfElements({pair.data(), DType::BFloat16, {2}}),
              ElementsAre("1.0078125", "1.0", "1.0", "1.421875"));
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> odd{1, -inf};
  EXPECT_THAT(textsOfElements({odd.data(), DType::Float32, {2}}),
              ElementsAre("1.0", "-Infinity", "-Infinity", "Infinity"));
  const std::vector<float> none{std::numeric_limits<float>::quiet_NaN(), 1};
  EXPECT_THAT(textsOfElements({none.data(), DType::Float32, {2}}), testing::Each("NaN"));
  EXPECT_THAT(textsOfElements({none.data(), DType::Float32, {0}}), testing::Each("null"));
  EXPECT_THAT(textsOfElements({truths.data(), DType::Float8E5M2, {2}}), testing::Each("null"));
}

TEST(TorchStatistics, LongTensorsAreReadToTheirEnd) {
  std::vector<std::uint16_t> bits(5000, 0x3F80);
  bits.back() = 0xC000;  // -2 among ones: the mean is 0.9994, the norm 70.73
  EXPECT_THAT(textsOfElements({bits.data(), DType::BFloat16, {5000}}),
              ElementsAre("1.0", "-2.0", "1.0", "70.5"));
}

TEST(TorchStatistics, ElementsMayComeInPieces) {
  const std::vector<float> values{1, -2, 3, 0.5F};
  const numerics::TensorView tensor{values.data(), DType::Float32, {2, 2}};
  TorchStatistics statistics(tensor);
  statistics.add(tensor.bytes().first(4));
  statistics.add(tensor.bytes().subspan(4));
  EXPECT_EQ(statistics.texts(), textsOfElements(tensor));
  EXPECT_EQ(statistics.texts()[0], "3.0");
  EXPECT_EQ(TorchStatistics(tensor).texts()[0], "null") << "nothing came";
}

}  // namespace
}  // namespace ulp::dumps
