#include "core/compat/msprobe/pairs/tensor_metrics.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/dtype.h"
#include "tests/support/data/special_numbers.h"

namespace ulp::compat::msprobe {
namespace {

using test::kFloatInfinity;
using test::kFloatNan;

template <class Value>
tensors::Tensor tensorOf(const std::vector<Value>& values,
                         DType dtype,
                         std::vector<std::int64_t> shape) {
  auto owner = std::make_shared<std::vector<Value>>(values);
  return {{owner->data(), dtype, std::move(shape)}, owner};
}
tensors::Tensor floats(const std::vector<float>& values, std::vector<std::int64_t> shape) {
  return tensorOf(values, DType::Float32, std::move(shape));
}
tensors::Tensor floats(const std::vector<float>& values) {
  return floats(values, {static_cast<std::int64_t>(values.size())});
}

TEST(MsprobeMetricsTest, AReferenceOfZeroIsMovedByTheEpsilonOfItsGeneration) {
  const auto target = floats({1, 0, 2});
  const auto golden = floats({0, 0, 2});
  const Metrics new26 = compareTensors(target, golden, Generation::V26).metrics;
  EXPECT_EQ(new26[kMaxRelative].value, 8388608.0) << "1 / 2^-23";
  EXPECT_EQ(new26[kOneThousandth].value, roundedTo12(2.0 / 3));
  const Metrics old8 = compareTensors(target, golden, Generation::V8).metrics;
  EXPECT_EQ(old8[kMaxRelative].value, 4503599627370496.0) << "1 / 2^-52";
}

TEST(MsprobeMetricsTest, InfinitiesAndNansAtTheSamePlacesCountAsZero) {
  const Metrics same = compareTensors(floats({1, kFloatInfinity, kFloatNan}),
                                      floats({1, -kFloatInfinity, kFloatNan}),
                                      Generation::V26)
                           .metrics;
  EXPECT_EQ(same[kEuclidean].value, 0);
  EXPECT_EQ(same[kOneThousandth].value, 1);
  const TensorComparison other =
      compareTensors(floats({1, kFloatInfinity, 3}), floats({1, 2, 3}), Generation::V8);
  EXPECT_EQ(other.metrics[kCosine].state, MetricState::NotAvailable);
  EXPECT_EQ(other.message, "The position of inf or nan in NPU and bench Tensor do not match.");
}

TEST(MsprobeMetricsTest, DimensionsOfOneAreRemovedSince26) {
  const auto target = floats({1, 2}, {1, 2});
  const auto golden = floats({1, 2}, {2, 1});
  EXPECT_TRUE(compareTensors(target, golden, Generation::V26).metrics[kCosine].isNumber());
  EXPECT_EQ(compareTensors(target, golden, Generation::V8).metrics[kCosine].state,
            MetricState::ShapeUnmatched);
  const auto one = floats({3}, {1});
  const Metrics scalar = compareTensors(one, floats({2}, {1}), Generation::V26).metrics;
  EXPECT_EQ(scalar[kCosine].state, MetricState::Unsupported);
  EXPECT_EQ(scalar[kMaxAbsolute].value, 1);
  EXPECT_EQ(scalar[kMaxRelative].value, 0.5);
}

TEST(MsprobeMetricsTest, ZeroVectorsHaveACosineOnlyTogether) {
  const auto zero = floats({0, 0});
  const auto other = floats({1, 0});
  EXPECT_EQ(compareTensors(zero, zero, Generation::V26).metrics[kCosine].value, 1);
  EXPECT_EQ(compareTensors(zero, other, Generation::V26).metrics[kCosine].state, MetricState::Nan);
}

TEST(MsprobeMetricsTest, SquaresBeyondFloat64LeaveNoCosine) {
  const auto huge = tensorOf<double>({1e200, 1e200}, DType::Float64, {2});
  for (const Generation generation : {Generation::V8, Generation::V26}) {
    const TensorComparison result = compareTensors(huge, huge, generation);
    EXPECT_EQ(result.metrics[kCosine].state, MetricState::Nan);
    EXPECT_EQ(result.metrics[kEuclidean].value, 0);
    EXPECT_EQ(result.metrics[kOneThousandth].value, 1);
    EXPECT_EQ(result.message, "Cannot compare by Cosine Similarity, the dump data has NaN.");
  }
}

TEST(MsprobeMetricsTest, ScalarsOfIntegersWrapAsNumPysDo) {
  const auto left = tensorOf<std::uint8_t>({3}, DType::UInt8, {});
  const auto right = tensorOf<std::uint8_t>({5}, DType::UInt8, {});
  const TensorComparison result = compareTensors(left, right, Generation::V26);
  EXPECT_EQ(result.metrics[kMaxAbsolute].value, 254);
  EXPECT_EQ(result.metrics[kMaxRelative].value, 0.4);
  const auto low = tensorOf<std::int8_t>({-100}, DType::Int8, {});
  const auto high = tensorOf<std::int8_t>({100}, DType::Int8, {});
  EXPECT_EQ(compareTensors(low, high, Generation::V26).metrics[kMaxAbsolute].value, 56);
  // numpy.result_type: uint8 and int8 are subtracted as int16, uint8 and bool as uint8.
  const auto large = tensorOf<std::uint8_t>({200}, DType::UInt8, {});
  EXPECT_EQ(compareTensors(large, low, Generation::V26).metrics[kMaxAbsolute].value, 300);
  EXPECT_EQ(compareTensors(low, large, Generation::V26).metrics[kMaxAbsolute].value, 300);
  const auto zero = tensorOf<std::uint8_t>({0}, DType::UInt8, {});
  const auto yes = tensorOf<std::uint8_t>({1}, DType::Bool, {});
  EXPECT_EQ(compareTensors(zero, yes, Generation::V26).metrics[kMaxAbsolute].value, 255);
  EXPECT_EQ(compareTensors(yes, zero, Generation::V26).metrics[kMaxAbsolute].value, 1);
}

TEST(MsprobeMetricsTest, TheMessageOfAScalarIsThereSixteenTimesIn8) {
  const TensorComparison result = compareTensors(floats({3}, {}), floats({2}, {}), Generation::V8);
  const std::string sentence =
      "This is type of 0-d tensor, can not calculate 'Cosine', 'EucDist', 'One Thousandth Err "
      "Ratio' and 'Five Thousandths Err Ratio'. ";
  EXPECT_EQ(result.message.size(), 16 * sentence.size());
  EXPECT_EQ(result.message.substr(15 * sentence.size()), sentence);
}

TEST(MsprobeMetricsTest, ManyElementsAreSummedOverBlocks) {
  std::vector<float> left(10'001, 1.0F);
  std::vector<float> right(10'001, 1.0F);
  right[10'000] = 1.002F;
  left[5'000] = 1.25F;
  const Metrics metrics = compareTensors(floats(left), floats(right), Generation::V26).metrics;
  EXPECT_EQ(metrics[kMaxAbsolute].value, 0.25);
  EXPECT_EQ(metrics[kOneThousandth].value, roundedTo12(9999.0 / 10001));
  EXPECT_EQ(metrics[kFiveThousandths].value, roundedTo12(10000.0 / 10001));
  EXPECT_NEAR(metrics[kEuclidean].value, std::sqrt(0.0625 + 4e-6), 1e-6);
}

TEST(MsprobeMetricsTest, EmptyTensorsAreNotCompared) {
  const TensorComparison result =
      compareTensors(floats({}, {0, 4}), floats({}, {0, 4}), Generation::V8);
  EXPECT_EQ(result.metrics[kCosine].state, MetricState::Unsupported);
  EXPECT_EQ(result.message, "This is empty data, can not compare.");
}

/// Bits of float16: 0x3C00 is 1, 0x3C01 the next one, 1 + 2^-10.
tensors::Tensor halves(const std::vector<std::uint16_t>& bits) {
  return tensorOf(bits, DType::Float16, {static_cast<std::int64_t>(bits.size())});
}

TEST(MsprobeMetricsTest, RelativeErrorsAreOfTheWiderType) {
  // 2^-10 is less than the nearest float16 to 0.001, and 0.001 in float32.
  const auto target = halves({0x3C01, 0x3C02, 0x3C00});
  const auto golden = halves({0x3C00, 0x3C00, 0x3C00});
  const Metrics both = compareTensors(target, golden, Generation::V8).metrics;
  EXPECT_EQ(both[kMaxRelative].value, roundedTo12(0x1p-9));
  EXPECT_EQ(both[kOneThousandth].value, roundedTo12(2.0 / 3));
  // (1 + 2^-10) / 3 - 1 in float16, float32 and float64.
  const Metrics half =
      compareTensors(halves({0x3C01, 0x3C00}), halves({0x4200, 0x3C00}), Generation::V8).metrics;
  const Metrics single =
      compareTensors(halves({0x3C01, 0x3C00}), floats({3, 1}), Generation::V8).metrics;
  const Metrics wide =
      compareTensors(
          halves({0x3C01, 0x3C00}), tensorOf<double>({3, 1}, DType::Float64, {2}), Generation::V8)
          .metrics;
  const double exact = (3 - (1 + 0x1p-10)) / 3;
  EXPECT_EQ(half[kMaxRelative].value, roundedTo12(0x1.554p-1));
  EXPECT_EQ(single[kMaxRelative].value,
            roundedTo12(static_cast<double>(static_cast<float>(exact))));
  EXPECT_EQ(wide[kMaxRelative].value, roundedTo12(exact));
}

TEST(MsprobeMetricsTest, InFloat16TheEpsilonOfAZeroIsLost) {
  const TensorComparison nan =
      compareTensors(halves({0, 0x3C00}), halves({0, 0x3C00}), Generation::V8);
  EXPECT_EQ(nan.metrics[kMaxRelative].state, MetricState::Nan);
  EXPECT_EQ(nan.message,
            "Cannot compare by MaxRelativeError, the data contains nan/inf/-inf in dump data.");
  EXPECT_EQ(nan.metrics[kOneThousandth].value, 0.5);
  EXPECT_EQ(compareTensors(halves({0, 0x3C00}), halves({0, 0x3C00}), Generation::V26)
                .metrics[kMaxRelative]
                .value,
            0);
}

TEST(MsprobeMetricsTest, CosinesNearOneAreRoundedToSixDecimals) {
  const auto cosine = [](float second) {
    return compareTensors(floats({1, second}), floats({1, 0}), Generation::V26)
        .metrics[kCosine]
        .value;
  };
  EXPECT_EQ(cosine(0.01F), 0.99995);
  EXPECT_NEAR(cosine(0.02F), 1 / std::sqrt(1.0004), 1e-9);
  EXPECT_NE(cosine(0.02F), 0.9998);
}

TEST(MsprobeMetricsTest, MessagesSayWhyThereIsNoCosine) {
  const auto zero = floats({0, 0});
  const auto other = floats({1, 0});
  EXPECT_EQ(compareTensors(zero, other, Generation::V26).message,
            "Cannot compare by Cosine Similarity, All the data is Zero in npu dump data.");
  EXPECT_EQ(compareTensors(other, zero, Generation::V26).message,
            "Cannot compare by Cosine Similarity, All the data is Zero in Bench dump data.");
  const TensorComparison one = compareTensors(floats({3}), floats({2}), Generation::V8);
  EXPECT_EQ(one.message, "This is a 1-d tensor of length 1.");
  EXPECT_EQ(one.metrics[kCosine].state, MetricState::Unsupported);
  EXPECT_EQ(one.metrics[kEuclidean].value, 1);
  EXPECT_EQ(one.metrics[kFiveThousandths].value, 0);
}

TEST(MsprobeMetricsTest, CellsSayWhatIsNoNumber) {
  EXPECT_EQ(toCell({MetricState::Number, 1.5}).number, 1.5);
  EXPECT_EQ(toCell({MetricState::Unsupported}).text, "unsupported");
  EXPECT_EQ(toCell({MetricState::ShapeUnmatched}).text, "shape unmatched");
  EXPECT_EQ(toCell({MetricState::NotAvailable}).text, "N/A");
  EXPECT_EQ(toCell({MetricState::Nan}).text, "Nan");
  EXPECT_EQ(roundedTo12(0.1234567890126), 0.123456789013);
}

TEST(MsprobeMetricsTest, ScalarsAreSubtractedInTheTypeThatHoldsBoth) {
  const auto scalar = [](auto value, DType dtype) {
    return tensorOf<decltype(value)>({value}, dtype, {});
  };
  const auto difference = [](const tensors::Tensor& target, const tensors::Tensor& golden) {
    return compareTensors(target, golden, Generation::V26).metrics[kMaxAbsolute].value;
  };
  const auto half = scalar(std::uint16_t{0x6800}, DType::Float16);  // 2048
  EXPECT_EQ(difference(half, scalar(std::uint8_t{1}, DType::UInt8)), 2047);
  EXPECT_EQ(difference(scalar(std::uint8_t{1}, DType::UInt8), half), 2047);
  // 2048 + 1 is no float16, and 16777216 + 1 no float32.
  EXPECT_EQ(difference(half, scalar(std::int8_t{-1}, DType::Int8)), 2048);
  EXPECT_EQ(difference(half, scalar(std::int16_t{-1}, DType::Int16)), 2049);
  EXPECT_EQ(difference(scalar(16777216.0F, DType::Float32), scalar(std::int16_t{-1}, DType::Int16)),
            16777216);
  EXPECT_EQ(difference(scalar(16777216.0F, DType::Float32), scalar(std::int32_t{-1}, DType::Int32)),
            16777217);
  EXPECT_EQ(
      difference(scalar(std::int64_t{5}, DType::Int64), scalar(std::int32_t{7}, DType::Int32)), 2);
}

}  // namespace
}  // namespace ulp::compat::msprobe
