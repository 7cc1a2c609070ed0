// Stands for the driver's management library in the tests of the job queue. It has the name by
// which that is asked for, so that who asks later is given it. It has one device, on which process
// 4242 computes; fakeNvmlHang() makes it answer no more.

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

namespace {

constexpr int kSuccess = 0;
constexpr int kNotFound = 6;
/// A test that waits for an answer is to fail, not to hang.
constexpr std::chrono::seconds kLongestHang{60};

std::atomic<bool>& hangs() {
  static std::atomic<bool> is = false;
  return is;
}

std::atomic<int>& questions() {
  static std::atomic<int> count = 0;
  return count;
}

}  // namespace

extern "C" {

struct FakeMemory {
  unsigned long long total, free, used;
};
struct FakeUtilization {
  unsigned int gpu, memory;
};
struct FakeProcess {
  unsigned int pid;
  unsigned long long usedGpuMemory;
  unsigned int gpuInstanceId, computeInstanceId;
};

void fakeNvmlHang(bool does) {
  hangs() = does;
}

/// How often the number of devices was asked for.
int fakeNvmlQuestions() {
  return questions();
}

// NOLINTBEGIN(readability-identifier-naming): the driver's names
int nvmlInit_v2() {
  return kSuccess;
}
int nvmlShutdown() {
  return kSuccess;
}
int nvmlDeviceGetCount_v2(unsigned int* count) {
  ++questions();
  const auto end = std::chrono::steady_clock::now() + kLongestHang;
  while (hangs() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  *count = 1;
  return kSuccess;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned int index, void** device) {
  *device = &questions();
  return index == 0 ? kSuccess : kNotFound;
}
int nvmlDeviceGetName(void* /*device*/, char* name, unsigned int length) {
  std::snprintf(name, length, "Fake GPU");
  return kSuccess;
}
int nvmlDeviceGetHandleByUUID(const char* /*uuid*/, void** device) {
  *device = &questions();
  return kSuccess;
}
int nvmlDeviceGetMemoryInfo(void* /*device*/, FakeMemory* memory) {
  *memory = {.total = 8000, .free = 5000, .used = 3000};
  return kSuccess;
}
int nvmlDeviceGetUtilizationRates(void* /*device*/, FakeUtilization* rates) {
  *rates = {.gpu = 75, .memory = 10};
  return kSuccess;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void* /*device*/,
                                            unsigned int* count,
                                            FakeProcess* processes) {
  *processes = {.pid = 4242, .usedGpuMemory = 1000, .gpuInstanceId = 0, .computeInstanceId = 0};
  *count = 1;
  return kSuccess;
}

// NOLINTEND(readability-identifier-naming)

}  // extern "C"
