#pragma once

#include <utility>

#include <QtTest/QTest>

namespace ulp::test {

/// How long a test waits, at most, for what another thread or program does. It costs only where
/// that does not happen, so that a busy or a slow machine has time.
inline constexpr int kPatienceMs = 60'000;

/// Handles events until `condition` holds; false where it never does.
template <class Condition>
[[nodiscard]] bool waitFor(Condition condition) {
  return QTest::qWaitFor(std::move(condition), kPatienceMs);
}

}  // namespace ulp::test
