#pragma once

#include <string>
#include <string_view>

namespace ulp {

/// Tells whether a process was killed, which the system does where memory runs out. `status`: that
/// of waitpid().
[[nodiscard]] bool wasKilled(int status);

/// How a process ended, as what stands behind its name: "ended with exit status 3", "was ended by
/// signal 11 (SIGSEGV)". `remedy`: what helps where memory ran out, said of one that was killed.
[[nodiscard]] std::string endInWords(int status, std::string_view remedy);

}  // namespace ulp
