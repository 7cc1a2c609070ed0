// What failures of a CUDA device do to a run, and to the next one. A process whose device is lost
// is good for nothing more: ctest gives each test one of its own.

#include <cstdint>
#include <dlfcn.h>
#include <utility>

#include <gtest/gtest.h>

#include "tests/core/engine/gpu_fixture.h"

namespace ulp::engine {
namespace {

/// The driver's C interface, for the context that is current.
class Driver {
 public:
  /// Takes all memory of the device but so much, until it is given back.
  [[nodiscard]] std::uint64_t occupyAllBut(std::size_t left) const {
    std::size_t free = 0;
    std::size_t total = 0;
    EXPECT_EQ(call<int(std::size_t*, std::size_t*)>("cuMemGetInfo_v2")(&free, &total), 0);
    std::uint64_t memory = 0;
    EXPECT_GT(free, left);
    EXPECT_EQ(call<int(std::uint64_t*, std::size_t)>("cuMemAlloc_v2")(&memory, free - left), 0);
    return memory;
  }
  void giveBack(std::uint64_t memory) const {
    EXPECT_EQ(call<int(std::uint64_t)>("cuMemFree_v2")(memory), 0);
  }
  [[nodiscard]] std::size_t freeBytes() const {
    std::size_t free = 0;
    std::size_t total = 0;
    EXPECT_EQ(call<int(std::size_t*, std::size_t*)>("cuMemGetInfo_v2")(&free, &total), 0);
    return free;
  }

  /// Starts a kernel that writes where nothing is.
  void writeOutOfBounds() const {
    constexpr const char* kProgram = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry astray()
{
  .reg .b64 %place;
  .reg .b32 %value;
  mov.b64 %place, 64;
  mov.b32 %value, 1;
  st.global.b32 [%place], %value;
  ret;
}
)";
    void* module = nullptr;
    void* kernel = nullptr;
    ASSERT_EQ(call<int(void**, const void*)>("cuModuleLoadData")(&module, kProgram), 0);
    ASSERT_EQ(
        call<int(void**, void*, const char*)>("cuModuleGetFunction")(&kernel, module, "astray"), 0);
    using Launch = int(void*,
                       unsigned,
                       unsigned,
                       unsigned,
                       unsigned,
                       unsigned,
                       unsigned,
                       unsigned,
                       void*,
                       void**,
                       void**);
    ASSERT_EQ(
        call<Launch>("cuLaunchKernel")(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr), 0);
  }

 private:
  template <class Signature>
  [[nodiscard]] Signature* call(const char* symbol) const {
    return reinterpret_cast<Signature*>(dlsym(m_library, symbol));
  }

  void* m_library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
};

class GpuRunFaults : public GpuTest {};

TEST_F(GpuRunFaults, ALostDeviceEndsTheRunAndIsToldOfEveryLaterOne) {
  RunRequest request = requestOf(DType::Float32, kVocabulary);
  request.device = "cuda";
  Recorder recorder;
  bool isStarted = false;
  recorder.onObserve = [&](const Site& site) {
    if (site.name == "decoder.0" && !std::exchange(isStarted, true)) {
      Driver().writeOutOfBounds();
    }
    return Result<>();
  };
  const Error first = runError(*m_model, request, recorder);
  ASSERT_TRUE(isStarted);
  EXPECT_EQ(first.code(), ErrorCode::Device);
  EXPECT_NE(first.message().find("cuda:0"), std::string::npos) << first.message();
  EXPECT_NE(first.message().find("cannot use it any more"), std::string::npos) << first.message();
  EXPECT_NE(first.message().find("illegal memory access"), std::string::npos) << first.message();
  EXPECT_EQ(first.message().find('\n'), std::string::npos) << first.message();
  Recorder later;
  EXPECT_EQ(runError(*m_model, request, later).code(), ErrorCode::Device);
}

TEST_F(GpuRunFaults, ARunThatNeedsTooMuchEndsAndLeavesTheMemoryToTheNext) {
  RunRequest small = requestOf(DType::Float32, kVocabulary);
  small.device = "cuda";
  const Recorder before = runOrFail(*m_model, small);
  constexpr std::size_t kMebibyte = std::size_t{1} << 20;
  const Driver driver;
  const std::uint64_t occupied = driver.occupyAllBut(1024 * kMebibyte);
  // Scores of 2 sequences, 4 heads and 8192² positions: 2 GiB.
  RunRequest large = requestOf(DType::Float32, kVocabulary, 8192);
  large.device = "cuda";
  large.plan.attention = AttentionImplementation::Eager;
  Recorder recorder;
  recorder.filter = [](const Site& site) { return site.level == Level::Layer; };
  const Error failed = runError(*m_model, large, recorder);
  EXPECT_EQ(failed.code(), ErrorCode::OutOfMemory) << failed.message();
  EXPECT_NE(failed.message().find("cuda:0"), std::string::npos) << failed.message();
  EXPECT_NE(failed.message().find("Tried to allocate"), std::string::npos) << failed.message();
  EXPECT_NE(failed.message().find("is free"), std::string::npos) << failed.message();
  EXPECT_NE(failed.message().find("shorter sequence"), std::string::npos) << failed.message();
  EXPECT_GT(driver.freeBytes(), 768 * kMebibyte) << "what the run had taken is free again";
  expectSameRuns(before, runOrFail(*m_model, small));
  driver.giveBack(occupied);
}

}  // namespace
}  // namespace ulp::engine
