#include <filesystem>

#include <gtest/gtest.h>

#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QDoubleSpinBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>

#include "app/gui/exports/export_tensors_dialog.h"
#include "tests/app/cli/cli_process.h"
#include "tests/app/gui/dumps/compare_dumps_fixture.h"
#include "tests/app/gui/exports/written_files.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::app {
namespace {

class ExportTensorsTest : public test::CompareDumpsFixture {
 protected:
  ExportTensorsDialog* openExport() {
    trigger("file.export-tensors");
    return m_window->findChild<ExportTensorsDialog*>();
  }
  static void fill(QWidget& dialog, const char* field, const QString& text) {
    auto* line = dialog.findChild<QLineEdit*>(QLatin1String(field));
    ASSERT_NE(line, nullptr) << field;
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, text);
  }
  /// Types the first letters of the format.
  static void chooseFormat(QWidget& dialog, const QString& format) {
    auto* box = dialog.findChild<QComboBox*>(QStringLiteral("format"));
    box->setFocus();
    QTest::keyClicks(box, format);
    ASSERT_EQ(box->currentData().toString(), format);
  }
  static QPushButton* exportButton(const QWidget& dialog) {
    return button(dialog, QStringLiteral("&Export"));
  }
  /// Presses the button once the source is recognised, and waits for the end.
  void press(ExportTensorsDialog& dialog) {
    QPushButton* go = exportButton(dialog);
    ASSERT_TRUE(test::waitFor([go] { return go->isEnabled(); }));
    QTest::mouseClick(go, Qt::LeftButton);
    ASSERT_TRUE(test::waitFor([this] { return m_session->exports().isIdle(); }));
    QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  }
  /// What the command line writes of the same.
  [[nodiscard]] std::map<std::string, std::string> byCommand(const QString& source,
                                                             const std::string& name,
                                                             std::vector<std::string> more) const {
    const std::string target = (m_other.path() / name).string();
    std::vector<std::string> arguments{"export", source.toStdString(), target};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const test::CliOutcome outcome = test::runCli(arguments);
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    return test::filesOf(target);
  }

  test::TempDir m_other;
};

TEST_F(ExportTensorsTest, WritesTheFilesOfTheCommandInEachFormat) {
  for (const char* format : {"msprobe", "npy", "safetensors"}) {
    ExportTensorsDialog* dialog = openExport();
    ASSERT_NE(dialog, nullptr);
    type(dialog->source(), path("golden"));
    chooseFormat(*dialog, QLatin1String(format));
    fill(*dialog, "target", path(format));
    press(*dialog);
    const auto written = test::filesOf(path(format).toStdString());
    EXPECT_GE(written.size(), 2U);
    EXPECT_EQ(written, byCommand(path("golden"), format, {"--to", format}));
    EXPECT_TRUE(
        m_messages.back().startsWith(QStringLiteral("Wrote %1: 2 tensors").arg(path(format))))
        << m_messages.back().toStdString();
  }
}

TEST_F(ExportTensorsTest, OptionsAreThoseOfTheCommand) {
  ExportTensorsDialog* dialog = openExport();
  type(dialog->source(), path("golden"));
  chooseFormat(*dialog, QStringLiteral("safetensors"));
  fill(*dialog, "match", QStringLiteral("^b"));
  auto* shards = dialog->findChild<QDoubleSpinBox*>(QStringLiteral("shards"));
  EXPECT_TRUE(shards->isEnabled());
  EXPECT_FALSE(dialog->findChild<QCheckBox*>(QStringLiteral("statistics"))->isEnabled());
  shards->setFocus();
  shards->selectAll();
  QTest::keyClicks(shards, QStringLiteral("0.001"));
  fill(*dialog, "target", path("out"));
  EXPECT_EQ(dialog->wanted().options.shardBytes, 1'000'000U);
  press(*dialog);
  EXPECT_EQ(
      test::filesOf(path("out").toStdString()),
      byCommand(
          path("golden"), "out", {"--to", "safetensors", "--match", "^b", "--shard-size", "1MB"}));
}

