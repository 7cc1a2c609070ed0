#include "runner/queue/cuda_numbering.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/machine/environment_variable.h"

namespace ulp::queue {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const CudaDevice kUnknown{};

CudaDevice card(std::size_t place) {
  return {.card = place};
}

std::vector<GpuCard> alike() {
  return {{"H200", "GPU-aa11"}, {"H200", "GPU-ab22"}, {"H200", "GPU-cc33"}};
}

std::vector<GpuCard> different() {
  return {{"T400", "GPU-aa11"}, {"H200", "GPU-ab22"}, {"H200", "GPU-cc33"}};
}

std::vector<CudaDevice> visible(const char* list, const std::vector<GpuCard>& cards = alike()) {
  return cudaDevices(cards, {.visible = list});
}

TEST(CudaNumbering, CountsAllCardsWhereTheVariableIsNotSet) {
  EXPECT_THAT(cudaDevices(alike(), {}), ElementsAre(card(0), card(1), card(2)));
  EXPECT_THAT(cudaDevices({}, {}), IsEmpty());
}

TEST(CudaNumbering, FollowsTheVisibleDevices) {
  EXPECT_THAT(visible("2,0"), ElementsAre(card(2), card(0)));
  EXPECT_THAT(visible("0,1,"), ElementsAre(card(0), card(1)));
  EXPECT_THAT(visible(" 1, 2gpu"), ElementsAre(card(1), card(2)));
  EXPECT_THAT(visible("GPU-cc,GPU-ab22"), ElementsAre(card(2), card(1)));
}

TEST(CudaNumbering, EndsInFrontOfWhatNamesNoCard) {
  for (const char* list : {"1,-1,0", "1,3,0", "1,none,0", "1,,0", "1,GPU-cc33"}) {
    EXPECT_THAT(visible(list), ElementsAre(card(1))) << list;
  }
  EXPECT_THAT(visible("GPU-ab,GPU-zz,GPU-cc"), ElementsAre(card(1)));
  EXPECT_THAT(visible("GPU-ab,2"), ElementsAre(card(1)));
  EXPECT_THAT(visible("GPU-a"), IsEmpty()) << "two begin so";
}

TEST(CudaNumbering, HasNothingWhereAllIsHidden) {
  for (const char* list : {"", "-1", "none", "NoDevFiles", ",0"}) {
    EXPECT_THAT(visible(list), IsEmpty()) << list;
    EXPECT_TRUE(CudaNumbering{.visible = list}.hidesAll()) << list;
  }
  for (const char* list : {"0", "GPU-aa", "MIG-11"}) {
    EXPECT_FALSE(CudaNumbering{.visible = list}.hidesAll()) << list;
  }
  EXPECT_FALSE(CudaNumbering().hidesAll());
  EXPECT_THAT(visible("0,1,0"), IsEmpty()) << "CUDA gives up where one is named twice";
  EXPECT_THAT(visible("GPU-aa,GPU-aa11"), IsEmpty());
}

TEST(CudaNumbering, SeesOnePartOfACard) {
  EXPECT_THAT(visible("MIG-11,MIG-22"), ElementsAre(CudaDevice{.migUuid = "MIG-11"}));
}

TEST(CudaNumbering, OfDifferentCardsIsKnownByBusOrUuidAlone) {
  EXPECT_THAT(cudaDevices(different(), {}), ElementsAre(kUnknown, kUnknown, kUnknown));
  EXPECT_THAT(visible("1,0", different()), ElementsAre(kUnknown, kUnknown));
  EXPECT_THAT(visible("GPU-ab", different()), ElementsAre(card(1)));
  EXPECT_THAT(cudaDevices(different(), {.isByBus = true}), ElementsAre(card(0), card(1), card(2)));
  EXPECT_THAT(cudaDevices(different(), {.visible = "1,0", .isByBus = true}),
              ElementsAre(card(1), card(0)));
  EXPECT_THAT(cudaDevices({{"", "GPU-aa11"}, {"", "GPU-ab22"}}, {}),
              ElementsAre(kUnknown, kUnknown));
}

TEST(CudaNumbering, IsThatOfTheEnvironment) {
  const test::EnvironmentVariable list("CUDA_VISIBLE_DEVICES", "");
  const test::EnvironmentVariable order("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
  const CudaNumbering numbering = CudaNumbering::ofEnvironment();
  EXPECT_EQ(numbering.visible, "");
  EXPECT_TRUE(numbering.isByBus);
  EXPECT_TRUE(numbering.hidesAll());
}

TEST(CudaNumbering, KnowsTheNumberOfADevice) {
  EXPECT_EQ(cudaNumberOf("cuda:2"), 2U);
  EXPECT_EQ(cudaNumberOf("cuda"), 0U);
  for (const char* device : {"cpu", "", "cuda:x", "cuda:-1", "cudax", "cuda:"}) {
    EXPECT_FALSE(cudaNumberOf(device).has_value()) << device;
  }
}

TEST(CudaNumbering, NamesDevicesByUuidAsFarAsTheyAreKnown) {
  const std::vector<std::string> uuids{"GPU-bb22", "MIG-cc33"};
  EXPECT_EQ(namedByUuid("cuda:0", uuids), "GPU-bb22");
  EXPECT_EQ(namedByUuid("cuda", uuids), "GPU-bb22");
  EXPECT_EQ(namedByUuid("cuda:1+cpu+cuda:2", uuids), "MIG-cc33+cpu+cuda:2");
  EXPECT_EQ(namedByUuid("cuda:0+cuda:1", {}), "cuda:0+cuda:1");
  EXPECT_TRUE(isGpuUuid("GPU-bb22") && isGpuUuid("MIG-cc33"));
  EXPECT_FALSE(isGpuUuid("cuda:0") || isGpuUuid(""));
}

}  // namespace
}  // namespace ulp::queue
