#include <filesystem>

#include <gtest/gtest.h>

#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>

#include "app/gui/exports/compare_as_dialog.h"
#include "tests/app/cli/cli_process.h"
#include "tests/app/gui/dumps/compare_dumps_fixture.h"
#include "tests/app/gui/exports/written_files.h"
#include "tests/support/data/fixture_case.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::app {
namespace {

/// A comparison as one of the tools makes it, of a case of its fixtures.
struct ToolCase {
  const char* tool;
  const char* folder;
  const char* target;
  std::vector<std::string> options;  ///< of the command
  std::vector<const char*> ticked{};
  const char* level = "";
};

class CompareAsTest : public test::CompareDumpsFixture {
 protected:
  CompareAsDialog* openCompareAs() {
    trigger("file.compare-as");
    return m_window->findChild<CompareAsDialog*>();
  }
  static void fillIn(QWidget& dialog, const char* field, const QString& text) {
    auto* line = dialog.findChild<QLineEdit*>(QLatin1String(field));
    ASSERT_NE(line, nullptr) << field;
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, text);
  }
  static void choose(QWidget& dialog, const char* field, const char* data) {
    auto* box = dialog.findChild<QComboBox*>(QLatin1String(field));
    ASSERT_GE(box->findData(QLatin1String(data)), 0) << data;
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Home);
    while (box->currentData().toString() != QLatin1String(data)) {
      const int before = box->currentIndex();
      QTest::keyClick(box, Qt::Key_Down);
      ASSERT_NE(box->currentIndex(), before);
    }
  }
  void pressCompare(CompareAsDialog& dialog) {
    QPushButton* go = button(dialog, QStringLiteral("&Compare"));
    ASSERT_TRUE(go->isEnabled());
    QTest::mouseClick(go, Qt::LeftButton);
    ASSERT_TRUE(test::waitFor([this] { return m_session->exports().isIdle(); }));
    QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  }
};

TEST_F(CompareAsTest, WritesTheFilesOfTheCommandForEachTool) {
  const std::vector<ToolCase> cases{
      {"msprobe-26", "v26_stat_w", "target", {"--spreadsheet"}, {"spreadsheet"}},
      {"msprobe-26", "v26_stat_w", "target", {"--fuzzy"}, {"fuzzy"}},
      {"msprobe-26-da", "v26_stat_w", "target", {}},
      {"msprobe-8", "v83_stat_w", "target", {"--highlight"}, {"highlight"}},
      {"msit", "msit_full", "my", {"--level", "layer"}, {}, "layer"},
      {"msit-logitscmp", "msit_logitscmp", "my", {"--level", "bf16"}, {}, "bf16"}};
  int number = 0;
  for (const ToolCase& one : cases) {
    SCOPED_TRACE(one.tool);
    const std::filesystem::path folder = test::msprobeCase(one.folder);
    const std::string golden = (folder / "golden").string();
    const std::string target = (folder / one.target).string();
    const QString out = m_folder.filePath(QStringLiteral("out%1").arg(++number));
    CompareAsDialog* dialog = openCompareAs();
    ASSERT_NE(dialog, nullptr);
    choose(*dialog, "tool", one.tool);
    fillIn(*dialog, "golden", QString::fromStdString(golden));
    fillIn(*dialog, "target", QString::fromStdString(target));
    EXPECT_FALSE(button(*dialog, QStringLiteral("&Compare"))->isEnabled());
    fillIn(*dialog, "output", out);
    for (const char* box : one.ticked) {
      auto* check = dialog->findChild<QCheckBox*>(QLatin1String(box));
      ASSERT_TRUE(check->isVisible()) << box;
      QTest::keyClick(check, Qt::Key_Space);
    }
    if (*one.level != '\0') {
      choose(*dialog, "level", one.level);
    }
    pressCompare(*dialog);
    const test::TempDir other;
    std::vector<std::string> arguments{
        "compare", golden, target, "--as", one.tool, "-o", other.path().string()};
    arguments.insert(arguments.end(), one.options.begin(), one.options.end());
    const test::CliOutcome outcome = test::runCli(arguments);
    const auto byCommand = test::filesOf(other.path());
    ASSERT_FALSE(byCommand.empty()) << outcome.err;
    auto written = test::filesOf(out.toStdString());
    ASSERT_EQ(written.size(), byCommand.size()) << m_messages.back().toStdString();
    for (const auto& [name, content] : byCommand) {
      ASSERT_TRUE(written.contains(name)) << name;
      // A workbook holds when it was made.
      if (!name.ends_with(".xlsx")) {
        EXPECT_EQ(written.at(name), content) << name;
      }
    }
    EXPECT_TRUE(m_messages.back().startsWith(QStringLiteral("Wrote to %1").arg(out)))
        << m_messages.back().toStdString();
  }
}

