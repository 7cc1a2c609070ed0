#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tensors/formats/safetensors/safetensors.h"
#include "tests/core/tensors/archive/test_bytes.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::tensors {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kIndex = "model.safetensors.index.json";

/// Two shards: {a, b} and {c}.
class SafetensorsIndex : public testing::Test {
 public:
  void SetUp() override {
    write("one.safetensors", {{"a", view(0)}, {"b", view(1)}});
    write("two.safetensors", {{"c", view(2)}});
  }

  numerics::TensorView view(std::size_t i) { return {&values.at(i), DType::Float32, {1}}; }

  void write(std::string_view name, const std::vector<NamedTensor>& tensors) const {
    ASSERT_TRUE(writeSafetensors(folder / name, tensors));
  }

  [[nodiscard]] Result<TensorArchivePtr> open(std::string_view weightMap) const {
    return openSafetensorsIndex(folder.write(
        kIndex, R"({"metadata":{"total_size":12},"weight_map":)" + std::string(weightMap) + "}"));
  }

  test::TempDir folder;
  std::array<float, 3> values{1, 2, 3};
};

TEST_F(SafetensorsIndex, MergesShards) {
  const auto archive =
      open(R"({"c":"two.safetensors","a":"one.safetensors","b":"one.safetensors"})");
  ASSERT_TRUE(archive) << archive.error().message();
  std::vector<std::string> names;
  for (const TensorInfo& info : (*archive)->tensors()) {
    names.push_back(info.name);
  }
  EXPECT_THAT(names, ElementsAre("a", "b", "c"));
  EXPECT_THAT(elementsOf<float>((*archive)->read("c").value()), ElementsAre(3));
  EXPECT_EQ((*archive)->path(), folder / kIndex);
}

TEST_F(SafetensorsIndex, LeavesOutWhatTheIndexDoesNotName) {
  const auto archive = open(R"({"a":"one.safetensors"})");
  ASSERT_TRUE(archive);
  EXPECT_EQ((*archive)->tensors().size(), 1U);
  EXPECT_THAT(messageOf((*archive)->read("c")), HasSubstr("no tensor 'c'"));
}

TEST_F(SafetensorsIndex, NamesTheMissingShardAndATensorOfIt) {
  const auto archive = open(R"({"a":"one.safetensors","d":"three.safetensors"})");
  ASSERT_FALSE(archive);
  EXPECT_EQ(archive.error().code(), ErrorCode::NotFound);
  EXPECT_THAT(archive.error().message(),
              HasSubstr("tensor 'd': its shard 'three.safetensors' does not exist"));
}

TEST_F(SafetensorsIndex, NamesTheTensorThatItsShardDoesNotHold) {
  const auto archive = open(R"({"a":"one.safetensors","c":"one.safetensors"})");
  ASSERT_FALSE(archive);
  EXPECT_EQ(archive.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(archive.error().message(),
              HasSubstr("tensor 'c': its shard 'one.safetensors' does not hold it"));
}

TEST_F(SafetensorsIndex, PassesOnWhatIsWrongWithAShard) {
  folder.write("two.safetensors", "short");
  const auto archive = open(R"({"c":"two.safetensors"})");
  EXPECT_THAT(messageOf(archive), HasSubstr("two.safetensors: header"));
}

TEST_F(SafetensorsIndex, RefusesShardsOutsideItsFolder) {
  for (const char* map : {R"({"a":"../one.safetensors"})",
                          R"({"a":"/etc/passwd"})",
                          R"({"a":".."})",
                          R"({"a":""})",
                          R"({"a":3})"}) {
    EXPECT_THAT(messageOf(open(map)), HasSubstr("tensor 'a': its shard is not the name of a file"));
  }
}

TEST_F(SafetensorsIndex, RefusesWhatIsNoIndex) {
  EXPECT_THAT(messageOf(open("[]")), HasSubstr("weight_map: missing or not an object"));
  EXPECT_THAT(messageOf(open("{")), HasSubstr("not valid JSON at byte"));
  EXPECT_THAT(messageOf(open(R"({"a":"one.safetensors","a":"two.safetensors"})")),
              HasSubstr("tensor 'a': named twice"));
  EXPECT_THAT(messageOf(openSafetensorsIndex(folder.write(kIndex, "[]"))),
              HasSubstr("weight_map: missing"));
}

}  // namespace
}  // namespace ulp::tensors
