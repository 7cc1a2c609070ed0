#pragma once

#include <string_view>
#include <type_traits>
#include <utility>

#include "core/base/result.h"

namespace ulp {

/// Says what the exception means that is being handled, with what was being done in front: its
/// error has a remedy where memory ran out. For catch blocks in the outermost function of a
/// program, a thread or an event; guarded() is for calls of a library.
[[nodiscard]] Error caughtError(std::string_view doing);

/// Runs `body`, which gives a Result. Whatever it throws is the error, as caughtError() says it.
template <class Body>
[[nodiscard]] auto behindBarrier(std::string_view doing, Body&& body)
    -> std::invoke_result_t<Body> {
  try {
    return std::forward<Body>(body)();
  } catch (...) {
    return tl::unexpected(caughtError(doing));
  }
}

}  // namespace ulp
