// The cause of a divergence proved from the window: ulpscope-cli itself is the worker, and only the
// engine is a fake one.

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <QtCore/QDir>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QDialog>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QSpinBox>
#include <QtWidgets/QTableView>

#include "app/gui/session/session.h"
#include "app/gui/window/main_window.h"
#include "core/base/files/atomic_file.h"
#include "core/report/model/report.h"
#include "tests/runner/queue/fake_nvml.h"
#include "tests/support/window/wait_for.h"
#include "views/framework/view/view_host.h"
#include "views/framework/widgets/message_bar.h"

namespace ulp::app {
namespace {

namespace fs = std::filesystem;

class ProveCauseTest : public testing::Test {
 protected:
  ProveCauseTest() {
    qputenv("ULP_ENGINE_LIBRARY", ULP_BINARY_DIR "/tests/fake_engine_library.so");
    makeWindow();
    QDir(m_folder.path()).mkdir(QStringLiteral("model"));
    write("model/config.json", "{}");
    write("study.yaml",
          "model: {path: " + path("model").string() +
              "}\ninput: {sequence_length: 8}\ncapture: {tensors: none}\ndevice: cpu\n"
              "variants:\n  bf16:\n    precision.compute_dtype: bfloat16\n"
              "  fp16:\n    precision.compute_dtype: float16\noutput_dir: " +
              path("out").string() + "\n");
  }
  void TearDown() override {
    qunsetenv("ULP_ENGINE_LIBRARY");
    qunsetenv("ULP_FAKE_DELAY_US");
  }

  void makeWindow() {
    m_window.reset();
    m_session.reset();
    m_session = std::make_unique<Session>(
        SessionOptions{.settingsFile = m_folder.filePath(QStringLiteral("settings.ini")),
                       .workerProgram = QStringLiteral(ULP_BINARY_DIR "/bin/ulpscope-cli")});
    m_window = std::make_unique<MainWindow>(*m_session);
    QObject::connect(&m_session->workspace().messages,
                     &views::Messages::raise,
                     [this](const views::Message& message) { m_messages << message.text; });
    m_window->resize(1280, 800);
    m_window->show();
  }

  [[nodiscard]] fs::path path(const char* name) const {
    return fs::path(m_folder.path().toStdString()) / name;
  }
  void write(const char* name, const std::string& text) const {
    fs::create_directories(path(name).parent_path());
    std::ofstream(path(name)) << text;
  }
  void settle() {
    ASSERT_TRUE(test::waitFor([this] { return m_session->background().isIdle(); }));
    QCoreApplication::processEvents();
  }

  void runStudy() {
    m_session->runs().enqueueFiles({QString::fromStdString(path("study.yaml").string())});
    ASSERT_TRUE(test::waitFor([this] {
      const auto states = m_session->queue().states();
      return !states.empty() && states.back()->isOver();
    }));
    ASSERT_EQ(m_session->queue().states().back()->status, queue::JobStatus::Finished)
        << m_session->queue().states().back()->error.toStdString();
    openStudy();
  }
  void openStudy() {
    m_window->open({QString::fromStdString(path("out").string())});
    settle();
  }

