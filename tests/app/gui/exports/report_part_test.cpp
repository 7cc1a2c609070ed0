#include <gtest/gtest.h>

#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QListWidget>
#include <QtWidgets/QPushButton>

#include "core/analysis/rules/verdict_rules.h"
#include "tests/app/cli/cli_process.h"
#include "tests/app/gui/window_fixture.h"
#include "tests/support/machine/content_of.h"
#include "tests/support/machine/temp_dir.h"
#include "views/framework/exports/export_dialog.h"
#include "views/framework/widgets/message_bar.h"
#include "views/framework/workspace/report_rules.h"

namespace ulp::app {
namespace {

/// The dialog that exports a whole report, and what of it.
class ReportPartTest : public test::WindowFixture {
 protected:
  void SetUp() override {
    WindowFixture::SetUp();
    m_run = reportFolder(QStringLiteral("run"));
    open({m_run});
    trigger("file.export");
    m_dialog = m_window->findChild<views::ExportDialog*>();
    ASSERT_NE(m_dialog, nullptr);
  }
  /// Ticks the line of a list.
  void tick(const char* list, const QString& id) {
    auto* lines = m_dialog->findChild<QListWidget*>(QLatin1String(list));
    ASSERT_NE(lines, nullptr);
    for (int row = 0; row < lines->count(); ++row) {
      if (lines->item(row)->data(Qt::UserRole).toString() == id) {
        lines->setFocus();
        lines->setCurrentRow(row);
        QTest::keyClick(lines, Qt::Key_Space);
        EXPECT_EQ(lines->item(row)->checkState(), Qt::Checked);
        return;
      }
    }
    FAIL() << id.toStdString();
  }
  void exportTo(const QString& path) {
    auto* file = m_dialog->findChild<QLineEdit*>(QStringLiteral("file"));
    file->setFocus();
    file->selectAll();
    QTest::keyClicks(file, path);
    QTest::keyClick(file, Qt::Key_Return);
    ASSERT_TRUE(test::waitFor([this] { return m_session->exports().isIdle(); }));
    QCoreApplication::processEvents();
  }
  [[nodiscard]] std::string byCommand(std::vector<std::string> more, int exitCode = 0) const {
    const test::TempDir other;
    const std::string file = (other.path() / "out").string();
    std::vector<std::string> arguments{"export", m_run.toStdString(), "-o", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const test::CliOutcome outcome = test::runCli(arguments);
    EXPECT_EQ(outcome.exitCode, exitCode) << outcome.err;
    return test::contentOf(file);
  }
  [[nodiscard]] std::string firstVariant() {
    return workspace().reports.document()->variantName(0).toStdString();
  }

  QString m_run;
  views::ExportDialog* m_dialog = nullptr;
};

TEST_F(ReportPartTest, AnOverlayForModelExplorerIsThatOfTheCommand) {
  tick("variants", QString::fromStdString(firstVariant()));
  const QString file = m_folder.filePath(QStringLiteral("a.node_data.json"));
  exportTo(file);
  const std::string written = test::contentOf(file.toStdString());
  ASSERT_FALSE(written.empty());
  EXPECT_EQ(written, byCommand({"--format", "model-explorer", "--variant", firstVariant()}));
}

TEST_F(ReportPartTest, AnOverlayOfSeveralRunsSaysWhichToChoose) {
  exportTo(m_folder.filePath(QStringLiteral("a.node_data.json")));
  EXPECT_EQ(m_window->messages().last()->severity, views::Severity::Broken);
  EXPECT_TRUE(m_window->messages().last()->text.contains(QStringLiteral("choose a variant")))
      << m_window->messages().last()->text.toStdString();
}

TEST_F(ReportPartTest, AnOverlayForNetronIsThatOfTheCommand) {
  const QString file = m_folder.filePath(QStringLiteral("a.attachment.json"));
  exportTo(file);
  const std::string written = test::contentOf(file.toStdString());
  ASSERT_FALSE(written.empty());
  EXPECT_EQ(written, byCommand({"--format", "netron"}));
}

TEST_F(ReportPartTest, PassesMetricsAndVariantsAreThoseOfTheCommand) {
  tick("passes", QStringLiteral("forward"));
  tick("metrics", QStringLiteral("rms_rel"));
  tick("variants", QString::fromStdString(firstVariant()));
  const QString file = m_folder.filePath(QStringLiteral("part.csv"));
  exportTo(file);
  EXPECT_EQ(test::contentOf(file.toStdString()),
            byCommand({"--format",
                       "csv",
                       "--pass",
                       "forward",
                       "--metric",
                       "rms_rel",
                       "--variant",
                       firstVariant()}));
}

TEST_F(ReportPartTest, TheSummaryAloneHasNoTablesOfTensors) {
  auto* format = m_dialog->findChild<QComboBox*>(QStringLiteral("format"));
  auto* summary = m_dialog->findChild<QCheckBox*>(QStringLiteral("summary"));
  format->setCurrentIndex(format->findData(QStringLiteral("csv")));
  EXPECT_FALSE(summary->isEnabled()) << "always holds all tensors";
  format->setCurrentIndex(format->findData(QStringLiteral("md")));
  ASSERT_TRUE(summary->isEnabled());
  QTest::keyClick(summary, Qt::Key_Space);
  const QString file = m_folder.filePath(QStringLiteral("short.md"));
  exportTo(file);
  const std::string written = test::contentOf(file.toStdString());
  EXPECT_FALSE(written.empty());
  EXPECT_LT(written.size(), byCommand({"--format", "md"}).size());
}

TEST_F(ReportPartTest, RulesThatAreAskedInTheWindowAreJudgedInTheFile) {
  auto* rules = m_dialog->findChild<QCheckBox*>(QStringLiteral("rules"));
  EXPECT_FALSE(rules->isEnabled()) << "none are asked";
  delete m_dialog;
  const QString text = QString::fromStdString(*analysis::VerdictRules::presetText("msit"));
  views::ReportRules::of(workspace().reports, m_session->settings(), m_session->background())
      .apply({QStringLiteral("msit"), text});
  trigger("file.export");
  m_dialog = m_window->findChild<views::ExportDialog*>();
  rules = m_dialog->findChild<QCheckBox*>(QStringLiteral("rules"));
  auto* format = m_dialog->findChild<QComboBox*>(QStringLiteral("format"));
  format->setCurrentIndex(format->findData(QStringLiteral("csv")));
  EXPECT_FALSE(rules->isEnabled()) << "its rows are the report's";
  format->setCurrentIndex(format->findData(QStringLiteral("md")));
  ASSERT_TRUE(rules->isEnabled());
  tick("variants", QString::fromStdString(firstVariant()));
  const QString file = m_folder.filePath(QStringLiteral("judged.md"));
  exportTo(file);
  const std::string written = test::contentOf(file.toStdString());
  EXPECT_NE(written.find("Rules: msit"), std::string::npos);
  EXPECT_EQ(written,
            byCommand({"--format", "md", "--variant", firstVariant(), "--rules", "msit"}, 1));
}

}  // namespace
}  // namespace ulp::app
