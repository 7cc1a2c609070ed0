#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/base/text/sentence.h"

namespace ulp::dumps {

/// What was found of a tensor that several ranks should hold alike: when their rows were put
/// together, or later, when elements were read. Thread-safe.
class ReplicaCheck {
 public:
  ReplicaCheck() = default;
  /// `mayDiffer`: healthy ranks need not hold it alike, and what differs is no sign of a fault.
  explicit ReplicaCheck(bool mayDiffer) : m_mayDiffer(mayDiffer) {}
  /// What differs is that of the first rank; of any other replicas there are no elements then.
  [[nodiscard]] bool mayDiffer() const { return m_mayDiffer; }

  /// "rank 1: norm 3 instead of 2". What was said first stays.
  void differs(Sentence how) {
    const std::lock_guard lock(m_mutex);
    if (m_difference.isEmpty()) {
      m_difference = std::move(how);
    }
  }
  /// What differs in `part` counts here as well. Before others have a share in this one.
  void includes(std::shared_ptr<const ReplicaCheck> part) { m_parts.push_back(std::move(part)); }
  /// Empty: nothing differed so far.
  [[nodiscard]] Sentence difference() const { return find(true); }
  /// Of what healthy ranks hold alike. Empty: nothing differed so far.
  [[nodiscard]] Sentence unexpectedDifference() const { return find(false); }

 private:
  [[nodiscard]] Sentence find(bool isAny) const {  // NOLINT(misc-no-recursion)
    if (isAny || !m_mayDiffer) {
      const std::lock_guard lock(m_mutex);
      if (!m_difference.isEmpty()) {
        return m_difference;
      }
    }
    for (const auto& part : m_parts) {
      if (Sentence found = part->find(isAny); !found.isEmpty()) {
        return found;
      }
    }
    return {};
  }

  bool m_mayDiffer = false;
  mutable std::mutex m_mutex;
  Sentence m_difference;
  std::vector<std::shared_ptr<const ReplicaCheck>> m_parts;
};

/// Makes what differs in `part` count in `check`, which is made where it is null. Null parts say
/// nothing.
inline void include(std::shared_ptr<ReplicaCheck>& check,
                    std::shared_ptr<const ReplicaCheck> part,
                    bool mayDiffer = false) {
  if (part) {
    check = check ? check : std::make_shared<ReplicaCheck>(mayDiffer);
    check->includes(std::move(part));
  }
}

}  // namespace ulp::dumps
