#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/dumps/importers/importer.h"
#include "tests/support/data/dump_files.h"
#include "tests/support/data/fixture_case.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::dumps {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// With files and folders that can be changed.
void copyFolder(const fs::path& from, const fs::path& to) {
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    const fs::path copy = to / fs::relative(entry.path(), from);
    if (entry.is_directory()) {
      fs::create_directories(copy);
    } else {
      fs::create_directories(copy.parent_path());
      fs::copy_file(entry.path(), copy);
      fs::permissions(copy, fs::perms::owner_write, fs::perm_options::add);
    }
  }
}

DumpUnitPtr openFirst(const fs::path& path) {
  const auto dump = openDump(path);
  if (!dump) {
    ADD_FAILURE() << dump.error().message();
    return nullptr;
  }
  auto unit = (*dump)->openUnit(0);
  if (!unit) {
    ADD_FAILURE() << unit.error().message();
    return nullptr;
  }
  return *unit;
}

const DumpEntry* entryOf(const DumpUnit& unit, std::string_view name) {
  const auto found = std::find_if(unit.entries.begin(), unit.entries.end(), [&](const auto& each) {
    return each.name == name;
  });
  return found == unit.entries.end() ? nullptr : &*found;
}

TEST(MsprobeImporterTest, StatisticsOf26AreReadWithModulesStacksAndRoles) {
  const auto dump = openDump(test::msprobeCase("v26_stat_w") / "golden");
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->importer, "msprobe");
  EXPECT_EQ((*dump)->format, "msprobe 26.x, statistics, level mix");
  EXPECT_EQ((*dump)->checksumKind, "");
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit) << unit.error().message();
  EXPECT_EQ((*unit)->rows.size(), 702U);

  const DumpEntry* api = entryOf(**unit, "Functional.linear.13.forward");
  ASSERT_NE(api, nullptr);
  EXPECT_EQ(api->kind, EntryKind::Api);
  EXPECT_EQ(api->operation, "Functional.linear");
  EXPECT_EQ(api->call, 13U);
  EXPECT_EQ(api->module, "model.layers.1.mlp.down_proj");
  ASSERT_NE(api->parent, kNone);
  EXPECT_EQ((*unit)->entries[api->parent].name,
            "Module.model.layers.1.mlp.down_proj.Linear.forward.0");
  ASSERT_NE(api->stack, kNone);
  EXPECT_THAT((*unit)->stacks[api->stack][0], HasSubstr("in forward"));

  const DumpEntry* module = entryOf(**unit, "Module.model.layers.1.mlp.down_proj.Linear.forward.0");
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(module->module, "model.layers.1.mlp.down_proj");
  EXPECT_EQ(module->operation, "Linear");
  ASSERT_EQ(module->rowCount, 3U);
  const DumpRow& weight = (*unit)->rows[module->firstRow + 1];
  EXPECT_EQ(weight.role, Role::Parameter);
  EXPECT_EQ(weight.index, "weight");
  EXPECT_EQ(weight.dtype, "torch.float32");
  EXPECT_THAT(weight.shape, ElementsAre(32, 64));
  EXPECT_EQ(weight.statistics.max, 0.06298705190420151);
  EXPECT_FALSE(weight.hasElements);
}

TEST(MsprobeImporterTest, TensorsAreReadFromTheirFilesAndAreWhatTheStatisticsSay) {
  const DumpUnitPtr unit = openFirst(test::msprobeCase("v83_tensor_L0_w") / "golden" / "rank");
  ASSERT_NE(unit, nullptr);
  EXPECT_THAT(textsOf(unit->notes), IsEmpty());
  std::size_t read = 0;
  for (std::size_t row = 0; row < unit->rows.size(); ++row) {
    const DumpRow& each = unit->rows[row];
    if (!each.hasElements || each.dtype != "torch.float32") {
      continue;
    }
    const auto tensor = unit->read(row);
    ASSERT_TRUE(tensor) << tensor.error().message();
    ASSERT_EQ(tensor->view.shape, each.shape) << each.name;
    double max = numerics::elementAt(tensor->view, 0);
    for (std::size_t element = 1; element < tensor->view.count(); ++element) {
      max = std::max(max, numerics::elementAt(tensor->view, element));
    }
    ASSERT_EQ(each.statistics.max, max) << each.name;
    ++read;
  }
  EXPECT_GT(read, 100U);
}

