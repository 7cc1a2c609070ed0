#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <span>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/stop_scope.h"
#include "core/dumps/importers/importer.h"
#include "tests/support/data/dump_files.h"
#include "tests/support/data/long_json.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::dumps {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kHead =
    R"({"schema":"ulpscope.recording/1","step":0,"rank":0,"statistics_only":false})"
    "\n";
constexpr std::string_view kEnd = R"({"end":true,"entries":1})"
                                  "\n";

/// An entry of one output: two float32 from byte 8 of tensors-0.safetensors, or what is said.
std::string entry(std::string_view shape = "[2]",
                  std::string_view file = "tensors-0.safetensors",
                  std::string_view data = "[8,8]") {
  return fmt::format(R"({{"id":0,"order":0,"name":"norm","class":"Norm","pass":"forward",)"
                     R"("call":0,"parent":null,"tensors":[{{"role":"output","path":"0",)"
                     R"("dtype":"torch.float32","shape":{},"max":"nan","min":"-inf","mean":1.5,)"
                     R"("norm":2,"file":"{}","key":"k","data":{}}}]}})"
                     "\n",
                     shape,
                     file,
                     data);
}

class UlpscopeRecordingImporterTest : public testing::Test {
 protected:
  void write(std::string_view index, std::string_view rank = "step0/rank0") const {
    m_dir.write(std::string(rank) + "/index.jsonl", index);
  }
  void writeTensors() const {
    const std::array<float, 4> content{0, 0, 1.25F, -2.5F};
    m_dir.write("step0/rank0/tensors-0.safetensors",
                {reinterpret_cast<const char*>(content.data()), sizeof(content)});
  }
  [[nodiscard]] Result<DumpUnitPtr> openFirst() const {
    const auto dump = openDump(m_dir.path());
    return dump ? (*dump)->openUnit(0) : tl::unexpected<Error>(dump.error());
  }
  [[nodiscard]] std::string errorOf(std::string_view index) const {
    write(index);
    const auto unit = openFirst();
    return unit ? "none" : unit.error().message();
  }

  test::TempDir m_dir;
};

TEST_F(UlpscopeRecordingImporterTest, ArgumentsAreWhatTheirTypeSays) {
  write(std::string(kHead) +
        R"({"id":0,"order":0,"name":"norm","class":"Norm","pass":"forward","call":0,"parent":null,)"
        R"("tensors":[{"role":"input","path":"0","value":"7","type":"str"},)"
        R"({"role":"input","path":"1","value":"7","type":"int"},)"
        R"({"role":"input","path":"2","value":"7"},)"
        R"({"role":"input","path":"3","value":"torch.float32","type":"torch.dtype"},)"
        R"({"role":"output","path":"0","dtype":"torch.float32","shape":[1],"requires_grad":true}]})"
        "\n" +
        std::string(kEnd));
  const auto opened = openFirst();
  ASSERT_TRUE(opened) << opened.error().message();
  const std::vector<DumpRow>& rows = (*opened)->rows;
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_EQ(rows[0].argument, R"({"type":"str","value":"7"})");
  EXPECT_EQ(rows[0].value, "7");
  EXPECT_EQ(rows[1].argument, "");  // its print says it
  EXPECT_EQ(rows[2].argument, "");  // of a recording that says no types
  EXPECT_EQ(rows[3].argument, R"({"type":"torch.dtype","value":"torch.float32"})");
  EXPECT_FALSE(rows[3].requiresGrad.has_value());
  EXPECT_EQ(rows[4].requiresGrad, true);
}

TEST_F(UlpscopeRecordingImporterTest, StepsOfAModelThatGeneratesAreTokens) {
  for (const int token : {1, 0}) {
    write(fmt::format(R"({{"schema":"ulpscope.recording/2","step":{0},"rank":0,"token":{0}}})"
                      "\n{1}{2}",
                      token,
                      entry(),
                      kEnd),
          fmt::format("step{}/rank0", token));
  }
  const auto dump = openDump(m_dir.path());
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->shares, RankShares::Unsaid);
  ASSERT_EQ((*dump)->units.size(), 2U);
  EXPECT_EQ((*dump)->units[0].axes, (UnitAxes{.rank = 0, .token = 0}));
  EXPECT_EQ((*dump)->units[1].axes, (UnitAxes{.rank = 0, .token = 1}));
}

