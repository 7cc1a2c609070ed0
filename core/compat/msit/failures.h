#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace ulp::compat::msit {

/// What could not be compared, in the order in which it was met. Levels, depths and nodes meet in
/// the same file, which is told once.
class Failures {
 public:
  void add(Error error) {
    if (m_told.insert(std::string(error.message())).second) {
      m_all.push_back(std::move(error));
    }
  }
  [[nodiscard]] const std::vector<Error>& all() const { return m_all; }

 private:
  std::vector<Error> m_all;
  std::set<std::string> m_told;
};

}  // namespace ulp::compat::msit