  /// Chooses the finding of the first divergence.
  void chooseFinding() {
    m_window->docks().raiseView(QStringLiteral("findings"));
    settle();
    QTableView& table = *findings().findChild<QTableView*>();
    const QModelIndex title = table.model()->index(0, 3);
    ASSERT_TRUE(title.data().toString().startsWith(QStringLiteral("First divergence")))
        << title.data().toString().toStdString();
    QTest::mouseClick(table.viewport(),
                      Qt::LeftButton,
                      {},
                      table.visualRect(table.model()->index(0, 0)).center());
    settle();
  }
  [[nodiscard]] QWidget& findings() const {
    return *m_window->docks().host(QStringLiteral("findings"));
  }
  template <class Part>
  [[nodiscard]] Part& part(const char* name) const {
    return *findings().findChild<Part*>(QLatin1String(name));
  }
  void press(const char* name) const {
    auto& button = part<QPushButton>(name);
    ASSERT_TRUE(button.isVisibleTo(&findings())) << name;
    ASSERT_TRUE(button.isEnabled()) << name;
    QTest::mouseClick(&button, Qt::LeftButton);
  }
  [[nodiscard]] bool shows(const char* name) const {
    return findings().findChild<QWidget*>(QLatin1String(name))->isVisibleTo(&findings());
  }
  bool waitForAnswer() {
    return test::waitFor([this] { return shows("cause") || shows("causeHint"); }) && shows("cause");
  }
  [[nodiscard]] QDialog* openOptions() const {
    press("proofOptions");
    return m_window->findChild<QDialog*>(QStringLiteral("causeDialog"));
  }
  void fill(QDialog& dialog,
            const char* folder,
            const char* device,
            int threads,
            const char* sets) const {
    auto& line = *dialog.findChild<QLineEdit*>(QStringLiteral("proofFolder"));
    line.selectAll();
    QTest::keyClicks(&line, QString::fromStdString(path(folder).string()));
    auto& chooser = *dialog.findChild<QComboBox*>(QStringLiteral("proofDevice"));
    chooser.lineEdit()->selectAll();
    QTest::keyClicks(chooser.lineEdit(), QLatin1String(device));
    auto& count = *dialog.findChild<QSpinBox*>(QStringLiteral("proofThreads"));
    count.selectAll();
    QTest::keyClicks(&count, QString::number(threads));
    QTest::keyClicks(dialog.findChild<QPlainTextEdit*>(QStringLiteral("proofSets")),
                     QLatin1String(sets));
  }
  static void accept(QDialog& dialog) {
    for (auto* button : dialog.findChildren<QPushButton*>()) {
      if (button->isDefault()) {
        QTest::mouseClick(button, Qt::LeftButton);
      }
    }
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  }
  /// Stops a proof of bf16 in the middle, after which its runs are of other weights.
  void leavePartOfAProof() {
    chooseFinding();
    qputenv("ULP_FAKE_DELAY_US", "5000");
    press("proveCause");
    ASSERT_TRUE(test::waitFor([this] {
      const auto last = m_session->queue().states().back();
      return m_session->queue().states().size() == 2 && last->runs.size() > 2 &&
             last->runs[1].status == report::RunStatus::Finished;
    }));
    press("stopProof");
    ASSERT_TRUE(test::waitFor([this] { return shows("proveCause"); }));
    qunsetenv("ULP_FAKE_DELAY_US");
    const auto loaded = report::loadReport(path("out_cause_bf16"));
    ASSERT_TRUE(loaded.has_value());
    report::Report changed = *loaded->report;
    changed.provenance.weightsDigest = "other";
    ASSERT_TRUE(report::saveReport(changed, path("out_cause_bf16")).has_value());
  }
  [[nodiscard]] std::string cause() const { return part<QLabel>("cause").text().toStdString(); }
  [[nodiscard]] std::string hint() const { return part<QLabel>("causeHint").text().toStdString(); }
  [[nodiscard]] fs::path opened() const {
    const views::DocumentPtr& document = m_session->workspace().reports.document();
    return document ? document->loaded().folder : fs::path();
  }