TEST_F(UlpscopeRecordingImporterTest, RanksOfAMeshSayWhichDivideATensor) {
  for (int rank = 0; rank < 4; ++rank) {
    m_dir.write(
        fmt::format("step0/rank{}/index.jsonl", rank),
        fmt::format(R"({{"schema":"ulpscope.recording/2","step":0,"rank":{},"sharding":"mesh",)"
                    R"("data_rank":{},"tensor_rank":{}}})"
                    "\n",
                    rank,
                    rank % 2,
                    rank / 2) +
            std::string(kEnd));
  }
  const auto dump = openDump(m_dir.path());
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->shares, RankShares::Data);
  EXPECT_THAT((*dump)->tensorGroups, ElementsAre(ElementsAre(0, 2), ElementsAre(1, 3)));
}

TEST_F(UlpscopeRecordingImporterTest, RowsSayWhereTheyLieInTheWhole) {
  const auto row = [](std::string_view more) {
    return fmt::format(R"({{"role":"parameter_gradient","path":"weight","dtype":"torch.float32",)"
                       R"("shape":[2],"global_shape":[8]{}}})",
                       more);
  };
  write(
      R"({"schema":"ulpscope.recording/2","step":0,"rank":3,"sharding":"data","gradient_divisor":1.5})"
      "\n"
      R"({"id":0,"order":0,"name":"up","class":"Linear","pass":"parameter_gradient","call":0,"tensors":[)" +
      row(R"j(,"placements":["_S(0, 2)","S(0)"],"mesh":[2,2],"coordinate":[1,0])j") + "," +
      row(R"j(,"placements":["P(sum)","R"],"mesh":[2,2],"coordinate":[1,0])j") + "," +
      row(R"j(,"placements":["P(avg)","P(max)"],"mesh":[2,2],"coordinate":[1,0])j") + "," +
      row(R"j(,"placements":["S(0)"])j") + "," +
      row(R"j(,"placements":["S(0)"],"mesh":[2],"coordinate":[2])j") + "]}\n" + std::string(kEnd));
  const auto dump = openDump(m_dir.path());
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->shares, RankShares::Data);
  EXPECT_EQ((*dump)->gradientDivisor, 1.5);
  const auto opened = openFirst();
  ASSERT_TRUE(opened) << opened.error().message();
  const std::vector<DumpRow>& rows = (*opened)->rows;
  ASSERT_EQ(rows.size(), 5U);
  ASSERT_NE(rows[0].placement, nullptr);
  EXPECT_THAT(rows[0].placement->shape, ElementsAre(8));
  ASSERT_EQ(rows[0].placement->axes.size(), 2U);
  const Placement::Axis& strided = rows[0].placement->axes[0];
  EXPECT_EQ(strided.kind, Placement::Kind::Shard);
  EXPECT_TRUE(strided.isInnermost);
  EXPECT_EQ(strided.coordinate, 1);
  EXPECT_EQ(strided.size, 2);
  EXPECT_FALSE(rows[0].placement->axes[1].isInnermost);
  EXPECT_EQ(rows[1].placement->axes[0].kind, Placement::Kind::Sum);
  EXPECT_EQ(rows[1].placement->axes[1].kind, Placement::Kind::Replicated);
  EXPECT_EQ(rows[2].placement->axes[0].kind, Placement::Kind::Mean);
  EXPECT_EQ(rows[2].placement->axes[1].kind, Placement::Kind::Unknown);
  EXPECT_EQ(rows[3].placement, nullptr);  // of an older recorder
  EXPECT_EQ(rows[4].placement, nullptr);
}

