#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/files/atomic_file.h"
#include "core/dumps/exporters/dump_exporter.h"
#include "core/dumps/exporters/exported_names.h"
#include "core/tensors/formats/numpy/npy.h"
#include "core/tensors/formats/safetensors/safetensors.h"
#include "tests/support/data/tensor_unit.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::dumps {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

Result<DumpExportOutcome> exported(const char* format,
                                   const Dump& dump,
                                   const std::filesystem::path& target,
                                   const DumpExportOptions& options = {}) {
  const DumpExporterRegistry exporters = builtinDumpExporters();
  return exportDump(dump, target, *exporters.find(format), options);
}

/// A layer's output and its gradient, which a run calls the same, in two types.
void fillRun(test::TensorUnit& unit) {
  unit.entry({.name = "model.layers.0", .kind = EntryKind::Module, .module = "model.layers.0"});
  unit.tensor<std::uint16_t>(
      Role::Output, "decoder.0", "", DType::BFloat16, {3}, {0x3F80, 0x4000, 0x4040});
  unit.entry({.name = "model.layers.0",
              .kind = EntryKind::Module,
              .pass = Pass::Backward,
              .module = "model.layers.0"});
  unit.tensor<float>(Role::InputGradient, "decoder.0", "", DType::Float32, {2}, {4, 5});
}

TEST(SafetensorsExport, OneFileHoldsAllTensorsUnderNamesThatSayThePass) {
  const test::TempDir dir;
  test::TensorDump dump;
  fillRun(dump.add({.run = "bf16"}));
  const auto outcome = exported("safetensors", dump, dir / "x.safetensors");
  ASSERT_TRUE(outcome) << outcome.error().message();
  const auto archive = tensors::openSafetensors(dir / "x.safetensors");
  ASSERT_TRUE(archive) << archive.error().message();
  std::vector<std::string> names;
  for (const tensors::TensorInfo& info : (*archive)->tensors()) {
    names.push_back(info.name + " " + info.storedAs);
  }
  EXPECT_THAT(names, ElementsAre("decoder.0.backward F32", "decoder.0 BF16"));
  EXPECT_EQ(numerics::elementAt((*archive)->read("decoder.0")->view, 2), 3);
  const std::string header = readTextFile(dir / "x.safetensors").value_or("").substr(0, 2000);
  EXPECT_THAT(header,
              AllOf(HasSubstr("ulpscope.rows"),
                    HasSubstr("input_gradient"),
                    HasSubstr("\"ulpscope.unit\":\"run bf16\"")));
}

TEST(SafetensorsExport, AboveTheSizeThereAreShardsAndAnIndex) {
  const test::TempDir dir;
  test::TensorDump dump;
  test::TensorUnit& unit = dump.add();
  for (int i = 0; i < 5; ++i) {
    unit.entry({.name = std::to_string(i), .kind = EntryKind::Tensor});
    unit.tensor<float>(Role::Value,
                       "t" + std::to_string(i),
                       "",
                       DType::Float32,
                       {4},
                       {static_cast<float>(i), 0, 0, 0});
  }
  ASSERT_TRUE(exported("safetensors", dump, dir / "out", {.shardBytes = 40}));
  EXPECT_TRUE(std::filesystem::exists(dir / "out/tensors-00001-of-00003.safetensors"));
  const auto archive = tensors::openSafetensorsIndex(dir / "out/tensors.safetensors.index.json");
  ASSERT_TRUE(archive) << archive.error().message();
  ASSERT_EQ((*archive)->tensors().size(), 5U);
  for (int i = 0; i < 5; ++i) {
    const auto tensor = (*archive)->read("t" + std::to_string(i));
    ASSERT_TRUE(tensor);
    EXPECT_EQ(numerics::elementAt(tensor->view, 0), i);
  }
}

