#pragma once

namespace ulp::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double kSanitizerFactor = 5;  ///< how much slower the sanitizer's own work may make it
#else
constexpr double kSanitizerFactor = 1;
#endif

#if defined(__SANITIZE_THREAD__)
/// What it notes of every byte that is read lies in this process's memory as well.
constexpr bool kIsThreadSanitized = true;
#else
constexpr bool kIsThreadSanitized = false;
#endif

}  // namespace ulp::test
