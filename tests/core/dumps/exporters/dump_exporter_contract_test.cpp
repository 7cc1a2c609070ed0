#include <fstream>
#include <ostream>
#include <stop_token>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/files/atomic_file.h"
#include "core/base/files/in_pieces.h"
#include "core/base/text/name_limit.h"
#include "core/dumps/exporters/dump_exporter.h"
#include "core/dumps/importers/importer.h"
#include "tests/support/data/tensor_unit.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::dumps {

/// Found by GoogleTest, which otherwise prints the bytes of the structure.
// NOLINTNEXTLINE(readability-identifier-naming): the name that it looks for
static void PrintTo(const DumpExporter& exporter, std::ostream* out) {
  *out << exporter.id;
}

namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;

void addModule(test::TensorUnit& unit,
               const std::string& path,
               float first,
               Pass pass = Pass::Forward) {
  unit.entry({.name = path,
              .kind = EntryKind::Module,
              .pass = pass,
              .module = path,
              .operation = "nn.Linear"});
  unit.tensor<float>(
      Role::Output, path + ".output", "0", DType::Float32, {2, 2}, {first, 2, 3, -4});
}

void fillDump(test::TensorDump& dump) {
  test::TensorUnit& unit = dump.add();
  addModule(unit, "model.a", 1);
  addModule(unit, "model.b", 5);
}

/// The float32 tensors of a dump on disk, by their first elements.
std::vector<double> firstElements(const fs::path& path) {
  std::vector<double> found;
  const auto dump = openDump(path);
  EXPECT_TRUE(dump) << dump.error().message();
  for (std::size_t i = 0; dump && i < (*dump)->units.size(); ++i) {
    const auto unit = (*dump)->openUnit(i);
    EXPECT_TRUE(unit) << unit.error().message();
    for (std::size_t row = 0; unit && row < (*unit)->rows.size(); ++row) {
      const auto tensor = (*unit)->read(row);
      if (tensor) {
        found.push_back(numerics::elementAt(tensor->view, 0));
      }
    }
  }
  return found;
}

/// One tensor of many pieces. Whoever reads it is asked to stop.
class StoppedTensorUnit final : public DumpUnit {
 public:
  explicit StoppedTensorUnit(std::stop_source stop) : m_stop(std::move(stop)) {
    addEntry({.name = "model.large",
              .kind = EntryKind::Module,
              .module = "model.large",
              .operation = "nn.Linear"});
    addRow({.name = "model.large.output",
            .role = Role::Output,
            .index = "0",
            .dtype = "torch.float32",
            .shape = {static_cast<std::int64_t>(m_values->size())},
            .hasElements = true});
  }

  [[nodiscard]] Result<tensors::Tensor> read(std::size_t row) const override {
    m_stop.request_stop();
    return tensors::Tensor{{m_values->data(), DType::Float32, rows[row].shape}, m_values};
  }

 private:
  mutable std::stop_source m_stop;
  std::shared_ptr<const std::vector<float>> m_values =
      std::make_shared<const std::vector<float>>(8 * kPieceBytes / sizeof(float), 1.0F);
};

/// Bytes that this process has written so far.
std::uint64_t bytesWritten() {
  std::ifstream counts("/proc/self/io");
  std::string name;
  std::uint64_t count = 0;
  while (counts >> name >> count && name != "wchar:") {
  }
  return count;
}

/// What every exporter of the build must do; a new plug-in is checked without an edit here.
class DumpExporterContract : public testing::TestWithParam<DumpExporter> {
 protected:
  Result<DumpExportOutcome> exported(const Dump& dump,
                                     const std::string& name,
                                     const DumpExportOptions& options = {},
                                     const std::stop_token& stop = {},
                                     const Progress& progress = {}) {
    return exportDump(dump, m_dir / name, GetParam(), options, stop, progress);
  }
  /// Names in the folder of the test.
  [[nodiscard]] std::vector<std::string> left() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(m_dir.path())) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

  test::TempDir m_dir;
};

TEST_P(DumpExporterContract, HasIdTitleAndPlace) {
  EXPECT_FALSE(GetParam().id.empty());
  EXPECT_FALSE(GetParam().title.empty());
  EXPECT_EQ(builtinDumpExporters().find(GetParam().id)->title, GetParam().title);
  EXPECT_NE(GetParam().place({.step = 1}, false), GetParam().place({.step = 2}, false));
  EXPECT_NE(GetParam().place({.run = "a"}, false), GetParam().place({.run = "b"}, false));
}