TEST(SafetensorsExport, AboveWhatAHeaderMayHoldThereAreShards) {
  const test::TempDir dir;
  test::TensorDump dump;
  test::TensorUnit& unit = dump.add();
  constexpr int kTensors = 2600;
  for (int i = 0; i < kTensors; ++i) {
    const std::string name = std::string(4000, 'x') + std::to_string(i);
    unit.entry({.name = name, .kind = EntryKind::Tensor, .module = name});
    unit.tensor<float>(Role::Value, name, "", DType::Float32, {1}, {static_cast<float>(i)});
  }
  const auto outcome = exported("safetensors", dump, dir / "out");
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_TRUE(std::filesystem::exists(dir / "out/tensors-00002-of-00002.safetensors"));
  const auto archive = tensors::openSafetensorsIndex(dir / "out/tensors.safetensors.index.json");
  ASSERT_TRUE(archive) << archive.error().message();
  EXPECT_EQ((*archive)->tensors().size(), static_cast<std::size_t>(kTensors));
}

TEST(SafetensorsExport, ASizeOfFilesIsRefusedWhereNothingIsDivided) {
  const test::TempDir dir;
  test::TensorDump dump;
  fillRun(dump.add());
  const auto file = exported("safetensors", dump, dir / "x.safetensors", {.shardBytes = 40});
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(file.error().message(), HasSubstr("x.safetensors: is one file whatever its size"));
  for (const char* format : {"npy", "msprobe"}) {
    const auto refused = exported(format, dump, dir / format, {.shardBytes = 40});
    ASSERT_FALSE(refused) << format;
    EXPECT_EQ(refused.error().code(), ErrorCode::InvalidArgument);
    EXPECT_THAT(refused.error().message(), HasSubstr("writes a file for each tensor"));
  }
}

TEST(SafetensorsExport, SeveralUnitsDoNotFitOneFile) {
  const test::TempDir dir;
  test::TensorDump dump;
  fillRun(dump.add({.run = "a"}));
  fillRun(dump.add({.run = "b"}));
  const auto refused = exported("safetensors", dump, dir / "x.safetensors");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), AllOf(HasSubstr("run a"), HasSubstr("run b")));
  ASSERT_TRUE(exported("safetensors", dump, dir / "out"));
  EXPECT_TRUE(std::filesystem::exists(dir / "out/a/tensors.safetensors"));
}

TEST(SafetensorsExport, StatisticsHaveNoPlaceInIt) {
  const test::TempDir dir;
  test::TensorDump dump;
  fillRun(dump.add());
  EXPECT_FALSE(exported("safetensors", dump, dir / "out", {.isStatisticsOnly = true}));
  test::TensorDump numbers;
  test::TensorUnit& unit = numbers.add();
  unit.entry({.name = "x", .kind = EntryKind::Tensor});
  unit.row({.name = "x", .dtype = "torch.float32", .shape = {2}});
  const auto refused = exported("safetensors", numbers, dir / "out");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), HasSubstr("has no elements"));
}

TEST(SafetensorsExport, WhereNothingCanBeReadThatIsTheError) {
  const test::TempDir dir;
  test::TensorDump dump;
  test::TensorUnit& unit = dump.add();
  fillRun(unit);
  unit.lose(0);
  unit.lose(1);
  const auto refused = exported("safetensors", dump, dir / "out");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(),
              AllOf(HasSubstr("none of its tensors can be read"), HasSubstr("file0.pt")));
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

TEST(NpyExport, BFloat16IsWidenedAndSaidSo) {
  const test::TempDir dir;
  test::TensorDump dump;
  fillRun(dump.add());
  const auto outcome = exported("npy", dump, dir / "out");
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_THAT(outcome->notes, Contains(HasSubstr("1 tensors of bfloat16 are written as float32")));
  const auto tensor = tensors::readNpy(dir / "out/decoder.0.npy");
  ASSERT_TRUE(tensor) << tensor.error().message();
  EXPECT_EQ(numerics::elementAt(tensor->view, 2), 3);
  EXPECT_EQ(tensor->view.dtype, DType::Float32);
  EXPECT_THAT(readTextFile(dir / "out/index.json").value_or(""),
              AllOf(HasSubstr("\"decoder.0.backward.npy\""), HasSubstr("\"bfloat16\"")));
}

