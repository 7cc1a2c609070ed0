#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/compat/comparator.h"
#include "core/compat/msit/dequantized.h"
#include "core/tensors/formats/safetensors/safetensors.h"
#include "tests/core/compat/msit/msit_fixture.h"
#include "tests/core/compat/msit/msit_tables.h"

namespace ulp::compat {
namespace {

using numerics::TensorView;
using testing::ElementsAre;
using testing::HasSubstr;

/// Its first difference from what msit wrote.
std::string differenceOf(const std::filesystem::path& table, const std::string& original) {
  return test::firstDifference(test::readCsv(table), test::parseCsv(original));
}

/// What msit 8.2.0 writes of the files below.
constexpr const char* kOriginal =
    R"(weight_name,golden_dtype,golden_shape,golden_max_value,golden_min_value,golden_mean_value,my_dtype,my_shape,my_max_value,my_min_value,my_mean_value,cosine_similarity,max_relative_error,mean_relative_error,max_absolute_error,mean_absolute_error,kl_divergence,relative_euclidean_distance
a.weight,torch.float32,"[2, 3]",2.0,-1.25,0.3083333373069763,torch.float32,"[2, 3]",2.049999952316284,-1.25,0.3166666626930237,0.9999333827,0.02499997615814209,0.004166662693023682,0.04999995231628418,0.008333325386047363,0.000305861234664917,0.020493676885962486
b.weight,torch.bfloat16,"[2, 2]",4.5,1.0,2.625,torch.bfloat16,"[2, 2]",4.5,-2.0,1.625,0.7664233577,2.0,0.5,4.0,1.0,0.1836322396993637,0.6834861040115356
)";

const std::array<float, 6> kFirst{0.5F, -1.25F, 2.0F, 0.1F, 0.2F, 0.3F};
const std::array<std::int8_t, 6> kFirstInt{10, -25, 41, 1, 2, 3};
const std::array<float, 2> kZeros{0, 0};
const std::array<float, 2> kScales{0.05F, 0.1F};
const std::array<std::uint16_t, 4> kSecond{0x3F80, 0x4000, 0x4040, 0x4090};  // 1, 2, 3, 4.5
const std::array<std::int8_t, 4> kSecondInt{100, -20, 30, 45};
const std::array<std::uint16_t, 2> kSecondOffsets{0x4270, 0};      // 60, 0
const std::array<std::uint16_t, 2> kSecondScales{0x3CCD, 0x3DCD};  // 0.025, 0.1
const std::array<float, 2> kPair{1, 2};
const std::array<std::int8_t, 2> kPairInt{1, 2};

class MsitWeights : public testing::Test {
 protected:
  void SetUp() override {
    write("golden/model.safetensors",
          {{"a.weight", {kFirst.data(), DType::Float32, {2, 3}}},
           {"b.weight", {kSecond.data(), DType::BFloat16, {2, 2}}},
           {"b.bias", {kPair.data(), DType::Float32, {1}}},
           {"c.weight", {kPair.data(), DType::Float32, {2}}},
           {"d.weight", {kPair.data(), DType::Float32, {2}}},
           {"e.weight", {kPair.data(), DType::Float32, {1, 2}}}});
    write("my/model.safetensors",
          {{"a.weight", {kFirstInt.data(), DType::Int8, {2, 3}}},
           {"a.weight_offset", {kZeros.data(), DType::Float32, {2, 1}}},
           {"a.weight_scale", {kScales.data(), DType::Float32, {2, 1}}},
           {"b.weight", {kSecondInt.data(), DType::Int8, {2, 2}}},
           {"b.weight_offset", {kSecondOffsets.data(), DType::BFloat16, {2, 1}}},
           {"b.weight_scale", {kSecondScales.data(), DType::BFloat16, {2, 1}}},
           // Without offset and scale; not of int8; broadcast to another size.
           {"c.weight", {kPairInt.data(), DType::Int8, {2}}},
           {"d.weight", {kPair.data(), DType::Float32, {2}}},
           {"d.weight_offset", {kZeros.data(), DType::Float32, {1}}},
           {"d.weight_scale", {kScales.data(), DType::Float32, {1}}},
           {"e.weight", {kPairInt.data(), DType::Int8, {2}}},
           {"e.weight_offset", {kZeros.data(), DType::Float32, {2, 1}}},
           {"e.weight_scale", {kScales.data(), DType::Float32, {1}}}});
  }
  void write(const std::string& name, const std::vector<tensors::NamedTensor>& tensors) {
    std::filesystem::create_directories((m_dir / name).parent_path());
    ASSERT_TRUE(tensors::writeSafetensors(m_dir / name, tensors));
  }
  Result<CompareOutcome> compare(CompareRequest request = {}) const {
    request.golden = m_dir / "golden";
    request.target = m_dir / "my";
    request.output = m_dir / "out";
    request.timestamp = "20260101000000";
    return builtinComparators().find("msit-weights")->compare(request, {}, {});
  }

