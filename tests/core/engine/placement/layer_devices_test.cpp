#include "core/engine/placement/layer_devices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::engine {
namespace {

using testing::ElementsAre;

const at::Device kFirst(at::kCUDA, 0);
const at::Device kSecond(at::kCUDA, 1);

/// An embedding, layers of two parameters, and a head as large as a layer.
std::vector<ParameterSize> network(int layers, std::int64_t embedding = 200) {
  std::vector<ParameterSize> all{{.elements = embedding}};
  for (int layer = 0; layer < layers; ++layer) {
    all.push_back({layer, 150});
    all.push_back({layer, 50});
  }
  all.push_back({.elements = 200});
  return all;
}

std::vector<at::Device> layersOf(const LayerDevices& devices, int layers) {
  std::vector<at::Device> each;
  for (int layer = 0; layer < layers; ++layer) {
    each.push_back(devices.ofLayer(layer));
  }
  return each;
}

TEST(LayerDevices, OneHasEverything) {
  const LayerDevices devices(kSecond);
  EXPECT_EQ(devices.first(), kSecond);
  EXPECT_EQ(devices.last(), kSecond);
  EXPECT_EQ(devices.ofLayer(7), kSecond);
  EXPECT_EQ(devices.ofParameter(99), kSecond);
  EXPECT_THAT(devices.all(), ElementsAre(kSecond));
  EXPECT_EQ(devices.str(), "cuda:1");
}

TEST(LayerDevices, ShareOutLayersByTheirParameters) {
  const LayerDevices devices({kFirst, kSecond}, network(4));
  EXPECT_THAT(layersOf(devices, 4), ElementsAre(kFirst, kFirst, kSecond, kSecond));
  EXPECT_EQ(devices.ofParameter(0), kFirst);
  EXPECT_EQ(devices.ofParameter(4), kFirst);
  EXPECT_EQ(devices.ofParameter(5), kSecond);
  EXPECT_EQ(devices.ofParameter(9), kSecond);
  EXPECT_TRUE(devices.haveCuda());
  EXPECT_EQ(devices.str(), "cuda:0+cuda:1");
}

TEST(LayerDevices, CountTheEmbeddingForTheFirst) {
  const LayerDevices devices({kFirst, kSecond}, network(4, 1000));
  EXPECT_THAT(layersOf(devices, 4), ElementsAre(kSecond, kSecond, kSecond, kSecond));
  EXPECT_EQ(devices.first(), kFirst);
}

TEST(LayerDevices, MayHaveNoLayer) {
  const at::Device cpu(at::kCPU);
  const LayerDevices devices({cpu, kFirst, kSecond}, network(1));
  EXPECT_THAT(layersOf(devices, 1), ElementsAre(kFirst));
  EXPECT_EQ(devices.ofParameter(0), cpu);
  EXPECT_EQ(devices.ofParameter(3), kSecond);
  EXPECT_THAT(devices.all(), ElementsAre(cpu, kFirst, kSecond));
}

TEST(LayerDevices, CountWhatTheCudaDeviceWithTheLeastHas) {
  const auto bytesOf = [](const at::Device& device) {
    return std::uint64_t{device == kFirst ? 700U : 500U};
  };
  const at::Device cpu(at::kCPU);
  EXPECT_THAT(LayerDevices({cpu, kFirst, kSecond}, {}).cuda(), ElementsAre(kFirst, kSecond));
  EXPECT_EQ(LayerDevices({cpu, kFirst, kSecond}, {}).asOfTheLeast(bytesOf), 1000U);
  EXPECT_EQ(LayerDevices({kFirst, cpu}, {}).asOfTheLeast(bytesOf), 700U);
  EXPECT_EQ(LayerDevices(cpu).asOfTheLeast(bytesOf), 0U);
  EXPECT_FALSE(LayerDevices(cpu).haveCuda());
}

TEST(LayerDevices, ADeviceMayStandThereTwice) {
  const LayerDevices devices({kFirst, kSecond, kFirst}, network(4));
  EXPECT_THAT(layersOf(devices, 4), ElementsAre(kFirst, kSecond, kSecond, kFirst));
  EXPECT_THAT(devices.all(), ElementsAre(kFirst, kSecond));
}

}  // namespace
}  // namespace ulp::engine