TEST_P(DumpExporterContract, WhatIsWrittenIsOpenedAgainWithItsElements) {
  test::TensorDump dump;
  fillDump(dump);
  const auto outcome = exported(dump, "out");
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(outcome->rows, 2U);
  EXPECT_GT(outcome->bytes, 2 * 16U);
  EXPECT_TRUE(outcome->notes.empty()) << outcome->notes.front();
  EXPECT_THAT(firstElements(m_dir / "out"), testing::ElementsAre(1, 5));
  EXPECT_THAT(left(), testing::ElementsAre("out"));
  const auto about = readTextFile(m_dir / "out" / "ulpscope_export.json");
  ASSERT_TRUE(about);
  EXPECT_THAT(*about, AllOf(HasSubstr("made by a test"), HasSubstr("\"dump\"")));
}

TEST_P(DumpExporterContract, AStopIsSeenWithinATensor) {
  std::stop_source stop;
  Dump dump{.importer = "test", .format = "made by a test", .path = "some/dump"};
  dump.units.push_back(
      {.path = dump.path, .open = test::opening(std::make_shared<StoppedTensorUnit>(stop))});
  const StopScope scope(stop.get_token());
  const std::uint64_t before = bytesWritten();
  const auto outcome = exported(dump, "out");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), ErrorCode::Cancelled) << outcome.error().message();
  EXPECT_LE(bytesWritten() - before, 2 * kPieceBytes);
  EXPECT_THAT(left(), testing::IsEmpty());
}

TEST_P(DumpExporterContract, EachUnitIsWritten) {
  test::TensorDump dump;
  for (const std::int64_t step : {0, 1}) {
    for (const std::int64_t rank : {0, 1}) {
      addModule(
          dump.add({.step = step, .rank = rank}), "model.a", static_cast<float>(10 * step + rank));
    }
  }
  const auto outcome = exported(dump, "out");
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(outcome->units, 4U);
  EXPECT_THAT(firstElements(m_dir / "out"), testing::UnorderedElementsAre(0, 1, 10, 11));
}

TEST_P(DumpExporterContract, OddNamesStayInsideOfTheFolderAndLoseNothing) {
  constexpr std::size_t kLong = kLongestTensorName - 256;  // Formats put more behind a name.
  const std::string longest(kLong, 'x');
  std::string deep;
  while (deep.size() < kLong) {
    deep += "a/";
  }
  const std::vector<std::string> names{".",
                                       "..",
                                       "/",
                                       "",
                                       "../../out",
                                       std::string("a\0b", 3),
                                       "a\xFF",
                                       "a\xFE",
                                       "-rf\n",
                                       longest,
                                       longest.substr(1) + "y",
                                       deep,
                                       "__metadata__",
                                       "<b>=1+1"};
  test::TensorDump dump;
  test::TensorUnit& unit = dump.add();
  for (std::size_t i = 0; i < names.size(); ++i) {
    unit.entry({.name = names[i], .kind = EntryKind::Tensor});
    unit.tensor<float>(Role::Value, names[i], "", DType::Float32, {2}, {static_cast<float>(i), 1});
  }
  const auto outcome = exported(dump, "out");
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(outcome->rows, names.size());
  EXPECT_THAT(left(), testing::ElementsAre("out"));
  EXPECT_THAT(firstElements(m_dir / "out"),
              testing::UnorderedElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13));
}

TEST_P(DumpExporterContract, AMatchThatTakesTooManyStepsWritesNothing) {
  test::TensorDump dump;
  addModule(dump.add(), std::string(60, 'a') + "!", 1);
  const auto outcome = exported(dump, "out", {.match = "^(a+)+$"});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), ErrorCode::Unsupported);
  EXPECT_THAT(left(), testing::IsEmpty());
}

TEST_P(DumpExporterContract, APatternChoosesTensors) {
  test::TensorDump dump;
  fillDump(dump);
  const auto outcome = exported(dump, "out", {.match = "model\\.b"});
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_THAT(firstElements(m_dir / "out"), testing::ElementsAre(5));
  const auto none = exported(dump, "none", {.match = "nothing"});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code(), ErrorCode::NotFound);
  const auto wrong = exported(dump, "none", {.match = "("});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(left(), testing::ElementsAre("out"));
}

TEST_P(DumpExporterContract, PassesChooseTensors) {
  test::TensorDump dump;
  test::TensorUnit& unit = dump.add();
  addModule(unit, "model.a", 1);
  addModule(unit, "model.a", 5, Pass::Backward);
  const auto outcome = exported(dump, "out", {.match = "model", .passes = {Pass::Backward}});
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_THAT(firstElements(m_dir / "out"), testing::ElementsAre(5));
  EXPECT_EQ(exported(dump, "none", {.passes = {Pass::Optimizer}}).error().code(),
            ErrorCode::NotFound);
}