  test::TempDir m_dir;
};

TEST_F(MsitWeights, TheTableIsTheOriginals) {
  const auto outcome = compare();
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_TRUE(outcome->notes.empty());
  EXPECT_EQ(outcome->files.front(), m_dir / "out/msit_cmp_report_20260101000000.csv");
  EXPECT_EQ(differenceOf(outcome->files.front(), kOriginal), "");
}

TEST_F(MsitWeights, ATableWithAnotherWordOrNumberIsAnother) {
  const auto outcome = compare();
  ASSERT_TRUE(outcome) << outcome.error().message();
  for (const auto& [from, to] : {std::pair("b.weight,torch.bfloat16", "b.weight,torch.int8"),
                                 std::pair("kl_divergence", "x"),
                                 std::pair("\"[2, 3]\",2.0", "\"[3, 2]\",2.0"),
                                 std::pair("0.3083333373069763", "0.3083333671092987")}) {
    std::string other = kOriginal;
    other.replace(other.find(from), std::string_view(from).size(), to);
    EXPECT_NE(differenceOf(outcome->files.front(), other), "") << from;
  }
}

TEST_F(MsitWeights, SeveralFilesOfOneSideAreAllReadAndSaidSo) {
  write("my/more.safetensors", {{"x", {kPair.data(), DType::Float32, {2}}}});
  const auto outcome = compare();
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_THAT(outcome->notes, ElementsAre(HasSubstr("holds 2 files")));
  EXPECT_EQ(differenceOf(outcome->files.front(), kOriginal), "");
}

TEST_F(MsitWeights, AWeightThatCannotBeComparedIsNamedAndTheRestCompared) {
  const auto writeWeights = [&](bool hasWhole) {
    std::vector<tensors::NamedTensor> tensors{
        {"a.weight", {kFirstInt.data(), DType::Int8, {2, 3}}},
        {"a.weight_offset", {kFirst.data(), DType::Float32, {3, 2}}},
        {"a.weight_scale", {kScales.data(), DType::Float32, {2, 1}}}};
    if (hasWhole) {
      tensors.push_back({"b.weight", {kSecondInt.data(), DType::Int8, {2, 2}}});
      tensors.push_back({"b.weight_offset", {kSecondOffsets.data(), DType::BFloat16, {2, 1}}});
      tensors.push_back({"b.weight_scale", {kSecondScales.data(), DType::BFloat16, {2, 1}}});
    }
    write("my/model.safetensors", tensors);
  };
  writeWeights(true);
  const auto outcome = compare();
  ASSERT_TRUE(outcome) << outcome.error().message();
  ASSERT_EQ(outcome->failures.size(), 1U);
  EXPECT_THAT(
      outcome->failures.front().message(),
      HasSubstr((m_dir / "my/model.safetensors").string() + ": 'a.weight': shapes [2, 3], [3, 2]"));
  const test::Table table = test::parseCsv(test::contentOf(outcome->files.front()));
  ASSERT_EQ(table.size(), 2U);
  EXPECT_EQ(table[1].front(), "b.weight");
  std::filesystem::remove_all(m_dir / "out");
  writeWeights(false);
  const auto none = compare();
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code(), ErrorCode::InvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(m_dir / "out"));
}

TEST_F(MsitWeights, WhatIsMissingIsNamed) {
  EXPECT_FALSE(compare({.level = "layer"}));
  EXPECT_FALSE(compare({.isFuzzy = true}));
  std::filesystem::remove(m_dir / "my/model.safetensors");
  const auto none = compare();
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code(), ErrorCode::NotFound);
  write("my/model.safetensors", {{"x", {kPair.data(), DType::Float32, {2}}}});
  const auto empty = compare();
  ASSERT_TRUE(empty) << empty.error().message();
  EXPECT_THAT(empty->notes, ElementsAre(HasSubstr("the table is empty")));
}

TEST(Dequantized, TypesAndShapesThatDoNotFitAreRefused) {
  const TensorView weight{kPairInt.data(), DType::Int8, {2}};
  const TensorView scale{kScales.data(), DType::Float32, {1}};
  const TensorView three{kFirst.data(), DType::Float32, {3}};
  const auto shapes = msit::dequantized(weight, three, scale);
  ASSERT_FALSE(shapes);
  EXPECT_THAT(shapes.error().message(), HasSubstr("[2], [3] and [1]"));
  EXPECT_FALSE(msit::dequantized(weight, weight, weight));  // the scale is no float
  EXPECT_FALSE(msit::dequantized(scale, scale, scale));     // the weight is no int8
}

TEST(Dequantized, IntegerOffsetsWrapAsTorchLetsThem) {
  const std::array<std::int8_t, 2> weights{100, -100};
  const std::array<std::int8_t, 1> offset{-100};
  const std::array<float, 1> scale{0.5F};
  const auto made = msit::dequantized({weights.data(), DType::Int8, {2}},
                                      {offset.data(), DType::Int8, {1}},
                                      {scale.data(), DType::Float32, {1}});
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_THAT(made->values, ElementsAre(-28, 0));  // 200 is -56 in int8
}

TEST(Dequantized, RowsOfAnyLengthHaveTheirOwnScale) {
  constexpr std::size_t kRow = 3000;  // more than is computed at once
  std::vector<std::int8_t> weights(2 * kRow);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = static_cast<std::int8_t>(i % 100);
  }
  const std::array<float, 2> offsets{1, -1};
  const std::array<float, 2> scales{0.5F, 2};
  const auto made = msit::dequantized({weights.data(), DType::Int8, {2, kRow}},
                                      {offsets.data(), DType::Float32, {2, 1}},
                                      {scales.data(), DType::Float32, {2, 1}});
  ASSERT_TRUE(made) << made.error().message();
  ASSERT_EQ(made->values.size(), weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto weight = static_cast<float>(weights[i]);
    ASSERT_EQ(made->values[i], i < kRow ? (weight - 1) * 0.5F : (weight + 1) * 2) << i;
  }
}

}  // namespace
}  // namespace ulp::compat
