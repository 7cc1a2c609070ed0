#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tensors/formats/gguf/gguf.h"
#include "core/tensors/formats/safetensors/safetensors.h"
#include "core/tensors/opening/tensor_file.h"
#include "tests/core/tensors/archive/test_bytes.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::tensors {
namespace {

using testing::HasSubstr;

const std::filesystem::path kGguf = ULP_SOURCE_DIR "/tests/core/tensors/data/formats.gguf";

void writeOne(const std::filesystem::path& path, float value) {
  const std::vector<NamedTensor> tensors{{"x", {&value, DType::Float32, {1}}}};
  ASSERT_TRUE(writeSafetensors(path, tensors));
}

float valueOf(const Result<TensorArchivePtr>& archive) {
  return archive ? elementsOf<float>((*archive)->read("x").value()).at(0) : -1.0F;
}

TEST(OpenWeights, OpensAFolderWithOneFile) {
  const test::TempDir folder;
  writeOne(folder / "model.safetensors", 1);
  EXPECT_EQ(valueOf(openWeights(folder.path())), 1);
}

TEST(OpenWeights, OpensAFolderWithShards) {
  const test::TempDir folder;
  writeOne(folder / "model-00001-of-00001.safetensors", 2);
  const auto index = folder.write("model.safetensors.index.json",
                                  R"({"weight_map":{"x":"model-00001-of-00001.safetensors"}})");
  EXPECT_EQ(valueOf(openWeights(folder.path())), 2);
  EXPECT_EQ(valueOf(openWeights(index)), 2);
}

TEST(OpenWeights, PrefersTheSingleFileAsTransformersDoes) {
  const test::TempDir folder;
  writeOne(folder / "model.safetensors", 1);
  folder.write("model.safetensors.index.json", "{}");
  EXPECT_EQ(valueOf(openWeights(folder.path())), 1);
}

TEST(OpenWeights, OpensSingleFiles) {
  const test::TempDir folder;
  writeOne(folder / "any.safetensors", 3);
  writeOne(folder / "no_extension", 4);
  EXPECT_EQ(valueOf(openWeights(folder / "any.safetensors")), 3);
  EXPECT_EQ(valueOf(openWeights(folder / "no_extension")), 4);
}

TEST(OpenWeights, GivesGgufFilesWithTheirMetadata) {
  const auto archive = openWeights(kGguf);
  ASSERT_TRUE(archive) << archive.error().message();
  const auto file = std::dynamic_pointer_cast<const GgufFile>(*archive);
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(file->text("general.architecture").value(), "llama");
}

TEST(OpenWeights, SaysWhatAFolderLacks) {
  const test::TempDir folder;
  const auto archive = openWeights(folder.path());
  ASSERT_FALSE(archive);
  EXPECT_EQ(archive.error().code(), ErrorCode::NotFound);
  EXPECT_THAT(archive.error().message(),
              HasSubstr("holds neither model.safetensors nor model.safetensors.index.json"));
  folder.write("pytorch_model.bin", "");
  EXPECT_THAT(messageOf(openWeights(folder.path())), HasSubstr("convert its pytorch_model.bin"));
}

TEST(OpenWeights, RefusesOtherFormats) {
  const test::TempDir folder;
  const auto archive = openWeights(folder.write("model.bin", "PK\x03\x04 and more"));
  ASSERT_FALSE(archive);
  EXPECT_EQ(archive.error().code(), ErrorCode::Unsupported);
  EXPECT_EQ(openWeights(folder / "absent").error().code(), ErrorCode::NotFound);
}

}  // namespace
}  // namespace ulp::tensors
