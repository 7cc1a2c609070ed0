#include "core/analysis/studies/memory/product_shadow.h"

#include <utility>

namespace ulp::analysis {
namespace {

using numerics::Operation;

bool isFloat8(const RunShadow& run, const ProductShape& shape) {
  return shape.isInLayer && run.formats().float8 != Float8Way::None;
}

/// A side of a product of float8: its magnitudes, and scaled numbers on their way to float8.
MemoryTensor float8Operand(RunShadow& run, std::uint64_t count, std::uint64_t item) {
  const MemoryTensor magnitude = run.make(count * item);
  const MemoryTensor wide = item == kFloatBytes ? MemoryTensor() : run.make(count * kFloatBytes);
  const MemoryTensor scaled = run.make(count * kFloatBytes);
  const MemoryTensor clamped = run.make(count * kFloatBytes);
  return run.make(count);
}

struct Float8Sizes {
  std::uint64_t left = 0;
  std::uint64_t right = 0;
  std::uint64_t result = 0;
  std::uint64_t turned = 0;  ///< numbers of float8 that lie transposed
};

MemoryTensor float8Product(RunShadow& run, const Float8Sizes& sizes, std::uint64_t item) {
  const RunFormats& formats = run.formats();
  const MemoryTensor right = float8Operand(run, sizes.right, item);
  const MemoryTensor left = float8Operand(run, sizes.left, item);
  MemoryTensor sums;
  if (formats.float8 == Float8Way::Simulated) {
    const MemoryTensor wideLeft = run.make(sizes.left * kFloatBytes);
    const MemoryTensor wideRight = run.make(sizes.right * kFloatBytes);
    sums = run.make(sizes.result * kFloatBytes);
  } else {
    const MemoryTensor copied = run.make(sizes.turned);
    if (!formats.scalesRows) {
      return run.make(sizes.result * item);
    }
    sums = run.make(sizes.result * kFloatBytes);
  }
  const MemoryTensor scales =
      formats.scalesRows ? run.make(sizes.result * kFloatBytes) : MemoryTensor();
  const MemoryTensor scaled = run.make(sizes.result * kFloatBytes);
  return item == kFloatBytes ? scaled : run.make(sizes.result * item);
}

}  // namespace

MemoryTensor product(RunShadow& run,
                     const ProductShape& shape,
                     const MemoryTensor& x,
                     ProductSaved& saved) {
  const std::uint64_t item = run.formats().bytes(shape.operation);
  const MemoryTensor weight = run.weight(shape.in * shape.out, shape.operation);
  const MemoryTensor read = run.castRows(x, shape.in, shape.from, shape.operation);
  const bool isScaled = isFloat8(run, shape);
  MemoryTensor y = isScaled ? float8Product(run,
                                            {.left = run.tokens() * shape.in,
                                             .right = shape.in * shape.out,
                                             .result = run.tokens() * shape.out},
                                            item)
                            : run.rows(shape.out, shape.operation);
  if (run.step().backward) {
    saved.input = isScaled || run.wantsGradient(shape.parameter) ? read : MemoryTensor();
    saved.weight = weight;
  }
  return y;
}

MemoryTensor productBackward(RunShadow& run,
                             const ProductShape& shape,
                             MemoryTensor gradient,
                             ProductSaved& saved) {
  const std::uint64_t item = run.formats().bytes(shape.operation);
  const std::uint64_t count = shape.in * shape.out;
  const numerics::NumberFormat format = run.formats()[shape.operation];
  if (numerics::isSimulated(format)) {
    gradient = run.rounded(format, run.tokens() * shape.out);
  }
  const std::uint64_t read = run.tokens() * shape.out;
  const std::uint64_t input = run.tokens() * shape.in;
  const bool isScaled = isFloat8(run, shape);
  MemoryTensor own =
      isScaled ? float8Product(
                     run, {.left = read, .right = count, .result = input, .turned = count}, item)
               : run.rows(shape.in, shape.operation);
  if (run.wantsGradient(shape.parameter)) {
    const bool isCast = item != run.parameterItem();
    MemoryTensor ofWeight;
    if (isScaled) {
      ofWeight = float8Product(
          run, {.left = read, .right = input, .result = count, .turned = read + input}, item);
    } else if (isCast) {
      ofWeight = run.make(count * item);
    }
    if (isCast) {
      gradient.reset();
    } else {
      ofWeight.reset();
    }
    run.addGradient(shape.parameter, count);
  }
  if (!run.isTrial()) {
    saved = {};
  }
  return own;
}

}  // namespace ulp::analysis
