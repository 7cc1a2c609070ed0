#pragma once

#include <type_traits>
#include <utility>

#include <tl/expected.hpp>

#include "core/base/error.h"

namespace ulp {

/// A value or an Error. Every fallible function of the project returns one; exceptions stay inside
/// the adapter of the library that throws them.
template <class T = void>
using Result = tl::expected<T, Error>;

template <class... Args>
[[nodiscard]] tl::unexpected<Error> fail(Args&&... args) {
  return tl::unexpected<Error>(Error(std::forward<Args>(args)...));
}

/// Passes the error of another result on, with what the caller was doing in front.
template <class T>
[[nodiscard]] tl::unexpected<Error> failWhile(std::string_view action, Result<T>&& result) {
  return tl::unexpected<Error>(std::move(result.error()).whileDoing(action));
}

/// Gives a result as it is, or its error with what the caller was doing in front.
template <class T>
[[nodiscard]] Result<T> whileDoing(std::string_view action, Result<T> result) {
  if (!result) {
    return failWhile(action, std::move(result));
  }
  return result;
}

/// Takes the value out of a result that has one.
template <class R>
auto takeValue(R&& result) -> typename std::remove_cvref_t<R>::value_type {
  if constexpr (!std::is_void_v<typename std::remove_cvref_t<R>::value_type>) {
    return *std::forward<R>(result);
  }
}

/// Runs `body` and turns an exception of a third-party library into an Error, as caughtError() says
/// it.
template <class Body>
[[nodiscard]] auto guarded(Body&& body) -> Result<std::invoke_result_t<Body>> {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Body>>) {
      std::forward<Body>(body)();
      return {};
    } else {
      return std::forward<Body>(body)();
    }
  } catch (...) {
    return tl::unexpected<Error>(caughtError());
  }
}

}  // namespace ulp

/// Is the value of a fallible expression; where that fails, returns its error from the function
/// around it: `const auto file = ULP_TRY(MappedFile::open(path));`. Stands for a whole right side
/// or a whole statement: what else an expression has made by then would not be destroyed by g++.
#define ULP_TRY(...) ULP_TRY_AS(ULP_TRY_NAME(__COUNTER__), __VA_ARGS__)
#define ULP_TRY_NAME(number) ULP_TRY_JOIN(ulpResult, number)
#define ULP_TRY_JOIN(name, number) name##number
#define ULP_TRY_AS(name, ...)                                \
  __extension__({                                            \
    auto&& name = (__VA_ARGS__);                             \
    if (!name) [[unlikely]] {                                \
      return ::tl::make_unexpected(std::move(name).error()); \
    }                                                        \
    ::ulp::takeValue(std::forward<decltype(name)>(name));    \
  })