TEST(MsprobeImporterTest, BackwardRowsAreTheGradientsThatArriveAndLeave) {
  const DumpUnitPtr unit = openFirst(test::msprobeCase("v83_tensor_L0_w") / "golden");
  ASSERT_NE(unit, nullptr);
  const DumpEntry* backward =
      entryOf(*unit, "Module.model.layers.1.mlp.down_proj.Linear.backward.0");
  ASSERT_NE(backward, nullptr);
  EXPECT_EQ(backward->pass, Pass::Backward);
  EXPECT_EQ(unit->rows[backward->firstRow].role, Role::OutputGradient);
  EXPECT_EQ(unit->rows[backward->firstRow + 1].role, Role::InputGradient);
  const DumpEntry* gradient = entryOf(*unit, "Module.lm_head.Linear.parameters_grad");
  ASSERT_NE(gradient, nullptr);
  EXPECT_EQ(gradient->kind, EntryKind::Gradient);
  EXPECT_EQ(gradient->module, "lm_head");
  EXPECT_EQ(unit->rows[gradient->firstRow].role, Role::ParameterGradient);
  EXPECT_EQ(unit->rows[gradient->firstRow].index, "weight");
}

TEST(MsprobeImporterTest, KeywordTensorsHaveTheSameIndexInAllModes) {
  const DumpUnitPtr tensors = openFirst(test::msprobeCase("v26_tensor_L0_w") / "golden");
  const DumpUnitPtr statistics = openFirst(test::msprobeCase("v26_stat_w") / "golden");
  const std::string_view name = "Module.model.layers.0.self_attn.LlamaAttention.forward.0";
  const DumpEntry* left = entryOf(*tensors, name);
  const DumpEntry* right = entryOf(*statistics, name);
  ASSERT_NE(left, nullptr);
  ASSERT_NE(right, nullptr);
  ASSERT_EQ(left->rowCount, right->rowCount);
  for (std::size_t row = 0; row < left->rowCount; ++row) {
    EXPECT_EQ(tensors->rows[left->firstRow + row].index,
              statistics->rows[right->firstRow + row].index);
  }
}

TEST(MsprobeImporterTest, ChecksumsSayWhatTheyAre) {
  const auto dump = openDump(test::msprobeCase("v26_md5_w") / "target");
  ASSERT_TRUE(dump);
  EXPECT_EQ((*dump)->checksumKind, "crc32 of the bytes");
  EXPECT_EQ((*dump)->format, "msprobe 26.x, checksums, level mix");
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit);
  EXPECT_EQ((*unit)->rows[0].checksum, "ded7c998");
}

TEST(MsprobeImporterTest, StepsAreUnits) {
  const auto dump = openDump(test::msprobeCase("v26_debug") / "dump");
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->format, "msprobe 26.x, tensors, level debug");
  ASSERT_EQ((*dump)->units.size(), 2U);
  EXPECT_EQ(describe((*dump)->units[1].axes), "step 1");
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit);
  const DumpEntry& saved = (*unit)->entries[0];
  EXPECT_EQ(saved.kind, EntryKind::Saved);
  EXPECT_EQ(saved.module, "hid");
  EXPECT_EQ((*unit)->rows[0].role, Role::Value);
  EXPECT_EQ((*unit)->rows[0].index, "a");
  EXPECT_EQ((*unit)->rows[1].index, "b.0");
  EXPECT_TRUE((*unit)->read(0));
}

TEST(MsprobeImporterTest, RanksAreUnits) {
  const auto dump = openDump(test::msprobeCase("v26_multirank") / "target");
  ASSERT_TRUE(dump) << dump.error().message();
  ASSERT_EQ((*dump)->units.size(), 2U);
  EXPECT_EQ(describe((*dump)->units[0].axes), "step 0, rank 0");
  EXPECT_EQ(describe((*dump)->units[1].axes), "step 0, rank 1");
}

TEST(MsprobeImporterTest, StructureAloneGivesTheCallsAndWhoEnclosesThem) {
  const DumpUnitPtr unit = openFirst(test::msprobeCase("v26_structure") / "dump");
  ASSERT_NE(unit, nullptr);
  EXPECT_THAT(unit->rows, IsEmpty());
  const DumpEntry* linear = entryOf(*unit, "Functional.linear.13.forward");
  ASSERT_NE(linear, nullptr);
  EXPECT_EQ(linear->module, "model.layers.1.mlp.down_proj");
  EXPECT_NE(linear->stack, kNone);
}

