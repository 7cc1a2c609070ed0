#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/analysis/studies/model_outline.h"
#include "core/analysis/studies/run_formats.h"
#include "core/engine/engine.h"
#include "core/study/schema/precision_rules.h"

/// Runs whose memory is planned and counted.
namespace ulp::test {

using analysis::AttentionKind;
using analysis::LossScale;
using engine::AttentionImplementation;
using numerics::NumberFormat;
using numerics::Operation;

inline constexpr std::int64_t kMemoryLength = 96;

inline constexpr engine::OptimizerPlan kAdamW{.type = engine::OptimizerPlan::Type::AdamW};

struct MemoryCase {
  std::string name;
  NumberFormat compute = NumberFormat::Float32;
  /// Operations whose format is another.
  std::vector<std::pair<Operation, NumberFormat>> others{};
  bool isStochastic = false;
  LossScale lossScale = LossScale::One;
  engine::Float8Products float8{};
  AttentionImplementation attention = AttentionImplementation::SdpaMath;
  AttentionKind kind = AttentionKind::Plain;
  Level level = Level::Layer;
  std::int64_t batch = 2;
  std::uint64_t microBatches = 1;
  bool backward = true;
  bool gradients = true;
  engine::OptimizerPlan optimizer{};
  engine::LossPlan loss{};
  std::int64_t keyValueHeads = 2;
  bool isTied = true;
  std::int64_t vocabulary = 600;
  std::int64_t intermediate = 160;
  std::int64_t layers = 3;
  std::vector<study::PrecisionRule> rules{};
  engine::Semantics semantics = engine::Semantics::Transformers;
  bool fuses = false;  ///< norms, rotations and the MLP's activation
  engine::BatchPlan company{};
  std::vector<std::int64_t> documents{};  ///< their lengths
};

void PrintTo(const MemoryCase& given, std::ostream* out);

[[nodiscard]] analysis::ModelOutline outlineOf(const MemoryCase& given);
/// As the plan has them.
[[nodiscard]] analysis::RunFormats formatsOf(const MemoryCase& given);
/// As the engine has them.
[[nodiscard]] engine::RunRequest requestOf(const MemoryCase& given);

[[nodiscard]] constexpr engine::Float8Products float8(engine::Float8Scaling scaling,
                                                      engine::Float8Kernel kernel) {
  engine::Float8Products products;
  products.scaling = scaling;
  products.kernel = kernel;
  return products;
}

/// The plan of memory beside what the engine takes, counted on the CPU, where the same tensors live
/// for the same time.
class MemoryShadowBeside : public testing::TestWithParam<MemoryCase> {};

}  // namespace ulp::test
