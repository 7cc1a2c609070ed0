#pragma once

#include <dlfcn.h>

#include <gtest/gtest.h>

namespace ulp::queue {

/// Puts a driver of the test's own in the place of NVIDIA's (fake_nvml.cpp), for programs that ask
/// for it from now on. Hangs no longer once it is destroyed.
class FakeNvml {
 public:
  FakeNvml() : m_library(::dlopen(ULP_BINARY_DIR "/tests/fake_nvml.so", RTLD_NOW | RTLD_LOCAL)) {
    EXPECT_NE(m_library, nullptr) << ::dlerror();
    // A probe that outlives an earlier test keeps the library, and its count, in memory.
    m_questionsBefore = questions();
  }
  ~FakeNvml() {
    hang(false);
    rename(nullptr, nullptr);
    keep(2);
    ::dlclose(m_library);
  }
  FakeNvml(const FakeNvml&) = delete;
  FakeNvml& operator=(const FakeNvml&) = delete;

  void hang(bool does) {
    reinterpret_cast<void (*)(bool)>(::dlsym(m_library, "fakeNvmlHang"))(does);
  }
  /// Null: as always.
  void rename(const char* first, const char* second) {
    reinterpret_cast<void (*)(const char*, const char*)>(::dlsym(m_library, "fakeNvmlNames"))(
        first, second);
  }
  /// Has so many devices from now on, at most two.
  void keep(unsigned int count) {
    reinterpret_cast<void (*)(unsigned int)>(::dlsym(m_library, "fakeNvmlCount"))(count);
  }
  /// How often the name of a device was asked for.
  [[nodiscard]] int namesTold() const {
    return reinterpret_cast<int (*)()>(::dlsym(m_library, "fakeNvmlNamesTold"))();
  }
  /// How often it was asked for its devices since this was made.
  [[nodiscard]] int questions() const {
    return reinterpret_cast<int (*)()>(::dlsym(m_library, "fakeNvmlQuestions"))() -
           m_questionsBefore;
  }

 private:
  void* m_library;
  int m_questionsBefore = 0;
};

}  // namespace ulp::queue
