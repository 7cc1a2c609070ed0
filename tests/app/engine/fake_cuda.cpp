// Stands for the CUDA driver, libcuda.so.1, of programs that find this folder in LD_LIBRARY_PATH.
// What it answers stands in variables: FAKE_CUDA_INIT, the code with which cuInit() ends;
// FAKE_CUDA_DEVICES, of which there are so many; FAKE_CUDA_VERSION (12040); FAKE_CUDA_PARTS, 1
// where these are parts of cards. It lacks what else a driver has.

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int kSuccess = 0;
constexpr int kInvalidValue = 1;
constexpr std::size_t kMemory = std::size_t{16} << 30U;

int numberOf(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return text == nullptr ? otherwise : static_cast<int>(std::strtol(text, nullptr, 10));
}

}  // namespace

extern "C" {

// NOLINTBEGIN(readability-identifier-naming): the driver's names
int cuInit(unsigned int /*flags*/) {
  return numberOf("FAKE_CUDA_INIT", kSuccess);
}
int cuGetErrorString(int code, const char** text) {
  *text = code == 100   ? "no CUDA-capable device is detected"
          : code == 803 ? "system has unsupported display driver / cuda driver combination"
          : code == 999 ? "unknown error"
                        : nullptr;
  return *text == nullptr ? kInvalidValue : kSuccess;
}
int cuDriverGetVersion(int* version) {
  *version = numberOf("FAKE_CUDA_VERSION", 13000);
  return kSuccess;
}
int cuDeviceGetCount(int* count) {
  *count = numberOf("FAKE_CUDA_DEVICES", 1);
  return kSuccess;
}
int cuDeviceGetName(char* name, int length, int /*device*/) {
  std::snprintf(name, static_cast<std::size_t>(length), "Fake GPU");
  return kSuccess;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int /*device*/) {
  *bytes = kMemory;
  return kSuccess;
}
int cuDeviceGetUuid_v2(unsigned char* bytes, int device) {
  for (int i = 0; i < 16; ++i) {
    bytes[i] = static_cast<unsigned char>(0xa0 + i + device);
  }
  return kSuccess;
}
int cuDeviceGetUuid(unsigned char* bytes, int device) {
  return cuDeviceGetUuid_v2(bytes, device + numberOf("FAKE_CUDA_PARTS", 0));
}
// NOLINTEND(readability-identifier-naming)

}  // extern "C"
