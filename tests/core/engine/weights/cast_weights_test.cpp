#include "core/engine/weights/cast_weights.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace ulp::engine {
namespace {

using numerics::NumberFormat;

constexpr ParameterFormat kFloat32{};
constexpr ParameterFormat kBFloat16{.format = NumberFormat::BFloat16, .type = at::kBFloat16};

/// Weights of 400 bytes and a device without elements, LibTorch's "meta", to which uploads are
/// counted.
class WeightsOnADevice {
 public:
  explicit WeightsOnADevice(std::uint64_t memoryBytes)
      : m_cast(m_stored,
               {.copy =
                    [this](const at::Tensor& tensor, const at::Device& device) {
                      ++uploads;
                      return at::empty_like(tensor, at::TensorOptions().device(device));
                    },
                .memoryBytes = [memoryBytes](const at::Device&) { return memoryBytes; }}) {}

  at::Tensor cast(std::size_t index, const ParameterFormat& format) {
    return m_cast.cast(index, format, at::kMeta);
  }
  at::Tensor stored(std::size_t index) { return m_cast.storedOn(at::kMeta, index); }
  CastWeights& all() { return m_cast; }

  int uploads = 0;

 private:
  std::vector<at::Tensor> m_stored{at::ones({50}), at::ones({10, 5})};
  CastWeights m_cast;
};

constexpr std::uint64_t kLarge = 8 * 400;

TEST(CastWeights, ThatAreSmallBesideADeviceAreSentThereOnce) {
  WeightsOnADevice weights(kLarge);
  for (const ParameterFormat& format : {kFloat32, kBFloat16, kFloat32}) {
    for (const std::size_t index : {0U, 1U}) {
      EXPECT_EQ(weights.cast(index, format).scalar_type(), format.type);
      EXPECT_EQ(weights.stored(index).scalar_type(), at::kFloat);
    }
  }
  EXPECT_EQ(weights.uploads, 2);
}

TEST(CastWeights, CountWhatStaysBesideTheCasts) {
  WeightsOnADevice weights(kLarge);
  static_cast<void>(weights.cast(0, kFloat32));
  static_cast<void>(weights.cast(1, kBFloat16));
  EXPECT_EQ(weights.all().spareBytes(), 200U);
}

TEST(CastWeights, OfALargeModelStayWhereTheCastSharesThem) {
  WeightsOnADevice weights(kLarge - 1);
  const at::Tensor elements = weights.cast(0, kFloat32);
  EXPECT_TRUE(weights.stored(0).is_same(elements));
  EXPECT_EQ(weights.uploads, 1);
  EXPECT_EQ(weights.all().spareBytes(), 0U);
}

TEST(CastWeights, OfALargeModelAreSentAnewForEachFormatAndKeptByNobody) {
  WeightsOnADevice weights(kLarge - 1);
  static_cast<void>(weights.cast(0, kFloat32));
  static_cast<void>(weights.cast(0, kBFloat16));
  EXPECT_EQ(weights.uploads, 2);
  EXPECT_EQ(weights.stored(0).use_count(), 1U);
  EXPECT_EQ(weights.stored(0).scalar_type(), at::kFloat);
  EXPECT_EQ(weights.uploads, 4);
  EXPECT_EQ(weights.all().spareBytes(), 0U);
}

TEST(CastWeights, DoNotStayOnceMemoryWasShort) {
  WeightsOnADevice weights(kLarge);
  static_cast<void>(weights.cast(0, kBFloat16));
  weights.all().clear();
  static_cast<void>(weights.cast(0, kBFloat16));
  EXPECT_EQ(weights.uploads, 2);
  EXPECT_EQ(weights.all().spareBytes(), 0U);
}

TEST(CastWeights, OnTheHostAreThoseThatAreStored) {
  const std::vector<at::Tensor> stored{at::rand({7})};
  CastWeights weights(stored);
  EXPECT_TRUE(weights.storedOn(at::kCPU, 0).is_same(stored[0]));
  EXPECT_TRUE(weights.cast(0, kFloat32, at::kCPU).is_same(stored[0]));
  const at::Tensor narrow = weights.cast(0, kBFloat16, at::kCPU);
  EXPECT_TRUE(at::equal(narrow, stored[0].to(at::kBFloat16)));
  EXPECT_TRUE(weights.storedOn(at::kCPU, 0).is_same(stored[0]));
}

}  // namespace
}  // namespace ulp::engine
