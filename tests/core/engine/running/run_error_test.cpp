#include "core/engine/running/run_error.h"

#include <string>

#include <gtest/gtest.h>

#include "core/engine/captures/memory_shortage.h"

namespace ulp::engine {
namespace {

const c10::Device kCuda(c10::kCUDA, 1);
const c10::SourceLocation kPlace{"function", "file.cpp", 7};

TEST(RunError, TellsWhatTheDeviceHadNotAndWhatHelps) {
  const c10::OutOfMemoryError e(
      kPlace,
      "CUDA out of memory. Tried to allocate 20.00 GiB. GPU 1 has a total capacity of 79.11 GiB of "
      "which 10.25 GiB is free. Including non-PyTorch memory, this process has 68.00 GiB memory in "
      "use. Of the allocated memory 67.30 GiB is allocated by PyTorch. If reserved but unallocated "
      "memory is large try setting PYTORCH_ALLOC_CONF=expandable_segments:True");
  const Error error = runError(e, kCuda);
  EXPECT_EQ(error.code(), ErrorCode::OutOfMemory);
  EXPECT_EQ(
      error.message(),
      "the run needs more memory than cuda:1 has (CUDA out of memory. Tried to allocate 20.00 "
      "GiB. GPU 1 has a total capacity of 79.11 GiB of which 10.25 GiB is free.); use a "
      "shorter sequence or a smaller micro batch, or leave the backward pass out "
      "(capture.backward: false)");
}

TEST(RunError, KnowsALackOfMemoryByCodeAndByTheLibrariesOfTheDevice) {
  const c10::AcceleratorError pinned(kPlace, 2, "CUDA error: out of memory\nadvice");
  EXPECT_EQ(shortageOf(pinned), Shortage::DeviceOrPinned);
  EXPECT_EQ(runError(pinned, kCuda).code(), ErrorCode::OutOfMemory);
  EXPECT_EQ(runError(pinned, kCuda).message().find("advice"), std::string::npos);
  const c10::Error library(
      kPlace, "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`");
  EXPECT_EQ(shortageOf(library), Shortage::Device);
  EXPECT_EQ(runError(library, kCuda).code(), ErrorCode::OutOfMemory);
  const c10::Error host(kPlace, "DefaultCPUAllocator: can't allocate memory: you tried 5 bytes");
  EXPECT_EQ(shortageOf(host), Shortage::Host);
  EXPECT_EQ(runError(host, kCuda).code(), ErrorCode::OutOfMemory);
  EXPECT_TRUE(runError(host, kCuda)
                  .message()
                  .starts_with("the run needs more memory than this machine has"));
}

TEST(RunError, AnErrorThatLeavesTheDeviceUsableIsNoneOfTheDevice) {
  const c10::AcceleratorError e(kPlace, 1, "CUDA error: invalid argument\nadvice");
  EXPECT_EQ(shortageOf(e), Shortage::None);
  const Error error = runError(e, kCuda);
  EXPECT_EQ(error.code(), ErrorCode::Internal);
  EXPECT_EQ(error.message(), "LibTorch: CUDA error: invalid argument");
}

TEST(RunError, ALostDeviceIsNamedWithItsCauseAndWhereToLook) {
  const Error error = lostDevice(
      kCuda, Error(ErrorCode::Internal, "LibTorch: CUDA error: unspecified launch failure"));
  EXPECT_EQ(error.code(), ErrorCode::Device);
  EXPECT_EQ(
      error.message(),
      "cuda:1 failed in this run, and this process cannot use it any more (LibTorch: CUDA "
      "error: unspecified launch failure); if that happens again, look for errors of the card "
      "with `nvidia-smi -q` and `dmesg`");
}

}  // namespace
}  // namespace ulp::engine