TEST(MsprobeImporterTest, MissingFilesAndModulesWithoutDataAreNoted) {
  const test::TempDir dir;
  const fs::path copy = dir / "rank";
  copyFolder(test::msprobeCase("v83_tensor_L0_w") / "golden" / "rank", copy);
  fs::remove(copy / "dump_tensor_data" / "Module.lm_head.Linear.forward.0.input.0.pt");
  dir.write("rank/construct.json",
            R"({"Module.model.extra.Linear.forward.0": "Module.model.LlamaModel.forward.0"})");
  const DumpUnitPtr unit = openFirst(copy);
  ASSERT_NE(unit, nullptr);
  EXPECT_THAT(textsOf(unit->notes),
              ElementsAre(HasSubstr("1 files that dump.json names are missing "
                                    "(Module.lm_head.Linear.forward.0.input.0.pt)"),
                          HasSubstr("1 module calls were made of which the dump holds nothing "
                                    "(Module.model.extra.Linear.forward.0)")));
  const DumpEntry* entry = entryOf(*unit, "Module.lm_head.Linear.forward.0");
  ASSERT_NE(entry, nullptr);
  EXPECT_FALSE(unit->rows[entry->firstRow].hasElements);
  EXPECT_FALSE(unit->read(entry->firstRow));
}

TEST(MsprobeLayoutTest, ProcessesBesideRanksAreLeftOutAndStepsSortByNumber) {
  const test::TempDir dir;
  const std::string dump =
      R"({"task": "statistics", "level": "L1", "dump_data_dir": null, "data": {}})";
  for (const std::string path : {"step10/rank0", "step2/rank1", "step2/rank0", "step2/proc77"}) {
    dir.write(path + "/dump.json", dump);
  }
  const auto opened = openDump(dir.path());
  ASSERT_TRUE(opened) << opened.error().message();
  std::vector<std::string> units;
  for (const UnitInfo& unit : (*opened)->units) {
    units.push_back(describe(unit.axes));
  }
  EXPECT_THAT(units, ElementsAre("step 2, rank 0", "step 2, rank 1", "step 10, rank 0"));
  EXPECT_EQ((*opened)->format, "msprobe, statistics, level L1");
}

TEST(MsprobeLayoutTest, OtherJsonFilesAreNotClaimed) {
  const test::TempDir dir;
  dir.write("dump.json", R"({"data": {}})");
  EXPECT_FALSE(openDump(dir.path()));
  EXPECT_FALSE(openDump(dir / "dump.json"));
}

TEST(MsprobeLayoutTest, CallsThatEncloseEachOtherInACircleEnd) {
  const test::TempDir dir;
  dir.write("rank/dump.json",
            R"({"task": "statistics", "level": "L1", "data": {"Torch.a.0.forward": {}}})");
  dir.write(
      "rank/construct.json",
      R"({"Torch.a.0.forward": "Module.x.A.forward.0", "Module.x.A.forward.0": "Module.y.B.forward.0",
                "Module.y.B.forward.0": "Module.x.A.forward.0"})");
  const DumpUnitPtr unit = openFirst(dir.path());
  ASSERT_NE(unit, nullptr);
  EXPECT_EQ(unit->entries[0].module, "x");
  EXPECT_EQ(unit->entries[0].parent, kNone);
}

TEST(MsprobeChecksumTest, ExclusiveOrsAreChecksumsOfTheirOwnKind) {
  const test::TempDir dir;
  dir.write("proc7/dump.json",
            R"({"task": "statistics", "level": "L1", "framework": "pytorch", "dump_data_dir": null,
                "data": {"Torch.add.0.forward": {
                  "input_args": [{"type": "torch.Tensor", "dtype": "torch.float32", "shape": [],
                                  "requires_grad": false, "md5": null},
                                 {"type": "int", "value": 3}],
                  "input_kwargs": {},
                  "output": [{"type": "torch.Tensor", "dtype": "torch.bfloat16", "shape": [2, 3],
                              "requires_grad": true, "md5": "0x3fc080007bb48000"}]}}})");
  const auto dump = openDump(dir.path());
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->format, "msprobe 26.x, checksums, level L1");
  EXPECT_EQ((*dump)->checksumKind, "xor of the bytes");
  const auto opened = (*dump)->openUnit(0);
  ASSERT_TRUE(opened) << opened.error().message();
  const std::vector<DumpRow>& rows = (*opened)->rows;
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[2].checksum, "0x3fc080007bb48000");
  EXPECT_TRUE(rows[2].statistics.isEmpty());
  EXPECT_THAT(rows[2].shape, ElementsAre(2, 3));
  EXPECT_EQ(rows[0].checksum, "") << "of a scalar none is made";
  EXPECT_EQ(rows[1].checksum, "");
  EXPECT_EQ(rows[1].value, "3");
}

