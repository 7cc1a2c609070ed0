#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace ulp::dumps {

/// What was found of a tensor that several ranks should hold alike: when their rows were put
/// together, or later, when elements were read. Thread-safe.
class ReplicaCheck {
 public:
  /// "rank 1: norm 3 instead of 2". What was said first stays.
  void differs(std::string how) {
    const std::lock_guard lock(m_mutex);
    if (m_difference.empty()) {
      m_difference = std::move(how);
    }
  }
  /// What differs in `part` counts here as well. Before others have a share in this one.
  void includes(std::shared_ptr<const ReplicaCheck> part) { m_parts.push_back(std::move(part)); }
  /// Empty: nothing differed so far.
  [[nodiscard]] std::string difference() const {  // NOLINT(misc-no-recursion)
    {
      const std::lock_guard lock(m_mutex);
      if (!m_difference.empty()) {
        return m_difference;
      }
    }
    for (const auto& part : m_parts) {
      if (std::string found = part->difference(); !found.empty()) {
        return found;
      }
    }
    return {};
  }

 private:
  mutable std::mutex m_mutex;
  std::string m_difference;
  std::vector<std::shared_ptr<const ReplicaCheck>> m_parts;
};

}  // namespace ulp::dumps