TEST_F(CompareAsTest, OffersTheOptionsThatTheToolHas) {
  CompareAsDialog* dialog = openCompareAs();
  const auto isOffered = [dialog](const char* field) {
    return dialog->findChild<QWidget*>(QLatin1String(field))->isVisible();
  };
  choose(*dialog, "tool", "msprobe-26");
  EXPECT_TRUE(isOffered("data-mapping") && isOffered("cell-mapping") && isOffered("fuzzy"));
  EXPECT_FALSE(isOffered("level") || isOffered("highlight"));
  fillIn(*dialog, "cell-mapping", QStringLiteral("cells.yaml"));
  choose(*dialog, "tool", "msit");
  EXPECT_TRUE(isOffered("data-mapping") && isOffered("level") && isOffered("spreadsheet"));
  EXPECT_FALSE(isOffered("cell-mapping") || isOffered("fuzzy"));
  EXPECT_TRUE(dialog->wish().request.cellMapping.empty()) << "msit has none";
  choose(*dialog, "tool", "msit-weights");
  EXPECT_FALSE(isOffered("data-mapping") || isOffered("level") || isOffered("spreadsheet"));
}

TEST_F(CompareAsTest, SaysWhatTheToolCannotCompare) {
  CompareAsDialog* dialog = openCompareAs();
  choose(*dialog, "tool", "msprobe-26");
  fillIn(*dialog, "golden", path("nowhere"));
  fillIn(*dialog,
         "target",
         QString::fromStdString((test::msprobeCase("v26_stat_w") / "target").string()));
  fillIn(*dialog, "output", path("out"));
  pressCompare(*dialog);
  ASSERT_FALSE(m_messages.isEmpty());
  EXPECT_TRUE(m_messages.back().contains(path("nowhere"))) << m_messages.back().toStdString();
  EXPECT_EQ(m_severities.back(), static_cast<int>(views::Severity::Broken));
}

TEST_F(CompareAsTest, ACompareJsonStandsForBothSides) {
  const std::filesystem::path folder = test::msprobeCase("v83_stat_w");
  const QString file =
      write(QStringLiteral("compare.json"),
            QStringLiteral(R"({"npu_path": "%1", "bench_path": "%2", "stack_path": "",
                         "is_print_compare_log": true})")
                .arg(QString::fromStdString((folder / "target").string()),
                     QString::fromStdString((folder / "golden").string())));
  CompareAsDialog* dialog = openCompareAs();
  choose(*dialog, "tool", "msprobe-8");
  fillIn(*dialog, "golden", file);
  fillIn(*dialog, "output", path("out"));
  pressCompare(*dialog);
  EXPECT_TRUE(m_messages.back().startsWith(QStringLiteral("Wrote to")))
      << m_messages.back().toStdString();
}

TEST_F(CompareAsTest, TheOpenComparisonIsFilledIn) {
  compare(origin());
  CompareAsDialog* dialog = openCompareAs();
  EXPECT_EQ(dialog->wish().request.golden, path("golden").toStdString());
  EXPECT_EQ(dialog->wish().request.target, path("target").toStdString());
}

}  // namespace
}  // namespace ulp::app