TEST(NpyExport, OneFileIsForOneTensor) {
  const test::TempDir dir;
  test::TensorDump dump;
  fillRun(dump.add());
  const auto refused = exported("npy", dump, dir / "x.npy");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::InvalidArgument);
  test::TensorDump single;
  test::TensorUnit& unit = single.add();
  unit.entry({.name = "x", .kind = EntryKind::Tensor});
  unit.tensor<float>(Role::Value, "x", "", DType::Float32, {1}, {2.5F});
  ASSERT_TRUE(exported("npy", single, dir / "x.npy"));
  EXPECT_EQ(numerics::elementAt(tensors::readNpy(dir / "x.npy")->view, 0), 2.5);
  EXPECT_FALSE(exported("npy", single, dir / "x.npy"));
  EXPECT_TRUE(exported("npy", single, dir / "x.npy", {.mayReplace = true}));
}

TEST(ExportedNames, PathsStayBelowTheirFolder) {
  EXPECT_EQ(pathOfName("a/b.c"), "a/b.c");
  EXPECT_EQ(pathOfName("../x"), "_/x");
  EXPECT_EQ(pathOfName("/x"), "_/x");
  EXPECT_EQ(pathOfName(""), "_");
  EXPECT_LE(pathOfName(std::string(1000, 'x')).string().size(), 200U);
  EXPECT_NE(pathOfName(std::string(1000, 'x')), pathOfName(std::string(1001, 'x')));
}

TEST(ExportedNames, PartsHaveUpTo200BytesAndPathsUpTo1024) {
  const std::string longest(200, 'x');
  EXPECT_EQ(shortened(longest), longest);
  const std::string cut = shortened(longest + "y");
  EXPECT_EQ(cut.size(), 200U);
  EXPECT_EQ(cut.substr(0, 190), longest.substr(0, 190));
  EXPECT_EQ(cut[191], '.') << "eight digits of a checksum follow";
  EXPECT_NE(shortened(longest + "z"), cut);
  // Five parts of 200 bytes and what lies between are 1,004.
  std::string path = longest;
  for (int i = 0; i < 4; ++i) {
    path += "/" + longest;
  }
  const std::string most = path + "/" + std::string(19, 'a');
  EXPECT_EQ(pathOfName(most).string(), most);
  EXPECT_EQ(pathOfName(most + "b").string().size(), 200U);
  EXPECT_FALSE(pathOfName(most + "b").has_parent_path());
}

TEST(ExportedNames, OnlyAWholePartOfANameSaysThePass) {
  const auto named = [](const std::string& name, Pass pass) {
    return exportedName({.pass = pass}, {.name = name});
  };
  EXPECT_EQ(named("a.upgrade.weight", Pass::Forward), "a.upgrade.weight");
  EXPECT_EQ(named("a.upgrade.weight", Pass::ParameterGradient),
            "a.upgrade.weight.parameter_gradient");
  EXPECT_EQ(named("gradient_gate.w", Pass::ParameterGradient),
            "gradient_gate.w.parameter_gradient");
  for (const char* said : {"Module.norm.X.parameters_grad.weight",
                           "a.weight.grad",
                           "Global gradient: a.weight",
                           "grad__param__a.weight"}) {
    EXPECT_EQ(named(said, Pass::ParameterGradient), said);
  }
  EXPECT_EQ(named("Module.a.X.backward.0.input.0", Pass::Backward),
            "Module.a.X.backward.0.input.0");
  EXPECT_EQ(named("backward_a", Pass::Backward), "backward_a.backward");
}

TEST(ExportedNames, NamesThatRepeatAreNumbered) {
  UniqueNames names;
  EXPECT_EQ(names.make("x"), "x");
  EXPECT_EQ(names.make("x (3)"), "x (3)");
  EXPECT_EQ(names.make("x"), "x (2)");
  EXPECT_EQ(names.make("x"), "x (4)");
  EXPECT_EQ(names.make("x.pt", ".pt"), "x.pt");
  EXPECT_EQ(names.make("x.pt", ".pt"), "x_2.pt");
  EXPECT_EQ(names.make("x.pt", ".pt"), "x_3.pt");
}

TEST(ExportedNames, AxesMakeFolders) {
  EXPECT_EQ(placeOfAxes({.run = "a/b", .step = 1, .rank = 2, .token = 3}),
            "a_b/step1/rank2/token3");
  EXPECT_EQ(placeOfAxes({.run = ".."}), "_");
}

}  // namespace
}  // namespace ulp::dumps
