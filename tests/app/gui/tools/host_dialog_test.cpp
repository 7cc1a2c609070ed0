#include "app/gui/tools/host_dialog.h"

#include <csignal>

#include <QtCore/QFile>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QInputDialog>
#include <QtWidgets/QLabel>

#include "app/gui/session/window_settings.h"
#include "tests/app/gui/window_fixture.h"
#include "views/framework/workspace/recently_opened.h"

namespace ulp::app {
namespace {

class HostWindowTest : public test::WindowFixture {
 protected:
  void SetUp() override {
    qputenv("XDG_DATA_HOME", m_folder.filePath(QStringLiteral("data")).toLocal8Bit());
    WindowFixture::SetUp();
  }

  /// Asks for a run on a host, as the menu does, and gives the dialog.
  HostDialog* ask() {
    trigger("run.start-on");
    auto* dialog = m_window->findChild<HostDialog*>();
    EXPECT_NE(dialog, nullptr);
    return dialog;
  }

  static void choose(HostDialog& dialog, const char* host) {
    dialog.findChild<QComboBox*>(QStringLiteral("host"))->setEditText(QLatin1String(host));
    dialog.accept();
  }

  /// A program in the place of ssh, which runs the command of a host on this machine.
  void standInForSsh() {
    const QString ssh = write(QStringLiteral("ssh"),
                              QStringLiteral("#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\n"
                                             "shift 2\nPATH=%1/bin:$PATH exec sh -c \"$1\"\n")
                                  .arg(QStringLiteral(ULP_BINARY_DIR)));
    QFile::setPermissions(ssh, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    qputenv("ULP_SSH", ssh.toLocal8Bit());
  }

  void TearDown() override {
    qunsetenv("ULP_SSH");
    qunsetenv("XDG_DATA_HOME");
  }

  [[nodiscard]] queue::JobStatePtr onlyJob() const {
    const auto jobs = queue().states();
    EXPECT_EQ(jobs.size(), 1U);
    return jobs.empty() ? nullptr : jobs.front();
  }
};

TEST_F(HostWindowTest, AStudyRunsOnTheChosenHostAndIsTakenUpByTheNextWindow) {
  open({study(QStringLiteral("slow"))});
  HostDialog* dialog = ask();
  choose(*dialog, "-oProxyCommand=x");
  EXPECT_TRUE(queue().states().empty()) << "that is an option of ssh, and no machine";
  EXPECT_TRUE(dialog->isVisible());
  dialog->findChild<QCheckBox*>(QStringLiteral("install"))->setChecked(true);
  choose(*dialog, "gpubox");
  ASSERT_TRUE(test::waitFor([this] { return queue().isRunning(); }));
  const queue::JobStatePtr job = onlyJob();
  EXPECT_EQ(job->request.host, QStringLiteral("gpubox"));
  EXPECT_TRUE(job->request.installs);
  EXPECT_EQ(m_session->settings().get(kRecentHosts), QStringList{QStringLiteral("gpubox")});
  // One variant is there; the other goes on without the window.
  ASSERT_TRUE(test::waitFor([&] { return queue().state(job->id)->reportRevision > 0; }));
  m_window->lastSession().save();
  makeWindow();
  ASSERT_TRUE(test::waitFor([this] { return queue().isRunning(); }));
  const queue::JobStatePtr again = onlyJob();
  EXPECT_EQ(again->request.host, QStringLiteral("gpubox"));
  EXPECT_EQ(again->request.existing, worker::ExistingResults::Resume);
  EXPECT_FALSE(queue().isPaused()) << "what goes on is not asked about";
  queue().cancelAll();
  ASSERT_TRUE(test::waitFor([this] { return !queue().isBusy(); }));
}

TEST_F(HostWindowTest, AReportOnAHostOpensByItsAddress) {
  standInForSsh();
  const QString folder = reportFolder(QStringLiteral("there"));
  trigger("file.open-location");
  auto* dialog = m_window->findChild<QInputDialog*>(QStringLiteral("openLocation"));
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(dialog->textValue(), QStringLiteral("ssh://"));
  const QString address = QStringLiteral("ssh://gpubox") + folder;
  dialog->setTextValue(address);
  dialog->accept();
  ASSERT_TRUE(test::waitFor([this] { return workspace().reports.document() != nullptr; }));
  const auto& loaded = workspace().reports.sources().front().loaded;
  EXPECT_TRUE(loaded.file.string().ends_with("/ulpscope/hosts/gpubox" + folder.toStdString() +
                                             "/precision_report.json"))
      << loaded.file;
  // The next time it is opened from the host again.
  EXPECT_EQ(views::recentFiles(m_session->settings()).front(), address);
  settle();
}

TEST_F(HostWindowTest, AHostThatDoesNotAnswerIsSaid) {
  qputenv("ULP_SSH", "/nowhere/ssh");
  QStringList texts;
  QObject::connect(&workspace().messages,
                   &views::Messages::raise,
                   &workspace().messages,
                   [&texts](const views::Message& message) { texts << message.text; });
  // To a host that is known already there may be a connection yet.
  open({QStringLiteral("ssh://silent/data")});
  EXPECT_EQ(workspace().reports.document(), nullptr);
  ASSERT_FALSE(texts.isEmpty());
  EXPECT_TRUE(texts.back().contains(QStringLiteral("install the OpenSSH client")))
      << texts.back().toStdString();
}

}  // namespace
}  // namespace ulp::app