/// The message of a path that cannot be opened.
std::string refusalOf(const fs::path& path) {
  const auto dump = openDump(path);
  return dump ? "opened as " + (*dump)->format : dump.error().message();
}

TEST(MsprobeLayoutTest, AProcessThatCannotBeReadIsAnErrorOfItsOwnAndTheOthersAreOpened) {
  const test::TempDir dir;
  test::writeStatisticsDump(dir / "step0/rank1", {{"model.layers.0", 2}});
  test::writeNpy(dir / "step0/rank0/dump_tensor_data/x.npy", {1}, {1});
  for (const std::string start : {"", R"({"task": "stati)"}) {
    dir.write("step0/rank0/dump.json", start);
    const auto dump = openDump(dir.path());
    ASSERT_TRUE(dump) << dump.error().message();
    EXPECT_EQ((*dump)->importer, "msprobe");
    EXPECT_EQ((*dump)->format, "msprobe, statistics, level L0");
    ASSERT_EQ((*dump)->units.size(), 2U);
    const auto broken = (*dump)->openUnit(0);
    ASSERT_FALSE(broken);
    EXPECT_THAT(broken.error().message(),
                HasSubstr("step0/rank0/dump.json: line 1: the file ends here; nothing before it is "
                          "complete, dump this step again"));
    EXPECT_EQ((*dump)->units[1].axes.rank, 1);
    const auto whole = (*dump)->openUnit(1);
    ASSERT_TRUE(whole) << whole.error().message();
    ASSERT_EQ((*whole)->rows.size(), 1U);
    EXPECT_EQ((*whole)->rows[0].statistics.max, 2.0);
  }
}

TEST(MsprobeLayoutTest, WhereNoProcessCanBeReadTheFirstOneIsNamedAndNoTensorsAreShown) {
  const test::TempDir dir;
  dir.write("step0/rank0/dump.json", "");
  dir.write("step0/rank1/dump.json", std::string(300'000, '\0'));
  test::writeNpy(dir / "step0/rank0/dump_tensor_data/x.npy", {1}, {1});
  const std::string first = "step0/rank0/dump.json: line 1: the file ends here";
  const std::string second = "step0/rank1/dump.json: line 1: The document is empty";
  EXPECT_THAT(refusalOf(dir.path()), HasSubstr(first));
  EXPECT_THAT(refusalOf(dir / "step0"), HasSubstr(first));
  EXPECT_THAT(refusalOf(dir / "step0/rank0/dump.json"), HasSubstr(first));
  EXPECT_THAT(refusalOf(dir / "step0/rank1"), HasSubstr(second));
}

TEST(MsprobeLayoutTest, ADumpThatWasCopiedOutOfItsFoldersIsKnownByWhatIsBesideIt) {
  const test::TempDir dir;
  dir.write("golden/dump.json", "");
  dir.write("golden/stack.json", "{}");
  EXPECT_THAT(refusalOf(dir / "golden"), HasSubstr("golden/dump.json: line 1: the file ends here"));
}

TEST(MsprobeLayoutTest, FilesOfThatNameAmongTensorsAreNotMistakenForADamagedDump) {
  const test::TempDir dir;
  test::writeNpy(dir / "empty/x.npy", {1}, {1});
  dir.write("empty/dump.json", "");
  EXPECT_EQ(refusalOf(dir / "empty"), "opened as folder of tensor files");
  test::writeNpy(dir / "other/step0/rank0/x.npy", {1}, {1});
  dir.write("other/step0/rank0/dump.json", R"({"of": "another tool"})");
  EXPECT_EQ(refusalOf(dir / "other"), "opened as folder of tensor files");
}

TEST(MsprobeLayoutTest, AProcessWithoutAnEntryDoesNotHideTheChecksumsOfTheOthers) {
  const test::TempDir dir;
  const std::string head =
      R"({"task": "statistics", "level": "L1", "dump_data_dir": null, "data": {"Torch.add.0.for)";
  dir.write("step0/rank0/dump.json", head);
  dir.write("step0/rank1/dump.json",
            head + R"(ward": {"output": [{"type": "torch.Tensor", "dtype": "torch.float32",
                      "shape": [1], "md5": "0000abcd"}]}}})");
  const auto dump = openDump(dir.path());
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->checksumKind, "crc32 of the bytes");
  EXPECT_EQ((*dump)->format, "msprobe, checksums, level L1");
}

}  // namespace
}  // namespace ulp::dumps
