#pragma once

#include <vector>

#include <gtest/gtest.h>

#include <QtCore/QVariant>

#include "views/framework/responsive_application.h"

namespace ulp::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double kStallFactor = 5;  ///< what the sanitizer's own work may cost
#else
constexpr double kStallFactor = 1;
#endif
/// No event may keep the GUI thread longer. Time in which the thread waited for a processor does
/// not count: tests share theirs with other programs.
constexpr double kStallLimitMs = 50 * kStallFactor;

/// Lets the events of the current test take longer, for what Qt or the machine does at that place
/// and no code of this project can split.
inline void allowStalls(double ms, const char* reason) {
  qApp->setProperty("allowedStallMs", ms * kStallFactor);
  testing::Test::RecordProperty("allowed_stalls", reason);
}

/// Fails each test of whose events one kept the GUI thread too long.
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
                       if (stall.ownMs > limitMs() && !isQtsFile) {
                         m_stalls.push_back(stall);
                       }
                     });
    application.watch(kStallLimitMs);
  }

  void OnTestStart(const testing::TestInfo& /*test*/) override {
    m_stalls.clear();
    qApp->setProperty("allowedStallMs", QVariant());
  }
  void OnTestEnd(const testing::TestInfo& test) override {
    for (const views::Stall& stall : m_stalls) {
      ADD_FAILURE() << test.test_suite_name() << '.' << test.name()
                    << ": the GUI thread answered to nothing for " << stall.ownMs << " ms ("
                    << stall.ms << " ms with waiting for a processor; at most " << limitMs()
                    << " are allowed) while handling " << stall.work.toStdString();
    }
  }

 private:
  static double limitMs() {
    const QVariant allowed = qApp->property("allowedStallMs");
    return allowed.isValid() ? allowed.toDouble() : kStallLimitMs;
  }

  std::vector<views::Stall> m_stalls;
};

}  // namespace ulp::test
