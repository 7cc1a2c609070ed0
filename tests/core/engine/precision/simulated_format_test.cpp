#include "core/engine/precision/simulated_format.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include "tests/core/engine/precision/format_cases.h"

namespace ulp::engine {
namespace {

using cases::activations;
using cases::everyQuantization;
using cases::expectSame;
using cases::nameOf;
using cases::randomPatterns;
using numerics::NumberFormat;
using numerics::Overflow;

/// Every pattern of a 16-bit type.
at::Tensor everyPattern(at::ScalarType type) {
  return at::arange(1 << 16, at::kInt).to(at::kShort).view(type);
}

TEST(SimulatedFormat, RoundsAsTorchCasts) {
  const std::pair<NumberFormat, at::ScalarType> casts[] = {
      {NumberFormat::Float8E4M3FN, at::kFloat8_e4m3fn},
      {NumberFormat::Float8E5M2, at::kFloat8_e5m2},
      {NumberFormat::BFloat16, at::kBFloat16},
      {NumberFormat::Float16, at::kHalf},
  };
  const at::Tensor inputs[] = {everyPattern(at::kBFloat16),
                               everyPattern(at::kHalf),
                               randomPatterns(1 << 20),
                               activations(100, 1000)};
  for (const auto& [format, type] : casts) {
    for (const at::Tensor& x : inputs) {
      expectSame(quantize(x, {format}), x.to(type).to(x.scalar_type()), nameOf(format));
    }
  }
}

TEST(SimulatedFormat, DoublesAreRoundedToFloat32AsTorchCasts) {
  const at::Tensor x = activations(100, 1000).to(at::kDouble) / 3;
  expectSame(quantize(x, {NumberFormat::Float32}), x.to(at::kFloat).to(at::kDouble), "float32");
}

TEST(SimulatedFormat, ScalesOfMicroscalingAreNumbersOfTorchsE8M0) {
  // The largest number of each block is a power of two, which is the scale times 2^8 or 2^2.
  const at::Tensor exponents = at::arange(-119, 128, at::kFloat);
  const at::Tensor largest = at::exp2(exponents.to(at::kDouble)).to(at::kFloat).unsqueeze(1);
  const at::Tensor x = at::cat({largest, largest * 0.37}, 1);
  for (const auto& [format, exponent] :
       {std::pair(NumberFormat::Mxfp8, 8), std::pair(NumberFormat::Mxfp4, 2)}) {
    const at::Tensor scale = largest * std::ldexp(1.0, -exponent);
    expectSame(scale.to(at::kFloat8_e8m0fnu).to(at::kFloat), scale, "e8m0");
    const at::Tensor elements = quantize(x, {format}) / scale;
    expectSame(quantize(elements, {NumberFormat::Float8E4M3FN, {.overflow = Overflow::Saturate}}),
               elements,
               "elements");
    EXPECT_TRUE((elements.select(1, 0) == std::ldexp(1.0, exponent)).all().item<bool>());
  }
}

TEST(SimulatedFormat, ElementsOfMxfp8AreTorchsE4M3) {
  const at::Tensor x = activations(64, 320);
  const at::Tensor blocks = x.view({-1, 32});
  const at::Tensor scale = at::exp2(at::floor(at::log2(blocks.abs().amax({1}, true))) - 8);
  const at::Tensor expected =
      (blocks / scale).clamp(-448, 448).to(at::kFloat8_e4m3fn).to(at::kFloat) * scale;
  expectSame(quantize(x, {NumberFormat::Mxfp8}), expected.view(x.sizes()), "mxfp8");
}

TEST(SimulatedFormat, ScalesOfNvfp4AreTorchsE4M3) {
  const at::Tensor x = activations(64, 320);
  const at::Tensor tensorScale = x.abs().amax() / (448 * 6);
  const at::Tensor blocks = x.view({-1, 16});
  const at::Tensor scale = (blocks.abs().amax({1}, true) / 6 / tensorScale)
                               .clamp_max(448)
                               .to(at::kFloat8_e4m3fn)
                               .to(at::kFloat) *
                           tensorScale;
  const at::Tensor points = at::tensor({0.0F, 0.5F, 1.0F, 1.5F, 2.0F, 3.0F, 4.0F, 6.0F});
  // Nearest of the eight magnitudes; the activations hit no tie.
  const at::Tensor nearest = ((blocks / scale).abs().unsqueeze(2) - points).abs().argmin({2});
  const at::Tensor expected = points.index({nearest}).copysign(blocks) * scale;
  expectSame(quantize(x, {NumberFormat::Nvfp4}), expected.view(x.sizes()), "nvfp4");
}

TEST(SimulatedFormat, OperationsOfDevicesRoundAsTheHost) {
  for (const Quantization& q : everyQuantization()) {
    const numerics::QuantizeOptions options{q.format, q.rounding};
    for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
      const bool blocks = numerics::describe(q.format).isBlockScaled();
      for (const at::Tensor& values : {activations(9, 250), randomPatterns(1000).view({4, -1})}) {
        const at::Tensor x = values.to(type);
        const at::Tensor byOperations =
            quantizeByOperations(blocks ? x : x.view({-1, 1}), options).view(x.sizes());
        expectSame(byOperations, quantize(x, q), nameOf(q.format));
      }
    }
  }
}

TEST(SimulatedFormat, OperationsOfDevicesScaleNvfp4ByTheLargestNumberOfAllPieces) {
  const at::Tensor x = at::ones({3, std::int64_t{1} << 23});
  x.select(0, 0).fill_(0.3);
  x.select(0, 2).fill_(1000);
  expectSame(
      quantizeByOperations(x, {NumberFormat::Nvfp4}), quantize(x, {NumberFormat::Nvfp4}), "");
}

TEST(SimulatedFormat, NeitherThreadsNorSplittingMatter) {
  // Large enough for many chunks; rows of 1000 end within a block.
  const at::Tensor x = activations(300, 1000);
  const int threads = at::get_num_threads();
  for (const Quantization& q : everyQuantization()) {
    at::set_num_threads(1);
    const at::Tensor alone = quantize(x, q);
    at::set_num_threads(4);
    expectSame(quantize(x, q), alone, nameOf(q.format));
  }
  at::set_num_threads(threads);
}

TEST(SimulatedFormat, BlocksRunAlongTheDimensionThatIsAskedFor) {
  const at::Tensor x = activations(96, 50);
  for (const NumberFormat format :
       {NumberFormat::Mxfp8, NumberFormat::Mxfp4, NumberFormat::Nvfp4}) {
    const at::Tensor columns = quantize(x, {.format = format, .blockDimension = 0});
    EXPECT_TRUE(columns.is_contiguous());
    expectSame(columns, quantize(x.t(), {format}).t(), nameOf(format));
    expectSame(quantize(x.view({2, 48, 50}), {.format = format, .blockDimension = 2}),
               quantize(x, {format}).view({2, 48, 50}),
               nameOf(format));
  }
}

TEST(SimulatedFormat, KeepsTypeShapeAndTheTensorItReads) {
  for (const at::ScalarType type : {at::kDouble, at::kFloat, at::kBFloat16, at::kHalf}) {
    for (const NumberFormat format : {NumberFormat::Tf32, NumberFormat::Mxfp4}) {
      const at::Tensor x = activations(5, 40).to(type);
      const at::Tensor before = x.clone();
      const at::Tensor y = quantize(x.t(), {format});
      EXPECT_EQ(y.scalar_type(), type);
      EXPECT_EQ(y.sizes(), x.t().sizes());
      expectSame(x, before, "input");
    }
  }
  EXPECT_EQ(quantize(at::empty({0, 32}), {NumberFormat::Mxfp4}).sizes(), at::IntArrayRef({0, 32}));
  EXPECT_EQ(quantize(at::full({}, 1.3), {NumberFormat::Mxfp4}).dim(), 0);
  EXPECT_THROW(static_cast<void>(quantize(at::ones({2}, at::kInt), {NumberFormat::Tf32})),
               c10::Error);
}

TEST(SimulatedFormat, IsStraightThroughUnderAutograd) {
  const at::Tensor x = activations(4, 64).requires_grad_(true);
  const Quantization fp8{NumberFormat::Float8E5M2};
  const Quantization fp4{NumberFormat::Mxfp4};
  const at::Tensor seed = activations(4, 64).flip(1);
  const auto gradient = [&](const StraightThrough& formats, const at::Tensor& expectedForward) {
    at::Tensor leaf = x.detach().clone().requires_grad_(true);
    const at::Tensor y = quantizeStraightThrough(leaf, formats);
    expectSame(y.detach(), expectedForward, "forward");
    (y * seed).sum().backward();
    return leaf.grad();
  };
  const at::Tensor plain = x.detach();
  expectSame(gradient({}, plain), seed, "neither");
  expectSame(gradient({fp8, {}}, quantize(plain, fp8)), seed, "forward alone");
  expectSame(gradient({{}, fp4}, plain), quantize(seed, fp4), "backward alone");
  expectSame(gradient({fp8, fp4}, quantize(plain, fp8)), quantize(seed, fp4), "both");
}

TEST(SimulatedFormat, MakesNoGraphWhereNoneIsWanted) {
  const Quantization fp8{NumberFormat::Float8E5M2};
  EXPECT_FALSE(quantizeStraightThrough(at::ones({3}), {fp8, fp8}).requires_grad());
  const at::Tensor leaf = at::ones({3}).requires_grad_(true);
  EXPECT_TRUE(quantizeStraightThrough(leaf, {fp8, {}}).requires_grad());
  const c10::AutoGradMode guard(false);
  EXPECT_FALSE(quantizeStraightThrough(leaf, {fp8, {}}).requires_grad());
}

}  // namespace
}  // namespace ulp::engine
