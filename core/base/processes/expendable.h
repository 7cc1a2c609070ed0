#pragma once

#include <cstdint>

/// For programs that do what may break them: helpers of another (helper_process.h).
namespace ulp {

/// Makes this process one that nobody misses: the first that the system ends when memory runs out,
/// without a picture of its memory when it crashes, without more rights than it has, and with no
/// descriptor above `lastKept`, whatever its parent left open.
void becomeExpendable(int lastKept);

/// Sets a limit of this process (RLIMIT_…), but never above what the user set. With sanitizers,
/// which map more memory than there is, RLIMIT_AS stays as it is.
void setLimit(int resource, std::uint64_t soft, std::uint64_t hard);

}  // namespace ulp