TEST_F(UlpscopeRecordingImporterTest, EntriesHaveRowsWithStatisticsAndMappedElements) {
  write(fmt::format("{}{}{}", kHead, entry(), kEnd));
  writeTensors();
  const auto opened = openFirst();
  ASSERT_TRUE(opened) << opened.error().message();
  const DumpUnit& unit = **opened;
  EXPECT_THAT(textsOf(unit.notes), IsEmpty());
  ASSERT_EQ(unit.entries.size(), 1U);
  EXPECT_EQ(unit.entries[0].name, "norm.forward.0");
  EXPECT_EQ(unit.entries[0].kind, EntryKind::Module);
  EXPECT_EQ(unit.entries[0].operation, "Norm");
  EXPECT_EQ(unit.entries[0].parent, kNone);
  ASSERT_EQ(unit.rows.size(), 1U);
  const DumpRow& row = unit.rows[0];
  EXPECT_EQ(row.name, "norm.forward.0.output.0");
  EXPECT_EQ(row.role, Role::Output);
  EXPECT_EQ(row.dtype, "torch.float32");
  EXPECT_TRUE(std::isnan(row.statistics.max.value_or(0)));
  EXPECT_EQ(row.statistics.min, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(row.statistics.mean, 1.5);
  EXPECT_EQ(row.statistics.norm, 2.0);
  const auto tensor = unit.read(0);
  ASSERT_TRUE(tensor) << tensor.error().message();
  EXPECT_NE(tensor->file, nullptr);
  EXPECT_EQ(numerics::elementAt(tensor->view, 0), 1.25);
  EXPECT_EQ(numerics::elementAt(tensor->view, 1), -2.5);
}

TEST_F(UlpscopeRecordingImporterTest, UnsignedNumbersAreReadAsSignedOnesThatHoldThem) {
  std::string line = entry();
  line.replace(line.find("torch.float32"), std::string("torch.float32").size(), "torch.uint32");
  write(std::string(kHead) + line + std::string(kEnd));
  const std::array<std::uint32_t, 4> content{0, 0, 7, 0xffffffff};
  m_dir.write("step0/rank0/tensors-0.safetensors",
              {reinterpret_cast<const char*>(content.data()), sizeof(content)});
  const auto opened = openFirst();
  ASSERT_TRUE(opened) << opened.error().message();
  const auto tensor = (*opened)->read(0);
  ASSERT_TRUE(tensor) << tensor.error().message();
  EXPECT_EQ(tensor->view.dtype, DType::Int64);
  const auto* const numbers = static_cast<const std::int64_t*>(tensor->view.data);
  EXPECT_THAT(std::span(numbers, 2), ElementsAre(7, 0xffffffff));
  line.replace(line.find("torch.uint32"), std::string("torch.uint32").size(), "torch.complex64");
  EXPECT_THAT(errorOf(std::string(kHead) + line + std::string(kEnd)),
              HasSubstr("has no possible place in a file"));
}

TEST_F(UlpscopeRecordingImporterTest, CallsOfFunctionsAreInTheirModulesAndHaveChecksums) {
  const std::string common =
      R"("kind":"api","name":"Functional.linear","module":"mlp.up","call":2,"parent":)";
  const std::string row = R"("dtype":"torch.float32","shape":[2],"norm":2,"checksum":"0a1b2c3d"})";
  write(
      R"({"schema":"ulpscope.recording/2","step":0,"rank":0,"statistics_only":true,"task":"crc32",)"
      R"("level":"mix"})"
      "\n" +
      fmt::format(R"({{"id":1,"order":0,"pass":"forward",{}0,)"
                  R"("tensors":[{{"role":"input","path":"0",{}]}})"
                  "\n",
                  common,
                  row) +
      R"({"id":0,"order":1,"name":"mlp.up","class":"Linear","pass":"forward","call":0,"parent":null,)"
      R"("tensors":[]})"
      "\n" +
      fmt::format(R"({{"id":2,"order":2,"pass":"backward","forward":1,"again":1,{}null,)"
                  R"("tensors":[{{"role":"output_gradient","path":"0",{}]}})"
                  "\n",
                  common,
                  row) +
      std::string(kEnd));
  const auto dump = openDump(m_dir.path());
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->format, "recording of Ulpscope, level mix, checksums");
  EXPECT_EQ((*dump)->checksumKind, "crc32 of the bytes");
  const auto opened = (*dump)->openUnit(0);
  ASSERT_TRUE(opened) << opened.error().message();
  const DumpUnit& unit = **opened;
  ASSERT_EQ(unit.entries.size(), 3U);
  EXPECT_EQ(unit.entries[0].name, "Functional.linear.2.forward");
  EXPECT_EQ(unit.entries[0].kind, EntryKind::Api);
  EXPECT_EQ(unit.entries[0].module, "mlp.up");
  EXPECT_EQ(unit.entries[0].operation, "Functional.linear");
  EXPECT_EQ(unit.entries[0].call, 2U);
  EXPECT_EQ(unit.entries[0].parent, 1U);
  EXPECT_EQ(unit.entries[2].name, "Functional.linear.2.backward.again1");
  EXPECT_EQ(unit.rows[0].checksum, "0a1b2c3d");
}