TEST_F(ExportTensorsTest, OneStepAsStatisticsIsWhatTheCommandWrites) {
  const QString steps = makeSteps(QStringLiteral("steps"), 3, 1);
  ExportTensorsDialog* dialog = openExport();
  type(dialog->source(), steps);
  ASSERT_TRUE(test::waitFor([&] { return dialog->source().isReady(); }));
  auto* step = dialog->source().findChild<QComboBox*>(QStringLiteral("step"));
  step->setFocus();
  QTest::keyClicks(step, QStringLiteral("1"));
  chooseFormat(*dialog, QStringLiteral("msprobe"));
  auto* statistics = dialog->findChild<QCheckBox*>(QStringLiteral("statistics"));
  ASSERT_TRUE(statistics->isEnabled());
  QTest::keyClick(statistics, Qt::Key_Space);
  ASSERT_TRUE(statistics->isChecked());
  fill(*dialog, "target", path("one"));
  press(*dialog);
  EXPECT_EQ(test::filesOf(path("one").toStdString()),
            byCommand(steps, "one", {"--to", "msprobe", "--step", "1", "--statistics-only"}));
}

TEST_F(ExportTensorsTest, WhatIsThereIsReplacedOnlyWhenThatIsAllowed) {
  for (const bool isAgain : {false, true}) {
    ExportTensorsDialog* dialog = openExport();
    type(dialog->source(), path(isAgain ? "target" : "golden"));
    chooseFormat(*dialog, QStringLiteral("npy"));
    fill(*dialog, "target", path("out"));
    if (isAgain) {
      ASSERT_TRUE(test::waitFor([&] { return dialog->source().isReady(); }));
      EXPECT_FALSE(exportButton(*dialog)->isEnabled());
      const auto labels = dialog->findChildren<QLabel*>();
      EXPECT_TRUE(std::ranges::any_of(labels, [](const QLabel* label) {
        return label->isVisible() && label->text().contains(QStringLiteral("exists already"));
      }));
      QTest::keyClick(dialog->findChild<QCheckBox*>(QStringLiteral("overwrite")), Qt::Key_Space);
    }
    press(*dialog);
  }
  EXPECT_EQ(test::filesOf(path("out").toStdString()),
            byCommand(path("target"), "out", {"--to", "npy"}));
}

TEST_F(ExportTensorsTest, AFolderOfSomebodyElseIsKeptAndSaid) {
  ExportTensorsDialog* dialog = openExport();
  type(dialog->source(), path("golden"));
  fill(*dialog, "target", path("target"));
  QTest::keyClick(dialog->findChild<QCheckBox*>(QStringLiteral("overwrite")), Qt::Key_Space);
  press(*dialog);
  EXPECT_TRUE(m_messages.back().startsWith(path("target")) &&
              m_messages.back().contains(QStringLiteral("is no export of Ulpscope")))
      << m_messages.back().toStdString();
  EXPECT_EQ(m_severities.back(), static_cast<int>(views::Severity::Broken));
  EXPECT_TRUE(std::filesystem::exists(path("target").toStdString() + "/a.npy"));
}

TEST_F(ExportTensorsTest, AWrongPatternIsSaid) {
  ExportTensorsDialog* dialog = openExport();
  type(dialog->source(), path("golden"));
  fill(*dialog, "match", QStringLiteral("["));
  fill(*dialog, "target", path("out"));
  press(*dialog);
  EXPECT_TRUE(m_messages.back().contains(QStringLiteral("'[' is not a regular expression")))
      << m_messages.back().toStdString();
  EXPECT_FALSE(std::filesystem::exists(path("out").toStdString()));
}

TEST_F(ExportTensorsTest, WhatIsNoDumpCannotBeExported) {
  ExportTensorsDialog* dialog = openExport();
  fill(*dialog, "target", path("out"));
  type(dialog->source(), path("nowhere"));
  ASSERT_TRUE(test::waitFor(
      [&] { return dialog->source().stateText().contains(QStringLiteral("no such file")); }));
  EXPECT_FALSE(exportButton(*dialog)->isEnabled());
}

TEST_F(ExportTensorsTest, TheOpenDumpIsFilledIn) {
  open({path("golden")});
  ExportTensorsDialog* dialog = openExport();
  EXPECT_EQ(dialog->source().side().path, path("golden").toStdString());
}

}  // namespace
}  // namespace ulp::app
