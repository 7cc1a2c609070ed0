#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

namespace ulp::test {

/// Sets a variable of the environment until it goes out of scope; nothing: it is not there. Only
/// while the process has one thread, or none that looks.
class EnvironmentVariable {
 public:
  // NOLINTBEGIN(concurrency-mt-unsafe)
  EnvironmentVariable(std::string name, const std::optional<std::string>& value)
      : m_name(std::move(name)) {
    if (const char* old = std::getenv(m_name.c_str())) {
      m_old = old;
    }
    set(value);
  }
  ~EnvironmentVariable() { set(m_old); }
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

  void set(const std::optional<std::string>& value) const {
    if (value) {
      ::setenv(m_name.c_str(), value->c_str(), 1);
    } else {
      ::unsetenv(m_name.c_str());
    }
  }
  // NOLINTEND(concurrency-mt-unsafe)

 private:
  std::string m_name;
  std::optional<std::string> m_old;
};

}  // namespace ulp::test
