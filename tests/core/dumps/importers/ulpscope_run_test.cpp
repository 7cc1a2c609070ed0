#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/dumps/importers/importer.h"
#include "core/tensors/hdf5/capture_writer.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::dumps {
namespace {

using numerics::TensorView;
using testing::ElementsAre;
using testing::HasSubstr;

const std::array<float, 6> kSix{1, 2, 3, 4, 5, 6};
const TensorView kView{kSix.data(), DType::Float32, {2, 3}};
const Site kForward{"decoder.0", "model.layers.0", 0, Level::Layer, Pass::Forward};
const Site kBackward{"decoder.0", "model.layers.0", 0, Level::Layer, Pass::Backward};
const Site kLogits{"logits", "lm_head", -1, Level::Layer, Pass::Backward};
const Site kWeight{"model.norm.weight", "model.norm", -1, Level::Layer, Pass::ParameterGradient};

/// A run folder with the sites under both runs; a large tensor of "bf16" is sampled.
void writeRuns(const std::filesystem::path& folder) {
  auto writer = tensors::CaptureWriter::create(folder);
  ASSERT_TRUE(writer) << writer.error().message();
  for (const std::string_view run : {"reference", "bf16"}) {
    ASSERT_TRUE((*writer)->beginRun(run));
    for (const Site& site : {kForward, kLogits, kBackward, kWeight}) {
      ASSERT_TRUE((*writer)->put(site, kView, run == "bf16" ? 3 : 0));
    }
    ASSERT_TRUE((*writer)->finishRun());
  }
}

TEST(UlpscopeRunImporterTest, EachRunIsAUnitWithItsTensorsInOrderAndTheirRoles) {
  const test::TempDir dir;
  writeRuns(dir.path());
  const auto dump = openDump(dir.path());
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->importer, "ulpscope_run");
  ASSERT_EQ((*dump)->units.size(), 2U);
  EXPECT_EQ(describe((*dump)->units[0].axes), "run bf16");
  EXPECT_EQ(describe((*dump)->units[1].axes), "run reference");

  const auto unit = (*dump)->openUnit(1);
  ASSERT_TRUE(unit);
  std::vector<Role> roles;
  std::vector<std::string> modules;
  for (const DumpEntry& entry : (*unit)->entries) {
    roles.push_back((*unit)->rows[entry.firstRow].role);
    modules.push_back(entry.module);
  }
  EXPECT_THAT(
      roles,
      ElementsAre(
          Role::Output, Role::OutputGradient, Role::InputGradient, Role::ParameterGradient));
  EXPECT_THAT(modules, ElementsAre("model.layers.0", "lm_head", "model.layers.0", "model.norm"));
  const auto tensor = (*unit)->read(2);
  ASSERT_TRUE(tensor);
  EXPECT_THAT(tensor->view.shape, ElementsAre(2, 3));
  EXPECT_EQ(numerics::elementAt(tensor->view, 5), 6);
}

TEST(UlpscopeRunImporterTest, ASampleIsRefusedWithTheRemedy) {
  const test::TempDir dir;
  writeRuns(dir.path());
  const auto dump = openDump(dir / "tensors.h5");
  ASSERT_TRUE(dump) << dump.error().message();
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit);
  const auto tensor = (*unit)->read(0);
  ASSERT_FALSE(tensor);
  EXPECT_EQ(tensor.error().code(), ErrorCode::Unsupported);
  EXPECT_THAT(
      tensor.error().message(),
      AllOf(HasSubstr("run 'bf16', tensor 'decoder.0'"), HasSubstr("capture.tensors: full")));
}

TEST(OpenDumpTest, WhatIsNotThereIsNotFound) {
  const test::TempDir dir;
  const auto dump = openDump(dir / "nothing");
  ASSERT_FALSE(dump);
  EXPECT_EQ(dump.error().code(), ErrorCode::NotFound);
}

TEST(OpenDumpTest, WhatNoImporterKnowsIsRefusedWithThoseThatThereAre) {
  const test::TempDir dir;
  const auto dump = openDump(dir.write("notes.txt", "hello"));
  ASSERT_FALSE(dump);
  EXPECT_EQ(dump.error().code(), ErrorCode::Unsupported);
  EXPECT_THAT(dump.error().message(), HasSubstr("run folder of Ulpscope"));
}

}  // namespace
}  // namespace ulp::dumps
