#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <QtWidgets/QSpinBox>

#include "tests/app/gui/dumps/compare_dumps_fixture.h"
#include "views/framework/settings/settings_dialog.h"

namespace ulp::app {
namespace {

/// Threads of this process.
std::ptrdiff_t threadCount() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return std::distance(begin(tasks), end(tasks));
}

class ComparisonThreadsTest : public test::CompareDumpsFixture {
 protected:
  void SetUp() override {
    CompareDumpsFixture::SetUp();
    // Few tensors are not worth many threads.
    constexpr int kTensors = 1000;
    const std::vector<float> values(std::size_t{1} << 14, 1);
    for (const char* dump : {"golden", "target"}) {
      const std::filesystem::path folder = path(dump).toStdString();
      test::writeNpy(folder / "t0.npy", {128, 128}, values);
      for (int i = 1; i < kTensors; ++i) {
        std::filesystem::create_hard_link(folder / "t0.npy",
                                          folder / ("t" + std::to_string(i) + ".npy"));
      }
    }
  }

  /// In the window of settings.
  void chooseThreads(const char* keys) {
    trigger("file.settings");
    auto* dialog = m_window->findChild<views::SettingsDialog*>();
    ASSERT_NE(dialog, nullptr);
    for (auto* box : dialog->findChildren<QSpinBox*>()) {
      if (box->accessibleName() == QStringLiteral("Threads")) {
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, QLatin1String(keys));
        QTest::keyClick(box, Qt::Key_Return);
      }
    }
    dialog->close();
  }
  /// The most threads that there were at once during a comparison.
  std::ptrdiff_t threadsOfComparison() {
    std::atomic<bool> isOver = false;
    std::ptrdiff_t most = 0;
    std::thread observer([&] {
      while (!isOver) {
        most = std::max(most, threadCount());
      }
    });
    compare(origin());
    isOver = true;
    observer.join();
    return most;
  }
};

TEST_F(ComparisonThreadsTest, AreThoseOfTheSettings) {
  compare(origin());  // whatever the window starts once is there
  chooseThreads("1");
  EXPECT_EQ(m_session->settings().get(views::kComparisonThreads), 1);
  const std::ptrdiff_t one = threadsOfComparison();
  chooseThreads("9");
  EXPECT_EQ(m_session->settings().get(views::kComparisonThreads), 9);
  const std::ptrdiff_t nine = threadsOfComparison();
  // A thread that another part of the window starts meanwhile makes no difference.
  EXPECT_GE(nine - one, 4);
}

}  // namespace
}  // namespace ulp::app
