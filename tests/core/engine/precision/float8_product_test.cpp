#include "core/engine/precision/float8_product.h"

#include <cmath>
#include <limits>
#include <vector>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace ulp::engine {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

at::Tensor matrix(const std::vector<std::vector<float>>& rows) {
  std::vector<at::Tensor> made;
  for (const std::vector<float>& row : rows) {
    made.push_back(at::tensor(row));
  }
  return at::stack(made);
}

std::vector<float> numbersOf(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.contiguous().view(-1);
  return {flat.const_data_ptr<float>(), flat.const_data_ptr<float>() + flat.numel()};
}

/// Scales are no powers of two: products with them are rounded.
void expectNumbers(const at::Tensor& tensor, const std::vector<float>& expected) {
  const std::vector<float> numbers = numbersOf(tensor);
  ASSERT_EQ(numbers.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_FLOAT_EQ(numbers[i], expected[i]) << i;
  }
}

/// What is sent to x and to the weight.
std::vector<at::Tensor> gradientsOf(const at::Tensor& x,
                                    const at::Tensor& weight,
                                    const at::Tensor& gradient,
                                    const Float8Products& how) {
  at::Tensor leaf = x.clone().requires_grad_(true);
  at::Tensor parameter = weight.clone().requires_grad_(true);
  float8Linear(leaf, parameter, how).backward(gradient);
  return {leaf.grad(), parameter.grad()};
}

const Float8Products kByTensor{.scaling = Float8Scaling::Tensor};
const Float8Products kByRow{.scaling = Float8Scaling::Row};

TEST(Float8Product, RoundsOperandsByTheScaleOfTheirTensor) {
  const at::Tensor x = matrix({{448, 1}, {1.1F, 0.5F}});
  expectNumbers(float8Linear(x, at::eye(2), kByTensor), {448, 1, 1.125F, 0.5F});
}

TEST(Float8Product, RoundsOperandsByTheScaleOfTheirRow) {
  const at::Tensor x = matrix({{448, 1}, {1.1F, 0.5F}});
  const std::vector<float> y = numbersOf(float8Linear(x, at::eye(2), kByRow));
  EXPECT_FLOAT_EQ(y[0], 448);
  EXPECT_FLOAT_EQ(y[1], 1);
  EXPECT_FLOAT_EQ(y[2], 1.1F);
  // 0.5 · 448 / 1.1 = 203.6, of which float8_e4m3fn makes 208.
  EXPECT_FLOAT_EQ(y[3], 208 * 1.1F / 448);
}

TEST(Float8Product, RoundsGradientsToAFormatOfTheirOwn) {
  const at::Tensor gradient = matrix({{448, 1.1F}});
  const at::Tensor x = matrix({{1, 0}});
  const auto of = [&](numerics::NumberFormat format) {
    Float8Products how = kByTensor;
    how.gradient = format;
    return gradientsOf(x, at::eye(2), gradient, how);
  };
  const auto wide = of(numerics::NumberFormat::Float8E5M2);
  expectNumbers(wide[0], {448, 1});
  expectNumbers(wide[1], {448, 0, 1, 0});
  const auto fine = of(numerics::NumberFormat::Float8E4M3FN);
  expectNumbers(fine[0], {448, 1.125F});
  expectNumbers(fine[1], {448, 0, 1.125F, 0});
}

TEST(Float8Product, OfTheKernelIsThatOfLibTorch) {
  at::manual_seed(0);
  const at::Tensor x = at::randn({2, 16, 32}).to(at::kBFloat16);
  const at::Tensor weight = at::randn({48, 32}).to(at::kBFloat16);
  Float8Products how = kByTensor;
  how.kernel = Float8Kernel::ScaledMm;
  const auto rounded = [](const at::Tensor& tensor) {
    const at::Tensor scale = (448 / tensor.abs().max().to(at::kDouble)).to(at::kFloat);
    return std::pair((tensor.to(at::kFloat) * scale).to(at::kFloat8_e4m3fn), scale.reciprocal());
  };
  const auto [left, leftScale] = rounded(x.view({32, 32}));
  const auto [right, rightScale] = rounded(weight);
  const at::Tensor expected = at::_scaled_mm(
      left, right.t(), leftScale, rightScale, std::nullopt, std::nullopt, at::kBFloat16);
  EXPECT_TRUE(float8Linear(x, weight, how).equal(expected.view({2, 16, 48})));
}

TEST(Float8Product, OfTheKernelIsThatOfTheSimulationWhateverTheSizes) {
  at::manual_seed(0);
  const at::Tensor x = at::randn({5, 7});
  const at::Tensor weight = at::randn({3, 7});
  const at::Tensor gradient = at::randn({5, 3});
  for (const Float8Products& simulation : {kByTensor, kByRow}) {
    Float8Products kernel = simulation;
    kernel.kernel = Float8Kernel::ScaledMm;
    EXPECT_TRUE(at::allclose(
        float8Linear(x, weight, kernel), float8Linear(x, weight, simulation), 1e-5, 1e-6));
    const auto real = gradientsOf(x, weight, gradient, kernel);
    const auto simulated = gradientsOf(x, weight, gradient, simulation);
    for (std::size_t i = 0; i < real.size(); ++i) {
      EXPECT_EQ(real[i].sizes(), simulated[i].sizes());
      EXPECT_TRUE(at::allclose(real[i], simulated[i], 1e-5, 1e-6)) << i;
    }
  }
}

TEST(Float8Product, ScalesMayBePowersOfTwo) {
  Float8Products how = kByRow;
  how.powerOfTwoScales = true;
  // 448 / 1.1 = 407.3 becomes 256: 281.6 is rounded to 288, 128 stays.
  expectNumbers(float8Linear(matrix({{1.1F, 0.5F}}), at::eye(2), how), {1.125F, 0.5F});
}

TEST(Float8Product, NaNReachesAsFarAsItsScale) {
  const at::Tensor x = matrix({{kNaN, 1}, {2, 1}});
  const std::vector<float> byRow = numbersOf(float8Linear(x, at::eye(2), kByRow));
  EXPECT_TRUE(std::isnan(byRow[0]) && std::isnan(byRow[1]));
  EXPECT_FLOAT_EQ(byRow[2], 2);
  EXPECT_FLOAT_EQ(byRow[3], 1);
  for (const float number : numbersOf(float8Linear(x, at::eye(2), kByTensor))) {
    EXPECT_TRUE(std::isnan(number));
  }
}

TEST(Float8Product, ZerosStayZeros) {
  expectNumbers(float8Linear(at::zeros({1, 2}), at::eye(2), kByRow), {0, 0});
}

}  // namespace
}  // namespace ulp::engine
