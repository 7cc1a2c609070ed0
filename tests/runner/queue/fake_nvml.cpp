// Stands for the driver's management library in the tests of the job queue. It has the name by
// which that is asked for, so that who asks later is given it. It has two devices, on both of which
// process 4242 computes; fakeNvmlHang() makes it answer no more, fakeNvmlNames()
// renames its devices, fakeNvmlCount() takes them away.

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <iterator>
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

std::atomic<int>& namesTold() {
  static std::atomic<int> count = 0;
  return count;
}

std::atomic<unsigned int>& deviceCount() {
  static std::atomic<unsigned int> count = 2;
  return count;
}

std::atomic<int>& questions() {
  static std::atomic<int> count = 0;
  return count;
}

constexpr const char* kUsualName = "Fake GPU";

struct FakeDevice {
  unsigned long long total, used, ofProcess;
  unsigned int utilization;
  const char* uuid;
  const char* name = kUsualName;
};
FakeDevice devices[]{{8000, 3000, 1000, 75, "GPU-aa11"}, {9000, 600, 500, 20, "GPU-bb22"}};
FakeDevice part{4000, 100, 50, 0, "MIG-cc33", "Fake GPU MIG 1g.4gb"};

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

/// Null: as always.
void fakeNvmlNames(const char* first, const char* second) {
  devices[0].name = first == nullptr ? kUsualName : first;
  devices[1].name = second == nullptr ? kUsualName : second;
}

/// At most two.
void fakeNvmlCount(unsigned int count) {
  deviceCount() = count;
}

/// How often the name of a device was asked for.
int fakeNvmlNamesTold() {
  return namesTold();
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
  *count = deviceCount();
  return kSuccess;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned int index, FakeDevice** device) {
  if (index >= deviceCount()) {
    return kNotFound;
  }
  *device = &devices[index];
  return kSuccess;
}
int nvmlDeviceGetName(FakeDevice* device, char* name, unsigned int length) {
  ++namesTold();
  std::snprintf(name, length, "%s", device->name);
  return kSuccess;
}
int nvmlDeviceGetUUID(FakeDevice* device, char* uuid, unsigned int length) {
  std::snprintf(uuid, length, "%s", device->uuid);
  return kSuccess;
}
int nvmlDeviceGetHandleByUUID(const char* uuid, FakeDevice** device) {
  for (FakeDevice* each : {&devices[0], &devices[1], &part}) {
    if (std::strcmp(each->uuid, uuid) == 0) {
      *device = each;
      return kSuccess;
    }
  }
  return kNotFound;
}
int nvmlDeviceGetMemoryInfo(FakeDevice* device, FakeMemory* memory) {
  *memory = {.total = device->total, .free = device->total - device->used, .used = device->used};
  return kSuccess;
}
int nvmlDeviceGetUtilizationRates(FakeDevice* device, FakeUtilization* rates) {
  *rates = {.gpu = device->utilization, .memory = 10};
  return kSuccess;
}
int nvmlDeviceGetComputeRunningProcesses_v3(FakeDevice* device,
                                            unsigned int* count,
                                            FakeProcess* processes) {
  *processes = {
      .pid = 4242, .usedGpuMemory = device->ofProcess, .gpuInstanceId = 0, .computeInstanceId = 0};
  *count = 1;
  return kSuccess;
}

// NOLINTEND(readability-identifier-naming)

}  // extern "C"
