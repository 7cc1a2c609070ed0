#include "core/tensors/formats/safetensors/safetensors_stream.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tensors/formats/safetensors/safetensors.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::tensors {
namespace {

using testing::HasSubstr;

const std::array<float, 2> kPair{1, 2};
const std::int64_t kOne = 7;
const std::vector<TensorInfo> kAnnounced{{"number", {}, DType::Int64, ""},
                                         {"pair", {2}, DType::Float32, ""}};

TEST(SafetensorsWriter, TensorsComeOneByOneAndTheFileAppearsInTheEnd) {
  const test::TempDir dir;
  auto writer = SafetensorsWriter::create(dir / "x.safetensors", kAnnounced, {{"k", "v"}});
  ASSERT_TRUE(writer) << writer.error().message();
  ASSERT_TRUE(writer->write({&kOne, DType::Int64, {}}));
  ASSERT_TRUE(writer->write({kPair.data(), DType::Float32, {2}}));
  EXPECT_FALSE(std::filesystem::exists(dir / "x.safetensors"));
  ASSERT_TRUE(writer->commit());
  const auto archive = openSafetensors(dir / "x.safetensors");
  ASSERT_TRUE(archive) << archive.error().message();
  EXPECT_EQ(numerics::elementAt((*archive)->read("number")->view, 0), 7);
  EXPECT_EQ(numerics::elementAt((*archive)->read("pair")->view, 1), 2);
}

TEST(SafetensorsWriter, AnotherTensorThanWasAnnouncedIsRefused) {
  const test::TempDir dir;
  auto writer = SafetensorsWriter::create(dir / "x.safetensors", kAnnounced, {});
  ASSERT_TRUE(writer);
  const auto other = writer->write({kPair.data(), DType::Float32, {2}});
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message(), HasSubstr("'number'"));
  ASSERT_TRUE(writer->write({&kOne, DType::Int64, {}}));
  const auto early = writer->commit();
  ASSERT_FALSE(early);
  EXPECT_THAT(early.error().message(), AllOf(HasSubstr("'pair'"), HasSubstr("never came")));
  ASSERT_TRUE(writer->write({kPair.data(), DType::Float32, {2}}));
  EXPECT_FALSE(writer->write({&kOne, DType::Int64, {}}));
}

TEST(SafetensorsWriter, NamesAndMetadataAreWrittenAsJson) {
  const test::TempDir dir;
  const std::string name = "a\"b\\\n\u00e4";
  auto writer = SafetensorsWriter::create(
      dir / "x.safetensors", {{name, {1, 2}, DType::Float32, ""}}, {{"k\"", "v\n"}});
  ASSERT_TRUE(writer) << writer.error().message();
  ASSERT_TRUE(writer->write({kPair.data(), DType::Float32, {1, 2}}));
  ASSERT_TRUE(writer->commit());
  const auto archive = openSafetensors(dir / "x.safetensors");
  ASSERT_TRUE(archive) << archive.error().message();
  const auto tensor = (*archive)->read(name);
  ASSERT_TRUE(tensor) << tensor.error().message();
  EXPECT_THAT(tensor->view.shape, testing::ElementsAre(1, 2));
}

TEST(SafetensorsWriter, AHeaderThatNoReaderTakesIsRefused) {
  const test::TempDir dir;
  std::string value;
  value.resize(100'000'000, 'v');
  const auto refused =
      SafetensorsWriter::create(dir / "x.safetensors", kAnnounced, {{"k", std::move(value)}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(refused.error().message(), HasSubstr("write fewer tensors"));
}

TEST(SafetensorsWriter, WithoutCommitNothingIsLeft) {
  const test::TempDir dir;
  {
    auto writer = SafetensorsWriter::create(dir / "x.safetensors", kAnnounced, {});
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->write({&kOne, DType::Int64, {}}));
  }
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

}  // namespace
}  // namespace ulp::tensors
