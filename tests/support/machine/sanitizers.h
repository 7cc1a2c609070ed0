#pragma once

// Of the sanitizers' libraries, which a program may be linked with although the tests in it were
// compiled without; null where it is not.
extern "C" {
[[gnu::weak]] void __asan_init();  // NOLINT(bugprone-reserved-identifier)
[[gnu::weak]] void __tsan_init();  // NOLINT(bugprone-reserved-identifier)
}

namespace ulp::test {

inline bool isAddressSanitized() {
  return &__asan_init != nullptr;
}

/// What the sanitizer notes of every byte that is read lies in this process's memory as well.
inline bool isThreadSanitized() {
  return &__tsan_init != nullptr;
}

/// How much slower the sanitizer's own work may make this process.
inline double sanitizerFactor() {
  return isAddressSanitized() || isThreadSanitized() ? 5 : 1;
}

}  // namespace ulp::test
