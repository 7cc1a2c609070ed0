#include "core/dumps/model/checksum.h"

#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/stop_scope.h"

namespace ulp::dumps {
namespace {

tensors::Tensor tensorWith(std::vector<float> values, bool isScalar = false) {
  auto owner = std::make_shared<const std::vector<float>>(std::move(values));
  std::vector<std::int64_t> shape;
  if (!isScalar) {
    shape.push_back(static_cast<std::int64_t>(owner->size()));
  }
  return {{owner->data(), DType::Float32, std::move(shape)}, owner};
}

std::string textOfSum(std::string_view kind, const tensors::Tensor& tensor) {
  const auto sum = checksumOf(kind, tensor);
  EXPECT_TRUE(sum) << sum.error().message();
  return sum->value_or("none");
}

// Made by Python: '%08x' % zlib.crc32(struct.pack('<4f', …)), and the exclusive or of its words.

TEST(ChecksumTest, IsTheCrc32OfTheBytes) {
  EXPECT_EQ(textOfSum(kCrc32OfBytes, tensorWith({1, 2, 3, -4.5F})), "2cdd8525");
  EXPECT_EQ(textOfSum(kCrc32OfBytes, tensorWith({1, 2, 3})), "b20e96b1");
}

TEST(ChecksumTest, IsTheExclusiveOrOfWordsOfWhichTheLastIsFilledUp) {
  EXPECT_EQ(textOfSum(kXorOfBytes, tensorWith({1, 2, 3, -4.5F})), "0x809000007fc00000");
  EXPECT_EQ(textOfSum(kXorOfBytes, tensorWith({1, 2, 3})), "0x400000007fc00000");
}

TEST(ChecksumTest, PiecesOfALargeTensorAddUpToTheWhole) {
  constexpr std::size_t kCount = 5'000'001;
  std::vector<float> values(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    values[i] = static_cast<float>(i % 977);
  }
  const tensors::Tensor tensor = tensorWith(std::move(values));
  EXPECT_EQ(textOfSum(kCrc32OfBytes, tensor), "04aab601");
  EXPECT_EQ(textOfSum(kXorOfBytes, tensor), "0x3fc080007bb48000");
}

TEST(ChecksumTest, OfALargeTensorIsStopped) {
  const tensors::Tensor tensor = tensorWith(std::vector<float>(5'000'001));
  std::stop_source source;
  source.request_stop();
  const StopScope scope(source.get_token());
  for (const std::string_view kind : {kCrc32OfBytes, kXorOfBytes}) {
    const auto sum = checksumOf(kind, tensor);
    ASSERT_FALSE(sum) << kind;
    EXPECT_EQ(sum.error().code(), ErrorCode::Cancelled);
  }
}

TEST(ChecksumTest, WhatADumperDoesNotWriteIsNotMade) {
  EXPECT_EQ(textOfSum("md5 of the file", tensorWith({1})), "none");
  EXPECT_EQ(textOfSum(kXorOfBytes, tensorWith({1}, true)), "none")
      << "msprobe writes a scalar's value";
  EXPECT_EQ(textOfSum(kXorOfBytes, tensorWith({})), "none");
  EXPECT_EQ(textOfSum(kCrc32OfBytes, tensorWith({})), "00000000");
}

}  // namespace
}  // namespace ulp::dumps
