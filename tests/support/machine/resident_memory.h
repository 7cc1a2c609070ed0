#pragma once

#include <cstddef>
#include <fstream>
#include <string>
#include <sys/mman.h>

#include "tests/support/machine/sanitizers.h"

namespace ulp::test {

/// A number of /proc/self/status in bytes: "VmRSS", "VmHWM", "RssFile"; 0 where there is none.
inline std::size_t processMemory(const std::string& name) {
  std::ifstream status("/proc/self/status");
  std::string key;
  while (status >> key) {
    if (key == name + ":") {
      std::size_t kibibytes = 0;
      status >> kibibytes;
      return kibibytes * 1024;
    }
  }
  return 0;
}

/// How far the memory of this process, mapped pages included, rises above what it is now.
class MemoryPeak {
 public:
  /// Whether it can be told here: the kernel says the peak and lets it be set back, and no
  /// sanitizer's notes count as memory. Else bytes() means nothing.
  static bool works() {
    constexpr std::size_t kTouched = std::size_t{16} << 20;
    void* touched = ::mmap(nullptr,
                           kTouched,
                           PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE,
                           -1,
                           0);
    if (touched == MAP_FAILED || ::munmap(touched, kTouched) != 0) {
      return false;
    }
    const MemoryPeak now;
    const std::size_t peak = processMemory("VmHWM");
    return !isThreadSanitized() && peak > 0 && peak < processMemory("VmRSS") + kTouched / 2;
  }
  MemoryPeak() {
    // Sets the peak back to what is resident now.
    std::ofstream("/proc/self/clear_refs") << "5";
    m_before = processMemory("VmRSS");
  }
  [[nodiscard]] std::size_t bytes() const {
    const std::size_t peak = processMemory("VmHWM");
    return peak > m_before ? peak - m_before : 0;
  }

 private:
  std::size_t m_before = 0;
};

}  // namespace ulp::test
