// The stored tensors of transformers for a tiny model, made on another machine: another processor
// adds matrix products in another order, so they are compared within bounds. Bit for bit is
// tests/parity, which runs transformers beside the engine.

#include <cmath>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "core/tensors/formats/safetensors/safetensors.h"
#include "core/tensors/opening/token_file.h"
#include "tests/core/engine/engine_fixture.h"
#include "tests/support/data/fixture_case.h"

namespace ulp::engine {
namespace {

struct Precision {
  const char* run;
  DType dtype;
  double bound;  ///< of rms(difference) / rms(stored)
};

class FamilyFixture : public ::testing::TestWithParam<Precision> {};

/// Our site of a stored tensor `decoder.1.bw`.
std::pair<std::string, Pass> siteOf(const std::string& name) {
  const std::string row = name.substr(0, name.rfind('.'));
  const Pass pass = name.ends_with(".fw") ? Pass::Forward : Pass::Backward;
  return {row == "head" ? "loss" : row, pass};
}

TEST_P(FamilyFixture, IsReproduced) {
  const std::filesystem::path folder = test::fixture("families/llama");
  const auto tokens = tensors::readTokens(folder / "input_ids.npy");
  ASSERT_TRUE(tokens) << tokens.error().message();
  const auto model = openOrFail({.path = folder});
  RunRequest request = requestOf(GetParam().dtype, 320);
  request.plan.attention = AttentionImplementation::Eager;
  ASSERT_EQ(tokens->shape.size(), 2U);
  request.microBatches = {{tokens->tokens, tokens->shape[0], tokens->shape[1] - 1}};
  const Recorder recorder = runOrFail(*model, request);
  const auto oracle = tensors::openSafetensors(folder / "oracle.safetensors").value();
  int compared = 0;
  for (const tensors::TensorInfo& info : oracle->tensors()) {
    const std::string prefix = std::string(GetParam().run) + "/";
    if (!info.name.starts_with(prefix)) {
      continue;
    }
    const auto [row, pass] = siteOf(info.name.substr(prefix.size()));
    const Seen& mine = recorder.of(row, pass);
    const tensors::Tensor stored = oracle->read(info.name).value();
    ASSERT_EQ(stored.view.count(), mine.count()) << info.name;
    const double error = relativeError({{}, {stored.view, stored.owner}, {}}, mine);
    EXPECT_LT(error, GetParam().bound) << info.name;
    ++compared;
  }
  EXPECT_GE(compared, 12);
}

INSTANTIATE_TEST_SUITE_P(Llama,
                         FamilyFixture,
                         ::testing::Values(Precision{"fp64", DType::Float64, 1e-9},
                                           Precision{"fp32", DType::Float32, 1e-5},
                                           Precision{"bf16", DType::BFloat16, 0.05}),
                         [](const auto& one) { return std::string(one.param.run); });

}  // namespace
}  // namespace ulp::engine
