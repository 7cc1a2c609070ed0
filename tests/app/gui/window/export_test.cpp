#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMenu>
#include <QtWidgets/QProgressBar>
#include <QtWidgets/QToolButton>

#include "app/gui/bars/status_line.h"
#include "core/base/files/atomic_file.h"
#include "core/base/work_meter.h"
#include "tests/app/gui/window_fixture.h"
#include "tests/support/window/wait_for.h"
#include "views/framework/exports/export_dialog.h"
#include "views/framework/exports/export_jobs.h"
#include "views/framework/widgets/message_bar.h"

namespace ulp::app {
namespace {

class ExportFromWindow : public test::WindowFixture {
 protected:
  /// Presses the key, types the file and confirms.
  void exportReport(const QString& path) {
    m_window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(m_window.get()));
    QTest::keyClick(m_window.get(), Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
    auto* dialog = m_window->findChild<views::ExportDialog*>();
    ASSERT_NE(dialog, nullptr);
    auto* file = dialog->findChild<QLineEdit*>(QStringLiteral("file"));
    file->selectAll();
    QTest::keyClicks(file, path);
    QTest::keyClick(file, Qt::Key_Return);
    ASSERT_TRUE(test::waitFor([this] { return m_session->exports().isIdle(); }));
    QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  }
  [[nodiscard]] std::string content(const QString& path) const {
    return readTextFile(path.toStdString()).value_or("");
  }
};

TEST_F(ExportFromWindow, KeyWritesTheOpenReportInTheFormatOfTheFileName) {
  EXPECT_FALSE(m_window->actions()[QStringLiteral("file.export")]->isEnabled());
  open({reportFolder(QStringLiteral("run"))});
  const QString html = m_folder.filePath(QStringLiteral("r.html"));
  exportReport(html);
  EXPECT_TRUE(content(html).starts_with("<!DOCTYPE html>"));
  EXPECT_NE(content(html).find("<polyline"), std::string::npos);
  EXPECT_EQ(m_window->messages().count(), 1) << "says what was written";
  const QString csv = m_folder.filePath(QStringLiteral("r.csv"));
  exportReport(csv);
  EXPECT_TRUE(content(csv).starts_with("run,name,module"));
}

TEST_F(ExportFromWindow, SaysWhyAFileCannotBeWritten) {
  open({reportFolder(QStringLiteral("run"))});
  exportReport(QStringLiteral("/nonexistent/r.pdf"));
  EXPECT_EQ(m_window->messages().count(), 1);
}

TEST_F(ExportFromWindow, TheStatusBarShowsHowFarALongOneIs) {
  const auto parts = m_window->findChild<StatusLine*>()->findChildren<QProgressBar*>();
  const auto bar = std::ranges::find_if(parts, [](const QProgressBar* one) {
    return one->accessibleName() == QStringLiteral("Progress of the export");
  });
  ASSERT_NE(bar, parts.end());
  EXPECT_TRUE((*bar)->isHidden());
  std::atomic<bool> isOver = false;
  m_session->exports().writeFile(m_folder.filePath(QStringLiteral("r.csv")),
                                 [&isOver]() -> Result<std::string> {
                                   MeterScope::current().expect(4);
                                   MeterScope::current().advance(1);
                                   while (!isOver) {
                                     std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                   }
                                   return std::string("new");
                                 });
  ASSERT_TRUE(test::waitFor([&] { return !(*bar)->isHidden(); }));
  EXPECT_EQ((*bar)->value(), (*bar)->maximum() / 4);
  const auto labels = m_window->findChild<StatusLine*>()->findChildren<QLabel*>();
  EXPECT_TRUE(std::ranges::any_of(labels, [](const QLabel* label) {
    return !label->isHidden() && label->text() == QStringLiteral("Writing r.csv");
  }));
  isOver = true;
  ASSERT_TRUE(test::waitFor([this] { return m_session->exports().isIdle(); }));
  EXPECT_TRUE((*bar)->isHidden());
}

TEST_F(ExportFromWindow, TitleOfADockOffersTheCommands) {
  open({reportFolder(QStringLiteral("run"))});
  show("table");
  QToolButton* button = nullptr;
  for (auto* found : m_window->findChildren<QToolButton*>(QStringLiteral("exhibits"))) {
    button = found->isVisible() ? found : button;
  }
  ASSERT_NE(button, nullptr);
  EXPECT_FALSE(button->accessibleName().isEmpty());
  Q_EMIT button->menu()->aboutToShow();
  EXPECT_FALSE(button->menu()->isEmpty());
}

}  // namespace
}  // namespace ulp::app
