#include "core/numerics/rounding/operation_formats.h"

#include <gtest/gtest.h>

namespace ulp::numerics {
namespace {

TEST(OperationFormats, NamesEveryOperationOnce) {
  ASSERT_EQ(operationKeys().size(), kOperations);
  for (std::size_t i = 0; i < kOperations; ++i) {
    const auto operation = static_cast<Operation>(i);
    EXPECT_EQ(parseOperationKey(keyOf(operation)), operation);
    EXPECT_LE(followed(operation), operation);
  }
  EXPECT_FALSE(parseOperationKey("momentum_dtype"));
}

TEST(OperationFormats, AreFloat32WhenNobodySetsOne) {
  const OperationFormats formats = resolveFormats({}, {});
  for (const std::string_view key : operationKeys()) {
    EXPECT_EQ(formats[*parseOperationKey(key)], NumberFormat::Float32) << key;
  }
}

TEST(OperationFormats, FollowTheComputeFormatExceptWhereFloat32IsTheCustom) {
  FormatOverrides set;
  set[Operation::Compute] = NumberFormat::BFloat16;
  const OperationFormats formats = resolveFormats(set, {});
  for (const std::string_view key : operationKeys()) {
    const bool isWide = key == "norm_statistics_dtype" || key == "softmax_dtype" ||
                        key == "loss_dtype" || key == "optimizer_dtype";
    EXPECT_EQ(formats[*parseOperationKey(key)],
              isWide ? NumberFormat::Float32 : NumberFormat::BFloat16)
        << key;
  }
}

TEST(OperationFormats, StayFloat64WhereEverythingIs) {
  FormatOverrides set;
  set[Operation::Compute] = NumberFormat::Float64;
  const OperationFormats formats =
      resolveFormats(set, {.fusedRotary = true, .fusedMlp = true, .wideGradients = true});
  for (const std::string_view key : operationKeys()) {
    EXPECT_EQ(formats[*parseOperationKey(key)], NumberFormat::Float64) << key;
  }
}

TEST(OperationFormats, LogitsFollowTheHeadAndTheLossTheLogits) {
  FormatOverrides set;
  set[Operation::Compute] = NumberFormat::Float16;
  set[Operation::LmHead] = NumberFormat::Float64;
  EXPECT_EQ(resolveFormats(set, {})[Operation::Logits], NumberFormat::Float64);
  EXPECT_EQ(resolveFormats(set, {})[Operation::Loss], NumberFormat::Float64);
  set[Operation::Logits] = NumberFormat::Float16;
  EXPECT_EQ(resolveFormats(set, {})[Operation::Loss], NumberFormat::Float32);
}

TEST(OperationFormats, NormsReadAFloat64ResidualStreamInFloat64) {
  FormatOverrides set;
  set[Operation::Residual] = NumberFormat::Float64;
  EXPECT_EQ(resolveFormats(set, {})[Operation::NormStatistics], NumberFormat::Float64);
  set[Operation::NormStatistics] = NumberFormat::Float32;
  EXPECT_EQ(resolveFormats(set, {})[Operation::NormStatistics], NumberFormat::Float32);
}

TEST(OperationFormats, FusedKernelsWidenTheirOwn) {
  FormatOverrides set;
  set[Operation::Compute] = NumberFormat::BFloat16;
  const OperationFormats rotary = resolveFormats(set, {.fusedRotary = true});
  EXPECT_EQ(rotary[Operation::RotaryTable], NumberFormat::Float32);
  EXPECT_EQ(rotary[Operation::Rotary], NumberFormat::Float32);
  EXPECT_EQ(rotary[Operation::Activation], NumberFormat::BFloat16);
  EXPECT_EQ(resolveFormats(set, {.fusedMlp = true})[Operation::Activation], NumberFormat::Float32);
  EXPECT_EQ(resolveFormats(set, {.wideGradients = true})[Operation::Gradient],
            NumberFormat::Float32);
}

TEST(OperationFormats, OverlaysReplaceOnlyWhatTheySet) {
  FormatOverrides set;
  set[Operation::Compute] = NumberFormat::BFloat16;
  set[Operation::Residual] = NumberFormat::Float32;
  FormatOverrides over;
  over[Operation::Compute] = NumberFormat::Float64;
  const FormatOverrides both = overlaid(set, over);
  EXPECT_EQ(both[Operation::Compute], NumberFormat::Float64);
  EXPECT_EQ(both[Operation::Residual], NumberFormat::Float32);
  EXPECT_FALSE(both[Operation::Weights]);
}

}  // namespace
}  // namespace ulp::numerics
