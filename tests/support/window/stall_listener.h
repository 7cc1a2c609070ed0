#pragma once

#include <algorithm>
#include <ctime>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <QtCore/QByteArray>
#include <QtCore/QCryptographicHash>
#include <QtCore/QRandomGenerator>
#include <QtCore/QVariant>

#include "tests/support/machine/sanitizers.h"
#include "views/framework/threads/responsive_application.h"

namespace ulp::test {

/// How much slower than the machine on which the limit was set this one is at computing and at
/// touching fresh memory, 1 to 4. Qt computes, which is optimised where tests are not.
inline double machineFactor() {
  constexpr double kReferenceMs = 22;
  const std::clock_t start = std::clock();
  QByteArray bytes(qsizetype{1} << 18, Qt::Uninitialized);
  QRandomGenerator(1).fillRange(reinterpret_cast<quint32*>(bytes.data()), bytes.size() / 4);
  const QByteArray text = bytes.toBase64().repeated(16);
  const QByteArray packed = qCompress(text.first(bytes.size() / 2));
  QCryptographicHash::hash(text + packed, QCryptographicHash::Md5);
  const double ms = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return std::clamp(ms / kReferenceMs, 1.0, 4.0);
}

/// How much longer the same work may take where tests run side by side: they share caches and
/// memory, and as threads of one core what it computes with. No clock of the thread shows that.
inline double sharingFactor() {
  return qEnvironmentVariableIntValue("CTEST_PARALLEL_LEVEL") > 1 ? 3 : 1;
}

/// How much more processor time the same work may take here than on a quiet machine like that on
/// which limits are set.
inline double slowness() {
  static const double kFactor = sanitizerFactor() * machineFactor() * sharingFactor();
  return kFactor;
}

/// No event may keep the GUI thread longer, times slowness(). Time in which the thread waited for a
/// processor does not count: tests share theirs with other programs.
inline constexpr double kStallLimitMs = 50;

/// Lets the events of the current test take longer, for what Qt or the machine does at that place
/// and no code of this project can split.
inline void allowStalls(double ms, const char* reason) {
  qApp->setProperty("allowedStallMs", ms);
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
                       if (!isQtsFile) {
                         m_stalls.emplace_back(stall, limitMs() * crowding(stall));
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
    application.watch(kStallLimitMs);
  }

  void OnTestStart(const testing::TestInfo& /*test*/) override {
    m_stalls.clear();
    qApp->setProperty("allowedStallMs", QVariant());
    qApp->setProperty("allowsFailedEvents", QVariant());
  }
  void OnTestEnd(const testing::TestInfo& test) override {
    for (const auto& [stall, mostMs] : m_stalls) {
      // Not while an event is handled: it takes some time to know.
      const double allowedMs = mostMs * slowness();
      if (stall.ownMs > allowedMs) {
        ADD_FAILURE() << test.test_suite_name() << '.' << test.name()
                      << ": the GUI thread answered to nothing for " << stall.ownMs << " ms ("
                      << stall.ms << " ms with waiting for a processor; at most " << allowedMs
                      << " are allowed) while handling " << stall.work.toStdString();
      }
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
    return allowed.isValid() ? allowed.toDouble() : kStallLimitMs;
  }

  std::vector<std::pair<views::Stall, double>> m_stalls;  ///< each with what is allowed, in ms
};

}  // namespace ulp::test
