#pragma once

#include <string_view>
#include <type_traits>
#include <utility>

#include "core/base/result.h"

namespace ulp {

/// Runs `body`, which gives a Result, as the outermost part of a program, a thread, an event or a
/// run. Whatever it throws is the error, with `doing` in front; guarded() is for calls of a
/// library.
template <class Body>
[[nodiscard]] auto behindBarrier(std::string_view doing, Body&& body)
    -> std::invoke_result_t<Body> {
  try {
    return std::forward<Body>(body)();
  } catch (...) {
    return tl::unexpected<Error>(caughtError().whileDoing(doing));
  }
}

}  // namespace ulp