TEST_F(UlpscopeRecordingImporterTest, AStepARankOrTheIndexItselfMayBeOpened) {
  for (const auto* place : {"step0/rank1", "step10/rank0", "step2/rank0", "step0/rank0"}) {
    const std::string name = place;
    const std::size_t slash = name.find('/');
    write(fmt::format(R"({{"schema":"ulpscope.recording/1","step":{},"rank":{}}})"
                      "\n{}",
                      name.substr(4, slash - 4),
                      name.back(),
                      kEnd),
          name);
  }
  const auto described = [](const std::filesystem::path& path) {
    std::vector<std::string> units;
    const auto dump = openDump(path);
    EXPECT_TRUE(dump) << dump.error().message();
    for (const UnitInfo& unit : (*dump)->units) {
      units.push_back(describe(unit.axes));
    }
    return units;
  };
  EXPECT_THAT(described(m_dir.path()),
              ElementsAre("step 0, rank 0", "step 0, rank 1", "step 2, rank 0", "step 10, rank 0"));
  EXPECT_THAT(described(m_dir / "step0"), ElementsAre("step 0, rank 0", "step 0, rank 1"));
  EXPECT_THAT(described(m_dir / "step2/rank0"), ElementsAre("step 2, rank 0"));
  EXPECT_THAT(described(m_dir / "step2/rank0/index.jsonl"), ElementsAre("step 2, rank 0"));
}

TEST_F(UlpscopeRecordingImporterTest, ALineThatWasCutOffIsLeftOutAndTheMissingEndNoted) {
  const std::string whole = entry();
  write(fmt::format("{}{}{}", kHead, whole, whole.substr(0, whole.size() / 2)));
  writeTensors();
  const auto unit = openFirst();
  ASSERT_TRUE(unit) << unit.error().message();
  EXPECT_EQ((*unit)->entries.size(), 1U);
  EXPECT_THAT(textsOf((*unit)->notes),
              ElementsAre(testing::AllOf(HasSubstr("index.jsonl: line 3: "),
                                         HasSubstr("the program was ended, or still runs"))));
}

// What follows a line decides whether it may have been cut off in writing.
TEST_F(UlpscopeRecordingImporterTest, AStopWithinALineIsNoLineThatIsDamaged) {
  const std::string line = R"({"id":0,"others":)" + test::longJsonList() + "}";
  for (const std::string& end : {std::string(), fmt::format("\n{}", kEnd)}) {
    write(fmt::format("{}{}{}", kHead, line, end));
    const auto dump = openDump(m_dir.path());
    ASSERT_TRUE(dump) << dump.error().message();
    std::stop_source source;
    source.request_stop();
    const StopScope scope(source.get_token());
    const auto unit = (*dump)->openUnit(0);
    ASSERT_FALSE(unit);
    EXPECT_EQ(unit.error().code(), ErrorCode::Cancelled) << unit.error().message();
  }
}

TEST_F(UlpscopeRecordingImporterTest, TensorsOfAMissingOrShortFileHaveNoElements) {
  write(fmt::format("{}{}{}", kHead, entry(), kEnd));
  const auto missing = openFirst();
  ASSERT_TRUE(missing) << missing.error().message();
  EXPECT_THAT(
      textsOf((*missing)->notes),
      ElementsAre(HasSubstr(
          "tensors-0.safetensors: is missing, which 1 tensors need; copy the whole folder")));
  EXPECT_FALSE((*missing)->rows[0].hasElements);
  EXPECT_EQ((*missing)->read(0).error().code(), ErrorCode::NotFound);
  m_dir.write("step0/rank0/tensors-0.safetensors", "fifteen bytes  ");
  const auto cut = openFirst();
  ASSERT_TRUE(cut) << cut.error().message();
  EXPECT_THAT(textsOf((*cut)->notes), ElementsAre(HasSubstr("is cut off")));
  EXPECT_FALSE((*cut)->rows[0].hasElements);
}

TEST_F(UlpscopeRecordingImporterTest, AFileThatShrinksAfterOpeningIsAnErrorOfReading) {
  write(fmt::format("{}{}{}", kHead, entry(), kEnd));
  writeTensors();
  const auto unit = openFirst();
  ASSERT_TRUE(unit) << unit.error().message();
  m_dir.write("step0/rank0/tensors-0.safetensors", "short");
  EXPECT_EQ((*unit)->read(0).error().code(), ErrorCode::CorruptData);
}

