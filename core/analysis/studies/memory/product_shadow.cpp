#include "core/analysis/studies/memory/product_shadow.h"

#include <utility>

namespace ulp::analysis {
namespace {

using numerics::Operation;

/// A side of a product of float8: its magnitudes, and scaled numbers on their way to float8.
MemoryTensor float8Operand(RunShadow& run, std::uint64_t count, DType type) {
  const MemoryTensor magnitude = run.make(count, type);
  const MemoryTensor wide =
      type == DType::Float32 ? MemoryTensor() : run.make(count, DType::Float32);
  const MemoryTensor scaled = run.make(count, DType::Float32);
  const MemoryTensor clamped = run.make(count, DType::Float32);
  return run.make(count, DType::Float8E4M3FN);
}

struct Float8Sizes {
  std::uint64_t left = 0;
  std::uint64_t right = 0;
  std::uint64_t result = 0;
  std::uint64_t turned = 0;  ///< numbers of float8 that lie transposed
};

MemoryTensor float8Product(RunShadow& run, const Float8Sizes& sizes, DType type) {
  const RunFormats& formats = run.formats();
  const MemoryTensor right = float8Operand(run, sizes.right, type);
  const MemoryTensor left = float8Operand(run, sizes.left, type);
  MemoryTensor sums;
  if (formats.float8 == Float8Way::Simulated) {
    const MemoryTensor wideLeft = run.make(sizes.left, DType::Float32);
    const MemoryTensor wideRight = run.make(sizes.right, DType::Float32);
    sums = run.make(sizes.result, DType::Float32);
  } else {
    const MemoryTensor copied = run.make(sizes.turned, DType::Float8E4M3FN);
    if (!formats.scalesRows) {
      return run.make(sizes.result, type);
    }
    sums = run.make(sizes.result, DType::Float32);
  }
  const MemoryTensor scales =
      formats.scalesRows ? run.make(sizes.result, DType::Float32) : MemoryTensor();
  return run.inType(run.make(sizes.result, DType::Float32), type);
}

}  // namespace

MemoryTensor product(const SiteShadow& site,
                     const ProductShape& shape,
                     const MemoryTensor& x,
                     ProductSaved& saved) {
  RunShadow& run = site.run();
  const MemoryTensor weight = site.weight(saved.use.elements, shape.operation);
  const MemoryTensor read = site.cast(x, shape.operation);
  MemoryTensor y = shape.isFloat8 ? float8Product(run,
                                                  {.left = run.tokens() * shape.in,
                                                   .right = shape.in * shape.out,
                                                   .result = run.tokens() * shape.out},
                                                  site.type(shape.operation))
                                  : site.rows(shape.out, shape.operation);
  saved.type = x.type();
  if (site.keeps()) {
    saved.input = shape.isFloat8 || saved.use.isWanted ? read : MemoryTensor();
    saved.weight = weight;
  }
  return y;
}

MemoryTensor productBackward(const SiteShadow& site,
                             ParameterShadow& parameters,
                             const ProductShape& shape,
                             MemoryTensor gradient,
                             ProductSaved& saved) {
  RunShadow& run = site.run();
  const DType type = site.type(shape.operation);
  const std::uint64_t count = shape.in * shape.out;
  if (numerics::isSimulated(site[shape.operation])) {
    gradient = run.rounded(site[shape.operation], run.tokens() * shape.out);
  }
  const std::uint64_t read = run.tokens() * shape.out;
  const std::uint64_t input = run.tokens() * shape.in;
  MemoryTensor own =
      shape.isFloat8
          ? float8Product(
                run, {.left = read, .right = count, .result = input, .turned = count}, type)
          : site.rows(shape.in, shape.operation);
  if (saved.use.isWanted) {
    const DType leaf = saved.use.elements.type();
    const MemoryPart before = run.part();
    run.setPart(type == leaf && !shape.isFloat8 ? &MemoryParts::gradients : before);
    MemoryTensor ofWeight =
        shape.isFloat8
            ? float8Product(run,
                            {.left = read, .right = input, .result = count, .turned = read + input},
                            type)
            : run.make(count, type);
    run.setPart(&MemoryParts::gradients);
    if (type == leaf) {
      ofWeight.storage()->become(&MemoryParts::gradients);
    } else {
      gradient.reset();
      ofWeight = run.inType(ofWeight, leaf);
    }
    parameters.setGradient(saved.use, ofWeight);
    run.setPart(before);
  }
  site.release(saved);
  return run.inType(own, saved.type);
}

}  // namespace ulp::analysis