  QTemporaryDir m_folder;
  std::unique_ptr<Session> m_session;
  std::unique_ptr<MainWindow> m_window;
  QStringList m_messages;
};

TEST_F(ProveCauseTest, WritesTheAnswerIntoTheFindingAndLeavesTheReportOpen) {
  runStudy();
  chooseFinding();
  EXPECT_FALSE(shows("cause"));
  press("proveCause");
  ASSERT_TRUE(waitForAnswer()) << hint();
  EXPECT_EQ(cause(), "Cause: precision.compute_dtype: bfloat16");
  EXPECT_TRUE(
      part<QLabel>("causeProof")
          .text()
          .contains(QStringLiteral("every element of all 21 tensors, is bit-equal to reference")))
      << part<QLabel>("causeProof").text().toStdString();
  const auto* table = findings().findChild<QTableView*>(QStringLiteral("cause"));
  ASSERT_GT(table->model()->rowCount(), 2);
  EXPECT_EQ(table->model()->index(0, 0).data().toString(), QStringLiteral("nothing"));
  EXPECT_EQ(table->model()->index(0, 3).data().toString(), QStringLiteral("0 of 21"));
  // The file begins with a line that says where it came from.
  EXPECT_EQ(part<QLabel>("causeLines").text(),
            QStringLiteral("study.yaml:8: precision.compute_dtype: bfloat16 (bf16)"));
  EXPECT_EQ(opened(), path("out"));
  EXPECT_EQ(m_session->queue().states().size(), 2U);

  // It is found again, and nothing is run for it.
  makeWindow();
  openStudy();
  chooseFinding();
  ASSERT_TRUE(waitForAnswer()) << hint();
  EXPECT_EQ(cause(), "Cause: precision.compute_dtype: bfloat16");
  EXPECT_TRUE(m_session->queue().states().empty());
  press("openProof");
  ASSERT_TRUE(test::waitFor([this] { return opened() == path("out_cause_bf16"); }));
}

TEST_F(ProveCauseTest, AsksAboutTheSelectedVariantOfAFindingOfSeveral) {
  runStudy();
  chooseFinding();
  m_session->selection().selectRun(QStringLiteral("fp16"));
  press("proveCause");
  ASSERT_TRUE(waitForAnswer()) << hint();
  EXPECT_EQ(cause(), "Cause: precision.compute_dtype: float16");
  EXPECT_TRUE(fs::exists(path("out_cause_fp16")));
  m_session->selection().selectRun(QStringLiteral("bf16"));
  EXPECT_TRUE(shows("proveCause"));
  EXPECT_FALSE(shows("cause"));
}

TEST_F(ProveCauseTest, StopsAndGoesOnWhereItStopped) {
  runStudy();
  chooseFinding();
  qputenv("ULP_FAKE_DELAY_US", "5000");
  press("proveCause");
  ASSERT_TRUE(test::waitFor([this] {
    const auto last = m_session->queue().states().back();
    return m_session->queue().states().size() == 2 && last->runs.size() > 2 &&
           last->runs[1].status == report::RunStatus::Finished;
  }));
  EXPECT_TRUE(shows("stopProof"));
  EXPECT_FALSE(shows("proveCause"));
  press("stopProof");
  ASSERT_TRUE(test::waitFor([this] { return shows("proveCause"); }));
  EXPECT_FALSE(shows("causeHint")) << hint();
  qunsetenv("ULP_FAKE_DELAY_US");
  press("proveCause");
  ASSERT_TRUE(waitForAnswer()) << hint();
  EXPECT_TRUE(m_session->queue().states().back()->resumed);
}

TEST_F(ProveCauseTest, SaysWhatFailedAndStartsAnew) {
  runStudy();
  chooseFinding();
  fs::rename(path("model"), path("moved"));
  press("proveCause");
  ASSERT_TRUE(test::waitFor([this] { return shows("causeHint"); }));
  EXPECT_NE(hint().find(path("model").string()), std::string::npos) << hint();
  EXPECT_EQ(part<QPushButton>("proveCause").text(), QStringLiteral("Prove again"));
  fs::rename(path("moved"), path("model"));
  press("proveCause");
  ASSERT_TRUE(waitForAnswer()) << hint();
}

TEST_F(ProveCauseTest, ProvesNothingOfNumbersThatAreNotRepeated) {
  runStudy();
  // Another machine made the report.
  const auto loaded = report::loadReport(path("out"));
  ASSERT_TRUE(loaded.has_value());
  report::Report changed = *loaded->report;
  changed.runs[1].comparisons[0].metrics.at(
      static_cast<std::size_t>(changed.metricIndex("equal_fraction"))) = 0.25;
  ASSERT_TRUE(report::saveReport(changed, path("out")).has_value());
  openStudy();
  chooseFinding();
  press("proveCause");
  ASSERT_TRUE(test::waitFor([this] { return shows("causeHint"); }));
  EXPECT_NE(hint().find("25.0 % of the elements were equal, and 0 % are when both runs are "
                        "repeated"),
            std::string::npos)
      << hint();
}

TEST_F(ProveCauseTest, TakesAnotherFolderWhereTheFirstHoldsOtherThings) {
  runStudy();
  write("out_cause_bf16/study.yaml", "model: {path: mine}\n");
  chooseFinding();
  press("proveCause");
  ASSERT_TRUE(waitForAnswer()) << hint();
  EXPECT_TRUE(fs::exists(path("out_cause_bf16-2/precision_report.json")));
  EXPECT_EQ(*readTextFile(path("out_cause_bf16/study.yaml")), "model: {path: mine}\n");
}

TEST_F(ProveCauseTest, OffersTheDevicesOfThisMachineByTheirNames) {
  const queue::FakeNvml driver;
  runStudy();
  chooseFinding();
  auto* dialog = openOptions();
  ASSERT_NE(dialog, nullptr);
  const auto& devices = *dialog->findChild<QComboBox*>(QStringLiteral("proofDevice"));
  EXPECT_TRUE(test::waitFor([&] {
    return devices.itemText(devices.count() - 1) == QStringLiteral("cuda:1 (Fake GPU)");
  }));
  EXPECT_EQ(devices.currentText(), QStringLiteral("cpu, as the runs"));
  dialog->reject();
}

TEST_F(ProveCauseTest, ProvesInAFolderOfTheUsersOnADeviceAndWithSettings) {
  runStudy();
  chooseFinding();
  auto* dialog = openOptions();
  ASSERT_NE(dialog, nullptr);
  const auto& folder = *dialog->findChild<QLineEdit*>(QStringLiteral("proofFolder"));
  EXPECT_EQ(folder.placeholderText().toStdString(), path("out_cause_bf16").string());
  EXPECT_EQ(dialog->findChild<QComboBox*>(QStringLiteral("proofDevice"))->currentText(),
            QStringLiteral("cpu, as the runs"));
  EXPECT_FALSE(dialog->findChild<QCheckBox*>(QStringLiteral("proofReplaces"))->isChecked());
  fill(*dialog, "mine", "cpu", 2, "capture.parameter_gradients=false");
  accept(*dialog);
  ASSERT_TRUE(waitForAnswer()) << hint();
  EXPECT_EQ(cause(), "Cause: precision.compute_dtype: bfloat16");
  const queue::JobRequest& request = m_session->queue().states().back()->request;
  EXPECT_EQ(request.outputDir, path("mine"));
  EXPECT_EQ(request.device, QStringLiteral("cpu"));
  EXPECT_EQ(request.threads, 2);
  EXPECT_EQ(request.sets, QStringList{QStringLiteral("capture.parameter_gradients=false")});
  EXPECT_NE(readTextFile(path("mine/study.yaml"))->find("--set capture.parameter_gradients=false"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(path("out_cause_bf16")));

  // Asked again it is proved anew, with what was chosen before.
  EXPECT_EQ(part<QPushButton>("proofOptions").text(), QStringLiteral("Prove again…"));
  dialog = openOptions();
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(dialog->findChild<QLineEdit*>(QStringLiteral("proofFolder"))->text().toStdString(),
            path("mine").string());
  EXPECT_TRUE(dialog->findChild<QCheckBox*>(QStringLiteral("proofReplaces"))->isChecked());
  accept(*dialog);
  ASSERT_TRUE(test::waitFor([this] { return m_session->queue().states().size() == 3; }));
  EXPECT_EQ(m_session->queue().states().back()->request.existing,
            worker::ExistingResults::Overwrite);
  ASSERT_TRUE(waitForAnswer()) << hint();
}

TEST_F(ProveCauseTest, SaysWhichSettingIsWrongBeforeAnythingRuns) {
  runStudy();
  chooseFinding();
  auto* dialog = openOptions();
  ASSERT_NE(dialog, nullptr);
  fill(*dialog, "mine", "cpu", 2, "model.pth=there");
  accept(*dialog);
  ASSERT_TRUE(test::waitFor([this] { return shows("causeHint"); }));
  EXPECT_NE(hint().find("model.pth"), std::string::npos) << hint();
  EXPECT_EQ(m_session->queue().states().size(), 1U);
  EXPECT_FALSE(fs::exists(path("mine")));
}

TEST_F(ProveCauseTest, AsksWhatBecomesOfAFolderThatHoldsOtherThings) {
  runStudy();
  write("mine/study.yaml", "model: {path: mine}\n");
  chooseFinding();
  auto* dialog = openOptions();
  ASSERT_NE(dialog, nullptr);
  fill(*dialog, "mine", "cpu", 1, "");
  accept(*dialog);
  ASSERT_TRUE(test::waitFor([this] { return shows("causeHint"); }));
  EXPECT_EQ(hint(),
            "■ " + path("mine").string() +
                " holds other things than runs of this proof. Replace what Ulpscope wrote there, "
                "or prove it in a new folder.");
  EXPECT_EQ(part<QPushButton>("proveCause").text(), QStringLiteral("Replace"));
  press("proveInNewFolder");
  ASSERT_TRUE(waitForAnswer()) << hint();
  EXPECT_TRUE(fs::exists(path("mine-2/precision_report.json")));
  EXPECT_EQ(*readTextFile(path("mine/study.yaml")), "model: {path: mine}\n");
}

TEST_F(ProveCauseTest, SaysWhatCanBeDoneWhereItsRunsCannotBeContinued) {
  runStudy();
  leavePartOfAProof();
  press("proveCause");
  ASSERT_TRUE(test::waitFor([this] { return shows("causeHint"); }));
  EXPECT_NE(hint().find("The runs of this proof in " + path("out_cause_bf16").string() +
                        " cannot be continued: "),
            std::string::npos)
      << hint();
  EXPECT_TRUE(m_messages.isEmpty()) << "it is said where it was asked";
  EXPECT_EQ(part<QPushButton>("proveCause").text(), QStringLiteral("Replace"));
  press("proveCause");
  ASSERT_TRUE(waitForAnswer()) << hint();
  EXPECT_EQ(m_session->queue().states().back()->request.existing,
            worker::ExistingResults::Overwrite);
}

TEST_F(ProveCauseTest, GoesOnInANewFolderFromTheMessage) {
  runStudy();
  leavePartOfAProof();
  press("proveCause");
  m_window->docks().raiseView(QStringLiteral("runs"));
  ASSERT_TRUE(test::waitFor([this] { return !m_messages.isEmpty(); }));
  ASSERT_EQ(m_messages.size(), 1) << m_messages.join(QLatin1Char('|')).toStdString();
  EXPECT_TRUE(m_messages.front().startsWith(QStringLiteral("Why bf16 differs is not proved. ")))
      << m_messages.front().toStdString();
  EXPECT_FALSE(m_messages.front().contains(QStringLiteral("study")));
  QPushButton* button = nullptr;
  for (auto* found : m_window->messages().findChildren<QPushButton*>()) {
    button = found->text() == QStringLiteral("New folder") ? found : button;
  }
  ASSERT_NE(button, nullptr);
  QTest::mouseClick(button, Qt::LeftButton);
  ASSERT_TRUE(waitForAnswer()) << hint();
  EXPECT_EQ(m_session->queue().states().back()->request.outputDir, path("out_cause_bf16-2"));
}

TEST_F(ProveCauseTest, IsAlsoAskedInTheViewOfTwoRuns) {
  runStudy();
  m_window->docks().raiseView(QStringLiteral("bit_by_bit"));
  settle();
  QWidget& view = *m_window->docks().host(QStringLiteral("bit_by_bit"));
  auto& heading = *view.findChild<QLabel*>(QStringLiteral("bitsHeading"));
  EXPECT_EQ(heading.text(),
            QStringLiteral("bf16 differs from reference: 0 of 21 compared tensors are equal"));
  QTest::mouseClick(view.findChild<QPushButton*>(QStringLiteral("proveCause")), Qt::LeftButton);
  auto& cause = *view.findChild<QLabel*>(QStringLiteral("cause"));
  ASSERT_TRUE(test::waitFor([&] { return cause.isVisibleTo(&view); }));
  EXPECT_EQ(cause.text(), QStringLiteral("Cause: precision.compute_dtype: bfloat16"));
}

}  // namespace
}  // namespace ulp::app