TEST_F(UlpscopeRecordingImporterTest, ParametersOfACallAreRowsOfIt) {
  write(R"({"schema":"ulpscope.recording/3","step":0,"rank":0})"
        "\n"
        R"({"id":0,"order":0,"name":"norm","class":"Norm","pass":"forward","call":0,"parent":null,)"
        R"("tensors":[{"role":"parameter","path":"weight","dtype":"torch.float32","shape":[2],)"
        R"("file":"tensors-0.safetensors","key":"k","data":[8,8]}]})"
        "\n" +
        std::string(kEnd));
  writeTensors();
  const auto unit = openFirst();
  ASSERT_TRUE(unit) << unit.error().message();
  ASSERT_EQ((*unit)->rows.size(), 1U);
  EXPECT_EQ((*unit)->rows[0].role, Role::Parameter);
  EXPECT_EQ((*unit)->rows[0].name, "norm.forward.0.parameter.weight");
  EXPECT_TRUE((*unit)->rows[0].hasElements);
}

TEST_F(UlpscopeRecordingImporterTest, WhatIsWrongIsSaidWithFileLineAndRemedy) {
  writeTensors();
  const auto lines = [](const std::string& line) {
    return fmt::format("{}{}{}", kHead, line, kEnd);
  };
  EXPECT_THAT(errorOf("{\"schema\":\"ulpscope.recording/4\"}\n"),
              HasSubstr("index.jsonl: line 1: is of ulpscope.recording/4, and "
                        "ulpscope.recording/3 and before are known; use the ulpscope_recorder.py"));
  EXPECT_THAT(errorOf(lines("[1]\n")), HasSubstr("index.jsonl: line 2: is no JSON object"));
  EXPECT_THAT(errorOf(lines("{\"id\":0}\n")), HasSubstr("has no id, order, pass or tensors"));
  EXPECT_THAT(errorOf(lines(entry("[-2]"))), HasSubstr("has no possible shape"));
  EXPECT_THAT(errorOf(lines(entry("[4294967296,4294967296,4294967296]"))),
              HasSubstr("has no possible shape"));
  EXPECT_THAT(errorOf(lines(entry("7"))), HasSubstr("has no possible shape"));
  EXPECT_THAT(errorOf(lines(entry("[3]"))), HasSubstr("which its shape and type do not fill"));
  EXPECT_THAT(errorOf(lines(entry("[2]", "../other"))), HasSubstr("no possible place in a file"));
  EXPECT_THAT(errorOf(lines(entry("[2]", "..", "[8,8]"))), HasSubstr("no possible place"));
  EXPECT_THAT(errorOf(lines(entry("[2]", "a", "[-8,8]"))), HasSubstr("no possible place"));
  EXPECT_THAT(errorOf(lines(entry("[2]", "a", "[8]"))), HasSubstr("no possible place"));
  EXPECT_EQ(errorOf(lines(entry())), "none");
}

TEST_F(UlpscopeRecordingImporterTest, HeadsThatCannotBeReadAreNotedAndTheOthersOpened) {
  write(fmt::format("{}{}", kHead, kEnd));
  write(R"({"schema":"ulpsc)", "step1/rank0");
  const auto dump = openDump(m_dir.path());
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->units.size(), 1U);
  EXPECT_THAT(textsOf((*dump)->notes), ElementsAre(HasSubstr("line 1: is no head of a recording")));
}

