#pragma once

#include <algorithm>
#include <ctime>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <QtCore/QVariant>

#include "tests/support/machine/sanitizers.h"
#include "views/framework/threads/responsive_application.h"

namespace ulp::test {

/// How much slower than the machine on which the limit was set this one is at computing and at
/// touching fresh memory, 1 to 4.
inline double machineFactor() {
  constexpr double kReferenceMs = 18;
  constexpr std::size_t kNumbers = std::size_t{1} << 20;
  const std::clock_t start = std::clock();
  std::vector<double> numbers(kNumbers);
  std::mt19937 random(1);
  std::ranges::generate(numbers, [&random] { return static_cast<double>(random()); });
  std::ranges::nth_element(numbers, numbers.begin() + kNumbers / 2);
  const double ms = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return std::clamp(ms / kReferenceMs, 1.0, 4.0);
}

/// How much longer the same work may take where tests run side by side: they share caches, and as
/// threads of one core what it computes with. No clock of the thread shows that.
inline double sharingFactor() {
  return qEnvironmentVariableIntValue("CTEST_PARALLEL_LEVEL") > 1 ? 2 : 1;
}

/// How much more processor time the same work may take here than on a quiet machine like that on
/// which limits are set.
inline double slowness() {
  static const double kFactor = sanitizerFactor() * machineFactor() * sharingFactor();
  return kFactor;
}

/// No event may keep the GUI thread longer. Time in which the thread waited for a processor does
/// not count: tests share theirs with other programs.
inline double stallLimitMs() {
  return 50 * slowness();
}

/// Lets the events of the current test take longer, for what Qt or the machine does at that place
/// and no code of this project can split.
inline void allowStalls(double ms, const char* reason) {
  qApp->setProperty("allowedStallMs", ms * slowness());
  testing::Test::RecordProperty("allowed_stalls", reason);
}

/// Lets handling an event throw in the current test.
inline void allowFailedEvents() {
  qApp->setProperty("allowsFailedEvents", true);
}

/// Fails each test of whose events one kept the GUI thread too long, or threw.
class StallListener : public testing::EmptyTestEventListener {
 public:
  explicit StallListener(views::ResponsiveApplication& application) {
    QObject::connect(&application,
                     &views::ResponsiveApplication::stalled,
                     &application,
                     [this](const views::Stall& stall) {
                       // Qt writes the file of the settings itself, whenever it thinks fit, and
                       // waits for the disk.
                       const bool isQtsFile = stall.work.endsWith(QLatin1String("of QSettings"));
                       if (stall.ownMs > limitMs() * crowding(stall) && !isQtsFile) {
                         m_stalls.push_back(stall);
                       }
                     });
    // At once: the thread that handled the event may be another one.
    QObject::connect(
        &application,
        &views::ResponsiveApplication::failed,
        &application,
        [](const QString& problem) {
          EXPECT_TRUE(qApp->property("allowsFailedEvents").toBool()) << problem.toStdString();
        },
        Qt::DirectConnection);
    application.watch(stallLimitMs());
  }

  void OnTestStart(const testing::TestInfo& /*test*/) override {
    m_stalls.clear();
    qApp->setProperty("allowedStallMs", QVariant());
    qApp->setProperty("allowsFailedEvents", QVariant());
  }
  void OnTestEnd(const testing::TestInfo& test) override {
    for (const views::Stall& stall : m_stalls) {
      ADD_FAILURE() << test.test_suite_name() << '.' << test.name()
                    << ": the GUI thread answered to nothing for " << stall.ownMs << " ms ("
                    << stall.ms << " ms with waiting for a processor; at most "
                    << limitMs() * crowding(stall) << " are allowed) while handling "
                    << stall.work.toStdString();
    }
  }

 private:
  /// Programs that take turns on a processor empty each other's caches, so that the thread's own
  /// time grows as well: by how much is not known, but by less than what it waited. 1 to 3.
  static double crowding(const views::Stall& stall) {
    return std::clamp(stall.ms / stall.ownMs, 1.0, 3.0);
  }
  static double limitMs() {
    const QVariant allowed = qApp->property("allowedStallMs");
    return allowed.isValid() ? allowed.toDouble() : stallLimitMs();
  }

  std::vector<views::Stall> m_stalls;
};

}  // namespace ulp::test
