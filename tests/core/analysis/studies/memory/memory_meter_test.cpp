#include "core/analysis/studies/memory/memory_meter.h"

#include <utility>

#include <gtest/gtest.h>

namespace ulp::analysis {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

MemoryTensor tensorIn(MemoryMeter& meter, std::uint64_t bytes, MemoryPart part) {
  return {std::make_shared<MemoryMeter::Storage>(meter, bytes, bytes, part), bytes, DType::UInt8};
}

TEST(MemoryMeter, RemembersWhatThereWasWhenItWasMost) {
  MemoryMeter meter;
  const MemoryTensor weights = tensorIn(meter, 100, &MemoryParts::weights);
  {
    const MemoryTensor a = tensorIn(meter, 30, &MemoryParts::activations);
    const MemoryTensor again = a;
    const MemoryTensor b = tensorIn(meter, 20, &MemoryParts::workspace);
  }
  const MemoryTensor gradient = tensorIn(meter, 40, &MemoryParts::gradients);
  EXPECT_EQ(meter.peak(), 150U);
  EXPECT_EQ(meter.parts().weights, 100U);
  EXPECT_EQ(meter.parts().activations, 30U) << "held twice, there once";
  EXPECT_EQ(meter.parts().workspace, 20U);
  EXPECT_EQ(meter.parts().gradients, 0U);
}

TEST(MemoryMeter, WhatTheRunHoldsNoMoreIsACapture) {
  MemoryMeter meter;
  MemoryMeter::Held capture;
  {
    const MemoryTensor output = tensorIn(meter, 30, &MemoryParts::activations);
    capture = output.storage();
    EXPECT_EQ(meter.parts().captures, 0U);
  }
  const MemoryTensor next = tensorIn(meter, 10, &MemoryParts::activations);
  EXPECT_EQ(meter.parts().captures, 30U);
  EXPECT_EQ(meter.parts().activations, 10U);
  EXPECT_EQ(meter.peak(), 40U);
}

TEST(MemoryMeter, APartHoldsAllOfItsTensor) {
  MemoryMeter meter;
  MemoryTensor whole = tensorIn(meter, 30, &MemoryParts::activations);
  const MemoryTensor half = whole.part(15);
  whole.reset();
  const MemoryTensor next = tensorIn(meter, 10, &MemoryParts::activations);
  EXPECT_EQ(half.bytes(), 15U);
  EXPECT_EQ(meter.parts().activations, 40U) << "and is no capture";
}

TEST(MemoryMeter, CountsAsLibTorchsAllocatorDoes) {
  EXPECT_EQ(allocatedBytes(0), 0U);
  EXPECT_EQ(allocatedBytes(1), 512U);
  EXPECT_EQ(allocatedBytes(513), 1024U);
  EXPECT_EQ(allocatedBytes(9 * kMiB + 512), 9 * kMiB + 512) << "a piece of a segment";
  EXPECT_EQ(allocatedBytes(11 * kMiB + 512), 12 * kMiB) << "the rest is too small";
  EXPECT_EQ(allocatedBytes(10 * kMiB + 512), 10 * kMiB + 512) << "the rest is given away";
  EXPECT_EQ(allocatedBytes(12 * kMiB), 12 * kMiB);
}

}  // namespace
}  // namespace ulp::analysis