TEST_F(UlpscopeRecordingImporterTest, ARecordingOfTheModuleIsRead) {
  ASSERT_TRUE(std::filesystem::exists(ULP_ORACLE_PYTHON)) << "`make setup-test` installs it";
  const auto folder = m_dir / "recording";
  const std::string command = fmt::format("{} {} {}",
                                          ULP_ORACLE_PYTHON,
                                          ULP_SOURCE_DIR "/tests/core/dumps/make_recording.py",
                                          folder.string());
  ASSERT_EQ(std::system(command.c_str()), 0);  // NOLINT(concurrency-mt-unsafe)
  const auto dump = openDump(folder);
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->importer, "ulpscope_recording");
  ASSERT_EQ((*dump)->units.size(), 2U);
  EXPECT_EQ(describe((*dump)->units[1].axes), "step 10, rank 1");
  const auto opened = (*dump)->openUnit(1);
  ASSERT_TRUE(opened) << opened.error().message();
  const DumpUnit& unit = **opened;
  EXPECT_THAT(textsOf(unit.notes), IsEmpty());
  std::vector<std::string> names;
  std::vector<Role> roles;
  for (const DumpRow& row : unit.rows) {
    names.push_back(row.name);
    roles.push_back(row.role);
  }
  EXPECT_THAT(names,
              ElementsAre("block.linear.forward.0.input.0",
                          "block.linear.forward.0.output.0",
                          "block.forward.0.input.0",
                          "block.forward.0.input.factor",
                          "block.forward.0.output.states",
                          "block.forward.0.output.twice",
                          "block.linear.backward.0.output_gradient.0",
                          "block.linear.backward.0.input_gradient.0",
                          "block.backward.0.output_gradient.states",
                          "block.backward.0.input_gradient.0",
                          "block.linear.parameter_gradient.0.parameter_gradient.weight"));
  EXPECT_THAT(roles,
              ElementsAre(Role::Input,
                          Role::Output,
                          Role::Input,
                          Role::Input,
                          Role::Output,
                          Role::Output,
                          Role::OutputGradient,
                          Role::InputGradient,
                          Role::OutputGradient,
                          Role::InputGradient,
                          Role::ParameterGradient));
  ASSERT_EQ(unit.entries.size(), 5U);
  EXPECT_EQ(unit.entries[0].parent, 1U);  // block.linear in block
  EXPECT_EQ(unit.entries[2].parent, 3U);
  EXPECT_EQ(unit.entries[4].kind, EntryKind::Gradient);
  ASSERT_NE(unit.entries[1].stack, kNone);
  EXPECT_THAT(unit.stacks[unit.entries[1].stack][0], HasSubstr("make_recording.py"));
  EXPECT_EQ(unit.rows[3].value, "3.0");
  EXPECT_FALSE(unit.rows[3].hasElements);
  const auto element = [&](std::size_t row, std::uint64_t at) {
    const auto tensor = unit.read(row);
    EXPECT_TRUE(tensor) << tensor.error().message();
    return numerics::elementAt(tensor->view, at);
  };
  EXPECT_EQ(element(0, 1), 10);  // the input, bfloat16
  EXPECT_EQ(unit.rows[0].dtype, "torch.bfloat16");
  EXPECT_EQ(unit.rows[0].statistics.max, 10.0);
  EXPECT_EQ(element(4, 1), 30);
  EXPECT_EQ(element(5, 1), 20);  // float32, in another file
  EXPECT_EQ(element(9, 0), 3);
  EXPECT_EQ(element(10, 0), 6);  // 3 of each step: gradients were never set to zero
  EXPECT_EQ(element(10, 1), 30);
}

TEST_F(UlpscopeRecordingImporterTest, ABrokenFirstRankDoesNotHideTheOthers) {
  write("", "step0/rank0");
  write(R"({"schema":"ulpscope.recording/1","step":0,"rank":1})"
        "\n" +
            entry() + std::string(kEnd),
        "step0/rank1");
  const auto dump = openDump(m_dir.path());
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->importer, "ulpscope_recording");
  EXPECT_THAT(textsOf((*dump)->notes),
              ElementsAre(HasSubstr("step0/rank0/index.jsonl: line 1: is no head of a recording; "
                                    "copy the file again")));
  ASSERT_EQ((*dump)->units.size(), 1U);
  EXPECT_EQ(describe((*dump)->units[0].axes), "step 0, rank 1");
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit) << unit.error().message();
  EXPECT_EQ((*unit)->entries.size(), 1U);
}

TEST_F(UlpscopeRecordingImporterTest, WhereNoRankCanBeReadTheFirstOneIsNamedAndNoTensorsAreShown) {
  write("", "step0/rank0");
  write(R"({"schema":"ulpsc)", "step0/rank1");
  test::writeNpy(m_dir / "step0/rank0/x.npy", {1}, {1});
  const auto dump = openDump(m_dir.path());
  ASSERT_FALSE(dump);
  EXPECT_EQ(dump.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(dump.error().message(),
              HasSubstr("step0/rank0/index.jsonl: line 1: is no head of a recording"));
}

TEST_F(UlpscopeRecordingImporterTest, AnIndexOfAnotherToolAmongTensorsIsNoDamagedRecording) {
  write("{\"of\": \"another tool\"}\n");
  test::writeNpy(m_dir / "step0/rank0/x.npy", {1}, {1});
  const auto dump = openDump(m_dir.path());
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->importer, "tensor_files");
}

}  // namespace
}  // namespace ulp::dumps
