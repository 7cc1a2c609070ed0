#pragma once

#include <optional>
#include <utility>

#include "core/base/result.h"

namespace ulp {

/// Keeps the first error of many results, for code that takes a value out of each before it can
/// return an error: whoever makes one returns what check() gives.
class FirstError {
 public:
  /// Takes the value of ask(), or `otherwise` where there is none; once there is an error, nothing
  /// is asked any more.
  template <class Ask, class T>
  [[nodiscard]] T valueOf(const Ask& ask, T otherwise) {
    if (m_error) {
      return otherwise;
    }
    Result<T> result = ask();
    if (result) {
      return *std::move(result);
    }
    m_error = std::move(result.error());
    return otherwise;
  }

  [[nodiscard]] Result<> check() const { return m_error ? fail(*m_error) : Result<>(); }

 private:
  std::optional<Error> m_error;
};

}  // namespace ulp
