#include "core/tensors/formats/gguf/llama_in_gguf.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/tensors/archive/test_bytes.h"

namespace ulp::tensors {
namespace {

using testing::ElementsAre;

TEST(LlamaPermutation, PutsTheHalvesOfEachHeadInARow) {
  const std::array<float, 8> bias{0, 1, 2, 3, 4, 5, 6, 7};
  const auto undone = undoLlamaPermutation({bias.data(), DType::Float32, {8}}, 2);
  ASSERT_TRUE(undone);
  EXPECT_THAT(elementsOf<float>(*undone), ElementsAre(0, 2, 1, 3, 4, 6, 5, 7));
}

TEST(LlamaPermutation, MovesWholeRowsOfAnyType) {
  const std::array<std::int16_t, 8> weight{0, 1, 10, 11, 20, 21, 30, 31};
  const auto undone = undoLlamaPermutation({weight.data(), DType::Int16, {4, 2}}, 1);
  ASSERT_TRUE(undone);
  EXPECT_THAT(undone->view.shape, ElementsAre(4, 2));
  EXPECT_THAT(elementsOf<std::int16_t>(*undone), ElementsAre(0, 1, 20, 21, 10, 11, 30, 31));
}

TEST(LlamaPermutation, RefusesRowsThatAreNoHeads) {
  const std::array<float, 6> weight{};
  for (const std::int64_t heads : {-1, 0, 2, 4}) {
    const auto undone = undoLlamaPermutation({weight.data(), DType::Float32, {6}}, heads);
    ASSERT_FALSE(undone) << heads;
    EXPECT_EQ(undone.error().code(), ErrorCode::InvalidArgument);
  }
  EXPECT_FALSE(undoLlamaPermutation({weight.data(), DType::Float32, {}}, 1));
}

}  // namespace
}  // namespace ulp::tensors