TEST_P(DumpExporterContract, WhatIsThereIsKeptUnlessItIsAnEarlierExport) {
  test::TensorDump dump;
  fillDump(dump);
  m_dir.write("mine/thesis.txt", "years of work");
  for (const bool mayReplace : {false, true}) {
    const auto refused = exported(dump, "mine", {.mayReplace = mayReplace});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code(), ErrorCode::InvalidArgument);
    EXPECT_TRUE(fs::exists(m_dir / "mine/thesis.txt"));
  }
  ASSERT_TRUE(exported(dump, "out"));
  EXPECT_FALSE(exported(dump, "out", {.match = "model.b"}));
  EXPECT_THAT(firstElements(m_dir / "out"), testing::ElementsAre(1, 5));
  ASSERT_TRUE(exported(dump, "out", {.match = "model.b", .mayReplace = true}));
  EXPECT_THAT(firstElements(m_dir / "out"), testing::ElementsAre(5));
  EXPECT_THAT(left(), testing::UnorderedElementsAre("mine", "out"));
}

TEST_P(DumpExporterContract, AStopLeavesNothingBehind) {
  test::TensorDump dump;
  fillDump(dump);
  std::stop_source source;
  const auto stopped =
      exported(dump, "out", {}, source.get_token(), [&](std::uint64_t, std::uint64_t) {
        source.request_stop();
      });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code(), ErrorCode::Cancelled);
  EXPECT_TRUE(left().empty());
}

TEST_P(DumpExporterContract, ATensorThatCannotBeReadIsANoteAndTheRestIsWritten) {
  test::TensorDump dump;
  test::TensorUnit& unit = dump.add();
  addModule(unit, "model.a", 1);
  addModule(unit, "model.b", 5);
  unit.lose(0);
  const auto outcome = exported(dump, "out");
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_THAT(outcome->notes,
              Contains(AllOf(HasSubstr("1 tensors could not be read"),
                             HasSubstr("file0.pt: no such file"))));
  EXPECT_THAT(firstElements(m_dir / "out"), testing::ElementsAre(5));
}

TEST_P(DumpExporterContract, UnsignedIntegersThatAreWidenedAreNamed) {
  test::TensorDump dump;
  test::TensorUnit& unit = dump.add();
  unit.entry({.name = "ids", .kind = EntryKind::Tensor});
  unit.tensor<std::int32_t>(Role::Value, "ids", "", DType::Int32, {2}, {7, 60000});
  unit.rows[0].dtype = "torch.uint16";
  const auto outcome = exported(dump, "out");
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_THAT(outcome->notes, Contains(HasSubstr("1 tensors of uint16 are written as int32")));
}

TEST_P(DumpExporterContract, NamesThatAreNoFileNamesStayInTheFolder) {
  test::TensorDump dump;
  test::TensorUnit& unit = dump.add();
  float value = 0;
  for (const std::string& name : {std::string("../../evil"),
                                  std::string("/abs/olute"),
                                  std::string("a b[q]:\n*?\"x"),
                                  std::string("größe"),
                                  std::string(400, 'x'),
                                  std::string("a/b"),
                                  std::string("a/b")}) {
    unit.entry({.name = name, .kind = EntryKind::Tensor});
    unit.tensor<float>(Role::Value, name, "", DType::Float32, {1}, {++value});
  }
  const auto outcome = exported(dump, "out");
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_THAT(left(), testing::ElementsAre("out"));
  EXPECT_THAT(firstElements(m_dir / "out"), testing::UnorderedElementsAre(1, 2, 3, 4, 5, 6, 7));
}

TEST_P(DumpExporterContract, AFolderThatDoesNotExistIsNamed) {
  test::TensorDump dump;
  fillDump(dump);
  const auto outcome = exported(dump, "none/out");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), ErrorCode::NotFound);
  EXPECT_THAT(outcome.error().message(), HasSubstr("none"));
}

INSTANTIATE_TEST_SUITE_P(All,
                         DumpExporterContract,
                         testing::ValuesIn(builtinDumpExporters().all()),
                         [](const auto& test) { return test.param.id; });

TEST(DumpExporters, AreThoseOfTheManual) {
  for (const char* id : {"msprobe", "safetensors", "npy"}) {
    EXPECT_NE(builtinDumpExporters().find(id), nullptr) << id;
  }
  EXPECT_EQ(builtinDumpExporters().find("none"), nullptr);
}

}  // namespace
}  // namespace ulp::dumps
